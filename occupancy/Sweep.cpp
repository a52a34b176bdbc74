//===- occupancy/Sweep.cpp - One quantity over its range ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "occupancy/Sweep.h"

#include <algorithm>
#include <cmath>

namespace cudalint {

static constexpr std::uint64_t WarpSize = 32;

std::string_view nameOf(SweepOver What) {
  switch (What) {
  case SweepOver::Block:
    return "block";
  case SweepOver::Registers:
    return "registers";
  case SweepOver::Shared:
    return "shared";
  }
  return {};
}

LatencyModel assumedModel(const Architecture &Arch) {
  double Schedulers = std::max(Arch.Partitions, 1u);
  return {.Latency = warpsToCoverDependentIssue(Arch) / Schedulers,
          .Issue = 1 / Schedulers};
}

static LaunchInput withValue(LaunchInput Input, SweepOver What,
                             std::uint64_t Value) {
  // Nobody judged it with that value.
  Input.Judged.reset();
  switch (What) {
  case SweepOver::Block:
    Input.Block = Shape{Value, 1, 1};
    break;
  case SweepOver::Registers:
    Input.Registers = Value;
    break;
  case SweepOver::Shared:
    Input.StaticShared = std::min(Input.StaticShared.value_or(0), Value);
    Input.DynamicShared = Value - *Input.StaticShared;
    break;
  }
  return Input;
}

static std::optional<std::uint64_t> valueOf(const LaunchInput &Input,
                                            SweepOver What) {
  switch (What) {
  case SweepOver::Block:
    if (!Input.Block)
      return std::nullopt;
    return sizeOf(*Input.Block);
  case SweepOver::Registers:
    return Input.Registers;
  case SweepOver::Shared:
    if (!Input.StaticShared && !Input.DynamicShared)
      return std::nullopt;
    return Input.StaticShared.value_or(0) + Input.DynamicShared.value_or(0);
  }
  return std::nullopt;
}

/// The ends of the ranges within which the resources cannot differ.
static std::vector<std::uint64_t> endsOf(const Architecture &Arch,
                                         SweepOver What) {
  std::vector<std::uint64_t> Ends;
  switch (What) {
  case SweepOver::Block:
    for (std::uint64_t V = WarpSize; V <= Arch.ThreadsPerBlock; V += WarpSize)
      Ends.push_back(V);
    break;
  case SweepOver::Registers:
    for (std::uint64_t V = 1; V <= Arch.RegistersPerThread; ++V)
      Ends.push_back(V);
    break;
  case SweepOver::Shared: {
    // What the system reserves shifts the unit's borders.
    std::uint64_t Unit = Arch.SharedUnit;
    std::uint64_t First = (Unit - Arch.SharedReserved % Unit) % Unit;
    for (std::uint64_t V = First; V < Arch.SharedPerBlockOptIn; V += Unit)
      Ends.push_back(V);
    Ends.push_back(Arch.SharedPerBlockOptIn);
    break;
  }
  }
  return Ends;
}

std::optional<double> timeOf(const LaunchFigures &Figures,
                             const SweepWork &Work) {
  if (!Figures.Input.Grid || !Figures.Result || !Figures.Failures.empty() ||
      !Figures.Gpu.SMs)
    return std::nullopt;
  double Threads = static_cast<double>(sizeOf(*Figures.Input.Block)) *
                   static_cast<double>(sizeOf(*Figures.Input.Grid));
  return predictTime(Work.Model,
                     {.Grid = sizeOf(*Figures.Input.Grid),
                      .Block = Figures.Demand.Threads,
                      .Steps = std::ceil(Work.Elements / Threads),
                      .BlocksPerSM = Figures.Result->BlocksPerSM,
                      .IssueLanes = issueLanes(*Figures.Gpu.Arch)},
                     *Figures.Gpu.SMs);
}

static LaunchFigures figuresAt(const Target &Gpu, LaunchInput Input,
                               const std::optional<SweepWork> &Work) {
  if (Work && !Input.Grid && Input.Block) {
    double Blocks =
        std::ceil(Work->Elements / static_cast<double>(sizeOf(*Input.Block)));
    Input.Grid = Shape{static_cast<std::uint64_t>(std::max(Blocks, 1.0)), 1, 1};
  }
  LaunchFigures Figures = figuresOf(Gpu, Input);
  if (Work && Input.Grid)
    Figures.Time = timeOf(Figures, *Work);
  return Figures;
}

static bool isLimitedAlike(const Occupancy &A, const Occupancy &B) {
  for (unsigned I = 0; I != LimiterCount; ++I)
    if (auto Which = static_cast<Limiter>(I);
        A.isLimitedBy(Which) != B.isLimitedBy(Which))
      return false;
  return A.BlocksPerSM == B.BlocksPerSM;
}

/// Whether two neighbours are one row. Block sizes have a row each, because
/// their warps differ, but for those that fail. What limits a figure that is at
/// most is not known.
static bool isSame(const LaunchFigures &A, const LaunchFigures &B,
                   SweepOver What) {
  if (A.Failures.empty() != B.Failures.empty() || !A.Result || !B.Result)
    return false;
  if (!A.Failures.empty())
    return true;
  if (What == SweepOver::Block || A.IsAtMost != B.IsAtMost)
    return false;
  return A.IsAtMost ? A.Result->BlocksPerSM == B.Result->BlocksPerSM
                    : isLimitedAlike(*A.Result, *B.Result);
}

unsigned warpsOf(const LaunchFigures &Figures) {
  return Figures.Result && Figures.Failures.empty() ? Figures.Result->WarpsPerSM
                                                    : 0;
}

std::vector<SweepRow> sweep(const Target &Gpu, const LaunchInput &Input,
                            SweepOver What,
                            const std::optional<SweepWork> &Work) {
  std::vector<SweepRow> Rows;
  const std::optional<std::uint64_t> Now = valueOf(Input, What);
  std::vector<std::uint64_t> Ends = endsOf(*Gpu.Arch, What);
  // The time of a block size is that of no other.
  const bool IsEachAlone = Work && What == SweepOver::Block;
  if (IsEachAlone && Now && *Now < Ends.back() &&
      !std::ranges::binary_search(Ends, *Now))
    Ends.insert(std::ranges::upper_bound(Ends, *Now), *Now);
  std::uint64_t From = What == SweepOver::Shared ? 0 : 1;
  for (std::uint64_t To : Ends) {
    SweepRow Row{.From = From,
                 .To = To,
                 .At = figuresAt(Gpu, withValue(Input, What, To), Work)};
    From = To + 1;
    if (IsEachAlone && Row.At.Failures.empty())
      Row.From = To;
    if (!Rows.empty() && isSame(Rows.back().At, Row.At, What)) {
      Row.From = Rows.back().From;
      Rows.back() = std::move(Row);
    } else {
      Rows.push_back(std::move(Row));
    }
  }
  for (std::size_t I = 0; I != Rows.size(); ++I) {
    if (Now && *Now >= Rows[I].From && *Now <= Rows[I].To)
      Rows[I].Yours = Now;
    Rows[I].IsCliff = I + 1 != Rows.size() && !Rows[I].At.IsAtMost &&
                      !Rows[I + 1].At.IsAtMost &&
                      warpsOf(Rows[I].At) > warpsOf(Rows[I + 1].At);
  }
  return Rows;
}

} // namespace cudalint
