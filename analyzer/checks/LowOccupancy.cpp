//===- analyzer/checks/LowOccupancy.cpp - Too few warps to hide latency ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/AccessWords.h"
#include "analyzer/model/LaunchWords.h"
#include "analyzer/model/RegisterTrials.h"
#include "analyzer/model/Thresholds.h"
#include "analyzer/remedy/OtherBlocks.h"
#include "hardware/Steps.h"
#include "report/ExtentWords.h"
#include "report/OccupancyWords.h"

#include <algorithm>

namespace cudalint::low_occupancy {
/// More warps than this share of an SM hide about all that warps can hide.
static constexpr CheckOption EnoughPercent = {
    "low-occupancy.EnoughPercent", 75, 1, 100,
    "per cent of an SM's warps, resident, from which on a small step to more "
    "is not told"};

static constexpr CheckOption Options[] = {EnoughPercent};

namespace {

class LowOccupancy : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "low-occupancy",
      .Level = Maturity::Stable,
      .Default = Severity::Warning,
      .Summary = "finds launches with too few resident warps to cover latency",
      .Why =
          R"md(An SM hides the latency of an instruction by issuing from other
warps meanwhile. Blocks are placed on it only while warps, registers, shared
memory and barriers last; when they last for few warps only, the schedulers have
nothing to issue most of the time. To issue a chain of dependent instructions
every cycle, each scheduler needs as many warps as an instruction has cycles of
latency: 16 warps on an SM from Volta on (4 schedulers, 4 cycles), 24 on Maxwell
and Pascal. Waiting for memory takes more.

100 % is no goal in itself: with enough warps, or with independent instructions
in each thread, more of them gain nothing. This check speaks when there are
fewer than a dependent chain needs, or when one small step of the block's size
or of its shared memory gains much: a block of 673 threads is 22 warps, three of
them do not fit 64, three of 672 threads do.)md",
      .Bad = R"cuda(// Linted with: --registers 32
__global__ void smooth(float *out, const float *in) {
  __shared__ float tile[12 * 1024];
  for (int i = threadIdx.x; i < 12 * 1024; i += 64)
    tile[i] = in[blockIdx.x * 12 * 1024 + i];
  __syncthreads();
  for (int i = threadIdx.x; i < 12 * 1023; i += 64)
    out[blockIdx.x * 12 * 1024 + i] = tile[i] + tile[i + 12];
}

void run(float *out, const float *in) {
  smooth<<<4096, 64>>>(out, in);
}
)cuda",
      .Good = R"cuda(// Linted with: --registers 32
__global__ void smooth(float *out, const float *in) {
  __shared__ float tile[12 * 1024];
  for (int i = threadIdx.x; i < 12 * 1024; i += 512)
    tile[i] = in[blockIdx.x * 12 * 1024 + i];
  __syncthreads();
  for (int i = threadIdx.x; i < 12 * 1023; i += 512)
    out[blockIdx.x * 12 * 1024 + i] = tile[i] + tile[i + 12];
}

void run(float *out, const float *in) {
  smooth<<<4096, 512>>>(out, in);
}
)cuda",
      .Limits = R"md(Needs the kernel's registers, and a launch whose block and
dynamic shared memory are known. Silent when the whole grid is resident at once:
then no limit of the SM is met, and `small-grid` speaks if SMs stay idle. Does
not see independent instructions within a thread, which lower the need: a note
from half the needed warps on, where some step gains a quarter more, and for
kernels that trade warps for opt-in shared memory on purpose. Another size of the
block is told only where the kernel reads blockDim in each dimension of the
block, or its threads have neither barriers, shuffles nor shared memory in common:
else it is written for its block. Silent where the same line launches the kernel
in other blocks, too, with a quarter more warps: of sizes that are tried, somebody
takes the best. From 160 registers on, a thread is taken to hold a
tile of its own, and registers to be what the kernel means to spend: silent
where they are the limit. Fewer registers are not told where nvcc, which is
asked, spills some then. With `--min-occupancy PCT`, every launch
below that share of an SM's warps is an error, whatever the latency, and so is
one that fails, of which nothing is resident. One whose registers are not known
is an error, too, when all the rest allows no more, else a note tells that it
cannot be judged. Where `register-cliff` speaks of the same launch, one of the
two is enough.)md",
      .ConfirmedBy = Evidence::TheoreticalOccupancy,
      .NeedsResources = true,
      .TriesRegisters = true,
      .YieldsTo = "register-cliff",
      .Options = Options};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

static double gainOf(const LaunchFit &Fit, const Cliff &Step) {
  return static_cast<double>(Step.Then.WarpsPerSM) /
         static_cast<double>(std::max(Fit.OnSM.WarpsPerSM, 1U));
}

