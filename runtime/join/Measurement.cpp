//===- runtime/join/Measurement.cpp - Several profiles as one -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/Measurement.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace cudalint {

void addCounts(CountedLine &Line, const CountedLine &Other) {
  Line.Instructions = sum(Line.Instructions, Other.Instructions);
  Line.Requests = sum(Line.Requests, Other.Requests);
  Line.Lanes = sum(Line.Lanes, Other.Lanes);
  Line.Sectors = sum(Line.Sectors, Other.Sectors);
  Line.IdealSectors = sum(Line.IdealSectors, Other.IdealSectors);
  Line.Wavefronts = sum(Line.Wavefronts, Other.Wavefronts);
  Line.IdealWavefronts = sum(Line.IdealWavefronts, Other.IdealWavefronts);
}

double scaleOf(const MeasuredKernel &Kernel) {
  if (Kernel.MeasuredLaunches == 0 ||
      Kernel.MeasuredLaunches >= Kernel.Launches)
    return 1;
  if (Kernel.MeasuredThreads != 0 && Kernel.Threads >= Kernel.MeasuredThreads)
    return static_cast<double>(Kernel.Threads) /
           static_cast<double>(Kernel.MeasuredThreads);
  return static_cast<double>(Kernel.Launches) /
         static_cast<double>(Kernel.MeasuredLaunches);
}

std::uint64_t scaled(std::uint64_t Value, double Scale) {
  if (Scale == 1)
    return Value;
  double Out = static_cast<double>(Value) * Scale;
  return Out < 1e19 ? static_cast<std::uint64_t>(Out + 0.5) : UINT64_MAX;
}

namespace {
using LineKey = std::tuple<std::string, unsigned, MemorySpace, AccessOp>;
using LaunchKey = std::tuple<Shape, Shape, Count, Count, Count, Count,
                             std::optional<unsigned>>;
using InstructionKey =
    std::tuple<std::uint64_t, std::string, unsigned, MemorySpace, AccessOp,
               std::optional<MeasuredPlace>, std::vector<MeasuredPlace>>;
using FileNames = std::set<std::string, std::less<>>;

struct LaunchSums {
  ProfileLaunch Launch;
  bool LacksTime = false; // in some profile that has times
};

struct KernelSums {
  MeasuredKernel Kernel;
  std::map<LineKey, CountedLine> Lines;
  std::map<LaunchKey, LaunchSums> Launches;
  std::map<InstructionKey, CountedLine> Instructions;
  bool LacksCode = false; // in some profile that measured it
  StallSums Stalls;
};

using DeviceKey = std::tuple<std::string, std::string, unsigned>;

struct GpuSums {
  MeasuredGpu Gpu;
  std::map<DeviceKey, MeasuredDevice> Parts;
  std::map<std::string, KernelSums> Kernels;
};
using GpuKey = std::tuple<std::string, std::string, std::optional<int>>;
} // namespace

static CountedLine measuredLine(const ProfileLine &In) {
  return {.File = In.File,
          .Line = In.Line,
          .Space = In.Space,
          .Op = In.Op,
          .Instructions = In.Instructions,
          .Requests = In.Requests,
          .Lanes = In.Lanes,
          .Sectors = In.Sectors,
          .IdealSectors = In.IdealSectors,
          .Wavefronts = In.Wavefronts,
          .IdealWavefronts = In.IdealWavefronts};
}

static bool hasCounts(const CountedLine &Line) {
  return Line.Instructions || Line.Requests || Line.Sectors || Line.Wavefronts;
}

/// The same instruction of several runs, or GPUs, is one.
static void addCode(KernelSums &Sums, const ProfileFunction &In,
                    std::span<const MeasuredPlace> Files) {
  auto placeOf = [&](const ProfilePlace &At) {
    return MeasuredPlace{Files[At.File].File, At.Line};
  };
  Sums.Kernel.HasCode = true;
  Sums.Kernel.CallsOthers |= In.CallsOthers;
  for (const ProfileInstruction &Each : In.Instructions) {
    std::optional<MeasuredPlace> Where;
    if (Each.Where)
      Where = placeOf(*Each.Where);
    std::vector<MeasuredPlace> Frames;
    for (const ProfilePlace &Frame : Each.Frames)
      Frames.push_back(placeOf(Frame));
    CountedLine Counts = measuredLine(Each.Counts);
    auto [Entry, IsNew] = Sums.Instructions.try_emplace(
        {Each.Offset, Each.Opcode, Each.Bytes, Counts.Space, Counts.Op, Where,
         std::move(Frames)},
        Counts);
    if (IsNew || !hasCounts(Counts))
      continue;
    if (hasCounts(Entry->second))
      addCounts(Entry->second, Counts);
    else
      Entry->second = Counts;
  }
}

