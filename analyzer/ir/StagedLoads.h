//===- analyzer/ir/StagedLoads.h - Loads that fill a tile -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loads whose values are stored to shared memory, and that is all that becomes
/// of them: a tile is filled, in whatever order.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_STAGEDLOADS_H
#define CUDA_LINT_ANALYZER_IR_STAGEDLOADS_H

#include "analyzer/ir/StaticAccess.h"

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace cudalint {

/// Says so in the markers of such loads, while the stores are still there.
void noteStagedLoads(llvm::Function &F);

/// Whether the load of \p I, which has these \p Parts, that does \p Op is such
/// a one, or that of an asynchronous copy into shared memory.
bool isStaged(const llvm::Instruction &I, llvm::ArrayRef<StaticAccess> Parts,
              AccessOp Op);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_STAGEDLOADS_H
