//===- analyzer/ir/MatrixParts.h - What lanes load of a matrix --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What nvcc makes of wmma::load_matrix_sync and wmma::store_matrix_sync. Which
/// element is in which lane is told only of mma, in the PTX manual; that wmma
/// has the same parts is read from nvcc 13.0's code for sm_90 and from the
/// counters of an H200: docs/validation/matrices-h200.md. Of integers of 8 bits
/// and less, and of doubles, nothing is known.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_MATRIXPARTS_H
#define CUDA_LINT_ANALYZER_IR_MATRIXPARTS_H

#include "analyzer/ir/LaneValue.h"
#include "report/Document.h"

#include "llvm/ADT/SmallVector.h"

#include <array>
#include <cstdint>

namespace llvm {
class CallInst;
class Value;
} // namespace llvm

namespace cudalint {

/// One memory instruction of those that load or store a matrix. What is
/// contiguous in memory is a line: a row, or a column of what is stored by
/// columns.
struct MatrixPart {
  AccessOp Op = AccessOp::Load;
  const llvm::Value *Pointer = nullptr; ///< To the first element of line 0.
  const llvm::Value *Stride = nullptr;  ///< Elements from line to line, i32.
  unsigned ElementBytes = 0;
  unsigned Bytes = 0; ///< Per lane.
  /// An ldmatrix of so many matrices; 0: each lane has its own bytes.
  unsigned Matrices = 0;
  /// Of the first element of each lane.
  std::array<std::uint8_t, 32> Line = {}, At = {};
};

/// In the order in which they happen. Empty: it is no such call, or one of
/// which it is not known.
llvm::SmallVector<MatrixPart, 2> matrixPartsOf(const llvm::CallInst &Call);

/// Where the bytes of each lane begin, of a matrix that begins at \p Start.
LaneValue addressesOf(const MatrixPart &Part, const LaneValue &Start,
                      const LaneValue &Stride, LaneArithmetic &A);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_MATRIXPARTS_H
