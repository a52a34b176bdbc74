//===- runtime/probe/StallTable.cpp - Samples to lines --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/StallTable.h"

#include <algorithm>

namespace cudalint::probe {

// If one sample of so many was dropped, the rest may mislead. Chosen.
static constexpr std::uint64_t LossFrom = 100;

StallName stallNameOf(std::string_view CuptisName) {
  static constexpr std::string_view Suffix = "_not_issued";
  StallName Out = {CuptisName};
  for (std::string_view Prefix :
       {std::string_view("smsp__pcsamp_warps_issue_stalled_"),
        std::string_view("smsp__pcsamp_")})
    if (Out.Reason.starts_with(Prefix)) {
      Out.Reason.remove_prefix(Prefix.size());
      break;
    }
  if (Out.Reason.ends_with(Suffix)) {
    Out.Reason.remove_suffix(Suffix.size());
    Out.IsNotIssued = true;
  }
  return Out;
}

std::uint32_t StallTable::reason(std::string_view Reason) {
  auto Found = Numbers.find(Reason);
  if (Found == Numbers.end())
    Found = Numbers
                .emplace(std::string(Reason),
                         static_cast<std::uint32_t>(Numbers.size()))
                .first;
  return Found->second;
}

void StallTable::add(StallKey Key, std::span<const StallCount> Counts) {
  auto Row = Rows.find(Key);
  if (Row == Rows.end()) {
    if (Rows.size() >= MostRows) {
      IsFull = true;
      Key.Where = {};
    }
    Row = Rows.try_emplace(std::move(Key)).first;
  }
  std::vector<StallCount> &Sums = Row->second;
  for (const StallCount &Each : Counts) {
    auto At =
        std::ranges::lower_bound(Sums, Each.Reason, {}, &StallCount::Reason);
    if (At == Sums.end() || At->Reason != Each.Reason)
      At = Sums.insert(At, {.Reason = Each.Reason});
    At->Samples += Each.Samples;
    At->NotIssued += Each.NotIssued;
  }
}

void StallTable::addTotals(unsigned Device, const SamplingSummary &More) {
  SamplingSummary &To = Totals[Device];
  To.Samples += More.Samples;
  To.Dropped += More.Dropped;
  To.Others += More.Others;
}

void StallTable::setPeriod(unsigned Device, std::uint64_t Cycles) {
  Totals[Device].PeriodCycles = Cycles;
}

void StallTable::summarize(Profile &Out) const {
  Out.Stalls = Rows;
  Out.Sampling = Totals;
  Out.StallReasons.resize(Numbers.size());
  for (const auto &[Name, Number] : Numbers)
    Out.StallReasons[Number] = Name;
  std::uint64_t Samples = 0, Dropped = 0;
  for (const auto &[Device, Each] : Totals) {
    Samples += Each.Samples;
    Dropped += Each.Dropped;
  }
  if (Dropped)
    Out.Problems.push_back(
        {"samples-dropped",
         "the GPU dropped " + std::to_string(Dropped) + " of " +
             std::to_string(Samples) +
             " samples, so that the busiest moments have too few; measure a "
             "shorter run",
         /*IsLoss=*/Dropped >= Samples / LossFrom});
  if (IsFull)
    Out.Problems.push_back(
        {"stall-lines-full", "more than " + std::to_string(MostRows) +
                                 " lines have samples: those of the rest are "
                                 "told without a line"});
}

} // namespace cudalint::probe