/// A warp less in the block, or a trifle of its shared memory.
static bool isSmallStep(const LaunchFit &Fit, const Cliff &Step) {
  const std::uint64_t Shared =
      Fit.Demand.StaticShared + Fit.Demand.DynamicShared;
  switch (Step.What) {
  case Cliff::Quantity::Threads:
    return !Step.IsLarger && Fit.Demand.Threads - Step.Value <= 32;
  case Cliff::Quantity::SharedMemory:
    return Shared - Step.Value <= std::max<std::uint64_t>(Shared / 20, 128);
  case Cliff::Quantity::Registers:
    return false; // register-cliff tells of them.
  }
  return false;
}

/// A step that a programmer can take.
static bool isLikely(const KernelModel &K, const FittedLaunch &L,
                     const Cliff &Step) {
  const LaunchFit &Fit = *L.Fit;
  switch (Step.What) {
  case Cliff::Quantity::Registers:
    return isLikelyBound(Fit, Step.Value) &&
           spilledWith(K, Step.Value).value_or(0) == 0;
  case Cliff::Quantity::SharedMemory:
    return 4 * Step.Value >= Fit.Demand.StaticShared + Fit.Demand.DynamicShared;
  case Cliff::Quantity::Threads:
    return mayHaveBlockOf(K, *L.Where, Step.Value);
  }
  return false;
}

/// Likely steps with which at least \p Warps are resident.
static std::vector<Cliff>
stepsThatReach(const KernelModel &K, const FittedLaunch &L, unsigned Warps) {
  std::vector<Cliff> Steps = stepsTo(*K.Gpu.Arch, L.Fit->Demand, Warps);
  std::erase_if(Steps, [&](const Cliff &S) { return !isLikely(K, L, S); });
  return Steps;
}

/// The same that gain much; of a quantity that does not reach as many, the
/// nearest such step.
static std::vector<Cliff> stepsTowards(const KernelModel &K,
                                       const FittedLaunch &L, unsigned Warps) {
  const LaunchFit &Fit = *L.Fit;
  std::vector<Cliff> Steps = stepsThatReach(K, L, Warps);
  std::erase_if(Steps, [&](const Cliff &S) {
    return gainOf(Fit, S) < threshold::WorthAnotherBlock;
  });
  const std::size_t Reaching = Steps.size();
  for (const Cliff &Step : Fit.Next) {
    const auto End = Steps.begin() + static_cast<std::ptrdiff_t>(Reaching);
    const bool Reaches = std::any_of(Steps.begin(), End, [&](const Cliff &S) {
      return S.What == Step.What && S.IsLarger == Step.IsLarger;
    });
    if (!Reaches && isLikely(K, L, Step) &&
        gainOf(Fit, Step) >= threshold::WorthAnotherBlock)
      Steps.push_back(Step);
  }
  return Steps;
}

/// All that limits the launch.
static Phrase limits(const Architecture &Arch, const LaunchFit &Fit) {
  return {std::string(nameOf(Fit.OnSM.limiter())),
          occupancyInWords(Arch, Fit.Demand, Fit.OnSM, {}),
          {}};
}

/// \p None, and what the compiler spills with the most registers that would
/// have helped, if it was tried.
static Phrase withWhatSpills(Phrase None, const KernelModel &K,
                             const LaunchFit &Fit) {
  for (auto Tried = K.Trials.rbegin(); Tried != K.Trials.rend(); ++Tried)
    if (const std::uint64_t Bytes = spilledWith(K, Tried->first).value_or(0);
        Bytes != 0 && isLikelyBound(Fit, Tried->first))
      return None.append("; ", {"spills-with-fewer",
                                "with {registers_tried} registers the compiler "
                                "spills {spilled_bytes byte} of a thread",
                                {{"registers_tried", Tried->first},
                                 {"spilled_bytes", Bytes}}});
  return None;
}

/// What \p Steps gain; \p None where there is no step.
static Phrase gains(const KernelModel &K, const LaunchFit &Fit,
                    const std::vector<Cliff> &Steps, std::string_view None) {
  if (Steps.empty())
    return withWhatSpills({"no-small-step", std::string(None), {}}, K, Fit);
  Phrase Said{"change-resources",
              gainInWords(*K.Gpu.Arch, Fit.Demand, Fit.OnSM, Steps,
                          /*WithWarps=*/true),
              {}};
  return withRegistersAskedFor(std::move(Said), K, Fit, Steps);
}

/// \p Alike tells of the other launches that ask for the same.
static Phrase residence(const KernelModel &K, const FittedLaunch &L,
                        std::string Alike) {
  return {"few-warps",
          "{launch} has {warps} of {warps_possible} warps resident on an SM of "
          "{gpu}{alike}",
          {{"launch", launchName(K, L)},
           {"warps", L.Fit->OnSM.WarpsPerSM},
           {"warps_possible", K.Gpu.Arch->WarpsPerSM},
           {"gpu", K.Gpu.Name},
           {"alike", std::move(Alike)}}};
}

