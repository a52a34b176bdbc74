//===- runtime/join/LaunchJudge.cpp - Occupancy, predicted and asked ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/LaunchJudge.h"

#include "runtime/join/VerdictRules.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

std::string formatShape(const Shape &Dimensions) {
  if (Dimensions[2] != 1)
    return fmt::format("{}x{}x{}", Dimensions[0], Dimensions[1], Dimensions[2]);
  if (Dimensions[1] != 1)
    return fmt::format("{}x{}", Dimensions[0], Dimensions[1]);
  return fmt::format("{}", Dimensions[0]);
}

/// Each dimension has 32 bits, so that three may pass 64.
static double volume(const Shape &Dimensions) {
  return static_cast<double>(Dimensions[0]) *
         static_cast<double>(Dimensions[1]) *
         static_cast<double>(Dimensions[2]);
}

std::uint64_t warpsOf(const Shape &Block) {
  // No GPU runs more than 1024 threads; a hostile profile may say so.
  double Threads = std::min(volume(Block), 1e9);
  return (static_cast<std::uint64_t>(Threads) + 31) / 32;
}

static bool isShape(const Extent &Predicted, const Shape &Measured) {
  for (std::size_t I = 0; I != 3; ++I)
    if (!Predicted[I] || *Predicted[I] < 0 ||
        static_cast<std::uint64_t>(*Predicted[I]) != Measured[I])
      return false;
  return true;
}

static bool isSameShared(const LaunchRecord &Predicted,
                         const ProfileLaunch &Measured) {
  return Predicted.DynamicSharedBytes && Measured.DynamicShared &&
         *Predicted.DynamicSharedBytes >= 0 &&
         static_cast<std::uint64_t>(*Predicted.DynamicSharedBytes) ==
             *Measured.DynamicShared;
}

/// The prediction that speaks of \p Launch: of the same block, and if it can
/// be of the same shared memory and grid. Null when there is none.
static const LaunchRecord *
findPrediction(std::span<const KernelRecord *const> Predicted,
               const ProfileLaunch &Launch) {
  const LaunchRecord *Best = nullptr;
  int BestScore = -1;
  for (const KernelRecord *Kernel : Predicted)
    for (const LaunchRecord &Each : Kernel->Launches) {
      if (!isShape(Each.Block, Launch.Block))
        continue;
      int Score =
          2 * isSameShared(Each, Launch) + isShape(Each.Grid, Launch.Grid);
      if (Score > BestScore) {
        Best = &Each;
        BestScore = Score;
      }
    }
  return Best;
}

/// Some interfaces say no less than 16, which is what a GPU allocates.
static bool areEqualRegisters(std::uint64_t Predicted, std::uint64_t Measured) {
  return Measured == Predicted || (Measured == 16 && Predicted < 16);
}

static void judgeOccupancy(const LaunchRecord *Predicted, Count Registers,
                           CheckedLaunch &Out) {
  const OccupancyFacts F = {
      .V = Out,
      .IsPredicted = Predicted != nullptr,
      .RegistersDiffer = Registers && Out.Launch.Registers &&
                         !areEqualRegisters(*Registers, *Out.Launch.Registers),
      .SharedDiffers = Predicted && !isSameShared(*Predicted, Out.Launch)};
  const Rule<OccupancyFacts> &By = decide(occupancyRules(), F);
  std::string Why = By.Why(F);
  Out.Kind = By.Verdict;
  Out.Why = std::move(Why);
}

static CheckedLaunch judgeLaunch(std::span<const KernelRecord *const> Predicted,
                                 const ProfileLaunch &Launch,
                                 std::optional<int> SMs,
                                 const KernelVerdict &Kernel) {
  CheckedLaunch Out;
  Out.Launch = Launch;
  const LaunchRecord *Prediction = findPrediction(Predicted, Launch);
  if (Prediction && Prediction->Occupancy) {
    Out.PredictedBlocks = Prediction->Occupancy->BlocksPerSM;
    Out.PredictedWarps = Prediction->Occupancy->WarpsPerSM;
    Out.PredictedOccupancy = Prediction->Occupancy->Ratio;
    Out.PredictedLimiter = Prediction->Occupancy->Limiter;
    if (isShape(Prediction->Grid, Launch.Grid))
      Out.PredictedWaves = Prediction->Occupancy->Waves;
  }
  if (Launch.BlocksPerSM) {
    Out.MeasuredWarps = static_cast<unsigned>(std::min<std::uint64_t>(
        *Launch.BlocksPerSM * warpsOf(Launch.Block), UINT32_MAX));
    if (SMs && *SMs > 0 && *Launch.BlocksPerSM != 0)
      Out.MeasuredWaves =
          volume(Launch.Grid) / (static_cast<double>(*SMs) *
                                 static_cast<double>(*Launch.BlocksPerSM));
  }
  judgeOccupancy(Prediction, Kernel.PredictedRegisters, Out);
  return Out;
}

void judgeLaunches(std::span<const KernelRecord *const> Predicted,
                   const MeasuredKernel &Measured, std::optional<int> SMs,
                   KernelVerdict &Kernel) {
  for (const KernelRecord *Each : Predicted)
    if (Each->Resources && !Kernel.PredictedRegisters)
      Kernel.PredictedRegisters = Each->Resources->Registers;
  // Kernels of one name in several modules may have others: one that differs
  // counts.
  for (const ProfileLaunch &Launch : Measured.Launched) {
    if (!Launch.Registers)
      continue;
    const bool IsOther =
        Kernel.PredictedRegisters &&
        !areEqualRegisters(*Kernel.PredictedRegisters, *Launch.Registers);
    if (!Kernel.MeasuredRegisters ||
        (IsOther && Kernel.Registers != VerdictKind::Refuted))
      Kernel.MeasuredRegisters = Launch.Registers;
    if (IsOther)
      Kernel.Registers = VerdictKind::Refuted;
  }
  if (Kernel.PredictedRegisters && Kernel.MeasuredRegisters &&
      Kernel.Registers != VerdictKind::Refuted)
    Kernel.Registers = VerdictKind::Confirmed;
  for (const ProfileLaunch &Launch : Measured.Launched)
    Kernel.Launched.push_back(judgeLaunch(Predicted, Launch, SMs, Kernel));
}

} // namespace cudalint
