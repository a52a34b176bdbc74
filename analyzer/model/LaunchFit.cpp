//===- analyzer/model/LaunchFit.cpp - How launches fill the GPU -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/model/KernelModel.h"

#include "report/ExtentSize.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace cudalint {

std::optional<std::uint64_t> KernelModel::staticShared() const {
  if (Resources && Resources->SharedBytes)
    return Resources->SharedBytes;
  return StaticSharedBytes;
}

std::uint64_t KernelModel::staticSharedLimit() const {
  return IsForOneArchitecture ? Gpu.Arch->SharedPerBlockOptIn
                              : Gpu.Arch->SharedPerBlock;
}

std::optional<LaunchFit> fitOf(const KernelModel &Kernel, const Extent &Grid,
                               const Extent &Block,
                               std::optional<std::int64_t> DynamicSharedBytes,
                               LaunchSource Source) {
  if (!Kernel.Resources || !Kernel.Resources->Registers ||
      !Kernel.staticShared())
    return std::nullopt;
  // What the source passes counts, whether the kernel uses it or not.
  if (!DynamicSharedBytes && !Kernel.UsesDynamicShared &&
      Source != LaunchSource::Launch)
    DynamicSharedBytes = 0;
  if (!DynamicSharedBytes || *DynamicSharedBytes < 0)
    return std::nullopt;
  return mostFitOf(Kernel, Grid, Block, DynamicSharedBytes);
}

std::optional<LaunchFit>
mostFitOf(const KernelModel &Kernel, const Extent &Grid, const Extent &Block,
          std::optional<std::int64_t> DynamicSharedBytes) {
  std::optional<std::uint64_t> Threads = sizeOf(Block);
  if (!Threads)
    return std::nullopt;
  const ResourceRecord Nothing;
  const ResourceRecord &Has = Kernel.Resources ? *Kernel.Resources : Nothing;
  LaunchFit Fit;
  Fit.Demand = {.Threads = *Threads,
                .Registers = Has.Registers.value_or(0),
                .StaticShared = Kernel.staticShared().value_or(0),
                .DynamicShared = static_cast<std::uint64_t>(
                    std::max<std::int64_t>(DynamicSharedBytes.value_or(0), 0)),
                .Barriers = static_cast<unsigned>(
                    std::min<std::uint64_t>(Has.Barriers.value_or(0), 64)),
                .CarveOut = std::nullopt};
  // The model of occupancy refuses more static memory than all kernels get, and
  // counts dynamic memory alike.
  if (Fit.Demand.StaticShared > Kernel.Gpu.Arch->SharedPerBlock &&
      Fit.Demand.StaticShared <= Kernel.staticSharedLimit())
    Fit.Demand.DynamicShared += std::exchange(Fit.Demand.StaticShared, 0);
  Fit.OnSM = occupancy(*Kernel.Gpu.Arch, Fit.Demand);
  Fit.Next = cliffs(*Kernel.Gpu.Arch, Fit.Demand);
  Fit.Grid = sizeOf(Grid);
  for (const Product &Each : products())
    if (Each.CC == Kernel.Gpu.Arch->CC)
      Fit.FewestSMs = std::min<std::uint64_t>(
          Fit.FewestSMs ? Fit.FewestSMs : Each.SMs, Each.SMs);
  if (Fit.Grid && Kernel.Gpu.SMs)
    Fit.Rounds = waves(*Fit.Grid, *Kernel.Gpu.SMs, Fit.OnSM.BlocksPerSM);
  return Fit;
}

/// Those of which \p IsMeant is true, each demand once.
template <typename Predicate>
static std::vector<FittedLaunch>
fittedLaunches(const KernelModel &K, KernelModel::Apart By, Predicate IsMeant) {
  std::vector<FittedLaunch> Result;
  for (std::size_t I = 0; I != K.Verdicts.size(); ++I) {
    const Launch &L = K.Launches[I];
    const LaunchVerdict &Verdict = K.Verdicts[I];
    if (!Verdict.Fit || !isLaunched(L.Source) || !IsMeant(Verdict))
      continue;
    const LaunchFit &Fit = *Verdict.Fit;
    auto Same = std::ranges::find_if(Result, [&](const FittedLaunch &Other) {
      return Other.Fit->Demand.Threads == Fit.Demand.Threads &&
             Other.Fit->Demand.DynamicShared == Fit.Demand.DynamicShared &&
             (By == KernelModel::Apart::Demand || Other.Fit->Grid == Fit.Grid);
    });
    if (Same == Result.end()) {
      Result.push_back({.Where = &L, .Fit = &Fit});
      continue;
    }
    FittedLaunch Other = {.Where = &L, .Fit = &Fit};
    if (Fit.Grid.value_or(0) > Same->Fit->Grid.value_or(0)) {
      std::swap(Same->Where, Other.Where);
      std::swap(Same->Fit, Other.Fit);
    }
    Same->Alike.push_back(std::move(Other));
  }
  return Result;
}

std::vector<FittedLaunch> KernelModel::launchesThatRun(Apart By) const {
  return fittedLaunches(*this, By,
                        [](const LaunchVerdict &V) { return !V.fails(); });
}

std::vector<FittedLaunch> KernelModel::launchesThatNeverFit() const {
  return fittedLaunches(*this, Apart::Demand, [](const LaunchVerdict &V) {
    return V.fails() && V.Faults.front().What == LaunchFault::Kind::Resources;
  });
}

} // namespace cudalint
