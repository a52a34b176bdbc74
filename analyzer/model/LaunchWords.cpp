//===- analyzer/model/LaunchWords.cpp - How launches are named ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/model/LaunchWords.h"
#include "analyzer/model/RegisterTrials.h"

#include "analyzer/model/AccessWords.h"
#include "report/ExtentSize.h"
#include "report/ExtentWords.h"
#include "report/Names.h"
#include "report/OccupancyWords.h"

#include <fmt/format.h>

#include <set>

namespace cudalint {

std::string shortName(const KernelDeclaration &Kernel) {
  constexpr std::size_t Most = 60;
  const std::string Name(
      withFewerScopes(withoutParameters(Kernel.Signature), Most));
  if (Name.size() <= Most)
    return Name;
  // Template arguments are what makes it long.
  if (const std::size_t Angle = Name.find('<'); Angle <= Most)
    return Name.substr(0, Angle) + "<...>";
  return Name.substr(0, Most) + "...";
}

std::string launchName(const KernelModel &Kernel, const FittedLaunch &Launch) {
  const std::string Block = shape(Launch.Where->Block);
  const std::string Threads = countOf(Launch.Fit->Demand.Threads, "thread");
  const std::string Name = shortName(Kernel.Declaration);
  if (Block.find('x') == std::string::npos)
    return fmt::format("'{}' in blocks of {}", Name, Threads);
  return fmt::format("'{}' in blocks of {} ({})", Name, Block, Threads);
}

Phrase launchFails(const KernelModel &Kernel) {
  return {"launch-fails",
          "launch of '{kernel}' fails on {gpu}",
          {{"kernel", Kernel.Declaration.Signature}, {"gpu", Kernel.Gpu.Name}}};
}

Phrase stepsInWords(const KernelModel &Kernel, const LaunchFit &Fit,
                    std::span<const Cliff> Steps) {
  if (Steps.empty())
    return {};
  Phrase Said{"change-resources",
              gainInWords(*Kernel.Gpu.Arch, Fit.Demand, Fit.OnSM, Steps,
                          /*WithWarps=*/true),
              {}};
  if (!Fit.Rounds)
    return Said;
  const std::string Saved = roundsSavedInWords(
      *Fit.Grid, Fit.Demand.Threads, *Kernel.Gpu.SMs, *Fit.Rounds, Steps);
  return Saved.empty() ? Said : Said.append("; ", {"rounds-saved", Saved, {}});
}

/// Whether a kernel that is compiled for blocks of \p Threads can be launched
/// as it is, and bounds its registers by nothing else.
static bool mayBeBounded(const KernelModel &Kernel, std::uint64_t Threads) {
  const KernelDeclaration &D = Kernel.Declaration;
  if (D.MinBlocks || D.MaxRegisters)
    return false;
  if (D.MaxThreads)
    return static_cast<std::uint64_t>(*D.MaxThreads) == Threads;
  return std::ranges::all_of(Kernel.Launches, [&](const Launch &L) {
    const std::optional<std::uint64_t> Its = sizeOf(L.Block);
    return Its && *Its <= Threads;
  });
}

Phrase withRegistersAskedFor(Phrase Gains, const KernelModel &Kernel,
                             const LaunchFit &Fit,
                             std::span<const Cliff> Steps) {
  const auto Step =
      std::ranges::find(Steps, Cliff::Quantity::Registers, &Cliff::What);
  if (Step == Steps.end())
    return Gains;
  // Steps that spill are not among these.
  const bool IsTried = spilledWith(Kernel, Step->Value).has_value();
  if (!mayBeBounded(Kernel, Fit.Demand.Threads))
    return IsTried
               ? Gains
               : Gains.append(
                     ", ", {"unless-it-spills", "unless it spills then", {}});
  const Phrase Risk =
      IsTried ? Phrase{"spills-nothing", "with which nothing spills", {}}
              : Phrase{"unless-it-spills", "unless it spills then", {}};
  const Phrase Bound{"bound-registers",
                     "__launch_bounds__({block_threads}, {blocks_wanted})",
                     {{"block_threads", Fit.Demand.Threads},
                      {"blocks_wanted", Step->Then.BlocksPerSM}}};
  // One way of several is not told first.
  if (!std::ranges::all_of(Steps, [](const Cliff &Each) {
        return Each.What == Cliff::Quantity::Registers;
      }))
    return Gains.append("; ", Bound)
        .append(" ", {"registers-asked-for",
                      "asks for {registers_wanted} registers",
                      {{"registers_wanted", Step->Value}}})
        .append(", ", Risk);
  return Phrase{Gains.Id,
                "ask for {registers_wanted} registers",
                {{"registers_wanted", Step->Value}}}
      .append(" by ", Bound)
      .append(", ", Risk)
      .append(": ", Gains);
}

std::string alikeNote(const FittedLaunch &Launch,
                      bool (*HasFault)(const LaunchFit &)) {
  std::set<Location> Places;
  for (const FittedLaunch &Other : Launch.Alike)
    if (!HasFault || HasFault(*Other.Fit))
      Places.insert(Other.Where->Where);
  Places.erase(Launch.Where->Where);
  if (Places.empty())
    return {};
  return fmt::format(" (and {} more launch{})", Places.size(),
                     Places.size() == 1 ? "" : "es");
}

bool fillsGpu(const LaunchFit &Fit) {
  if (Fit.Rounds)
    return Fit.Rounds->Count > 1;
  return !Fit.Grid || *Fit.Grid > std::max<std::uint64_t>(Fit.FewestSMs, 1) *
                                      Fit.OnSM.BlocksPerSM;
}

void assumeFullGpu(const LaunchFit &Fit, Finding &F) {
  if (Fit.Rounds)
    return;
  F.Trust = Certainty::Assumed;
  F.Assumptions.push_back(
      Fit.Grid ? "the grid has more blocks than the GPU holds at a time"
               : "the grid, which is not known here, has more blocks than the "
                 "GPU holds at a time");
}

std::string whyNotFitted(const KernelModel &Kernel, std::size_t Index) {
  if (!Kernel.Resources || !Kernel.Resources->Registers)
    return "its registers are not known: give --registers or --ptxas-log";
  if (!Kernel.staticShared())
    return "its static shared memory is not known: give --ptxas-log";
  const Launch &L = Kernel.Launches[Index];
  for (const std::optional<std::int64_t> &Size : L.Block)
    if (!Size || L.Source == LaunchSource::Usual)
      return fmt::format(
          "its block is not known{}: give --launch or --launches-from",
          L.Unknown.empty() ? "" : fmt::format(" ({})", L.Unknown.front()));
  if (!L.DynamicSharedBytes &&
      (Kernel.UsesDynamicShared || L.Source == LaunchSource::Launch))
    return "its dynamic shared memory is not known: give --launch";
  return "it is out of the limits of the GPU";
}

} // namespace cudalint
