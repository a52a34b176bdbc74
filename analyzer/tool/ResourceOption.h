//===- analyzer/tool/ResourceOption.h - --registers, --ptxas ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where the registers of kernels come from, as the user says it.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_RESOURCEOPTION_H
#define CUDA_LINT_ANALYZER_TOOL_RESOURCEOPTION_H

#include "analyzer/resources/Resources.h"
#include "hardware/Architecture.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
} // namespace CLI

namespace cudalint {

/// The values of the options, before they are understood.
struct RawResourceOptions {
  std::vector<std::string> Registers; ///< `--registers`
  std::vector<std::string> Logs;      ///< `--ptxas-log`
  std::string Ptxas = "auto";         ///< `--ptxas`
  std::string Timeout;                ///< `--ptxas-timeout`, in seconds.
  std::optional<std::string> CacheDir;
  bool NoCache = false;
};

/// Declares them, so that \p Raw is filled.
void declareResourceOptions(CLI::App &App, RawResourceOptions &Raw);

/// Reads the value of `--registers`, `[KERNEL=]N`. Empty, with a message in
/// \p Error, when that is no number of registers.
std::optional<RegisterOption> parseRegisterOption(std::string_view Text,
                                                  std::string &Error);

/// Understands all of them. Looks at no file. Returns a message when the words
/// mean nothing or no kernel on one of \p Gpus can have so many registers, else
/// an empty string.
std::string readResourceOptions(const RawResourceOptions &Raw,
                                std::span<const Target> Gpus,
                                ResourceOptions &Result);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_RESOURCEOPTION_H
