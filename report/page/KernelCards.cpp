//===- report/page/KernelCards.cpp - Kernels of the page ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/page/KernelCards.h"

#include "hardware/Occupancy.h"
#include "report/Names.h"
#include "report/OccupancyRecord.h"
#include "report/OccupancyWords.h"
#include "report/page/HtmlText.h"
#include "report/page/MeasuredText.h"
#include "report/page/OccupancyCurves.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace cudalint {

static const Architecture *archOf(const TargetRecord &Target) {
  const std::optional<cudalint::Target> Known =
      parseTarget(Target.ComputeCapability);
  return Known ? Known->Arch : nullptr;
}

/// `256`, `16x16`, `?x1`; a unit that is 1 in the end is left out.
static std::string extentText(const Extent &Of) {
  std::size_t Last = Of.size();
  while (Last > 1 && Of[Last - 1] == 1)
    --Last;
  std::string Out;
  for (std::size_t I = 0; I != Last; ++I)
    Out += fmt::format("{}{}", I ? "\u00D7" : "",
                       Of[I] ? figure(static_cast<double>(*Of[I])) : "?");
  return Out;
}

template <typename Number>
static std::string cell(const std::optional<Number> &Value) {
  return Value ? figure(static_cast<double>(*Value)) : "?";
}

static std::string percent(const std::optional<double> &Share) {
  return Share ? fmt::format("{:.0f} %", 100 * *Share) : "?";
}

/// What is left of the launch's rounds, in words.
static std::string wavesOf(const OccupancyRecord &O) {
  if (!O.Waves)
    return "?";
  std::string Out = fmt::format("{:.2f}", *O.Waves);
  if (O.Rounds && O.TailWaste && *O.TailWaste >= 0.005)
    Out += fmt::format(", {} of {} empty", percent(O.TailWaste),
                       countOf(*O.Rounds, "round"));
  return Out;
}

static std::string launchRow(const LaunchRecord &L,
                             const ReportPlaces &Places) {
  const OccupancyRecord Unknown;
  const OccupancyRecord &O = L.Occupancy ? *L.Occupancy : Unknown;
  const bool Fails = O.BlocksPerSM == 0u;
  const std::string Limiter = Fails               ? "it fails"
                              : O.Limiter.empty() ? "?"
                                                  : html(O.Limiter);
  std::string Where = placeText(L.Where, Places);
  if (!isLaunched(L.Source) || Where.empty())
    Where +=
        fmt::format("{}({})", Where.empty() ? "" : " ", html(nameOf(L.Source)));
  return fmt::format("<tr><th scope=row>{}</th><td>{}</td><td>{}</td><td>{}"
                     "</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}"
                     "</td></tr>\n",
                     Where, extentText(L.Grid), extentText(L.Block),
                     cell(L.DynamicSharedBytes), cell(O.BlocksPerSM),
                     cell(O.WarpsPerSM), percent(O.Ratio), Limiter, wavesOf(O));
}

static std::string launchTable(const KernelRecord &K,
                               const ReportPlaces &Places) {
  if (K.Launches.empty())
    return "<p>No launch of it is known.</p>\n";
  std::string Out =
      "<div class=scroll tabindex=0 role=group aria-label=launches><table>"
      "<tr><th>launch</th><th>grid</th><th>block"
      "</th><th>dynamic shared, bytes</th><th>blocks per SM"
      "</th><th>warps per SM</th><th>occupancy</th><th>limited "
      "by</th><th>waves</th></tr>\n";
  for (const LaunchRecord &L : K.Launches)
    Out += launchRow(L, Places);
  return Out + "</table></div>\n";
}

