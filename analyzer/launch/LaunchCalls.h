//===- analyzer/launch/LaunchCalls.h - Calls of the runtime -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_LAUNCHCALLS_H
#define CUDA_LINT_ANALYZER_LAUNCH_LAUNCHCALLS_H

namespace clang {
class CallExpr;
class FunctionDecl;
} // namespace clang

namespace cudalint {

/// Calls that launch a kernel, by their name; not `<<<>>>`.
enum class LaunchCall { None, Kernel, Cooperative, Ex };
LaunchCall launchCallOf(const clang::FunctionDecl *Callee);

/// True for a call of cudaFuncSetAttribute that asks for more shared memory.
bool setsSharedMemory(const clang::CallExpr &Call);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_LAUNCHCALLS_H