/// `12.5 %, less than the 50 % of --min-occupancy`
static Phrase belowGate(const KernelModel &K, const Occupancy &OnSM) {
  return {"below-gate",
          "{percent} %, less than the {percent_wanted} % of --min-occupancy",
          {{"percent", 100 * OnSM.Ratio},
           {"percent_wanted", 100 * *K.MinOccupancy}}};
}

static void predict(const KernelModel &K, const LaunchFit &Fit, double Ideal,
                    Finding &F) {
  F.Predicted = predicted(LowOccupancy::Info.ConfirmedBy, *K.Gpu.Arch,
                          Fit.OnSM.WarpsPerSM, Ideal);
}

static void offer(const KernelModel &K, const FittedLaunch &L,
                  const std::vector<Cliff> &Steps, Finding &F) {
  if (std::optional<Fix> Other = withStep(K, L, Steps))
    F.Fixes.push_back(std::move(*Other));
}

/// `--min-occupancy`. True when the launch falls short of it.
static bool checkGate(const KernelModel &K, const FittedLaunch &L,
                      FindingSink &Out) {
  const LaunchFit &Fit = *L.Fit;
  if (!K.MinOccupancy || Fit.OnSM.Ratio >= *K.MinOccupancy)
    return false;
  const Architecture &Arch = *K.Gpu.Arch;
  Finding &F = Out.report(
      K, *L.Where,
      residence(K, L, alikeNote(L)).append(": ", belowGate(K, Fit.OnSM)));
  F.Cause = limits(Arch, Fit);
  const std::vector<Cliff> Steps = stepsThatReach(K, L, *K.gateWarps());
  offer(K, L, Steps, F);
  F.Remedy = gains(K, Fit, Steps,
                   "another size of the block alone is not enough, nor are a "
                   "third fewer registers or three quarters less shared "
                   "memory");
  F.Level = Severity::Error;
  predict(K, Fit, *K.MinOccupancy * Arch.WarpsPerSM, F);
  return true;
}

/// Too few warps for dependent instructions. True when that is so, said or not.
static bool checkLatency(const KernelModel &K, const FittedLaunch &L,
                         FindingSink &Out) {
  const Architecture &Arch = *K.Gpu.Arch;
  const LaunchFit &Fit = *L.Fit;
  const unsigned Need = warpsToCoverDependentIssue(Arch);
  const unsigned Warps = Fit.OnSM.WarpsPerSM;
  if (Warps >= Need)
    return false;
  // What a thread holds in so many registers is what it computes, and so many
  // threads share the tile of a block.
  const bool HasTile = Fit.Demand.Registers >= threshold::RegistersOfTile;
  if (HasTile && Fit.OnSM.isLimitedBy(Limiter::Registers))
    return true;
  const bool OnPurpose =
      HasTile || (L.Where->SharedMemoryOptIn &&
                  Fit.OnSM.isLimitedBy(Limiter::SharedMemory));
  const std::vector<Cliff> Steps = stepsTowards(K, L, Need);
  const bool IsNearlyEnough = 2 * Warps > Need;
  if ((IsNearlyEnough && Steps.empty()) || triesBetterBlocks(K, L))
    return true;
  Finding &F = Out.report(
      K, *L.Where,
      residence(K, L, alikeNote(L, fillsGpu))
          .append(", ", {"latency",
                         "{warps_needed} cover the latency of dependent "
                         "instructions",
                         {{"warps_needed", Need}}}));
  F.Cause = limits(Arch, Fit);
  offer(K, L, Steps, F);
  F.Remedy = gains(K, Fit, Steps,
                   mayHaveOtherBlocks(K, *L.Where)
                       ? "no other size of the block and no small change of "
                         "its registers or shared memory gains much"
                       : "no small change of its registers or shared memory "
                         "gains much, and it is written for this block");
  if (IsNearlyEnough || OnPurpose)
    F.Level = Severity::Note;
  predict(K, Fit, Need, F);
  assumeFullGpu(Fit, F);
  return true;
}

