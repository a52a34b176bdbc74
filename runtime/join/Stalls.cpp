//===- runtime/join/Stalls.cpp - Samples of several profiles --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/Stalls.h"

#include <algorithm>
#include <tuple>

namespace cudalint {

void add(std::optional<SamplingTotals> &All, const ProfileSampling &From) {
  SamplingTotals &To = All ? *All : All.emplace();
  To.Samples = sum(To.Samples, From.Samples);
  To.Dropped = sum(To.Dropped, From.Dropped);
  To.Others = sum(To.Others, From.Others);
  if (!From.PeriodCycles)
    return;
  To.LeastPeriod =
      std::min(To.LeastPeriod.value_or(*From.PeriodCycles), *From.PeriodCycles);
  To.MostPeriod =
      std::max(To.MostPeriod.value_or(*From.PeriodCycles), *From.PeriodCycles);
}

void StallSums::add(const ProfileStall &In,
                    const std::vector<std::string> &Reasons) {
  auto &Line = Lines[{In.File, In.Line}];
  for (const ProfileStallCount &Each : In.Reasons) {
    const std::string &Name = Reasons[Each.Reason];
    ReasonCount &To = Line[Name];
    To.Name = Name;
    To.Samples = sum(To.Samples, Each.Samples);
    To.NotIssued = sum(To.NotIssued, Each.NotIssued);
  }
}

std::vector<SampledLine> StallSums::lines() const {
  std::vector<SampledLine> Out;
  for (const auto &[Place, Reasons] : Lines) {
    SampledLine &Line = Out.emplace_back();
    std::tie(Line.File, Line.Line) = Place;
    for (const auto &[Name, Count] : Reasons)
      Line.Reasons.push_back(Count);
  }
  return Out;
}

} // namespace cudalint
