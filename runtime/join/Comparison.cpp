//===- runtime/join/Comparison.cpp - What a change did to kernels ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/Comparison.h"

#include "runtime/join/LaunchJudge.h"
#include "runtime/join/Names.h"

#include <algorithm>
#include <map>

namespace cudalint {

static void addRow(CountedLine &To, bool &IsFirst, const CountedLine &Row) {
  if (IsFirst)
    To = Row;
  else
    addCounts(To, Row);
  IsFirst = false;
}

static void addTraffic(const MeasuredKernel &Kernel, KernelTotals &Out) {
  bool FirstGlobal = true, FirstShared = true, FirstLocal = true;
  for (const CountedLine &Row : Kernel.Lines)
    switch (Row.Space) {
    case MemorySpace::Global:
    case MemorySpace::Generic:
      addRow(Out.Global, FirstGlobal, Row);
      break;
    case MemorySpace::Shared:
      addRow(Out.Shared, FirstShared, Row);
      break;
    case MemorySpace::Local:
      addRow(Out.Local, FirstLocal, Row);
      break;
    case MemorySpace::Constant:
      break;
    }
  Out.HasGlobal = !FirstGlobal;
  Out.HasShared = !FirstShared;
  Out.HasLocal = !FirstLocal;
}

/// All launches together; a shape without times leaves the others alone.
static std::optional<ProfileDuration>
timeOf(std::span<const ProfileLaunch> Launched) {
  std::optional<ProfileDuration> Out;
  std::vector<std::pair<double, std::uint64_t>> Medians;
  for (const ProfileLaunch &Launch : Launched) {
    if (!Launch.Duration)
      continue;
    const ProfileDuration &Each = *Launch.Duration;
    if (!Out)
      Out = ProfileDuration{Each.Min, 0, Each.Max, {}};
    Out->Min = std::min(Out->Min, Each.Min);
    Out->Max = std::max(Out->Max, Each.Max);
    Out->Samples.insert(Out->Samples.end(), Each.Samples.begin(),
                        Each.Samples.end());
    Medians.emplace_back(Each.Median,
                         std::max<std::uint64_t>(Launch.Number, 1));
  }
  if (!Out)
    return Out;
  // The mean of the medians of the shapes, weighted by launches: what one
  // launch costs in a run of the program.
  double Sum = 0, Weight = 0;
  for (auto [Median, Number] : Medians) {
    Sum += Median * static_cast<double>(Number);
    Weight += static_cast<double>(Number);
  }
  Out->Median = Sum / Weight;
  return Out;
}

static std::optional<double>
allTimeOf(std::span<const ProfileLaunch> Launched) {
  double Sum = 0;
  for (const ProfileLaunch &Launch : Launched) {
    if (!Launch.Total || !Launch.Duration || Launch.Duration->Samples.empty())
      return std::nullopt;
    Sum += *Launch.Total;
  }
  return Launched.empty() ? std::nullopt : std::optional(Sum);
}

static void scale(CountedLine &Sum, double Scale) {
  for (Count *Each :
       {&Sum.Instructions, &Sum.Requests, &Sum.Lanes, &Sum.Sectors,
        &Sum.IdealSectors, &Sum.Wavefronts, &Sum.IdealWavefronts})
    if (*Each)
      *Each = scaled(**Each, Scale);
}

static KernelTotals totalsOf(const MeasuredKernel &Kernel) {
  KernelTotals Out;
  Out.Name = Kernel.Name;
  Out.Signature = demangled(Kernel.Name);
  Out.Launches = Kernel.Launches;
  Out.MeasuredLaunches = Kernel.MeasuredLaunches;
  addTraffic(Kernel, Out);
  for (CountedLine *Each : {&Out.Global, &Out.Shared, &Out.Local})
    scale(*Each, scaleOf(Kernel));
  bool IsFirst = true;
  double Achieved = 0, Weight = 0, Bytes = 0;
  double Resident = 0, Launches = 0;
  bool KnowsBytes = true, KnowsWarps = true;
  for (const ProfileLaunch &Launch : Kernel.Launched) {
    std::optional<unsigned> Warps;
    if (Launch.BlocksPerSM)
      Warps = static_cast<unsigned>(std::min<std::uint64_t>(
          *Launch.BlocksPerSM * warpsOf(Launch.Block), UINT32_MAX));
    Out.WarpsPerSM = IsFirst || Out.WarpsPerSM == Warps ? Warps : std::nullopt;
    Out.Registers = IsFirst || Out.Registers == Launch.Registers
                        ? Launch.Registers
                        : std::nullopt;
    IsFirst = false;
    Resident += Warps.value_or(0) * static_cast<double>(Launch.Number);
    Launches += static_cast<double>(Launch.Number);
    KnowsWarps &= Warps.has_value();
    if (Launch.Achieved) {
      Achieved += *Launch.Achieved * static_cast<double>(Launch.Ranged);
      Weight += static_cast<double>(Launch.Ranged);
      Bytes += static_cast<double>(Launch.DramBytes.value_or(0));
      KnowsBytes &= Launch.DramBytes.has_value();
    }
  }
  if (Launches > 0 && KnowsWarps)
    Out.MeanWarps = Resident / Launches;
  if (Weight > 0) {
    Out.Achieved = Achieved / Weight;
    if (KnowsBytes)
      Out.DramBytes = Bytes / Weight;
  }
  Out.Time = timeOf(Kernel.Launched);
  Out.AllTime = allTimeOf(Kernel.Launched);
  return Out;
}

/// Kernels of all kinds of GPU by name.
static std::map<std::string, MeasuredKernel>
kernelsOf(std::span<const Profile> Profiles) {
  std::map<std::string, MeasuredKernel> Out;
  for (MeasuredGpu &Gpu : merge(Profiles).Gpus)
    for (MeasuredKernel &Kernel : Gpu.Kernels) {
      auto [Entry, IsNew] = Out.try_emplace(Kernel.Name, Kernel);
      if (IsNew)
        continue;
      MeasuredKernel &To = Entry->second;
      To.Launches += Kernel.Launches;
      To.MeasuredLaunches += Kernel.MeasuredLaunches;
      To.Threads += Kernel.Threads;
      To.MeasuredThreads += Kernel.MeasuredThreads;
      std::ranges::move(Kernel.Lines, std::back_inserter(To.Lines));
      std::ranges::move(Kernel.Launched, std::back_inserter(To.Launched));
    }
  return Out;
}

/// Without the times of each run.
static std::vector<KernelTotals> sumsOf(std::span<const Profile> Profiles) {
  std::vector<KernelTotals> Out;
  for (const auto &[Name, Kernel] : kernelsOf(Profiles))
    Out.push_back(totalsOf(Kernel));
  return Out;
}

/// Adds to \p Kernels what each took in each of several runs.
static void addRuns(std::span<const Profile> Profiles,
                    std::vector<KernelTotals> &Kernels) {
  std::map<unsigned, std::vector<Profile>> Runs;
  for (const Profile &Each : Profiles)
    if (Each.Run)
      Runs[Each.Run].push_back(Each);
  std::map<std::string, std::vector<double>> Times;
  for (const auto &[Run, Own] : Runs)
    for (const KernelTotals &Kernel : sumsOf(Own))
      if (Kernel.AllTime)
        Times[Kernel.Name].push_back(*Kernel.AllTime);
  for (KernelTotals &Kernel : Kernels)
    if (std::vector<double> &Its = Times[Kernel.Name];
        Its.size() == Runs.size())
      Kernel.Runs = std::move(Its);
}

std::vector<KernelTotals> totals(std::span<const Profile> Profiles) {
  std::vector<KernelTotals> Out = sumsOf(Profiles);
  addRuns(Profiles, Out);
  return Out;
}

KernelTotals sumOf(std::span<const KernelTotals> Kernels) {
  KernelTotals Out;
  Out.HasGlobal = Out.HasShared = Out.HasLocal = true; // Be it 0.
  bool IsFirst = true, KnowsWarps = true;
  double Resident = 0;
  // Some run in the runs for times alone.
  const auto ran = [](const KernelTotals &Each) {
    return Each.Launches != 0 || !Each.Runs.empty();
  };
  for (const KernelTotals &Each : Kernels) {
    if (!ran(Each))
      continue;
    Out.Launches += Each.Launches;
    Out.MeasuredLaunches += Each.MeasuredLaunches;
    KnowsWarps &= Each.MeanWarps.has_value();
    Resident += Each.MeanWarps.value_or(0) * static_cast<double>(Each.Launches);
    if (IsFirst)
      Out.Runs = Each.Runs;
    else if (Out.Runs.size() != Each.Runs.size())
      Out.Runs.clear();
    else
      for (std::size_t I = 0; I != Out.Runs.size(); ++I)
        Out.Runs[I] += Each.Runs[I];
    IsFirst = false;
  }
  if (KnowsWarps && Out.Launches)
    Out.MeanWarps = Resident / static_cast<double>(Out.Launches);
  const auto add = [&](CountedLine KernelTotals::*Space,
                       bool KernelTotals::*HasRows,
                       Count CountedLine::*Figure) {
    std::uint64_t Sum = 0;
    for (const KernelTotals &Each : Kernels) {
      // Of a kernel that was counted, no row is no access.
      if (!ran(Each) || (!(Each.*HasRows) && Each.MeasuredLaunches))
        continue;
      const Count &Its = (Each.*Space).*Figure;
      if (!Its)
        return;
      Sum += *Its;
    }
    (Out.*Space).*Figure = Sum;
  };
  for (Count CountedLine::*Figure :
       {&CountedLine::Requests, &CountedLine::Sectors}) {
    add(&KernelTotals::Global, &KernelTotals::HasGlobal, Figure);
    add(&KernelTotals::Local, &KernelTotals::HasLocal, Figure);
  }
  for (Count CountedLine::*Figure :
       {&CountedLine::Requests, &CountedLine::Wavefronts})
    add(&KernelTotals::Shared, &KernelTotals::HasShared, Figure);
  return Out;
}

//===----------------------------------------------------------------------===//
// Which kernel became which
//===----------------------------------------------------------------------===//

/// `void ns::k<int>(float *)` is k.
static std::string baseName(std::string_view Signature) {
  std::string Out;
  int Depth = 0;
  for (std::size_t I = 0; I != Signature.size(); ++I) {
    char C = Signature[I];
    if (C == '(' && Depth == 0) {
      if (!Signature.substr(I).starts_with("(anonymous namespace)"))
        break;
      I += std::string_view("(anonymous namespace)").size() - 1;
      continue;
    }
    Depth += C == '<';
    if (Depth == 0)
      Out += C;
    Depth -= C == '>' && Depth > 0;
  }
  std::size_t Start = Out.find_last_of(" :");
  return Start == Out.npos ? Out : Out.substr(Start + 1);
}

namespace {
/// The kernels of both sides that have no partner yet.
struct Matching {
  std::span<const KernelTotals> Before, After;
  std::vector<bool> HasBefore, HasAfter; ///< A partner.
  std::vector<KernelPair> Pairs;

