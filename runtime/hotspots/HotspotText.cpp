//===- runtime/hotspots/HotspotText.cpp - Hot spots for people ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/Names.h"
#include "report/SourceSnippet.h"
#include "report/TerminalText.h"
#include "runtime/hotspots/HotspotWords.h"
#include "runtime/hotspots/HotspotWriters.h"
#include "runtime/hotspots/LintText.h"
#include "runtime/hotspots/StallText.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

static const char *unitNoun(Resource What) {
  return What == Resource::L1       ? "sectors"
         : What == Resource::L2     ? "sectors"
         : What == Resource::Shared ? "wavefronts"
                                    : "bytes";
}

static const char *unitName(Resource What) {
  return What == Resource::L1       ? "L1"
         : What == Resource::L2     ? "L2"
         : What == Resource::Shared ? "shared memory"
                                    : "DRAM";
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static std::string kernelHead(const HotKernel &Kernel, std::size_t Rank,
                              unsigned Width) {
  const std::string Name = printable(withoutParameters(
      Kernel.Signature.empty() ? Kernel.Name : Kernel.Signature));
  std::string Out =
      fmt::format("\n{}. {}\n", Rank, cutTo(Name, Width ? Width - 4 : 4096));
  std::string Text =
      Kernel.Share
          ? fmt::format("   {} of the GPU time: {} in {}",
                        percentText(*Kernel.Share), durationText(*Kernel.Time),
                        countText(Kernel.Launches, "launch", "es"))
          : fmt::format("   time not known: {}",
                        countText(Kernel.Launches, "launch", "es"));
  if (Kernel.Measured < Kernel.Launches && Kernel.Measured != 0)
    Text += fmt::format(", {} counted", Kernel.Measured);
  if (Kernel.Registers)
    Text += fmt::format("; {} registers", *Kernel.Registers);
  if (Kernel.MostWarps)
    Text += *Kernel.LeastWarps == *Kernel.MostWarps
                ? fmt::format("; {} warps per SM", *Kernel.MostWarps)
                : fmt::format("; {} to {} warps per SM", *Kernel.LeastWarps,
                              *Kernel.MostWarps);
  if (Kernel.Achieved)
    Text += fmt::format(", {} of its occupancy achieved",
                        percentText(*Kernel.Achieved));
  return Out + linesOf(Text, Width);
}

/// Of launches as a whole, on request, so that it is an estimate.
static bool isEstimate(Resource What) {
  return What == Resource::L2 || What == Resource::Dram;
}

static std::string unitsText(const HotKernel &Kernel, bool IsClockKnown,
                             unsigned Width) {
  if (Kernel.Measured == 0 && !Kernel.unit(Resource::L2).Amount &&
      !Kernel.unit(Resource::Dram).Amount)
    return {};
  std::string Out;
  for (const UnitWork &Unit : Kernel.Units) {
    if (Unit.Amount && *Unit.Amount == 0)
      continue;
    std::string Text = fmt::format("   {}: ", unitName(Unit.What));
    if (!Unit.Amount) {
      // What nobody asked for is no line of each kernel.
      if (isEstimate(Unit.What))
        continue;
      Text += fmt::format("its {} are not known", unitNoun(Unit.What));
    } else {
      const bool IsEstimate = isEstimate(Unit.What);
      Text += fmt::format("{}{:.0f} {}", IsEstimate ? "about " : "",
                          *Unit.Amount, unitNoun(Unit.What));
      if (Unit.AtLeast != Unit.Amount)
        Text += fmt::format(" counted, at least {:.0f} done",
                            Unit.AtLeast.value_or(0));
      if (Unit.Busy) {
        Text += fmt::format(", {} at its peak", durationText(*Unit.Busy));
        if (Kernel.Time && *Kernel.Time > 0)
          Text += fmt::format(": busy {} {} of the time",
                              IsEstimate ? "about" : "at least",
                              percentText(*Unit.Busy / *Kernel.Time));
      } else if (Unit.ExceedsTime) {
        Text += ", more than fits its time: the launches that were counted did "
                "more, as where they wait";
      } else if (Unit.PeakShare) {
        Text += fmt::format(", {} of its peak", percentText(*Unit.PeakShare));
      } else if (IsClockKnown) {
        Text += ", its peak is not known";
      }
    }
    Out += linesOf(Text, Width);
  }
  return Out;
}

/// The least of a unit that is said to limit a kernel; below, none of those
/// that were counted explains its time.
static constexpr double LimitsFrom = 0.6;

static std::string limitText(const HotKernel &Kernel, unsigned Width) {
  if (!Kernel.Busiest || !Kernel.Time || *Kernel.Time <= 0)
    return {};
  const UnitWork &Unit = Kernel.Units[*Kernel.Busiest];
  const double Share = *Unit.Busy / *Kernel.Time;
  if (Share >= LimitsFrom)
    return linesOf(fmt::format("   limited by {}", unitName(Unit.What)), Width);
  // One of which nothing is known may be it.
  for (const UnitWork &Each : Kernel.Units)
    if (!isEstimate(Each.What) && !Each.Busy && Each.Amount != 0)
      return {};
  const bool HasL2 = Kernel.unit(Resource::L2).Busy.has_value();
  const bool HasDram = Kernel.unit(Resource::Dram).Amount.has_value();
  // Where one of them is there, they were asked for.
  const char *Rest =
      HasL2 && HasDram  ? " and arithmetic"
      : HasDram         ? ", arithmetic and L2"
      : HasL2           ? ", arithmetic and DRAM"
      : Kernel.Achieved ? ", arithmetic, L2 and DRAM"
                        : ", arithmetic, L2 and DRAM (--occupancy counts them)";
  return linesOf(
      fmt::format("   none of these explains its time: look at latency{}{}",
                  Kernel.Stalls.Sums.Samples ? "" : " (--stalls samples it)",
                  Rest),
      Width);
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

static std::string placeOf(const HotLine &Hot) {
  if (Hot.Line.File.empty() || Hot.Line.Line == 0)
    return "   the kernel as a whole:";
  return fmt::format("   {}:{}:", printable(Hot.Line.File), Hot.Line.Line);
}

/// Whether what a line saves at most is worth saying. Where no unit is busy,
/// that is nearly all of the time, however little it wastes.
static bool isBoundOfUse(const HotLine &Hot, const HotKernel &Kernel) {
  static constexpr double NearlyAll = 0.9, Little = 0.1; // chosen
  return Hot.SavesAtMost && (*Hot.SavesAtMost <= NearlyAll * *Kernel.Time ||
                             Hot.ShareOfUnit.value_or(0) >= Little);
}

static std::string lineText(const HotLine &Hot, const HotKernel &Kernel,
                            std::optional<double> GpuTime, unsigned Width) {
  std::string Text =
      fmt::format(" {} {}: ", nameOf(Hot.Line.Space), nameOf(Hot.Line.Op));
  const std::string_view Unit = nameOf(Hot.Unit);
  if (Hot.PerRequest)
    Text += fmt::format("{:.1f} {} per request", *Hot.PerRequest, Unit);
  else
    Text += fmt::format("{} per request not known", Unit);
  if (Hot.IdealPerRequest)
    Text += fmt::format(", ideal {:.1f}", *Hot.IdealPerRequest);
  else if (Hot.Line.Space == MemorySpace::Local && Hot.Total)
    Text += fmt::format("; {} in all", *Hot.Total);
  if (Hot.Wasted && *Hot.Wasted != 0) {
    Text += fmt::format("; wastes {} {}", *Hot.Wasted, Unit);
    if (Hot.ShareOfUnit)
      Text += fmt::format(", {} of those of its kernel",
                          percentText(*Hot.ShareOfUnit));
    if (Hot.WasteBusy)
      Text += fmt::format(" ({} at the peak)", durationText(*Hot.WasteBusy));
    if (isBoundOfUse(Hot, Kernel) && GpuTime && *GpuTime > 0)
      Text += fmt::format(
          "; removing that saves at most {}, {} of its kernel and {} "
          "of the GPU time",
          durationText(*Hot.SavesAtMost),
          percentText(*Hot.SavesAtMost / *Kernel.Time),
          percentText(*Hot.SavesAtMost / *GpuTime));
  }
  const std::string Head = placeOf(Hot);
  return Head + wrapped(Text, columnsOf(Head), Width) + "\n";
}

static std::string linesText(const HotKernel &Kernel,
                             std::optional<double> GpuTime,
                             const HotspotOptions &Options,
                             QuotedSources &Sources, LintTeller &Linter) {
  std::string Out;
  std::size_t Shown = 0, Clean = 0, Left = 0;
  for (const HotLine &Hot : Kernel.Lines) {
    const bool IsClean = Hot.Wasted && *Hot.Wasted == 0;
    if (Options.Top && (IsClean || Shown == *Options.Top)) {
      ++(IsClean ? Clean : Left);
      continue;
    }
    ++Shown;
    Out += lineText(Hot, Kernel, GpuTime, Options.Text.Width);
    Out += quoted(Hot.Line.File, Hot.Line.Line, Options.Text, Sources);
    Out += Linter.tell(Hot.Findings, Hot.Line.File, Hot.Line.Line, Kernel);
  }
  if (Left != 0)
    Out += fmt::format("   {} more waste less or have no ideal\n", Left);
  if (Clean != 0 && Shown == 0)
    Out += "   no line wastes anything\n";
  return Out;
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static std::string gpuHead(const HotGpu &Gpu, unsigned Width) {
  std::uint64_t Launches = 0, Measured = 0;
  for (const HotKernel &Kernel : Gpu.Kernels) {
    Launches += Kernel.Launches;
    Measured += Kernel.Measured;
  }
  std::string Text = fmt::format(
      "{}: {}, {}", printable(Gpu.Name.empty() ? "unknown GPU" : Gpu.Name),
      countText(Gpu.Kernels.size(), "kernel"),
      countText(Launches, "launch", "es"));
  Text += Gpu.Time
              ? fmt::format(", {} of GPU time in them", durationText(*Gpu.Time))
              : std::string(", times not known");
  if (Measured != Launches)
    Text += fmt::format("; {} counted{}", Measured,
                        Measured ? ", the rest scaled by threads" : "");
  std::string Out = linesOf(Text, Width);
  if (Gpu.BoostMHz)
    Out += linesOf(fmt::format("peaks are of {} SMs at the boost clock, {:.0f} "
                               "MHz",
                               Gpu.SMs.value_or(0), *Gpu.BoostMHz),
                   Width);
  else if (Gpu.ExceedsBoost)
    Out +=
        linesOf("its SMs run faster than its data sheet says, so what L1 and "
                "shared memory need at least is not known",
                Width);
  else if (Measured != 0)
    Out += linesOf("its clock and peaks are not known, so what limits a kernel "
                   "is not told",
                   Width);
  if (Gpu.Sampling)
    Out += samplingText(*Gpu.Sampling, Width);
  return Out;
}

static std::string gpuText(const HotGpu &Gpu, const HotspotOptions &Options,
                           QuotedSources &Sources, std::string &Notes) {
  const unsigned Width = Options.Text.Width;
  std::string Out = gpuHead(Gpu, Width);
  LintTeller Linter(Width);
  std::size_t Rank = 0, Lineless = 0;
  for (const HotKernel &Kernel : Gpu.Kernels) {
    if (Options.Top && Rank == *Options.Top)
      break;
    Out += kernelHead(Kernel, ++Rank, Width);
    Out += unitsText(Kernel, Gpu.BoostMHz.has_value(), Width);
    Out += limitText(Kernel, Width);
    Out += linesText(Kernel, Gpu.Time, Options, Sources, Linter);
    if (Kernel.Stalls.Sums.Samples != 0) {
      Out += stallText(Kernel.Stalls.Sums, !Options.Top, Width);
      Out += stallLinesText(Kernel, Options, Sources, Linter);
    }
    Lineless += Kernel.Measured != 0 && !Kernel.HasLines;
  }
  if (const std::size_t More = Gpu.Kernels.size() - Rank; More != 0) {
    std::optional<double> Share;
    for (std::size_t I = Rank; I != Gpu.Kernels.size(); ++I)
      if (Gpu.Kernels[I].Share)
        Share = Share.value_or(0) + *Gpu.Kernels[I].Share;
    Out += fmt::format(
        "\n{} more kernel{}{}; --all shows {}\n", More, More == 1 ? "" : "s",
        Share ? " with " + percentText(*Share) + " of the GPU time"
              : std::string(),
        More == 1 ? "it" : "them");
  }
  if (Lineless != 0)
    Out += "\n" + linesOf(fmt::format("{} {} no line numbers: of a library, or "
                                      "built without -lineinfo",
                                      countText(Lineless, "kernel"),
                                      Lineless == 1 ? "has" : "have"),
                          Width);
  if (const std::string Rest = Gpu.Lint ? Linter.rest(*Gpu.Lint) : "";
      !Rest.empty())
    Notes += linesOf("note: " + Rest, Width);
  return Out;
}

std::string hotspotText(const HotspotReport &Report,
                        const HotspotOptions &Options,
                        const SourceText &Source) {
  QuotedSources Sources(Source);
  const unsigned Width = Options.Text.Width;
  std::string Out, Rest, OfLinter;
  for (const HotGpu &Gpu : Report.Found.Gpus)
    // A host has GPUs that the program does not use.
    if (!Gpu.Kernels.empty())
      Out +=
          (Out.empty() ? "" : "\n") + gpuText(Gpu, Options, Sources, OfLinter);
  for (const ProfileProblem &Problem : Report.Found.Problems)
    Rest += linesOf(fmt::format("problem: {} ({})", printable(Problem.Message),
                                printable(Problem.Kind)),
                    Width);
  for (const ProgramReport &Run : Report.Runs)
    if (!Run.End.isSuccess())
      Rest +=
          linesOf(fmt::format("problem: {} {}; the report holds what it did "
                              "until then",
                              printable(Run.Command[0]), describe(Run.End)),
                  Width);
  if (Out.empty() && Report.Found.Problems.empty())
    Rest += linesOf("problem: the program launched no kernel, or every launch "
                    "failed: was it built for this GPU?",
                    Width);
  for (const std::string &Note : Report.Notes)
    Rest += linesOf("note: " + printable(Note), Width);
  Rest += OfLinter;
  if (!Out.empty() && !Rest.empty())
    Out += "\n";
  return Out + Rest;
}

} // namespace cudalint
