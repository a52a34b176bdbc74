//===- analyzer/model/RegisterTrials.cpp - Fewer registers, tried ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/model/RegisterTrials.h"

#include "analyzer/model/LaunchWords.h"
#include "analyzer/model/Thresholds.h"
#include "hardware/Steps.h"
#include "hardware/Waves.h"

#include <algorithm>

namespace cudalint {

/// The steps of registers of \p Fit that let a worthwhile number of warps in.
static void addSteps(const LaunchFit &Fit, std::span<const Cliff> Steps,
                     std::set<std::uint64_t> &Out) {
  for (const Cliff &Step : Steps)
    if (Step.What == Cliff::Quantity::Registers &&
        isLikelyBound(Fit, Step.Value) &&
        static_cast<double>(Step.Then.WarpsPerSM) >=
            threshold::WorthAnotherBlock * Fit.OnSM.WarpsPerSM)
      Out.insert(Step.Value);
}

bool isLikelyBound(const LaunchFit &Fit, std::uint64_t Registers) {
  constexpr std::uint64_t Fewest = 16;
  return 3 * Registers >= 2 * Fit.Demand.Registers && Registers >= Fewest;
}

std::set<std::uint64_t> registersToTry(const KernelModel &Kernel) {
  std::set<std::uint64_t> Out;
  if (!Kernel.Resources || Kernel.Resources->Source != "nvcc" ||
      Kernel.Declaration.MinBlocks || Kernel.Declaration.MaxRegisters ||
      Kernel.MaxRegisters)
    return Out;
  const Architecture &Arch = *Kernel.Gpu.Arch;
  const unsigned Need = warpsToCoverDependentIssue(Arch);
  for (const FittedLaunch &L : Kernel.launchesThatRun()) {
    const LaunchFit &Fit = *L.Fit;
    if (!Fit.OnSM.isLimitedBy(Limiter::Registers))
      continue;
    if (const std::optional<unsigned> Gate = Kernel.gateWarps();
        Gate && Fit.OnSM.WarpsPerSM < *Gate)
      addSteps(Fit, stepsTo(Arch, Fit.Demand, *Gate), Out);
    if (!fillsGpu(Fit) || 2 * Fit.OnSM.WarpsPerSM > Arch.WarpsPerSM)
      continue;
    addSteps(Fit, Fit.Next, Out);
    if (Fit.OnSM.WarpsPerSM < Need)
      addSteps(Fit, stepsTo(Arch, Fit.Demand, Need), Out);
  }
  return Out;
}

std::optional<std::uint64_t> spilledWith(const KernelModel &Kernel,
                                         std::uint64_t Registers) {
  const auto spills = [](const ResourceRecord &R) {
    return R.SpillStores.value_or(0) + R.SpillLoads.value_or(0);
  };
  const auto Tried = Kernel.Trials.find(Registers);
  if (Tried == Kernel.Trials.end() || !Kernel.Resources ||
      Tried->second.Registers.value_or(Registers + 1) > Registers)
    return std::nullopt;
  const std::uint64_t Now = spills(*Kernel.Resources);
  return std::max(spills(Tried->second), Now) - Now;
}

} // namespace cudalint
