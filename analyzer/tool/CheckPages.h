//===- analyzer/tool/CheckPages.h - Pages about checks ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `list-checks`, `explain` and the pages of docs/checks, all made from the
/// declaration of each check.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_CHECKPAGES_H
#define CUDA_LINT_ANALYZER_TOOL_CHECKPAGES_H

#include "analyzer/checks/Check.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cudalint {

/// One line for each check.
std::string checkList(const std::vector<std::unique_ptr<Check>> &Checks);

/// The documentation of one check, for a terminal.
std::string checkExplanation(const CheckInfo &Info);

/// The same as a Markdown page.
std::string checkPage(const CheckInfo &Info);

/// Writes `NAME.md` for each check and `README.md`, their list, to \p Folder.
/// Returns a message for the user when a file cannot be written.
std::optional<std::string>
writeCheckPages(const std::vector<std::unique_ptr<Check>> &Checks,
                const std::string &Folder);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_CHECKPAGES_H
