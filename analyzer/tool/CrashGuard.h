//===- analyzer/tool/CrashGuard.h - Work that may crash ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A parser and a code generator that see arbitrary input crash now and then;
/// the other files of the run must not pay for it.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_CRASHGUARD_H
#define CUDA_LINT_ANALYZER_TOOL_CRASHGUARD_H

#include <functional>
#include <string>
#include <string_view>

namespace cudalint {

/// Lets runGuarded() see crashes. Changes the signal handlers of the process;
/// called once, from main.
void enableCrashGuard();

/// Runs \p Work on a thread of its own, with a stack for deeply nested source.
/// Returns false when it crashed; what it held is then leaked and what it
/// wrote is not to be trusted.
[[nodiscard]] bool runGuarded(const std::function<void()> &Work);

/// The same on the calling thread, which runGuarded() made.
[[nodiscard]] bool runGuardedInPlace(const std::function<void()> &Work);

/// For a message, after one of these returned false: that \p What crashed, or
/// that memory ran out.
std::string crashed(std::string_view What);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_CRASHGUARD_H