static void addLine(KernelSums &Sums, const ProfileLine &In) {
  CountedLine Line = measuredLine(In);
  LineKey Key = {In.File, In.Line, In.Space, In.Op};
  auto [Entry, IsNew] = Sums.Lines.try_emplace(std::move(Key), Line);
  if (!IsNew)
    addCounts(Entry->second, Line);
}

/// The samples of both decide, since medians do not add up.
static void addDuration(std::optional<ProfileDuration> &To,
                        const std::optional<ProfileDuration> &From) {
  if (!From)
    return;
  if (!To) {
    To = From;
    return;
  }
  To->Min = std::min(To->Min, From->Min);
  To->Max = std::max(To->Max, From->Max);
  To->Samples.insert(To->Samples.end(), From->Samples.begin(),
                     From->Samples.end());
  if (To->Samples.empty())
    return;
  std::vector<double> Sorted = To->Samples;
  auto Middle = Sorted.begin() + static_cast<std::ptrdiff_t>(Sorted.size() / 2);
  std::ranges::nth_element(Sorted, Middle);
  To->Median = *Middle;
}

static void addRanges(ProfileLaunch &To, const ProfileLaunch &From) {
  if (From.Ranged == 0 || !From.Achieved)
    return;
  if (To.Ranged == 0 || !To.Achieved) {
    To.Ranged = From.Ranged;
    To.Achieved = From.Achieved;
    To.DramBytes = From.DramBytes;
    To.L2Sectors = From.L2Sectors;
    To.L2Share = From.L2Share;
    return;
  }
  To.DramBytes = sum(To.DramBytes, From.DramBytes);
  To.L2Sectors = sum(To.L2Sectors, From.L2Sectors);
  To.Ranged = sum(To.Ranged, From.Ranged);
  double Weight =
      static_cast<double>(From.Ranged) / static_cast<double>(To.Ranged);
  To.Achieved = *To.Achieved + (*From.Achieved - *To.Achieved) * Weight;
  if (To.L2Share && From.L2Share)
    To.L2Share = *To.L2Share + (*From.L2Share - *To.L2Share) * Weight;
  else
    To.L2Share.reset();
}

static void addUnits(ProfileLaunch &To, const ProfileLaunch &From) {
  for (const ProfileUnit &Each : From.Units) {
    auto Known = std::ranges::find_if(To.Units, [&](const ProfileUnit &Its) {
      return Its.Space == Each.Space && Its.Op == Each.Op &&
             Its.IsReduction == Each.IsReduction;
    });
    if (Known == To.Units.end()) {
      To.Units.push_back(Each);
      continue;
    }
    Known->Launches = sum(Known->Launches, Each.Launches);
    Known->Amount = sum(Known->Amount, Each.Amount);
  }
}

/// Of many launches of one shape, some are in the samples.
static std::optional<double> totalOf(const ProfileLaunch &In) {
  if (In.Total || !In.Duration)
    return In.Total;
  const std::vector<double> &Samples = In.Duration->Samples;
  const double Mean =
      Samples.empty() ? In.Duration->Median
                      : std::accumulate(Samples.begin(), Samples.end(), 0.0) /
                            static_cast<double>(Samples.size());
  return Mean * static_cast<double>(In.Number);
}

/// \p IsCounted: these launches were not counted in another run.
static void addLaunch(KernelSums &Sums, ProfileLaunch In, bool HasTimes,
                      bool IsCounted) {
  // Processes launch a shape as often as they like: means do not add up.
  In.Total = totalOf(In);
  const bool LacksTime = HasTimes && !In.Total && In.Number != 0;
  if (!IsCounted)
    In.Number = 0;
  LaunchKey Key = {In.Grid,          In.Block, In.Registers,  In.StaticShared,
                   In.DynamicShared, In.Local, In.BlocksPerSM};
  auto [Entry, IsNew] = Sums.Launches.try_emplace(Key);
  Entry->second.LacksTime |= LacksTime;
  ProfileLaunch &To = Entry->second.Launch;
  if (IsNew) {
    To = std::move(In);
    return;
  }
  addRanges(To, In);
  addUnits(To, In);
  To.Number = sum(To.Number, In.Number);
  addDuration(To.Duration, In.Duration);
  if (In.Total)
    To.Total = To.Total.value_or(0) + *In.Total;
}

