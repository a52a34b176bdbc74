//===- analyzer/tool/RunInputs.h - What a run reads -------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_RUNINPUTS_H
#define CUDA_LINT_ANALYZER_TOOL_RUNINPUTS_H

#include "analyzer/tool/ChangedLines.h"
#include "analyzer/tool/Configuration.h"
#include "analyzer/tool/FileSettings.h"
#include "analyzer/tool/Options.h"

#include <optional>
#include <string>
#include <vector>

namespace cudalint {

/// What --config or --config-file gives; nothing without them, or with an \p
/// Error. \p Checks are the names of all.
std::optional<Configuration> givenConfiguration(const Options &Run,
                                                const std::string &Here,
                                                const KnownChecks &Checks,
                                                std::string &Error);

/// What is left of the command line to be read, which files there are, and what
/// is read but once. Returns what is wrong with it.
std::optional<std::string> prepare(Options &Run, Configurations &All);

/// Which checks each file wants. Returns what is wrong with them.
std::optional<std::string> addSettings(const Options &Run, Configurations &All,
                                       FileSettings &Settings);

/// What holds for the first file, or here.
Configuration effective(const Options &Run, Configurations &All);

/// What --diff means; nothing without it.
std::optional<ChangedLines> changesOf(const Options &Run);

/// Of a run over all that has changed: its CUDA files, and those of the build
/// that include its headers.
void takeChanged(const ChangedLines &Changes, const std::string &Here,
                 Options &Run);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_RUNINPUTS_H
