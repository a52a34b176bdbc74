//===- report/CommandLine.h - Mistakes in any command -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_COMMANDLINE_H
#define CUDA_LINT_REPORT_COMMANDLINE_H

#include <optional>
#include <span>
#include <string>

namespace cudalint {

/// What CLI11 says of a command line, in better words where it only says that
/// there is no value behind an option.
std::string whyRefused(std::string_view Words);

/// The message for the first of \p Arguments that is an option with nothing
/// behind its `=`, such as `--checks=`; nothing where there is none. Looks no
/// further than `--`.
///
/// CLI11 would take the next argument as the value, most likely a file.
[[nodiscard]] std::optional<std::string>
whyValueIsMissing(std::span<const std::string> Arguments);

/// The message when the report would take the place of one of \p Inputs: when
/// \p Output is the same file, by whatever name or link. A folder among the
/// inputs stands for the files in it. Nothing for `-`, for pipes and devices,
/// and where the output does not exist yet.
[[nodiscard]] std::optional<std::string>
whyOutputIsInput(const std::string &Output,
                 std::span<const std::string> Inputs);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_COMMANDLINE_H
