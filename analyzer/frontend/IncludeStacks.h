//===- analyzer/frontend/IncludeStacks.h - How headers came -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_INCLUDESTACKS_H
#define CUDA_LINT_ANALYZER_FRONTEND_INCLUDESTACKS_H

#include "report/Finding.h"

#include <map>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
} // namespace clang

namespace cudalint {

/// For each header of the user's, by its name in locations, the #include lines
/// through which it was reached first, innermost first.
using IncludeStacks = std::map<std::string, std::vector<Location>>;

IncludeStacks includeStacksOf(const clang::ASTContext &Context);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_INCLUDESTACKS_H