static void add(std::map<GpuKey, GpuSums> &Gpus, const Profile &In,
                bool IsCounted, FileNames &Names) {
  std::map<unsigned, GpuSums *> ByIndex;
  auto gpuOf = [&](const ProfileDevice &Device) -> GpuSums & {
    GpuSums &Sums = Gpus[{Device.ComputeCapability, Device.Name, Device.SMs}];
    Sums.Gpu.Name = Device.Name;
    Sums.Gpu.ComputeCapability = Device.ComputeCapability;
    Sums.Gpu.SMs = Device.SMs;
    return Sums;
  };
  for (const ProfileDevice &Device : In.Devices)
    ByIndex[Device.Index] = &gpuOf(Device);
  std::map<GpuSums *, unsigned> Devices;
  for (auto [Index, Sums] : ByIndex)
    Sums->Gpu.Devices = std::max(Sums->Gpu.Devices, ++Devices[Sums]);
  auto kernelOf = [&](unsigned Device, const std::string &Name) -> auto & {
    auto Found = ByIndex.find(Device);
    if (Found == ByIndex.end())
      Found = ByIndex.emplace(Device, &gpuOf({.Index = Device})).first;
    KernelSums &Sums = Found->second->Kernels[Name];
    Sums.Kernel.Name = Name;
    return Sums;
  };
  const bool HasTimes = In.hasTimes();
  for (const ProfileLaunch &Launch : In.Launches)
    addLaunch(kernelOf(Launch.Device, Launch.Kernel), Launch, HasTimes,
              IsCounted);
  for (const ProfileSampling &Each : In.Sampling)
    if (auto Its = ByIndex.find(Each.Device); Its != ByIndex.end())
      add(Its->second->Gpu.Sampling, Each);
  for (const ProfileStall &Each : In.Stalls)
    kernelOf(Each.Device, Each.Kernel).Stalls.add(Each, In.StallReasons);
  if (!IsCounted)
    return;
  std::map<unsigned, MeasuredDevice *> Parts;
  for (const ProfileDevice &Device : In.Devices) {
    MeasuredDevice &Part =
        ByIndex[Device.Index]->Parts[{In.Host, Device.Uuid, Device.Index}];
    Part.Host = In.Host;
    Part.Uuid = Device.Uuid;
    Part.Index = Device.Index;
    ++Part.Processes;
    if (In.Rank)
      Part.Ranks.push_back(*In.Rank);
    Parts[Device.Index] = &Part;
  }
  std::vector<MeasuredPlace> Files;
  for (const std::string &File : In.Files)
    Files.push_back({*Names.insert(File).first});
  std::set<std::pair<std::string, unsigned>> HasCode;
  for (const ProfileFunction &Function : In.Code) {
    addCode(kernelOf(Function.Device, Function.Kernel), Function, Files);
    HasCode.insert({Function.Kernel, Function.Device});
  }
  for (const ProfileKernel &Kernel : In.Kernels) {
    if (MeasuredDevice *Part = Parts[Kernel.Device]) {
      Part->Launches = sum(Part->Launches, Kernel.Launches);
      Part->MeasuredLaunches =
          sum(Part->MeasuredLaunches, Kernel.MeasuredLaunches);
    }
    KernelSums &Sums = kernelOf(Kernel.Device, Kernel.Kernel);
    MeasuredKernel &To = Sums.Kernel;
    Sums.LacksCode |= Kernel.MeasuredLaunches != 0 &&
                      !HasCode.contains({Kernel.Kernel, Kernel.Device});
    To.Launches = sum(To.Launches, Kernel.Launches);
    To.MeasuredLaunches = sum(To.MeasuredLaunches, Kernel.MeasuredLaunches);
    To.Threads = sum(To.Threads, Kernel.Threads);
    To.MeasuredThreads = sum(To.MeasuredThreads, Kernel.MeasuredThreads);
    if (To.Uncounted.empty())
      To.Uncounted = Kernel.Uncounted;
    To.HasLines &= Kernel.HasLines || Kernel.MeasuredLaunches == 0;
  }
  for (const ProfileLine &Line : In.Lines)
    if (MeasuredDevice *Part = Parts[Line.Device])
      Part->Requests =
          sum(Part->Requests,
              Line.Requests.value_or(Line.Instructions.value_or(0)));
  for (const ProfileLine &Line : In.Lines)
    addLine(kernelOf(Line.Device, Line.Kernel), Line);
}

static std::string snapshotInWords(const Profile &In) {
  return fmt::format("the profile of {} is a snapshot: the probe did not see "
                     "its end (SIGKILL, _exit or exec), and what it did last "
                     "may be missing",
                     In.Command.empty() ? "a program"
                                        : "'" + In.Command[0] + "'");
}

