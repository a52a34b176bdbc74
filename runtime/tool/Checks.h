//===- runtime/tool/Checks.h - Before and after a run -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_TOOL_CHECKS_H
#define CUDA_LINT_RUNTIME_TOOL_CHECKS_H

#include "runtime/join/Join.h"
#include "runtime/tool/Options.h"

#include <optional>
#include <string>

namespace cudalint {

/// Why the report cannot be written to \p Path, as far as can be seen before a
/// long run. Nothing if it can.
std::optional<std::string> whyNotWritable(const std::string &Path);

/// The same for profiles in \p Folder, which is made; empty: none are saved.
std::optional<std::string> whyNotSavable(const std::string &Folder);

/// Says in the notes of \p Result where nothing was compared: a gate must not
/// be green then.
void noteWhatIsMissing(const Options &Run, JoinResult &Result);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_TOOL_CHECKS_H
