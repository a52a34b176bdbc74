//===- runtime/probe/Launches.cpp - Launches, by kernel and shape ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/Launches.h"

#include <algorithm>
#include <cmath>

namespace cudalint::probe {

static constexpr std::size_t MostKept = 4096;
static constexpr std::size_t MostSamples = 64;
static constexpr std::size_t MostRows = 16384;

void Durations::add(std::uint64_t Nanoseconds) {
  Min = Count ? std::min(Min, Nanoseconds) : Nanoseconds;
  Max = std::max(Max, Nanoseconds);
  if (Count++ % Stride != 0)
    return;
  Kept.push_back(Nanoseconds);
  if (Kept.size() < MostKept)
    return;
  for (std::size_t I = 0; I != MostKept / 2; ++I)
    Kept[I] = Kept[2 * I];
  Kept.resize(MostKept / 2);
  Stride *= 2;
}

DurationSummary Durations::summary() const {
  DurationSummary Out;
  Out.Min = Min;
  Out.Max = Max;
  std::vector<std::uint64_t> Sorted = Kept;
  std::sort(Sorted.begin(), Sorted.end());
  if (!Sorted.empty()) {
    std::size_t Half = Sorted.size() / 2;
    // Of an even number the mean of the middle two.
    Out.Median = Sorted.size() % 2 ? Sorted[Half]
                                   : (Sorted[Half - 1] + Sorted[Half]) / 2;
  }
  if (Kept.size() <= MostSamples) {
    Out.Samples = Kept;
    return Out;
  }
  for (std::size_t I = 0; I != MostSamples; ++I)
    Out.Samples.push_back(Kept[I * (Kept.size() - 1) / (MostSamples - 1)]);
  return Out;
}

void RangeSums::add(const RangeFigures &Launch) {
  for (std::size_t I = 0; I != Units.size(); ++I)
    if (Launch.Units[I]) {
      ++Units[I].Launches;
      Units[I].Amount += *Launch.Units[I];
    }
  // A launch without its occupancy is not measured at all.
  if (!Launch.Occupancy)
    return;
  if (Launches++ == 0)
    DramBytes = L2Sectors = L2Share = 0;
  Occupancy += *Launch.Occupancy;
  auto add = [](std::optional<double> &Sum, const std::optional<double> &Its) {
    if (Sum && Its)
      *Sum += *Its;
    else
      Sum.reset();
  };
  add(DramBytes, Launch.DramBytes);
  add(L2Sectors, Launch.L2Sectors);
  add(L2Share, Launch.L2Share);
}

const LaunchTable::Kernel *LaunchTable::find(const KernelKey &Key) const {
  auto Found = Kernels.find(Key);
  return Found == Kernels.end() ? nullptr : &Found->second;
}

LaunchTable::Row *LaunchTable::row(const LaunchKey &Key) {
  if (auto Found = Rows.find(Key); Found != Rows.end())
    return &Found->second;
  if (Rows.size() < MostRows)
    return &Rows[Key];
  IsOverfull = true;
  return nullptr;
}

void LaunchTable::summarize(Profile &Out) const {
  for (const auto &[Key, K] : Kernels) {
    KernelSummary &Kernel = Out.Kernels[Key];
    Kernel.Launches = K.Launches;
    Kernel.Measured = K.Measured - K.Unread;
    Kernel.RecordsOwed = K.RecordsOwed;
    Kernel.Records = K.Records;
    Kernel.Threads = K.Threads;
    Kernel.MeasuredThreads = K.MeasuredThreads - K.UnreadThreads;
    if (!Kernel.Measured && K.Launches && K.Wanted)
      Kernel.Why = K.Measured ? Uncounted::Lost : K.Why;
  }
  for (const auto &[Key, R] : Rows) {
    // Launches that only the activity records know: of graphs.
    std::uint64_t Count = std::max(R.Count, R.Times.count());
    if (!Count)
      continue; // every such launch failed
    LaunchSummary &Launch = Out.Launches[Key];
    Launch.Resources = R.Resources.value_or(LaunchResources());
    Launch.Count = Count;
    if (R.Times.count())
      Launch.Duration = R.Times.summary();
    Launch.Units = R.Ranges.Units;
    Launch.RangeLaunches = R.Ranges.Launches;
    if (!R.Ranges.Launches)
      continue;
    const auto Number = static_cast<double>(R.Ranges.Launches);
    Launch.Occupancy = R.Ranges.Occupancy / Number;
    auto whole = [](const std::optional<double> &Sum) {
      return Sum ? std::optional(static_cast<std::uint64_t>(std::llround(*Sum)))
                 : std::nullopt;
    };
    Launch.DramBytes = whole(R.Ranges.DramBytes);
    Launch.L2Sectors = whole(R.Ranges.L2Sectors);
    if (R.Ranges.L2Share)
      Launch.L2Share = *R.Ranges.L2Share / Number;
  }
  if (IsOverfull)
    Out.Problems.push_back(
        loss("too-many-shapes", "the launches had more than " +
                                    std::to_string(MostRows) +
                                    " shapes: the rest is counted for its "
                                    "kernel alone, without times; measure a "
                                    "shorter run"));
}

} // namespace cudalint::probe
