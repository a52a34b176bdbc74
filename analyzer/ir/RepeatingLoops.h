//===- analyzer/ir/RepeatingLoops.h - Loops to take time --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loops of which each turn does the same again, `for (i = 0; i < 500; ++i)
/// c[t] = a[t] + b[t];`: whoever writes one wants the kernel to take longer.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_REPEATINGLOOPS_H
#define CUDA_LINT_ANALYZER_IR_REPEATINGLOOPS_H

namespace llvm {
class Function;
class Loop;
} // namespace llvm

namespace cudalint {

/// Notes those of \p F, of which all is still there that is computed.
void noteRepeatingLoops(llvm::Function &F);

bool isNotedAsRepeating(const llvm::Loop &L);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_REPEATINGLOOPS_H
