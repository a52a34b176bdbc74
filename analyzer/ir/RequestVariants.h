//===- analyzer/ir/RequestVariants.h - Addresses of a request ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the space of a request and its lanes make of its address: the concrete
/// addresses that stand for it, or why there are none. Pure.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_REQUESTVARIANTS_H
#define CUDA_LINT_ANALYZER_IR_REQUESTVARIANTS_H

#include "analyzer/ir/AddressVariants.h"
#include "analyzer/ir/RequestCost.h"
#include "analyzer/ir/WarpInterpreter.h"

#include <functional>

namespace llvm {
class Value;
} // namespace llvm

namespace cudalint {

/// What a request of \p Piece bytes of each lane may be.
AddressVariants variantsOf(const LaneArithmetic &A, const Request &R,
                           const Architecture &Arch, unsigned Piece);

/// Whether it costs the same at all the offsets of \p V.
bool costTheSame(const Architecture &Arch, const Request &R, unsigned Piece,
                 const AddressVariants &V);

/// What a request of \p Piece bytes of each lane costs if the stride \p S is 0,
/// 1, ... 32: in shared memory by the remainder by 32, and a pitch of 32 is
/// what 0 stands for. Strides with which an instruction would fault cost what
/// the dearest of the others does: they tell nothing.
std::vector<double> costsByStride(const Architecture &Arch,
                                  const LaneArithmetic &A, const Request &R,
                                  unsigned Piece, const StrideSymbol &S);

/// Whether \p R, at \p Pointer, is of a constant variable of the program;
/// parameters of the kernel are in constant memory, too, but nobody wrote a
/// load of them.
bool isConstantVariable(const LaneArithmetic &A, const llvm::Value *Pointer,
                        const Request &R);

/// Whether a request is good or bad whichever of its lanes data picks: tried
/// with every second lane, every fourth and a scattered half of them.
bool holdsForAnyLanes(
    const Request &R,
    const std::function<RequestCost(const Request &)> &CostOf);

/// Moves the lanes' addresses to where words as wide as the request begin.
/// False: they are there.
bool alignDown(LaneOffsets &Offsets, const Request &R);

/// Whether lanes are at different bytes of words as wide as the request.
bool areUneven(const LaneOffsets &Offsets, const Request &R);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_REQUESTVARIANTS_H
