//===- report/page/MeasuredText.cpp - What counters said ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/page/MeasuredText.h"

#include "report/Names.h"
#include "report/page/HtmlText.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace cudalint {

std::string measuredInWords(const MeasuredLine &Line) {
  if (!Line.PerRequest)
    return "nothing that was counted";
  std::string Out = fmt::format("{} {} per request", figure(*Line.PerRequest),
                                nameOf(Line.Unit));
  if (Line.Ideal)
    Out += fmt::format(", ideal {}", figure(*Line.Ideal));
  if (Line.Requests)
    Out += fmt::format(", of {} request{}",
                       figure(static_cast<double>(*Line.Requests)),
                       *Line.Requests == 1 ? "" : "s");
  if (!Line.Where.Line)
    Out += ", of all lines of the kernel";
  return Out;
}

std::string verdictInWords(std::string_view Verdict) {
  std::string Out = html(Verdict);
  std::ranges::replace(Out, '_', ' ');
  return Out;
}

std::string verdictBadge(std::string_view Verdict) {
  // Of the others the word is enough.
  const std::string_view Class = Verdict == "confirmed" ? " confirmed"
                                 : Verdict == "refuted" ? " refuted"
                                                        : "";
  return fmt::format("<span class=\"verdict{}\">{}</span>", Class,
                     verdictInWords(Verdict));
}

static std::string shapeOf(const std::array<std::uint64_t, 3> &Of) {
  return fmt::format("{}\u00D7{}\u00D7{}", figure(static_cast<double>(Of[0])),
                     figure(static_cast<double>(Of[1])),
                     figure(static_cast<double>(Of[2])));
}

static std::string timeOf(const std::optional<double> &Seconds) {
  return Seconds ? figure(*Seconds * 1e6) + " \u00B5s" : "?";
}

static std::string row(const MeasuredShape &S) {
  return fmt::format(
      "<tr><td>{}<td>{}<td>{}<td>{} {}<td>{}<td>{}</tr>\n", shapeOf(S.Grid),
      shapeOf(S.Block), figure(static_cast<double>(S.Launches)),
      S.BlocksPerSM ? std::to_string(*S.BlocksPerSM) : "?",
      verdictBadge(S.Verdict),
      S.Achieved ? fmt::format("{:.0f} %", 100 * *S.Achieved) : "?",
      timeOf(S.MedianSeconds));
}

std::string measuredLaunches(std::span<const Measurements> Measured,
                             const TargetRecord &Target,
                             const std::string &Kernel) {
  std::string Rows;
  for (const Measurements &Gpu : Measured)
    if (Gpu.ComputeCapability == Target.ComputeCapability)
      for (const MeasuredShape &Each : Gpu.Shapes)
        if (Each.Kernel == Kernel)
          Rows += row(Each);
  if (Rows.empty())
    return {};
  return "<h4>Measured</h4>\n<div class=scroll tabindex=0 role=group "
         "aria-label=measured><table><tr><th>grid<th>block<th>launches"
         "<th>blocks per SM<th>achieved occupancy<th>median time</tr>\n" +
         Rows + "</table></div>\n";
}

const MeasuredLine *measuredOf(std::span<const Measurements> Measured,
                               const TargetRecord &Target, const Finding &F,
                               const KernelRecord *Kernel) {
  for (const Measurements &Gpu : Measured)
    if (Gpu.ComputeCapability == Target.ComputeCapability)
      if (const MeasuredLine *Line = Gpu.of(F, Kernel))
        return Line;
  return nullptr;
}

} // namespace cudalint
