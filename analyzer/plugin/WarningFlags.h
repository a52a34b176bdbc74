//===- analyzer/plugin/WarningFlags.h - What -W says ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a compiler's -W options say of findings. Clang has no group of warnings
/// that a plugin could add one to, and keeps the options that it does not know.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PLUGIN_WARNINGFLAGS_H
#define CUDA_LINT_ANALYZER_PLUGIN_WARNINGFLAGS_H

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace cudalint {

/// As Clang has it for its own: the last option that names a check, or all of
/// them, decides, of each of two questions.
class WarningFlags {
public:
  enum class Level : std::uint8_t { Ignored, Warning, Error };

  /// \p Options, in their order and without -W: `cuda-lint`, for all checks,
  /// `cuda-lint-NAME`, and both behind `no-`, `error=` and `no-error=`; all
  /// others say nothing. \p AreErrors: -Werror is among them.
  WarningFlags(std::span<const std::string> Options, bool AreErrors);

  /// What a warning of \p Check is.
  Level of(std::string_view Check) const;

private:
  struct Choice {
    bool IsOn = true;
    bool IsError = false;
  };
  void choose(std::string_view Name, bool Choice::*What, bool Value);

  Choice Default;
  std::map<std::string, Choice, std::less<>> Own; ///< By the check.
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PLUGIN_WARNINGFLAGS_H
