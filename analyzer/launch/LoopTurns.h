//===- analyzer/launch/LoopTurns.h - How often loops turn ----- -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_LOOPTURNS_H
#define CUDA_LINT_ANALYZER_LAUNCH_LOOPTURNS_H

namespace clang {
class ASTContext;
class Stmt;
} // namespace clang

namespace cudalint {

bool isLoop(const clang::Stmt &S);

/// Whether \p Loop is seen not to turn a second time: `do … while (0)`, which
/// macros are made of, a body that ends with `break`, and a counter that has
/// gone far enough, `for (int i = 0; i < 1; ++i)`. Errs towards false.
bool turnsOnce(const clang::ASTContext &Context, const clang::Stmt &Loop);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_LOOPTURNS_H
