//===- analyzer/tool/OptionWords.h - What options mean ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_OPTIONWORDS_H
#define CUDA_LINT_ANALYZER_TOOL_OPTIONWORDS_H

#include "analyzer/tool/OptionTable.h"
#include "analyzer/tool/Options.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

/// `text`, `json` and so on, in the order of OutputFormat.
std::span<const std::string_view> formatNames();

/// The targets that \p Architectures of a build name, in Options::Gpus; without
/// any, the default. What is not known is noted.
void chooseGpus(const std::vector<std::string> &Architectures, Options &Run);

/// Lays \p Run, which is what the user said, over what \p Its says for a run.
void configure(const Configuration &Its, Options &Run);

/// Turns the words of options into the values of a run, whose compiler
/// arguments and other plain texts are set. Returns what is wrong with them, or
/// an empty string.
std::string readOptionWords(const RawOptions &Raw, Options &Result);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_OPTIONWORDS_H
