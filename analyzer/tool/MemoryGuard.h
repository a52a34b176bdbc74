//===- analyzer/tool/MemoryGuard.h - When memory runs out -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_MEMORYGUARD_H
#define CUDA_LINT_ANALYZER_TOOL_MEMORYGUARD_H

namespace cudalint {

/// Where memory, threads or files run out, LLVM aborts. From now on that ends
/// the innermost CrashRecoveryContext instead or, without one, the program,
/// with one line on standard error and exit code 2. Called once, from main.
void installMemoryGuard();

/// Whether work that crashed did so for lack of memory, for all that is known:
/// it ran out since, or is limited for this process.
bool memoryRanOut();

/// For messages: what to do about it.
extern const char OutOfMemoryWords[];

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_MEMORYGUARD_H
