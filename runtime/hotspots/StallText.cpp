//===- runtime/hotspots/StallText.cpp - Stall reasons for people ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/hotspots/StallText.h"

#include "report/TerminalText.h"
#include "runtime/hotspots/HotspotWords.h"
#include "runtime/hotspots/StallReasons.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

// With their meaning of a kernel, and of each line. Chosen.
static constexpr std::size_t MostOfKernel = 3;
static constexpr std::size_t MostOfLine = 3;

// Of so few, a share of 30 % may be one of 20 or of 40. Chosen.
static constexpr std::uint64_t FewSamples = 100;

// A share that is printed as 0.0 %.
static constexpr double NoShare = 0.0005;

std::string samplingText(const SamplingTotals &Totals, unsigned Width) {
  std::string Text = countText(Totals.Samples, "sample");
  if (Totals.LeastPeriod && Totals.LeastPeriod == Totals.MostPeriod)
    Text += fmt::format(", one in {} cycles of an SM", *Totals.LeastPeriod);
  else if (Totals.LeastPeriod)
    Text += fmt::format(", one in {} to {} cycles of an SM",
                        *Totals.LeastPeriod, *Totals.MostPeriod);
  if (Totals.Dropped != 0)
    Text += fmt::format("; {} of them dropped", Totals.Dropped);
  if (Totals.Others != 0)
    Text += fmt::format("; {} in kernels of the driver", Totals.Others);
  return linesOf(Text, Width);
}

/// What held warps up, the most first.
static std::vector<const ReasonCount *> stallsIn(const SampleSums &Sums) {
  std::vector<const ReasonCount *> Out;
  for (const ReasonCount &Each : Sums.Reasons)
    if (isStall(Each.Name))
      Out.push_back(&Each);
  return Out;
}

std::string stallText(const SampleSums &Sums, bool IsWhole, unsigned Width) {
  const std::vector<const ReasonCount *> Stalls = stallsIn(Sums);
  std::uint64_t Stalled = 0;
  for (const ReasonCount *Each : Stalls)
    Stalled = sum(Stalled, Each->Samples);
  std::string Text = fmt::format(
      "   {} of its warps: {} did not issue; in {} the scheduler issued "
      "nothing at all",
      countText(Sums.Samples, "sample"), percentText(Sums.share(Stalled)),
      percentText(Sums.share(Sums.NotIssued)));
  if (Sums.Samples < FewSamples)
    Text += "; so few say little";
  std::string Out = linesOf(Text, Width);
  for (std::size_t I = 0; I != Stalls.size(); ++I) {
    const double Share = Sums.share(Stalls[I]->Samples);
    if (!IsWhole && (I == MostOfKernel || Share < NoShare))
      break;
    const std::string_view Words = meaningOf(Stalls[I]->Name);
    Out += linesOf(fmt::format("   {} {}{}{}", percentText(Share),
                               printable(Stalls[I]->Name),
                               Words.empty() ? "" : ": ", Words),
                   Width);
  }
  return Out;
}

static std::string stalledLine(const HotSampledLine &Line,
                               const SampleSums &All, unsigned Width) {
  const std::string Head =
      Line.File.empty()
          ? "   code without a line:"
          : fmt::format("   {}:{}:", printable(Line.File), Line.Line);
  std::string Text = fmt::format(" {} of the samples",
                                 percentText(All.share(Line.Sums.Samples)));
  const std::vector<const ReasonCount *> Stalls = stallsIn(Line.Sums);
  for (std::size_t I = 0; I != std::min(MostOfLine, Stalls.size()); ++I) {
    const double Share = Line.Sums.share(Stalls[I]->Samples);
    if (Share < NoShare)
      break;
    Text += fmt::format("{}{} {}", I ? ", " : ": ", percentText(Share),
                        printable(Stalls[I]->Name));
  }
  return Head + wrapped(Text, columnsOf(Head), Width) + "\n";
}

std::string quoted(const std::string &File, unsigned Number,
                   const TextOptions &Options, QuotedSources &Sources) {
  if (!Options.ShowSource || Number == 0)
    return {};
  const auto Text = Sources.line(File, Number);
  return Text ? snippet(*Text, Number, 0, Options) : std::string();
}

std::string stallLinesText(const HotKernel &Kernel,
                           const HotspotOptions &Options,
                           QuotedSources &Sources, LintTeller &Linter) {
  const HotStalls &Stalls = Kernel.Stalls;
  std::string Out;
  std::uint64_t Left = 0;
  std::size_t Shown = 0;
  for (const HotSampledLine &Line : Stalls.Lines) {
    if (Options.Top && (Shown == *Options.Top ||
                        Stalls.Sums.share(Line.Sums.Samples) < NoShare)) {
      Left = sum(Left, Line.Sums.Samples);
      continue;
    }
    ++Shown;
    Out += stalledLine(Line, Stalls.Sums, Options.Text.Width);
    Out += quoted(Line.File, Line.Line, Options.Text, Sources);
    Out += Linter.tell(Line.Findings, Line.File, Line.Line, Kernel);
  }
  if (const std::size_t More = Stalls.Lines.size() - Shown; More != 0)
    Out += fmt::format("   {} more with {} of the samples\n",
                       countText(More, "line"),
                       percentText(Stalls.Sums.share(Left)));
  return Out;
}

} // namespace cudalint
