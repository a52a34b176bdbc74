//===- analyzer/launch/LaunchEdits.h - Edits of launches --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_LAUNCHEDITS_H
#define CUDA_LINT_ANALYZER_LAUNCH_LAUNCHEDITS_H

#include "analyzer/frontend/ExpressionText.h"
#include "report/Finding.h"

#include <optional>

namespace clang {
class ASTContext;
class CUDAKernelCallExpr;
} // namespace clang

namespace cudalint {

class SteadyText;

/// The call of cudaFuncSetAttribute that lets \p Launch have its dynamic shared
/// memory, as the statement before it; none where that cannot be written.
std::optional<Edit> optInCall(clang::ASTContext &Context,
                              const clang::CUDAKernelCallExpr &Launch);

/// The third of its four sizes, where it is written, and where all builds
/// compute it from the same.
std::optional<ExpressionText>
dynamicSharedText(const clang::ASTContext &Context, const SteadyText &Steady,
                  const clang::CUDAKernelCallExpr &Launch);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_LAUNCHEDITS_H
