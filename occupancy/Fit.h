//===- occupancy/Fit.h - A model from measured launches ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_OCCUPANCY_FIT_H
#define CUDA_LINT_OCCUPANCY_FIT_H

#include "occupancy/Figures.h"

#include <cstddef>
#include <optional>
#include <string>

namespace cudalint {

/// What was found in a file of measured launches.
struct Fit {
  LatencyModel Model;
  std::size_t Launches = 0;
  double MedianError = 0; ///< Of the model's times, relative.
  double Gain = 0;        ///< Of the slowest launch over the fastest, measured.
};

/// Reads lines of `blocks,threads,time[,time...]`, of which the least time
/// counts; a first line that does not begin with a number is one of names. The
/// launches did \p Elements of work with the resources of \p Input. Empty, with
/// a message in \p Error that names file and line, when they have fewer than 4
/// shapes, one cannot run, a word is no number, or no model fits the times.
std::optional<Fit> fitFile(const std::string &Path, const Target &Gpu,
                           const LaunchInput &Input, double Elements,
                           std::string &Error);

/// "a step of a warp takes 11, 0.5 of it to issue: alone a warp waits 95.5 % of
/// the time, 22.0 warps on each SM keep it busy"
std::string modelInWords(const LatencyModel &Model);

/// How good the model is, and what gain was measured.
std::string fitInWords(const Fit &Fitted);

} // namespace cudalint

#endif // CUDA_LINT_OCCUPANCY_FIT_H
