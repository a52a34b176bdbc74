//===- tests/unit/runtime/hotspots/MadeProfiles.h - Profiles ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A GPU whose peaks are easy to compute with: 132 SMs at 1980 MHz, so that L1
/// does 132 * 4 * 1.98 = 1045.44 sectors in a nanosecond, and shared memory
/// 132 * 1.98 = 261.36 wavefronts.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_UNIT_RUNTIME_HOTSPOTS_MADEPROFILES_H
#define CUDA_LINT_TESTS_UNIT_RUNTIME_HOTSPOTS_MADEPROFILES_H

#include "runtime/hotspots/HotspotWriters.h"
#include "runtime/join/Profile.h"

#include <gtest/gtest.h>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

namespace cudalint {

inline constexpr double SectorsPerNs = 1045.44;
inline constexpr double WavefrontsPerNs = 261.36;

inline Profile countedOn(const std::string &Gpu = "NVIDIA H200") {
  return {
      .Command = {"./app"},
      .End = "exit",
      .HasCounters = true,
      .Devices = {
          {.Index = 0, .Name = Gpu, .ComputeCapability = "9.0", .SMs = 132}}};
}

inline Profile timed() {
  Profile Out = countedOn();
  Out.HasCounters = false;
  Out.IsExtra = true;
  return Out;
}

inline ProfileLine globalLoad(const std::string &Kernel, std::uint64_t Sectors,
                              std::uint64_t Ideal) {
  return {.Kernel = Kernel,
          .File = "a.cu",
          .Line = 7,
          .Requests = 100,
          .Lanes = 3200,
          .Sectors = Sectors,
          .IdealSectors = Ideal};
}

inline ProfileLaunch launch(const std::string &Kernel, std::uint64_t Number) {
  return {.Kernel = Kernel,
          .Grid = {10, 1, 1},
          .Block = {256, 1, 1},
          .Registers = 32,
          .BlocksPerSM = 8,
          .Number = Number};
}

inline void addKernel(Profile &To, const std::string &Kernel,
                      std::uint64_t Launches, std::uint64_t Measured) {
  To.Kernels.push_back({.Kernel = Kernel,
                        .Launches = Launches,
                        .MeasuredLaunches = Measured,
                        .HasLines = true,
                        .Threads = Launches * 2560,
                        .MeasuredThreads = Measured * 2560});
  To.Launches.push_back(launch(Kernel, Launches));
}

inline void addTimes(Profile &To, const std::string &Kernel,
                     std::uint64_t Launches, std::vector<double> Samples) {
  addKernel(To, Kernel, Launches, 0);
  To.Launches.back().Duration = {.Min = Samples.front(),
                                 .Median = Samples[Samples.size() / 2],
                                 .Max = Samples.back(),
                                 .Samples = Samples};
}

/// The report of a program whose only source is a.cu.
inline std::string textIn80Columns(const HotspotReport &Report,
                                   std::optional<std::size_t> Top = 5) {
  const HotspotOptions Options = {.Text = {.Width = 80}, .Top = Top};
  const std::string Source = "1\n2\n3\n4\n5\n6\n  x = v[i].x;\n  y = x + 1;\n";
  const std::string Out = hotspotText(
      Report, Options,
      [&](const std::string &File) -> std::optional<std::string_view> {
        return File == "a.cu" ? std::optional<std::string_view>(Source)
                              : std::nullopt;
      });
  std::istringstream In(Out);
  for (std::string Line; std::getline(In, Line);)
    EXPECT_LE(Line.size(), 80u) << Line;
  return Out;
}

} // namespace cudalint

#endif // CUDA_LINT_TESTS_UNIT_RUNTIME_HOTSPOTS_MADEPROFILES_H
