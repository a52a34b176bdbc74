//===- analyzer/resources/LogChoice.h - A kernel in build logs --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_RESOURCES_LOGCHOICE_H
#define CUDA_LINT_ANALYZER_RESOURCES_LOGCHOICE_H

#include "analyzer/resources/PtxasLog.h"
#include "analyzer/resources/Resources.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace cudalint {

struct NamedLog {
  std::string Name; ///< Of the file.
  PtxasLog Log;
};

/// What \p Logs say of a kernel of the source \p File for \p CC:
///
///   1. for exactly this architecture, else for the newest earlier one of the
///      same generation, whose code runs there too, with a note;
///   2. what nvlink says of registers, before ptxas;
///   3. where the same kernel was compiled several times with different
///      figures, those of \p File, if the log tells; otherwise only what all
///      agree on, with a note.
///
/// Where the commands of a log name sources, and not \p File, what it says of
/// those does not count. A note and no record when they say nothing.
ResourceAnswer
chooseFromLogs(std::span<const NamedLog> Logs, std::string_view LinkageName,
               const std::string &File, ComputeCapability CC,
               const std::function<bool(std::string_view)> &IsNamed);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_RESOURCES_LOGCHOICE_H
