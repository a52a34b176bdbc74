//===- runtime/join/LineParts.cpp - The parts of a line -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/LineParts.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

/// Of a verdict on a part, for the line: the first that holds for any part.
static constexpr VerdictKind Order[] = {
    VerdictKind::Refuted, VerdictKind::Inconclusive, VerdictKind::Confirmed,
    VerdictKind::NotMeasured, VerdictKind::MeasuredOnly};

static std::string inWords(const PartVerdict &Part) {
  const LineVerdict &V = Part.V;
  std::string Out = Part.IsOne ? fmt::format("its access of {} bytes at {:#x}",
                                             Part.Bytes, Part.Offset)
                               : fmt::format("its {} accesses of {} bytes",
                                             V.Accesses, Part.Bytes);
  if (V.PerRequest && V.MeasuredPerRequest)
    Out += fmt::format(" has {:.1f} per request, predicted {:.1f}",
                       *V.MeasuredPerRequest, *V.PerRequest);
  return V.Why.empty() ? Out : Out + ": " + V.Why;
}

void composeParts(std::span<const PartVerdict> Parts, LineVerdict &Out) {
  auto Decides = Parts.begin();
  for (VerdictKind Kind : Order) {
    Decides = std::ranges::find(
        Parts, Kind, [](const PartVerdict &Each) { return Each.V.Kind; });
    if (Decides != Parts.end())
      break;
  }
  Out.Kind = Decides->V.Kind;
  Out.Rule = Decides->V.Rule;
  Out.Why = Decides->V.Why;
  if (Parts.size() == 1)
    return;
  if (Out.Kind == VerdictKind::Refuted || Out.Kind == VerdictKind::Inconclusive)
    Out.Why = inWords(*Decides);
  auto Others = std::ranges::count_if(Parts, [&](const PartVerdict &Each) {
    return Each.V.Kind != VerdictKind::Confirmed;
  });
  if (Out.Kind == VerdictKind::Confirmed && Others != 0)
    Out.Why += fmt::format("{}{} of its {} accesses depend on data or never "
                           "ran",
                           Out.Why.empty() ? "" : "; ", Others, Parts.size());
  // As it should be, each as often as it ran.
  double Requests = 0, Total = 0, Ideal = 0;
  bool HasIdeal = true;
  for (const PartVerdict &Each : Parts) {
    const double Weight = static_cast<double>(Each.V.Requests.value_or(0));
    if (Weight != 0 && !Each.V.PerRequest)
      return;
    HasIdeal &= Each.V.Ideal.has_value();
    Requests += Weight;
    Total += Weight * Each.V.PerRequest.value_or(0);
    Ideal += Weight * Each.V.Ideal.value_or(0);
  }
  if (Requests == 0)
    return;
  Out.PerRequest = Total / Requests;
  Out.Ideal = HasIdeal ? std::optional(Ideal / Requests) : std::nullopt;
}

} // namespace cudalint
