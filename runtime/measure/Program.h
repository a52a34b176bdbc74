//===- runtime/measure/Program.h - Runs the user's program ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_MEASURE_PROGRAM_H
#define CUDA_LINT_RUNTIME_MEASURE_PROGRAM_H

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace cudalint {

struct ProgramRun {
  std::vector<std::string> Command; ///< At least the program; found by PATH.
  std::vector<std::pair<std::string, std::string>> Environment; ///< Added.
  std::optional<double> Timeout;                                ///< Seconds.
  std::string Folder; ///< To run in; empty: ours.
  /// Files in the place of our own streams; empty: ours. Both outputs may go to
  /// one file. They are made, or emptied.
  std::string Input, Output, Errors;
};

/// How a program ended.
struct ProgramEnd {
  std::string NotStarted; ///< Why; empty when it was started.
  int Code = 0;           ///< Of its exit.
  int Signal = 0;         ///< That ended it; 0 is none.
  bool TimedOut = false;
  int PassedOn = 0; ///< The last signal that reached us meanwhile; 0 is none.
  double Seconds = 0;

  bool isSuccess() const {
    return NotStarted.empty() && Code == 0 && Signal == 0 && !TimedOut;
  }
};

/// Runs a program to its end, without a shell.
///
/// It gets a process group of its own, which --timeout ends whole: SIGTERM,
/// and SIGKILL five seconds later. On a terminal that group is the foreground,
/// as under a shell: Ctrl-C reaches the program alone, Ctrl-Z stops both.
/// SIGINT, SIGTERM, SIGHUP and SIGQUIT that reach us are passed on.
ProgramEnd runProgram(const ProgramRun &Run);

/// `exited with 3`, `was ended by SIGSEGV (segmentation fault)`, …
std::string describe(const ProgramEnd &End);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_MEASURE_PROGRAM_H
