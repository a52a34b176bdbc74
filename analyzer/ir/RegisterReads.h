//===- analyzer/ir/RegisterReads.h - Special registers -------- -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_REGISTERREADS_H
#define CUDA_LINT_ANALYZER_IR_REGISTERREADS_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Instruction;
} // namespace llvm

namespace cudalint {

/// The special register that \p I reads: `ctaid.x`; empty: none, or inline
/// assembly does.
llvm::StringRef readRegister(const llvm::Instruction &I);

/// The text of inline assembly; empty: \p I is none.
llvm::StringRef inlineAssembly(const llvm::Instruction &I);

/// Of the block that it is in: its number in the grid, the cluster, or that of
/// the cluster.
bool readsBlockIndex(const llvm::Instruction &I);

/// What time it is, or which SM runs the block: each measures for itself.
bool readsClock(const llvm::Instruction &I);

/// gridDim, and how many clusters there are.
bool readsGridSize(const llvm::Instruction &I);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_REGISTERREADS_H