/// Ranks of which no profile is there, though the others know of them: they
/// died, or made no CUDA call. One rank alone may be measured alone.
static std::optional<ProfileProblem>
missingRanks(std::span<const Profile> Profiles) {
  std::set<unsigned> Seen;
  unsigned Ranks = 0;
  for (const Profile &In : Profiles)
    if (In.Rank) {
      Seen.insert(*In.Rank);
      Ranks = std::max(Ranks, In.Ranks.value_or(0));
    }
  if (Seen.size() < 2 || Seen.size() >= Ranks)
    return std::nullopt;
  std::string Names;
  unsigned Named = 0;
  for (unsigned Rank = 0; Rank != Ranks && Named != 8; ++Rank)
    if (!Seen.contains(Rank))
      Names += fmt::format("{}{}", Named++ ? ", " : "", Rank);
  return ProfileProblem{
      "ranks-missing",
      fmt::format("of {} ranks {} left a profile: {}{} ended in a way that "
                  "nobody can catch, or made no CUDA call",
                  Ranks, Seen.size(), Names,
                  Ranks - Seen.size() > Named ? ", ..." : ""),
      /*IsLoss=*/true};
}

/// Profiles of one run have equal ones. A run for times comes before others
/// that count nothing.
using RunKey = std::tuple<bool, bool, unsigned, std::string, unsigned>;

static RunKey runOf(const Profile &In) {
  return {In.IsExtra, !In.hasTimes(), In.Run, In.IsExtra ? In.Collects : "",
          In.UnitPart};
}

Measurement merge(std::span<const Profile> Profiles) {
  Measurement Out;
  std::map<GpuKey, GpuSums> Gpus;
  auto Names = std::make_shared<FileNames>();
  Out.Files = Names;
  // What a program launches in a run, it launches in each.
  std::optional<RunKey> First;
  std::set<RunKey> TimedRuns;
  for (const Profile &In : Profiles) {
    First = std::min(First.value_or(runOf(In)), runOf(In));
    if (In.hasTimes())
      TimedRuns.insert(runOf(In));
  }
  auto addProblem = [&](const ProfileProblem &Problem) {
    if (std::ranges::find(Out.Problems, Problem) == Out.Problems.end())
      Out.Problems.push_back(Problem);
  };
  for (const Profile &In : Profiles) {
    Out.HasCounters |= In.HasCounters;
    for (const ProfileSource &Each : In.Sources)
      Out.Sources[In.Files[Each.File]].insert({Each.Bytes, Each.Modified});
    std::ranges::for_each(In.Problems, addProblem);
    if (In.End == "killed")
      addProblem({"snapshot", snapshotInWords(In)});
    add(Gpus, In, !In.IsExtra || runOf(In) == First, *Names);
  }
  if (const std::optional<ProfileProblem> Missing = missingRanks(Profiles))
    addProblem(*Missing);
  for (auto &[Key, Sums] : Gpus) {
    for (auto &[Name, Kernel] : Sums.Kernels) {
      for (auto &[Place, Line] : Kernel.Lines)
        Kernel.Kernel.Lines.push_back(std::move(Line));
      Kernel.Kernel.Sampled = Kernel.Stalls.lines();
      Kernel.Kernel.HasCode &= !Kernel.LacksCode;
      for (auto &[Key, Counts] : Kernel.Instructions) {
        auto &[Offset, Opcode, Bytes, Space, Op, Where, Frames] = Key;
        Kernel.Kernel.Instructions.push_back({.Offset = Offset,
                                              .Opcode = Opcode,
                                              .Bytes = Bytes,
                                              .Where = Where,
                                              .Frames = Frames,
                                              .Counts = std::move(Counts)});
      }
      for (auto &[Shapes, Launch] : Kernel.Launches) {
        if (Launch.LacksTime)
          Launch.Launch.Total.reset();
        if (Launch.Launch.Total)
          *Launch.Launch.Total /= static_cast<double>(TimedRuns.size());
        Kernel.Kernel.Launched.push_back(std::move(Launch.Launch));
      }
      Sums.Gpu.Kernels.push_back(std::move(Kernel.Kernel));
    }
    for (auto &[Place, Part] : Sums.Parts) {
      std::ranges::sort(Part.Ranks);
      Sums.Gpu.Parts.push_back(std::move(Part));
    }
    // As many as the machines have, where they are told apart.
    Sums.Gpu.Devices = std::max<unsigned>(
        Sums.Gpu.Devices, static_cast<unsigned>(std::ranges::count_if(
                              Sums.Gpu.Parts, [](const MeasuredDevice &Each) {
                                return !Each.Uuid.empty();
                              })));
    Out.Gpus.push_back(std::move(Sums.Gpu));
  }
  return Out;
}

} // namespace cudalint
