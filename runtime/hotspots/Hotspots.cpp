//===- runtime/hotspots/Hotspots.cpp - Where requests are wasted ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/hotspots/Hotspots.h"

#include "runtime/hotspots/GpuPeaks.h"
#include "runtime/join/LaunchJudge.h"
#include "runtime/join/Names.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace cudalint {

using Figure = std::optional<double>;

//===----------------------------------------------------------------------===//
// Times
//===----------------------------------------------------------------------===//

using KernelTimes = std::map<std::string, double>;

/// Nanoseconds of each kernel of which all launches were timed. Adds to
/// \p Partly how many others have times of some.
static KernelTimes timesOf(const MeasuredGpu &Gpu, std::size_t &Partly) {
  KernelTimes Out;
  for (const MeasuredKernel &Kernel : Gpu.Kernels) {
    double Sum = 0;
    std::size_t Timed = 0;
    for (const ProfileLaunch &Launch : Kernel.Launched)
      if (Launch.Total) {
        Sum += *Launch.Total;
        ++Timed;
      }
    if (Timed == 0)
      continue;
    if (Timed == Kernel.Launched.size())
      Out[Kernel.Name] = Sum;
    else
      ++Partly;
  }
  return Out;
}

static ProfileProblem timesAreIncomplete(std::size_t Kernels) {
  return {"times-incomplete",
          fmt::format("launches of {} kernel{} have no times, so {} is not "
                      "known, and the GPU time is that of the others",
                      Kernels, Kernels == 1 ? "" : "s",
                      Kernels == 1 ? "its time" : "the time of each"),
          /*IsLoss=*/true};
}

