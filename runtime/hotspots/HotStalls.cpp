//===- runtime/hotspots/HotStalls.cpp - Where warps stand -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/hotspots/HotStalls.h"

#include <algorithm>
#include <map>

namespace cudalint {

double SampleSums::share(std::uint64_t Part) const {
  return Samples == 0 ? 0
                      : std::min(1.0, static_cast<double>(Part) /
                                          static_cast<double>(Samples));
}

static SampleSums sumsOf(std::vector<ReasonCount> Reasons) {
  SampleSums Out;
  for (const ReasonCount &Each : Reasons) {
    Out.Samples = sum(Out.Samples, Each.Samples);
    Out.NotIssued = sum(Out.NotIssued, Each.NotIssued);
  }
  std::erase_if(Reasons,
                [](const ReasonCount &Each) { return Each.Samples == 0; });
  std::ranges::stable_sort(Reasons, std::greater(), &ReasonCount::Samples);
  Out.Reasons = std::move(Reasons);
  return Out;
}

HotStalls stallsOf(std::span<const SampledLine> Lines) {
  HotStalls Out;
  std::map<std::string, ReasonCount> All;
  for (const SampledLine &Each : Lines) {
    HotSampledLine Line = {
        .File = Each.File, .Line = Each.Line, .Sums = sumsOf(Each.Reasons)};
    for (const ReasonCount &Reason : Each.Reasons) {
      ReasonCount &To = All[Reason.Name];
      To.Name = Reason.Name;
      To.Samples = sum(To.Samples, Reason.Samples);
      To.NotIssued = sum(To.NotIssued, Reason.NotIssued);
    }
    if (Line.Sums.Samples != 0)
      Out.Lines.push_back(std::move(Line));
  }
  std::ranges::stable_sort(
      Out.Lines, std::greater(),
      [](const HotSampledLine &Line) { return Line.Sums.Samples; });
  std::vector<ReasonCount> Reasons;
  for (auto &[Name, Count] : All)
    Reasons.push_back(std::move(Count));
  Out.Sums = sumsOf(std::move(Reasons));
  return Out;
}

} // namespace cudalint
