//===- runtime/prove/NotedSignals.h - Clean up first ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Signals that ask to end, while there is something to clean up.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROVE_NOTEDSIGNALS_H
#define CUDA_LINT_RUNTIME_PROVE_NOTEDSIGNALS_H

#include <array>
#include <csignal>

namespace cudalint {

/// While it lives, a signal that asks to end is only noted: what was copied has
/// to go first. What is run gets it all the same. One at a time in a process;
/// made by the thread that waits for programs.
class NotedSignals {
public:
  NotedSignals();
  NotedSignals(const NotedSignals &) = delete;
  NotedSignals &operator=(const NotedSignals &) = delete;
  ~NotedSignals();

  /// The last one that came since one of these was made; 0: none.
  static int last();
  /// One that a program got and passed on.
  static void add(int Signal);

private:
  static constexpr std::array Signals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  std::array<struct sigaction, Signals.size()> Before = {};
};

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_PROVE_NOTEDSIGNALS_H