/// Counting makes a kernel slower: times of a run of their own, if there is
/// one. What it launched may differ from what another run did.
static std::vector<Profile> timedProfiles(std::span<const Profile> Profiles) {
  std::vector<Profile> Own, Others;
  for (const Profile &Each : Profiles)
    if (Each.hasTimes())
      (Each.IsExtra ? Own : Others).push_back(Each);
  return Own.empty() ? Others : Own;
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

static Figure figure(const Count &Value) {
  return Value ? Figure(static_cast<double>(*Value)) : std::nullopt;
}

static Figure divided(Figure Amount, Figure By) {
  return Amount && By && *By > 0 ? Figure(*Amount / *By) : std::nullopt;
}

static bool hasUnit(MemorySpace Space, TrafficUnit Unit) {
  if (Space == MemorySpace::Generic)
    return true;
  return (Space == MemorySpace::Shared) == (Unit == TrafficUnit::Wavefronts);
}

static Resource resourceOf(TrafficUnit Unit) {
  return Unit == TrafficUnit::Wavefronts ? Resource::Shared : Resource::L1;
}

static HotLine lineOf(const CountedLine &In, TrafficUnit Unit, double Scale) {
  HotLine Out = {.Line = In, .Unit = Unit};
  auto all = [&](const Count &Value) {
    return Value ? Count(scaled(*Value, Scale)) : std::nullopt;
  };
  Out.Instructions = all(In.Instructions);
  Out.Requests = all(In.requests());
  Out.Total = all(In.total(Unit));
  Out.Ideal = all(In.ideal(Unit));
  if (Out.Total && Out.Ideal)
    Out.Wasted = *Out.Total - std::min(*Out.Total, *Out.Ideal);
  Out.PerRequest = divided(figure(In.total(Unit)), figure(In.requests()));
  Out.IdealPerRequest = divided(figure(In.ideal(Unit)), figure(In.requests()));
  return Out;
}

/// In clocks of an SM: four sectors cost what a wavefront does. Empty is less
/// than all.
static Figure wasteOf(const HotLine &Line) {
  return divided(figure(Line.Wasted),
                 Line.Unit == TrafficUnit::Sectors ? 4 : 1);
}

/// More waste first; what has no ideal behind it, by what it did.
static bool isWorse(const HotLine &A, const HotLine &B) {
  const Figure OfA = wasteOf(A), OfB = wasteOf(B);
  return OfA != OfB ? OfA > OfB : A.Total > B.Total;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static void describeLaunches(const MeasuredKernel &In, HotKernel &Out) {
  double Weight = 0, Achieved = 0;
  for (const ProfileLaunch &Launch : In.Launched) {
    if (Launch.Registers)
      Out.Registers = std::max(Out.Registers.value_or(0), *Launch.Registers);
    if (Launch.BlocksPerSM) {
      const auto Warps = static_cast<unsigned>(std::min<std::uint64_t>(
          product(*Launch.BlocksPerSM, warpsOf(Launch.Block)), UINT32_MAX));
      Out.LeastWarps = std::min(Out.LeastWarps.value_or(Warps), Warps);
      Out.MostWarps = std::max(Out.MostWarps.value_or(0), Warps);
    }
    const auto Ranged = static_cast<double>(Launch.Ranged);
    if (Launch.Ranged != 0 && Launch.Achieved) {
      Weight += Ranged;
      Achieved += *Launch.Achieved * Ranged;
    }
  }
  if (Weight > 0)
    Out.Achieved = Achieved / Weight;
}

/// What a unit did in all launches, which were measured as a whole: \p Its of
/// each shape, scaled. Empty where a shape has none.
template <class Get>
static Figure ofLaunches(const MeasuredKernel &In, const Get &Its) {
  Figure Sum;
  for (const ProfileLaunch &Launch : In.Launched) {
    if (Launch.Number == 0)
      continue; // Of another run, which launched other shapes.
    const Figure Amount = Launch.Ranged ? Its(Launch) : std::nullopt;
    if (!Amount)
      return std::nullopt;
    Sum = Sum.value_or(0) + *Amount / static_cast<double>(Launch.Ranged) *
                                static_cast<double>(Launch.Number);
  }
  return Sum;
}

static UnitWork dramOf(const MeasuredKernel &In) {
  UnitWork Out = {.What = Resource::Dram};
  Out.Amount = Out.AtLeast = ofLaunches(
      In, [](const ProfileLaunch &Each) { return figure(Each.DramBytes); });
  return Out;
}

/// Its share of all launches together is by what it could have done in them, so
/// that long ones count for more. A share of 0 has no such amount: of all
/// shapes it is 0, and beside others not known.
static UnitWork l2Of(const MeasuredKernel &In, Figure Time) {
  UnitWork Out = {.What = Resource::L2};
  Out.Amount = Out.AtLeast = ofLaunches(
      In, [](const ProfileLaunch &Each) { return figure(Each.L2Sectors); });
  Out.PeakShare =
      divided(Out.Amount, ofLaunches(In, [](const ProfileLaunch &Each) {
                return divided(figure(Each.L2Sectors), Each.L2Share);
              }));
  if (ofLaunches(In, [](const ProfileLaunch &Each) { return Each.L2Share; }) ==
      0.0)
    Out.PeakShare = 0;
  if (Out.PeakShare && Time)
    Out.Busy = *Out.PeakShare * *Time;
  return Out;
}

namespace {
/// Where conflicts of loads of shared memory may be counted that never happen:
/// docs/validation/transactions-h200.md. Those of less than 8 bytes a lane are
/// counted as they are.
class WideLoads {
public:
  explicit WideLoads(const MeasuredKernel &In) {
    if (In.HasCode)
      for (const MeasuredInstruction &Each : In.Instructions)
        if (Each.Counts.Op == AccessOp::Load) {
          const Key Where = {Each.Where.value_or(MeasuredPlace()),
                             Each.Counts.Space};
          IsNarrow.try_emplace(Where, true).first->second &=
              Each.Bytes != 0 && Each.Bytes < 8;
        }
  }

  /// Whether of the wavefronts of \p Line only the ideal is certain.
  bool exaggerate(const CountedLine &Line, TrafficUnit Unit) const {
    if (Unit != TrafficUnit::Wavefronts || Line.Op != AccessOp::Load ||
        Line.Wavefronts <= Line.IdealWavefronts)
      return false;
    const auto Found = IsNarrow.find({{Line.File, Line.Line}, Line.Space});
    return Found == IsNarrow.end() || !Found->second;
  }

private:
  using Key = std::pair<MeasuredPlace, MemorySpace>;
  std::map<Key, bool> IsNarrow; // Each load there.
};
} // namespace

/// The sums over the lines of a unit; empty where one of them is not known, or
/// nothing was counted.
static UnitWork workOf(const MeasuredKernel &In, const WideLoads &Wide,
                       TrafficUnit Unit) {
  UnitWork Out = {.What = resourceOf(Unit)};
  if (In.MeasuredLaunches == 0)
    return Out;
  double Sum = 0, Least = 0;
  for (const CountedLine &Line : In.Lines) {
    if (!hasUnit(Line.Space, Unit))
      continue;
    const Count Total = Line.total(Unit);
    if (!Total)
      return Out;
    Sum += static_cast<double>(*Total);
    Least += static_cast<double>(
        Wide.exaggerate(Line, Unit) ? Line.ideal(Unit).value_or(0) : *Total);
  }
  Out.Amount = Sum * scaleOf(In);
  Out.AtLeast = Least * scaleOf(In);
  return Out;
}

/// Nanoseconds that \p Line saves at most: what is above the busiest unit when
/// its waste is gone. For a wasted sector, L2 fetches no more than 128 bytes,
/// which are four of its own, in each of the two parts that some have.
static Figure savesAtMost(const HotLine &Line, bool IsExaggerated,
                          const HotKernel &Kernel) {
  if (!Kernel.Time || !Line.Wasted || *Line.Wasted == 0)
    return std::nullopt;
  const auto Wasted = static_cast<double>(*Line.Wasted);
  double Remains = 0;
  for (const UnitWork &Unit : Kernel.Units) {
    if (!Unit.AtLeast || *Unit.AtLeast <= 0 || !Unit.Busy)
      continue;
    double Left = *Unit.AtLeast;
    if (Unit.What == resourceOf(Line.Unit))
      Left -= IsExaggerated ? 0 : Wasted; // AtLeast is without it.
    else if (Unit.What == Resource::Dram && Line.Unit == TrafficUnit::Sectors)
      Left -= Wasted * 128;
    else if (Unit.What == Resource::L2 && Line.Unit == TrafficUnit::Sectors)
      Left -= Wasted * 8;
    Remains =
        std::max(Remains, std::max(0.0, Left) / *Unit.AtLeast * *Unit.Busy);
  }
  return std::max(0.0, *Kernel.Time - Remains);
}

/// Above this part of a kernel's time its unit cannot be busy: times are of
/// another run, and differ. Chosen.
static constexpr double MostOfTime = 1.05;

static HotKernel kernelOf(const MeasuredKernel &In, const KernelTimes &Times,
                          const GpuPeaks &Peaks) {
  HotKernel Out = {.Name = In.Name,
                   .Signature = demangled(In.Name),
                   .Launches = In.Launches,
                   .Measured = In.MeasuredLaunches,
                   .Uncounted = In.Uncounted,
                   .HasLines = In.HasLines && In.MeasuredLaunches != 0};
  if (auto Found = Times.find(In.Name); Found != Times.end())
    Out.Time = Found->second;
  describeLaunches(In, Out);
  const WideLoads Wide(In);
  Out.Units = {workOf(In, Wide, TrafficUnit::Sectors),
               workOf(In, Wide, TrafficUnit::Wavefronts), l2Of(In, Out.Time),
               dramOf(In)};
  for (std::size_t I = 0; I != Out.Units.size(); ++I) {
    UnitWork &Unit = Out.Units[I];
    if (Unit.What != Resource::L2)
      Unit.Busy = divided(Unit.AtLeast, Peaks.of(Unit.What));
    if (Unit.Busy && Out.Time && *Unit.Busy > MostOfTime * *Out.Time) {
      Unit.ExceedsTime = true;
      Unit.Busy.reset();
    }
    if (Unit.Busy && *Unit.Busy > 0 &&
        (!Out.Busiest || *Unit.Busy > *Out.Units[*Out.Busiest].Busy))
      Out.Busiest = I;
  }
  const bool ExceedsTime =
      std::ranges::any_of(Out.Units, &UnitWork::ExceedsTime);
  const double Scale = scaleOf(In);
  for (const CountedLine &Line : In.Lines)
    for (TrafficUnit Unit : {TrafficUnit::Sectors, TrafficUnit::Wavefronts}) {
      if (!hasUnit(Line.Space, Unit))
        continue;
      HotLine Hot = lineOf(Line, Unit, Scale);
      const UnitWork &Work = Out.Units[Unit == TrafficUnit::Sectors ? 0 : 1];
      Hot.ShareOfUnit = divided(figure(Hot.Wasted), Work.Amount);
      const bool IsExaggerated = Wide.exaggerate(Line, Unit);
      if (!IsExaggerated && !ExceedsTime)
        Hot.WasteBusy = divided(figure(Hot.Wasted), Peaks.of(Work.What));
      if (!ExceedsTime)
        Hot.SavesAtMost = savesAtMost(Hot, IsExaggerated, Out);
      Out.Lines.push_back(std::move(Hot));
    }
  std::ranges::stable_sort(Out.Lines, isWorse);
  Out.Stalls = stallsOf(In.Sampled);
  return Out;
}

/// Longer first; where no time is known, by the waste of all lines, and then by
/// their samples.
static bool isHotter(const HotKernel &A, const HotKernel &B) {
  if (A.Time != B.Time)
    return A.Time > B.Time;
  auto waste = [](const HotKernel &Kernel) {
    double Sum = 0;
    for (const HotLine &Line : Kernel.Lines)
      Sum += wasteOf(Line).value_or(0);
    return Sum;
  };
  const double OfA = waste(A), OfB = waste(B);
  return OfA != OfB ? OfA > OfB : A.Stalls.Sums.Samples > B.Stalls.Sums.Samples;
}

/// Profiles have all code that was loaded, and libraries have a lot of it.
static bool didNothing(const HotKernel &Kernel) {
  return Kernel.Launches == 0 && !Kernel.Time &&
         Kernel.Stalls.Sums.Samples == 0 &&
         std::ranges::all_of(Kernel.Lines, [](const HotLine &Each) {
           return Each.Line.requests().value_or(0) == 0;
         });
}

Hotspots findHotspots(std::span<const Profile> Profiles) {
  Measurement Measured = merge(Profiles);
  const Measurement Timed = merge(timedProfiles(Profiles));
  Hotspots Out = {.Problems = std::move(Measured.Problems),
                  .HasCounters = Measured.HasCounters};
  for (const MeasuredGpu &Gpu : Measured.Gpus) {
    const GpuPeaks Peaks = peaksOf(Gpu);
    KernelTimes Times;
    std::size_t Partly = 0;
    const MeasuredGpu *TimedGpu = nullptr;
    for (const MeasuredGpu &Each : Timed.Gpus)
      if (Each.Name == Gpu.Name && Each.SMs == Gpu.SMs &&
          Each.ComputeCapability == Gpu.ComputeCapability)
        TimedGpu = &Each;
    if (TimedGpu)
      Times = timesOf(*TimedGpu, Partly);
    if (Partly != 0)
      Out.Problems.push_back(timesAreIncomplete(Partly));
    HotGpu Hot = {.Name = Gpu.Name,
                  .ComputeCapability = Gpu.ComputeCapability,
                  .SMs = Gpu.SMs,
                  .Devices = Gpu.Devices,
                  .BoostMHz = Peaks.BoostMHz,
                  .ExceedsBoost = Peaks.ExceedsBoost,
                  .Sampling = Gpu.Sampling};
    for (const MeasuredKernel &Kernel : Gpu.Kernels)
      Hot.Kernels.push_back(kernelOf(Kernel, Times, Peaks));
    for (HotKernel &Kernel : Hot.Kernels)
      if (Kernel.Launches == 0 && Kernel.Time) {
        // Programs may choose another kernel each time.
        const auto Found = std::ranges::find(TimedGpu->Kernels, Kernel.Name,
                                             &MeasuredKernel::Name);
        Kernel.Launches = Found->Launches;
        Kernel.Uncounted = "second-run";
      }
    std::erase_if(Hot.Kernels, didNothing);
    for (const auto &[Name, Time] : Times)
      Hot.Time = Hot.Time.value_or(0) + Time;
    for (HotKernel &Kernel : Hot.Kernels) {
      Out.HasSamples |= Kernel.Stalls.Sums.Samples != 0;
      Kernel.Share = divided(Kernel.Time, Hot.Time);
    }
    std::ranges::stable_sort(Hot.Kernels, isHotter);
    Out.HasTimes |= Hot.Time.has_value();
    Out.Gpus.push_back(std::move(Hot));
  }
  return Out;
}

} // namespace cudalint
