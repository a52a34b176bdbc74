//===- analyzer/checks/RegisterCliff.cpp - One register too many ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/LaunchWords.h"
#include "analyzer/model/RegisterTrials.h"
#include "analyzer/model/Thresholds.h"
#include "analyzer/remedy/OtherBlocks.h"
#include "report/OccupancyWords.h"

#include <algorithm>

namespace cudalint::register_cliff {
/// More warps than this share of an SM seldom gain from still more.
static constexpr CheckOption EnoughPercent = {
    "register-cliff.EnoughPercent", 50, 1, 100,
    "per cent of an SM's warps, resident, above which it is not told"};

static constexpr CheckOption MostRegisters = {
    "register-cliff.MostRegisters", 4, 1, 255,
    "registers of a thread above the cliff up to which it is near"};

static constexpr CheckOption Options[] = {EnoughPercent, MostRegisters};

namespace {

class RegisterCliff : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "register-cliff",
      .Level = Maturity::Stable,
      .Default = Severity::Note,
      .Summary = "finds launches that lose a block to a few registers",
      .Why = R"md(Registers are given to whole warps, in units of 256 (8 for
each thread), and from 3.0 on each partition of the SM has its own share of
them: a quarter, on 6.0 a half. So their cost has steps: 41 to 48 registers cost the same, and one
register more, or one warp more in the block, can halve the blocks that fit. 48
registers in blocks of 641 threads are 21 warps; 40 such warps fit an SM of
Pascal, so one block does. At 640 threads two do, although 48 x 641 x 2 is less
than 65536.)md",
      .Bad = R"cuda(// Linted with: --registers 33
__global__ void scale(float *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

void run(float *data) {
  scale<<<4096, 1024>>>(data);
}
)cuda",
      .Good = R"cuda(// Linted with: --registers 32
__global__ void __launch_bounds__(1024, 2) scale(float *data) {
  data[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

void run(float *data) {
  scale<<<4096, 1024>>>(data);
}
)cuda",
      .Limits = R"md(Needs the kernel's registers, and a launch whose block and
dynamic shared memory are known. Speaks when at most half of an SM's warps are
resident, registers alone limit them, and up to 4 registers or 32 threads less
let at least a quarter more in. Fewer threads are told only where the kernel
reads blockDim in each dimension of the block, or its threads have neither
barriers, shuffles nor shared memory in common. Silent when the whole grid is
resident at once, and where the same line launches the kernel in other blocks,
too, with a quarter more warps.
nvcc is run once more with as few registers, and the step is not told where it
spills then; not where the source or the build bounds them already:
`register-spill` speaks if it does. Where `low-occupancy` finds the
same launch, this check speaks alone, unless `--min-occupancy` makes it an
error. A warning when too few warps are
resident for dependent instructions and the size of the grid is known, otherwise a
note.)md",
      .ConfirmedBy = Evidence::TheoreticalOccupancy,
      .NeedsResources = true,
      .TriesRegisters = true,
      .Options = Options};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

static bool isNear(const KernelModel &K, const FittedLaunch &L,
                   const Cliff &Step, double MostFewRegisters) {
  const LaunchFit &Fit = *L.Fit;
  switch (Step.What) {
  case Cliff::Quantity::Registers:
    return static_cast<double>(Fit.Demand.Registers - Step.Value) <=
               MostFewRegisters &&
           spilledWith(K, Step.Value).value_or(0) == 0;
  case Cliff::Quantity::Threads:
    return !Step.IsLarger &&
           Fit.Demand.Threads - Step.Value <= threshold::FewThreads &&
           mayHaveBlockOf(K, *L.Where, Step.Value);
  case Cliff::Quantity::SharedMemory:
    return false;
  }
  return false;
}

/// The steps worth naming: all of the registers and the block, if some of
/// them is near and gains.
static std::vector<Cliff> stepsOf(const KernelModel &K, const FittedLaunch &L,
                                  double MostFewRegisters) {
  const LaunchFit &Fit = *L.Fit;
  const bool IsCliff = std::ranges::any_of(Fit.Next, [&](const Cliff &Step) {
    return isNear(K, L, Step, MostFewRegisters) &&
           4 * Step.Then.WarpsPerSM >= 5 * Fit.OnSM.WarpsPerSM;
  });
  std::vector<Cliff> Result;
  if (!IsCliff)
    return Result;
  for (const Cliff &Step : Fit.Next)
    if (isNear(K, L, Step, MostFewRegisters) ||
        (Step.What == Cliff::Quantity::Registers &&
         4 * Step.Value >= 3 * Fit.Demand.Registers &&
         spilledWith(K, Step.Value).value_or(0) == 0))
      Result.push_back(Step);
  return Result;
}

static bool onlyRegistersLimit(const Occupancy &OnSM) {
  for (unsigned I = 0; I != LimiterCount; ++I)
    if (auto Which = static_cast<Limiter>(I);
        OnSM.isLimitedBy(Which) != (Which == Limiter::Registers))
      return false;
  return true;
}

void RegisterCliff::checkKernel(const KernelModel &K, FindingSink &Out) const {
  const Architecture &Arch = *K.Gpu.Arch;
  for (const FittedLaunch &L : K.launchesThatRun()) {
    const LaunchFit &Fit = *L.Fit;
    if (Fit.OnSM.Failure != LaunchFailure::None || !fillsGpu(Fit) ||
        100 * Fit.OnSM.Ratio > Out.value(EnoughPercent) ||
        !onlyRegistersLimit(Fit.OnSM))
      continue;
    const std::vector<Cliff> Steps = stepsOf(K, L, Out.value(MostRegisters));
    if (Steps.empty() || triesBetterBlocks(K, L))
      continue;
    Finding &F = Out.report(
        K, *L.Where,
        {"near-cliff",
         "{launch}{alike} is limited by its registers, to {blocks block} on an "
         "SM",
         {{"launch", launchName(K, L)},
          {"alike", alikeNote(L, fillsGpu)},
          {"blocks", Fit.OnSM.BlocksPerSM}}});
    F.Cause = {"registers",
               limitInWords(Arch, Fit.Demand, Fit.OnSM, Limiter::Registers),
               {}};
    F.Remedy =
        withRegistersAskedFor(stepsInWords(K, Fit, Steps), K, Fit, Steps);
    const unsigned Need = warpsToCoverDependentIssue(Arch);
    if (Fit.OnSM.WarpsPerSM < Need)
      F.Remedy.append("; ", {"warps-needed",
                             "{warps_needed} warps cover the latency of "
                             "dependent instructions",
                             {{"warps_needed", Need}}});
    // That a grid of which nobody knows the size fills the GPU is a guess.
    if (Fit.OnSM.WarpsPerSM < Need && Fit.Grid)
      F.Level = Severity::Warning;
    unsigned Best = 0;
    for (const Cliff &Step : Steps)
      Best = std::max(Best, Step.Then.WarpsPerSM);
    F.Predicted = predicted(Info.ConfirmedBy, Arch, Fit.OnSM.WarpsPerSM, Best);
    if (std::optional<Fix> Other = withStep(K, L, Steps))
      F.Fixes.push_back(std::move(*Other));
    F.Detail = unitInWords(Arch, Fit.Demand, Fit.OnSM, Limiter::Registers);
    assumeFullGpu(Fit, F);
  }
}

CUDA_LINT_REGISTER_CHECK(RegisterCliff)

} // namespace cudalint::register_cliff
