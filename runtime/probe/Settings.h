//===- runtime/probe/Settings.h - What the user asks for --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_SETTINGS_H
#define CUDA_LINT_RUNTIME_PROBE_SETTINGS_H

#include <cstdint>
#include <functional>
#include <optional>
#include <regex.h>
#include <string>
#include <vector>

namespace cudalint::probe {

/// Chooses kernels by a POSIX extended regular expression, which may match
/// anywhere in the mangled or the demangled name.
class KernelFilter {
public:
  KernelFilter() = default;
  KernelFilter(const KernelFilter &) = delete;
  KernelFilter &operator=(const KernelFilter &) = delete;
  ~KernelFilter();

  /// Returns the fault of \p Expression, if it has one; then all match.
  std::optional<std::string> set(const std::string &Expression);

  bool active() const { return Active; }
  bool matches(const std::string &Mangled) const;

private:
  bool Active = false;
  regex_t Compiled = {};
};

/// One of them in a run: CUPTI counts no instructions while it takes times, and
/// a kernel whose code is patched to count has another occupancy and stalls
/// elsewhere.
enum class CollectKind {
  Counters,  ///< Of each instruction.
  Time,      ///< Of each launch.
  Occupancy, ///< As achieved, and what L2 and DRAM did, of each launch.
  Units,     ///< What units of the hardware did, of each launch.
  Stalls,    ///< Where warps stand and why, by PC sampling of all launches.
};

/// counters, time, occupancy, units, stalls
const char *nameOf(CollectKind Kind);

/// Variables of the environment:
///
///   CUDA_LINT_PROBE_DIR        folder for the profile; without it the probe
///                              does nothing at all
///   CUDA_LINT_PROBE_COLLECT    counters (also without it), time, occupancy,
///                              units or stalls
///   CUDA_LINT_PROBE_PART       of the units, which are counted in this run: as
///                              many as fit into a pass, from 0
///   CUDA_LINT_PROBE_KERNEL     which kernels are measured; others run plain
///   CUDA_LINT_PROBE_LAUNCHES   how many launches of each, from 1, or all;
///                              without it a few, spread over the run
///   CUDA_LINT_PROBE_SKIP       so many launches of each kernel run plain first
///   CUDA_LINT_PROBE_RANGE      only what is launched in ranges of this name of
///                              NVTX is measured, or with cudaProfilerApi
///                              between cudaProfilerStart and cudaProfilerStop
///   CUDA_LINT_PROBE_NO_ARGV    if it is 1, the profile names the program
///                              without its arguments
///   CUDA_LINT_PROBE_OVERHEAD   how much longer the program may take for these
///                              few, in per cent; 30 without it
///   CUDA_LINT_CUPTI            path of the CUPTI library
struct Settings {
  std::string Folder;
  CollectKind Collect = CollectKind::Counters;
  unsigned Part = 0; // of Units
  KernelFilter Kernels;
  std::optional<std::uint64_t> Launches;
  bool AllLaunches = false;
  std::uint64_t Skip = 0; // launches of each kernel
  std::string Range;      // of the program; may be empty
  bool NoArguments = false;
  double Overhead = 0.3; // share of the time that the program takes
  std::string CuptiPath;
  std::vector<std::string> Faults; // of the values; the defaults are used

  /// Whether a few launches are counted, as many as the overhead allows.
  bool samples() const {
    return Collect == CollectKind::Counters && !AllLaunches && !Launches;
  }
  /// Whether some launches run without counters.
  bool filters() const {
    return Kernels.active() || Launches.has_value() || selects() || samples();
  }
  /// Whether some launches are none of those that are asked for.
  bool selects() const { return Skip != 0 || !Range.empty(); }
};

/// Fills \p Out from \p Variable, which is std::getenv but in tests.
void readSettings(const std::function<const char *(const char *)> &Variable,
                  Settings &Out);

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_SETTINGS_H