static std::string resources(const KernelRecord &K) {
  const ResourceRecord R = K.Resources.value_or(ResourceRecord());
  std::string Out = "<dl class=facts>";
  addFact(Out, "registers", cell(R.Registers));
  addFact(Out, "static shared",
          K.StaticSharedBytes ? html(bytesInWords(*K.StaticSharedBytes)) : "?");
  if (R.LocalBytes)
    addFact(Out, "local per thread", html(bytesInWords(*R.LocalBytes)));
  if (R.SpillStores || R.SpillLoads)
    addFact(
        Out, "spilled bytes",
        fmt::format("{} out, {} in", cell(R.SpillStores), cell(R.SpillLoads)));
  if (R.Barriers)
    addFact(Out, "barriers", cell(R.Barriers));
  if (!R.Source.empty())
    addFact(Out, "known from", html(R.Source));
  return Out + "</dl>\n";
}

/// One for each block and memory that is launched, of those the first.
static std::string curvesOf(const KernelRecord &K, const Architecture *Arch,
                            Symbols &Drawings) {
  static constexpr std::size_t MostCurves = 3;
  if (!Arch)
    return {};
  if (!K.Resources || !K.Resources->Registers || !K.StaticSharedBytes)
    return "<p class=key>Without its registers, nobody knows what other sizes "
           "of its blocks would do.</p>\n";
  std::set<std::pair<std::uint64_t, std::uint64_t>> Seen;
  std::string Out;
  for (const LaunchRecord &L : K.Launches) {
    std::uint64_t Threads = 1;
    for (const std::optional<std::int64_t> &Each : L.Block)
      if (!Each || *Each < 1 || *Each > 65536 || Threads > 65536)
        Threads = 0;
      else
        Threads *= static_cast<std::uint64_t>(*Each);
    if (!Threads || !L.DynamicSharedBytes || *L.DynamicSharedBytes < 0)
      continue;
    const auto Dynamic = static_cast<std::uint64_t>(*L.DynamicSharedBytes);
    if (Seen.size() == MostCurves || !Seen.emplace(Threads, Dynamic).second)
      continue;
    const std::uint64_t More = unlimitedStatic(*Arch, *K.StaticSharedBytes, L);
    Out += occupancyCurves(
        *Arch,
        {.Threads = Threads,
         .Registers = *K.Resources->Registers,
         .StaticShared = *K.StaticSharedBytes - More,
         .DynamicShared = Dynamic + More,
         .Barriers = static_cast<unsigned>(
             std::min<std::uint64_t>(K.Resources->Barriers.value_or(0), ~0u))},
        Drawings);
  }
  return Out;
}

KernelCards::KernelCards(std::span<const Document> Documents,
                         const ReportPlaces &Places,
                         std::span<const Measurements> Measured,
                         Symbols &Drawings) {
  for (const Document &Doc : Documents) {
    const Architecture *Arch = archOf(Doc.Target);
    for (const UnitRecord &Unit : Doc.Units)
      for (const KernelRecord &K : Unit.Kernels) {
        if (K.Launches.empty() && !K.Resources)
          continue;
        const auto [At, IsNew] =
            Numbers.try_emplace({&Doc, K.Name, K.Where}, Cards.size());
        if (!IsNew)
          continue;
        std::string Place = placeText(K.Where, Places);
        if (Documents.size() > 1)
          Place += " on " + html(Doc.Target.Name);
        Cards.push_back(fmt::format(
            "<details class=kernel id=k{}><summary><h3><code>{}</code></h3>"
            "<span class=place>{}</span></summary>\n{}{}{}{}</details>\n",
            Cards.size(), html(K.Signature.empty() ? K.Name : K.Signature),
            Place, resources(K), launchTable(K, Places),
            measuredLaunches(Measured, Doc.Target, K.Name),
            curvesOf(K, Arch, Drawings)));
      }
  }
}

std::string KernelCards::text() const {
  std::string Out;
  for (const std::string &Each : Cards)
    Out += Each;
  return Out;
}

std::string KernelCards::anchorOf(const Document *In,
                                  const KernelRecord *Kernel) const {
  if (!In || !Kernel)
    return {};
  const auto At = Numbers.find({In, Kernel->Name, Kernel->Where});
  return At == Numbers.end() ? "" : fmt::format("k{}", At->second);
}

} // namespace cudalint
