//===- runtime/measure/ProbedRun.h - A program under the probe --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_MEASURE_PROBEDRUN_H
#define CUDA_LINT_RUNTIME_MEASURE_PROBEDRUN_H

#include "runtime/measure/ProfileFiles.h"
#include "runtime/measure/Program.h"

#include <cstdint>
#include <optional>
#include <string>

namespace cudalint {

/// What one run of a program is for.
enum class Purpose : std::uint8_t { Counters, Time, Occupancy, Stalls };

struct ProbedRun {
  ProgramRun Program;
  Purpose What = Purpose::Counters;
  std::string Probe; ///< The probe's library, as findProbe() has it.
  std::string Cupti; ///< Path; empty: the probe looks itself.
  /// Measure only kernels that match this POSIX extended regular expression;
  /// empty: all.
  std::string Kernel = {};
  std::optional<std::uint64_t> Launches = {}; ///< To measure, of each kernel.
  bool AllLaunches = false;
  std::uint64_t Skip = 0;   ///< Launches of each kernel.
  bool NoArguments = false; ///< The profile names the program alone.
  /// Only what is launched in ranges of this name of NVTX, or with
  /// cudaProfilerApi between cudaProfilerStart and Stop; empty: all.
  std::string Range = {};
  /// Where neither is given: how much longer it may take, in per cent.
  std::optional<double> Overhead = {};
};

/// The probe's library: \p Given, absolute as the driver wants it, or without
/// it that beside this program. Empty where there is none, and \p Why says so.
std::string findProbe(const std::string &Given, std::string &Why);

struct ProbedEnd {
  ProgramEnd End;
  /// Why there is no profile; or empty. Files that cannot be read are in the
  /// errors of what was read.
  std::string Failure;
};

/// Runs the program with the probe in it, and adds to \p Read what that left in
/// \p Folder, which is empty before and absolute.
ProbedEnd runProbed(const ProbedRun &Run, const std::string &Folder,
                    ProfilesRead &Read);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_MEASURE_PROBEDRUN_H
