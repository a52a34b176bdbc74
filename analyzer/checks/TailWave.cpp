//===- analyzer/checks/TailWave.cpp - A last round that is nearly empty ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/AccessWords.h"
#include "analyzer/model/LaunchWords.h"
#include "analyzer/model/Thresholds.h"
#include "report/OccupancyWords.h"

#include <algorithm>

namespace cudalint::tail_wave {
static constexpr CheckOption MostPercent = {
    "tail-wave.MostPercent", 25, 0, 100,
    "per cent of the time, lost, up to which it is not told"};

static constexpr CheckOption Options[] = {MostPercent};

namespace {

class TailWave : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "tail-wave",
      .Level = Maturity::Experimental,
      .Default = Severity::Note,
      .Summary = "finds grids whose last round leaves most of the GPU idle",
      .Why = R"md(The GPU holds a number of blocks at a time, SMs x blocks per
SM; a grid of more takes rounds. When all blocks take equally long, the last
round takes about as long as a full one, however few blocks it has: 57 blocks
where 56 fit take twice the time of 56. With few rounds that is a large part of
the whole. Smaller blocks, a grid of whole rounds, or as many blocks as fit that
each loop over the data avoid it.)md",
      .Bad = R"cuda(// Linted with: --registers 32
__global__ void scale(float *data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    data[i] *= 2;
}

void run(float *data, int n) {
  scale<<<270, 1024>>>(data, n);
}
)cuda",
      .Good = R"cuda(// Linted with: --registers 32
__global__ void scale(float *data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    data[i] *= 2;
}

void run(float *data, int n) {
  scale<<<264, 1024>>>(data, n);
}
)cuda",
      .Limits = R"md(Speaks of launches whose grid, block and registers are
known, for targets whose number of SMs is known (`h200`, not `sm_90`). Assumes
that all blocks take equally long and that nothing else runs beside them, which
the source does not show: hence experimental. Speaks when more than a quarter of
all places stay empty, and more than a quarter of the time is lost even where
fewer warps on an SM run faster. Proposes up to 8 registers less, a quarter of
the shared memory less or another block where that saves a round, with the grid
that holds as many threads; otherwise a grid that is resident at once.)md",
      .ConfirmedBy = Evidence::Waves,
      .NeedsResources = true,
      .Options = Options};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

/// The share of the time that is lost, when `Warps` warps on an SM take
/// max(Need, Warps) as long as one cycle of each: below Need, latency decides,
/// above it the schedulers' throughput.
static double timeLost(const LaunchFit &Fit, std::uint64_t SMs, unsigned Need) {
  auto time = [&](std::uint64_t Blocks) {
    const std::uint64_t OnBusiest = (Blocks + SMs - 1) / SMs;
    return static_cast<double>(
        std::max<std::uint64_t>(Need, OnBusiest * Fit.OnSM.WarpsPerBlock));
  };
  const Waves &W = *Fit.Rounds;
  const double Full = time(W.Resident);
  const double All =
      static_cast<double>(W.Rounds - 1) * Full + time(W.TailBlocks);
  return 1 - W.Count * Full / All;
}

/// A step that hardly changes the kernel.
static bool isSmall(const LaunchFit &Fit, const Cliff &Step) {
  switch (Step.What) {
  case Cliff::Quantity::Registers:
    return Fit.Demand.Registers - Step.Value <= threshold::FewRegisters;
  case Cliff::Quantity::SharedMemory:
    return 4 * Step.Value >=
           3 * (Fit.Demand.StaticShared + Fit.Demand.DynamicShared);
  case Cliff::Quantity::Threads:
    return true;
  }
  return false;
}

/// How to lose less: a small step that saves a round, or another grid.
static Phrase remedy(const LaunchFit &Fit, int SMs) {
  std::vector<Cliff> Steps = Fit.Next;
  std::erase_if(Steps, [&](const Cliff &S) { return !isSmall(Fit, S); });
  std::string Saved = roundsSavedInWords(*Fit.Grid, Fit.Demand.Threads, SMs,
                                         *Fit.Rounds, Steps);
  if (!Saved.empty())
    return {"save-a-round", std::move(Saved), {}};
  return {"resident-grid",
          "a grid of {blocks block} whose threads loop over the data has no "
          "tail",
          {{"blocks", Fit.Rounds->Resident}}};
}

void TailWave::checkKernel(const KernelModel &K, FindingSink &Out) const {
  if (!K.Gpu.SMs)
    return;
  const auto SMs = static_cast<std::uint64_t>(*K.Gpu.SMs);
  const unsigned Need = warpsToCoverDependentIssue(*K.Gpu.Arch);
  for (const FittedLaunch &L :
       K.launchesThatRun(KernelModel::Apart::DemandAndGrid)) {
    const LaunchFit &Fit = *L.Fit;
    // Other streams have work for SMs that a last round leaves idle.
    if (L.Where->HasOneOfStreams || !Fit.Rounds || Fit.Rounds->Rounds < 2 ||
        100 * Fit.Rounds->TailWaste <= Out.value(MostPercent) ||
        100 * timeLost(Fit, SMs, Need) <= Out.value(MostPercent))
      continue;
    Finding &F =
        Out.report(K, *L.Where,
                   {"tail",
                    "{launch}{alike}: {rounds}",
                    {{"launch", launchName(K, L)},
                     {"alike", alikeNote(L)},
                     {"rounds", wavesInWords(*Fit.Grid, *K.Gpu.SMs, Fit.OnSM,
                                             *Fit.Rounds)}}});
    F.Remedy = remedy(Fit, *K.Gpu.SMs);
    F.Trust = Certainty::Assumed;
    F.Assumptions = {"all blocks take equally long"};
    F.Predicted = predicted(Info.ConfirmedBy, *K.Gpu.Arch, Fit.Rounds->Count,
                            static_cast<double>(Fit.Rounds->Rounds));
  }
}

CUDA_LINT_REGISTER_CHECK(TailWave)

} // namespace cudalint::tail_wave