/// Enough warps, but one small step away from many more.
static void checkSmallSteps(const KernelModel &K, const FittedLaunch &L,
                            FindingSink &Out) {
  const Architecture &Arch = *K.Gpu.Arch;
  const LaunchFit &Fit = *L.Fit;
  // Steps that save registers are register-cliff's to tell of.
  if (100 * Fit.OnSM.Ratio >= Out.value(EnoughPercent) ||
      Fit.OnSM.limiter() == Limiter::Registers)
    return;
  std::vector<Cliff> Steps;
  std::ranges::copy_if(
      Fit.Next, std::back_inserter(Steps), [&](const Cliff &Step) {
        return isSmallStep(Fit, Step) && isLikely(K, L, Step) &&
               gainOf(Fit, Step) >= threshold::WorthAnotherBlock;
      });
  if (Steps.empty() || triesBetterBlocks(K, L))
    return;
  Finding &F = Out.report(K, *L.Where, residence(K, L, alikeNote(L, fillsGpu)));
  F.Cause = {std::string(nameOf(Fit.OnSM.limiter())),
             limitInWords(Arch, Fit.Demand, Fit.OnSM, Fit.OnSM.limiter()),
             {}};
  F.Remedy = withRegistersAskedFor(stepsInWords(K, Fit, Steps), K, Fit, Steps);
  offer(K, L, Steps, F);
  F.Level = Severity::Note;
  unsigned Best = 0;
  for (const Cliff &Step : Steps)
    Best = std::max(Best, Step.Then.WarpsPerSM);
  predict(K, Fit, Best, F);
  assumeFullGpu(Fit, F);
}

/// What does not run has nothing resident. True when that was reported.
static bool failsToRun(const KernelModel &K, std::size_t Index,
                       FindingSink &Out) {
  if (!K.Verdicts[Index].fails() || *K.MinOccupancy <= 0)
    return false;
  Finding &F = Out.report(
      K, K.Launches[Index],
      {"no-warps",
       "'{kernel}' in blocks of {block} has no warp resident on {gpu}, because "
       "the launch fails: 0 %, less than the {percent_wanted} % of "
       "--min-occupancy",
       {{"kernel", shortName(K.Declaration)},
        {"block", shape(K.Launches[Index].Block)},
        {"gpu", K.Gpu.Name},
        {"percent_wanted", 100 * *K.MinOccupancy}}});
  F.Cause = K.Verdicts[Index].Faults.front().Reason;
  F.Level = Severity::Error;
  F.Predicted = predicted(LowOccupancy::Info.ConfirmedBy, *K.Gpu.Arch, 0,
                          *K.MinOccupancy * K.Gpu.Arch->WarpsPerSM);
  return true;
}

/// A launch of which not all is known, and which falls short whatever that is.
static bool failsGateAnyhow(const KernelModel &K, std::size_t Index,
                            FindingSink &Out) {
  const Launch &L = K.Launches[Index];
  const std::optional<LaunchFit> &Most = K.Verdicts[Index].AtMost;
  if (!Most || Most->OnSM.Failure != LaunchFailure::None ||
      Most->OnSM.Ratio >= *K.MinOccupancy || !isLaunched(L.Source))
    return false;
  Finding &F = Out.report(
      K, L,
      Phrase{"few-warps-at-most",
             "{launch} has at most {warps} of {warps_possible} warps resident "
             "on an SM of {gpu}, whatever {unknown}",
             {{"launch", launchName(K, {.Where = &L, .Fit = &*Most})},
              {"warps", Most->OnSM.WarpsPerSM},
              {"warps_possible", K.Gpu.Arch->WarpsPerSM},
              {"gpu", K.Gpu.Name},
              {"unknown", K.Resources && K.Resources->Registers
                              ? "the shared memory that is not known"
                              : "its registers"}}}
          .append(": ", belowGate(K, Most->OnSM)));
  F.Cause = limits(*K.Gpu.Arch, *Most);
  F.Level = Severity::Error;
  return true;
}

/// Launches that have no occupancy to compare.
static void judgeUnfitted(const KernelModel &K, FindingSink &Out) {
  for (std::size_t I = 0; I != K.Verdicts.size(); ++I) {
    if (failsToRun(K, I, Out) ||
        (K.Verdicts[I].Fit && isLaunched(K.Launches[I].Source)) ||
        failsGateAnyhow(K, I, Out))
      continue;
    Finding &F =
        Out.report(K, K.Launches[I],
                   {"not-comparable",
                    "the occupancy of '{kernel}' cannot be compared with "
                    "--min-occupancy",
                    {{"kernel", shortName(K.Declaration)}}});
    F.Cause = {"not-known", whyNotFitted(K, I), {}};
    F.Level = Severity::Note;
    F.Trust = Certainty::Unknown;
  }
}

void LowOccupancy::checkKernel(const KernelModel &K, FindingSink &Out) const {
  if (K.MinOccupancy)
    judgeUnfitted(K, Out);
  for (const FittedLaunch &L : K.launchesThatRun()) {
    if (checkGate(K, L, Out) || !fillsGpu(*L.Fit) || checkLatency(K, L, Out))
      continue;
    checkSmallSteps(K, L, Out);
  }
}

CUDA_LINT_REGISTER_CHECK(LowOccupancy)

} // namespace cudalint::low_occupancy
