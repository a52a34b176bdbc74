//===- analyzer/pipeline/CheckSelection.h - --checks ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `--checks=GLOBS`, as clang-tidy reads it: globs are separated by commas, a
/// `-` before one excludes, and of those that match a check the last decides.
/// The list is appended to the default, which is all stable checks.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_CHECKSELECTION_H
#define CUDA_LINT_ANALYZER_PIPELINE_CHECKSELECTION_H

#include "analyzer/checks/Check.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

/// The checks of \p All that \p Globs leaves on, in their order. Empty, with a
/// message in \p Error, when a glob is malformed or matches no check.
std::optional<std::vector<const Check *>>
selectChecks(const std::vector<std::unique_ptr<Check>> &All,
             std::string_view Globs, std::string &Error);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_CHECKSELECTION_H
