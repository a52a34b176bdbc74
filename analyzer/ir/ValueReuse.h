//===- analyzer/ir/ValueReuse.h - Values that stay ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where a compiler may have a value already on some of the ways to a load, and
/// so make the load on the others alone, or one load for two; and in which
/// loops a value may change. The machine code says only where its loads are:
/// these are the accesses of which that has to be looked at.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_VALUEREUSE_H
#define CUDA_LINT_ANALYZER_IR_VALUEREUSE_H

#include "analyzer/ir/CompiledCode.h"

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class DominatorTree;
class Instruction;
class LoopInfo;
class Value;
} // namespace llvm

namespace cudalint {

/// After it, other threads may have written anything.
bool isBarrier(const llvm::Instruction &I);

struct PlacedAccess {
  const llvm::Instruction *Inst = nullptr;
  const llvm::Value *Pointer = nullptr;
  WrittenAccess *Written = nullptr;
};

/// Sets WrittenAccess::SharesValue and WrittenAccess::StaysInLoops of all
/// accesses of a kernel.
void findReuse(llvm::ArrayRef<PlacedAccess> All,
               const llvm::DominatorTree &Dominators,
               const llvm::LoopInfo &Loops);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_VALUEREUSE_H
