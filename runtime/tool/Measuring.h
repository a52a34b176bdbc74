//===- runtime/tool/Measuring.h - Runs for a report -------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What confirm and its comparison have in common: they run programs, and they
/// write a report and an exit code of what came of it.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_TOOL_MEASURING_H
#define CUDA_LINT_RUNTIME_TOOL_MEASURING_H

#include "runtime/measure/ProbedRun.h"
#include "runtime/tool/Options.h"
#include "runtime/tool/Report.h"

#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

/// An error for the user, on standard error.
void complain(std::string_view Message);

/// What is done now, where a person looks.
void progress(const Options &Run, const std::string &Message);

struct Measured {
  ProfilesRead Read;
  std::vector<ProgramReport> Programs;
  std::string Failure; ///< Nothing could be done.
};

/// Runs \p Command and adds what it measured to \p Out, and to the folder of
/// --save-profile. It is the run \p Number of several for times, from 1, or 0;
/// or that for \p Part of the hardware units, from 0.
void runAndRead(const Options &Run, const std::vector<std::string> &Command,
                Purpose What, Measured &Out, unsigned Number = 0,
                unsigned Part = 0);

/// As often as the GPU needs to count what its units do; not after a failure.
void runForUnits(const Options &Run, const std::vector<std::string> &Command,
                 Measured &Out);

/// Adds to \p Out the profiles and the pages of ncu that \p Run names.
void readRecorded(const Options &Run, Measured &Out);

bool anyFailed(const Measured &What);

/// All profiles could be read, and no program failed.
bool isComplete(const Measured &What);

/// Where there is no report: a program that fails is no bad usage, whether it
/// measured something before or not.
int codeOfNothing(const Measured &What);

/// Returns an exit code, and complains where it is not 0.
int writeReport(const Options &Run, const std::string &Text);

/// 80 columns where there is no terminal, as the tables have them too.
unsigned textWidth(const Options &Run);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_TOOL_MEASURING_H
