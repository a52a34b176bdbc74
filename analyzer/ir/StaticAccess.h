//===- analyzer/ir/StaticAccess.h - What is accessed -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which accesses an instruction of canonical IR makes: markers, atomics, and
/// the intrinsics and inline PTX that are understood.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_STATICACCESS_H
#define CUDA_LINT_ANALYZER_IR_STATICACCESS_H

#include "analyzer/ir/InlinePtx.h"
#include "report/Document.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace cudalint {

struct MatrixPart;

struct StaticAccess {
  AccessOp Op = AccessOp::Load;
  /// As the instruction and the type of its pointer tell; Generic: they do not.
  MemorySpace Space = MemorySpace::Generic;
  bool InCluster = false;               ///< Shared memory of the cluster.
  unsigned Bytes = 0;                   ///< Per lane.
  unsigned Align = 1;                   ///< Bytes; 1: not told.
  const llvm::Value *Pointer = nullptr; ///< Or an integer, of inline PTX.
  bool Volatile = false;
  bool IsRedundant = false; ///< MarkedAccess::IsRedundant.
  /// ldmatrix and stmatrix: so many matrices of 8 rows of 16 bytes, whose
  /// addresses the first 8 lanes for each give. 0: every lane has its own.
  unsigned Matrices = 0;
  /// Of wmma: where its lanes are, from Pointer on; null for all else.
  std::shared_ptr<const MatrixPart> Part;
  AtomicForm Atomic = AtomicForm::Arithmetic;
};

/// In the order in which they happen: that is the number of each, its part.
llvm::SmallVector<StaticAccess, 2> accessesOf(const llvm::Instruction &I);

/// By its type, or by what it is computed from, it points to no array that each
/// lane has for itself.
bool isSurelyNotPrivate(const llvm::Value &Pointer);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_STATICACCESS_H