  void pair(std::size_t B, std::size_t A, const char *Why) {
    HasBefore[B] = HasAfter[A] = true;
    Pairs.push_back({.Before = B, .After = A, .Why = Why});
  }

  /// Pairs those for which \p KeyOf gives a key that only one on each side has.
  template <typename Function> void pairBy(Function KeyOf, const char *Why) {
    std::map<std::string, std::vector<std::size_t>> Befores, Afters;
    for (std::size_t I = 0; I != Before.size(); ++I)
      if (!HasBefore[I])
        Befores[KeyOf(Before[I])].push_back(I);
    for (std::size_t I = 0; I != After.size(); ++I)
      if (!HasAfter[I])
        Afters[KeyOf(After[I])].push_back(I);
    for (const auto &[Key, Indices] : Befores)
      if (auto Found = Afters.find(Key); Found != Afters.end() &&
                                         Indices.size() == 1 &&
                                         Found->second.size() == 1)
        pair(Indices[0], Found->second[0], Why);
  }
};
} // namespace

std::vector<KernelPair> matchKernels(std::span<const KernelTotals> Before,
                                     std::span<const KernelTotals> After) {
  Matching M = {.Before = Before,
                .After = After,
                .HasBefore = std::vector<bool>(Before.size()),
                .HasAfter = std::vector<bool>(After.size()),
                .Pairs = {}};
  M.pairBy([](const KernelTotals &K) { return K.Name; }, "");
  M.pairBy([](const KernelTotals &K) { return canonicalKernel(K.Name); }, "");
  M.pairBy([](const KernelTotals &K) { return baseName(K.Signature); },
           "its arguments or its namespace differ");
  M.pairBy([](const KernelTotals &) { return std::string(); },
           "they are the only ones left on either side");
  for (std::size_t I = 0; I != Before.size(); ++I)
    if (!M.HasBefore[I])
      M.Pairs.push_back({.Before = I, .After = {}, .Why = {}});
  for (std::size_t I = 0; I != After.size(); ++I)
    if (!M.HasAfter[I])
      M.Pairs.push_back({.Before = {}, .After = I, .Why = {}});
  return M.Pairs;
}

std::optional<TimeComparison> compareTimes(const KernelTotals &Before,
                                           const KernelTotals &After) {
  // A run too many on one side would be another's partner.
  if (Before.Runs.size() != After.Runs.size())
    return std::nullopt;
  return compareTimes(Before.Runs, After.Runs);
}

} // namespace cudalint
