//===- analyzer/pipeline/WorkGuard.h - Work that may crash ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A parser and a code generator that see arbitrary input crash now and then;
/// the other files of the run must not pay for it. To survive a crash takes
/// signal handlers, which belong to a program: it may give the pipeline a guard
/// that has them. Without one, work is run as it is.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_WORKGUARD_H
#define CUDA_LINT_ANALYZER_PIPELINE_WORKGUARD_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace cudalint {

class WorkGuard {
public:
  using Work = std::function<void()>;

  virtual ~WorkGuard() = default;

  /// Runs the work of a file, on a stack for deeply nested source. False when
  /// it crashed; what it held is then leaked and what it wrote is not to be
  /// trusted.
  [[nodiscard]] virtual bool runFile(const Work &Do) const;

  /// The same for a part of it, on the thread of runFile().
  [[nodiscard]] virtual bool runPart(const Work &Do) const;

  /// After one of these returned false: what went wrong, in words for the user,
  /// if that is no fault of the program. Empty for any other crash.
  virtual std::string excuse() const { return {}; }

  /// For a message: that \p What crashed, or that excuse.
  std::string crashed(std::string_view What) const;
};

/// Runs work as it is.
const WorkGuard &noGuard();

/// Of this process, in bytes; empty: it has none.
std::optional<std::uint64_t> memoryLimit();

/// The stack of a thread for deeply nested source, in bytes: less where the
/// memory of this process is limited.
unsigned stackForDeepSource();

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_WORKGUARD_H
