//===- runtime/tool/ConfirmText.cpp - Verdicts for people -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/Names.h"
#include "report/SourceSnippet.h"
#include "report/TerminalText.h"
#include "runtime/join/LaunchJudge.h"
#include "runtime/tool/Report.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>

namespace cudalint {

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

static std::string_view wordsFor(VerdictKind Kind) {
  return Kind == VerdictKind::NotMeasured ? "not measured" : nameOf(Kind);
}

/// How many digits behind the point tell the two numbers apart: one where they
/// are said to agree.
static int digitsOf(const LineVerdict &V) {
  if (!V.PerRequest || !V.MeasuredPerRequest ||
      V.Kind == VerdictKind::Confirmed)
    return 1;
  int Digits = 1;
  while (Digits < 4 &&
         fmt::format("{:.{}f}", *V.PerRequest, Digits) ==
             fmt::format("{:.{}f}", *V.MeasuredPerRequest, Digits))
    ++Digits;
  return Digits == 4 ? 1 : Digits;
}

/// `12.0 sectors per request`
static std::string predictedPart(const LineVerdict &V) {
  if (!V.PerRequest)
    return "no number was predicted";
  return fmt::format("predicted {:.{}f} {} per request", *V.PerRequest,
                     digitsOf(V), nameOf(V.Unit));
}

static std::string measuredPart(const LineVerdict &V) {
  if (!V.MeasuredPerRequest)
    return {};
  // Where no prediction names the unit, this does.
  std::string Out =
      fmt::format("measured {:.{}f}", *V.MeasuredPerRequest, digitsOf(V));
  if (!V.PerRequest)
    Out += fmt::format(" {} per request", nameOf(V.Unit));
  if (V.Kind != VerdictKind::Confirmed && V.MeasuredIdeal)
    Out += fmt::format(" (ideal {:.1f})", *V.MeasuredIdeal);
  Out += fmt::format(" over {} request{}", *V.Requests,
                     *V.Requests == 1 ? "" : "s");
  if (V.AllRequests && *V.AllRequests != *V.Requests)
    Out += fmt::format(" of about {}", *V.AllRequests);
  return Out;
}

static std::string placeOf(const LineVerdict &V) {
  if (V.Where.File.empty() || V.Where.Line == 0)
    return fmt::format("{}:",
                       printable(V.Signature.empty() ? V.Kernel : V.Signature));
  return fmt::format("{}:{}:", printable(V.Where.File), V.Where.Line);
}

/// Names of instantiations can have thousands of characters.
static std::string shortened(std::string_view Name, std::size_t Most) {
  Most = std::max<std::size_t>(Most, 20);
  if (Name.size() <= Most)
    return std::string(Name);
  std::size_t End = Most - 3;
  // Not within a character of several bytes.
  while (End != 0 && (static_cast<unsigned char>(Name[End]) & 0xc0) == 0x80)
    --End;
  return std::string(Name.substr(0, End)) + "...";
}

/// \p NamesKernel: several have this line.
static std::string verdictLine(const LineVerdict &V, bool NamesKernel,
                               const TextOptions &Options) {
  std::vector<std::string> Parts;
  if (V.Accesses != 0 && V.Kind != VerdictKind::MeasuredOnly)
    Parts.push_back(predictedPart(V));
  if (std::string Measured = measuredPart(V); !Measured.empty())
    Parts.push_back(Measured);
  std::string Said = fmt::format("{}", wordsFor(V.Kind));
  if (V.Kind == VerdictKind::MeasuredOnly)
    Said = "not predicted";
  std::string Head = placeOf(V);
  std::string Of;
  if (NamesKernel)
    Of = " of " + shortened(printable(withoutParameters(
                                V.Signature.empty() ? V.Kernel : V.Signature)),
                            50);
  std::string Text = fmt::format(
      " {}{} {}{}: {}: {}{}", V.IsWholeKernel ? "all " : "", nameOf(V.Space),
      nameOf(V.Op), Of, fmt::join(Parts, ", "), Said,
      V.Why.empty() ? std::string() : ": " + printable(V.Why));
  return Head + wrapped(Text, columnsOf(Head), Options.Width) + "\n";
}

/// Worth a line of its own: bad, or not as predicted.
static bool isShown(const LineVerdict &V) {
  switch (V.Kind) {
  case VerdictKind::Refuted:
  case VerdictKind::Missed:
    return true;
  case VerdictKind::Confirmed:
  case VerdictKind::Inconclusive:
  case VerdictKind::NotMeasured:
  case VerdictKind::MeasuredOnly:
    break;
  }
  return V.IsWholeKernel ||
         V.predictedRatio().value_or(0) >= PredictedBadRatio ||
         V.measuredRatio().value_or(0) >= BadRatio;
}

static std::string linesText(const GpuVerdict &Gpu,
                             const ReportOptions &Options,
                             QuotedSources &Sources) {
  std::string Out;
  std::vector<const LineVerdict *> Shown;
  std::map<std::pair<std::string, unsigned>, std::set<std::string>> Kernels;
  for (const LineVerdict &V : Gpu.Lines) {
    Kernels[{V.Where.File, V.Where.Line}].insert(V.Kernel);
    if (Options.ShowAll || isShown(V))
      Shown.push_back(&V);
  }
  for (std::size_t I = 0; I != Shown.size(); ++I) {
    const LineVerdict &V = *Shown[I];
    bool IsShared = Kernels[{V.Where.File, V.Where.Line}].size() > 1;
    Out += verdictLine(V, IsShared && V.Where.Line != 0, Options.Text);
    if (V.Kind == VerdictKind::Refuted && !V.Assumptions.empty()) {
      std::string Head = placeOf(V);
      std::string Note = fmt::format(" note: it assumes that {}",
                                     fmt::join(V.Assumptions, "; "));
      Out += Head +
             wrapped(printable(Note), columnsOf(Head), Options.Text.Width) +
             "\n";
    }
    // Below the last verdict of the line.
    if (I + 1 != Shown.size() && Shown[I + 1]->Where == V.Where)
      continue;
    if (V.IsWholeKernel || !Options.Text.ShowSource)
      continue;
    if (auto Line = Sources.line(V.Where.File, V.Where.Line))
      Out += snippet(*Line, V.Where.Line, 0, Options.Text);
  }
  if (std::size_t Hidden = Gpu.Lines.size() - Shown.size())
    Out += fmt::format("{} more line{} hold{} nothing bad; --all shows {}\n",
                       Hidden, Hidden == 1 ? "" : "s", Hidden == 1 ? "s" : "",
                       Hidden == 1 ? "it" : "them");
  return Out;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

template <typename T> static std::string orDash(const std::optional<T> &Value) {
  return Value ? fmt::format("{}", *Value) : "-";
}

/// In at most six columns.
static std::string wavesOrDash(const std::optional<double> &Value) {
  if (!Value)
    return "-";
  return *Value < 100       ? fmt::format("{:.2f}", *Value)
         : *Value < 99999.5 ? fmt::format("{:.0f}", *Value)
                            : fmt::format("{:.0e}", *Value);
}

static std::string microseconds(double Nanoseconds) {
  return fmt::format("{:.1f}", Nanoseconds / 1000);
}

static std::string launchText(const KernelVerdict &Kernel,
                              const CheckedLaunch &V, unsigned Width) {
  const ProfileLaunch &Launch = V.Launch;
  std::string Out =
      fmt::format("  {:<22}{:>9} {:>5}{:>5} {:>5}{:>5} {:>5}{:>5} {:>6}{:>6}\n",
                  fmt::format("{} x {}", formatShape(Launch.Grid),
                              formatShape(Launch.Block)),
                  Launch.Number, orDash(Kernel.PredictedRegisters),
                  orDash(Launch.Registers), orDash(V.PredictedBlocks),
                  orDash(Launch.BlocksPerSM), orDash(V.PredictedWarps),
                  orDash(V.MeasuredWarps), wavesOrDash(V.PredictedWaves),
                  wavesOrDash(V.MeasuredWaves));
  if (V.Kind == VerdictKind::Refuted)
    Out += "    occupancy: refuted\n";
  else if (V.Kind == VerdictKind::Inconclusive)
    Out +=
        wrapped("    occupancy: inconclusive: " + printable(V.Why), 0, Width) +
        "\n";
  std::string More;
  if (Launch.Achieved) {
    More += fmt::format("achieved occupancy {:.0f} %", *Launch.Achieved * 100);
    if (V.PredictedOccupancy)
      More += fmt::format(" of at most {:.0f} % predicted",
                          *V.PredictedOccupancy * 100);
  }
  if (Launch.Duration)
    More += fmt::format("{}{} us a launch ({} to {})", More.empty() ? "" : ", ",
                        microseconds(Launch.Duration->Median),
                        microseconds(Launch.Duration->Min),
                        microseconds(Launch.Duration->Max));
  return More.empty() ? Out : Out + "    " + More + "\n";
}

static std::string kernelTable(const GpuVerdict &Gpu,
                               const TextOptions &Options) {
  bool AnyRan = std::ranges::any_of(Gpu.Kernels, [](const KernelVerdict &K) {
    return !K.Launched.empty() && K.WasPredicted;
  });
  std::string Out;
  if (AnyRan)
    Out += "\n                                   registers  blocks/SM  "
           "warps/SM        waves\n"
           "kernel, grid x block     launches  pred meas  pred meas  pred meas"
           "  pred  meas\n";
  for (const KernelVerdict &Kernel : Gpu.Kernels) {
    if (!Kernel.WasPredicted || Kernel.Launched.empty())
      continue;
    Out += wrapped(
               shortened(printable(Kernel.Signature.empty() ? Kernel.Name
                                                            : Kernel.Signature),
                         3 * Options.Width),
               0, Options.Width) +
           "\n";
    for (const CheckedLaunch &V : Kernel.Launched)
      Out += launchText(Kernel, V, Options.Width);
    if (Kernel.Registers == VerdictKind::Refuted)
      Out += "    registers: refuted; was it built with the same compiler and "
             "options?\n";
  }
  std::vector<std::string> Others;
  for (const KernelVerdict &Kernel : Gpu.Kernels)
    // A device function that was compiled on its own is no kernel.
    if (!Kernel.WasPredicted && Kernel.Launches != 0)
      Others.push_back(printable(Kernel.Signature));
  if (Others.empty())
    return Out;
  Out += fmt::format("\n{} kernel{} ran that nothing was predicted for:",
                     Others.size(), Others.size() == 1 ? "" : "s");
  constexpr std::size_t Most = 5;
  for (std::size_t I = 0; I != std::min(Most, Others.size()); ++I)
    Out += fmt::format(
        "\n  {}", shortened(withoutParameters(Others[I]), Options.Width - 2));
  if (Others.size() > Most)
    Out += fmt::format("\n  and {} more", Others.size() - Most);
  return Out + "\n";
}

//===----------------------------------------------------------------------===//
// The whole
//===----------------------------------------------------------------------===//

static std::string countsText(const VerdictCounts &C) {
  std::string Out =
      fmt::format("{} confirmed, {} refuted, {} inconclusive, {} not measured",
                  C.Confirmed, C.Refuted, C.Inconclusive, C.NotMeasured);
  if (C.MeasuredOnly)
    Out += fmt::format(", {} without a number", C.MeasuredOnly);
  return Out;
}

/// Each reason once, with what to do about it.
static std::string remedies(const JoinResult &Result, unsigned Width) {
  std::string Out;
  auto say = [&](const std::string &Text) {
    Out += wrapped(Text, 0, Width) + "\n";
  };
  for (const ProfileProblem &Problem : Result.Problems)
    say(fmt::format("problem: {} ({})", printable(Problem.Message),
                    printable(Problem.Kind)));
  for (const std::string &Note : Result.Notes)
    say("problem: " + printable(Note));
  for (const std::string &Note :
       uncountedKernels(Result, /*WasPredicted=*/false))
    say("note: " + printable(Note));
  std::vector<std::string> Lineless;
  bool AnyPredicted = false, AnyRan = false, AnyKernel = false;
  for (const GpuVerdict &Gpu : Result.Gpus)
    for (const KernelVerdict &Kernel : Gpu.Kernels) {
      AnyKernel |= Kernel.Launches != 0;
      AnyPredicted |= Kernel.WasPredicted;
      AnyRan |= Kernel.WasPredicted && Kernel.Launches != 0;
      if (Kernel.WasPredicted && Kernel.MeasuredLaunches != 0 &&
          !Kernel.HasLines)
        Lineless.push_back(printable(withoutParameters(Kernel.Signature)));
    }
  if (!Lineless.empty())
    say(fmt::format("problem: {} {} built without line numbers: add -lineinfo "
                    "to nvcc's options (it costs no speed) and build again",
                    fmt::join(Lineless, ", "),
                    Lineless.size() == 1 ? "was" : "were"));
  if (!AnyKernel)
    say(Result.Problems.empty() ? "problem: the program launched no kernel, or "
                                  "every launch failed: "
                                  "was it built for this GPU?"
                                : "problem: no launch of a kernel was seen");
  else if (AnyPredicted && !AnyRan)
    say("problem: no kernel of the predictions ran: are they of other sources "
        "than the program?");
  return Out;
}

std::string confirmText(const ConfirmReport &Report,
                        const ReportOptions &Options,
                        const SourceText &Source) {
  const JoinResult &Result = Report.Result;
  QuotedSources Sources(Source);
  std::string Out;
  for (const GpuVerdict &Gpu : Result.Gpus) {
    Out += linesText(Gpu, Options, Sources);
    Out += kernelTable(Gpu, Options.Text);
    Out += unitsText(Gpu, Report.Allowed.Exact, Options.Text.Width);
    Out += devicesText(Gpu);
  }
  if (std::string Text = remedies(Result, Options.Text.Width); !Text.empty())
    Out += "\n" + Text;
  if (Report.Program && !Report.Program->End.isSuccess())
    Out += "\n" +
           wrapped(fmt::format("problem: {} {}; the report holds what it did "
                               "until then",
                               printable(Report.Program->Command[0]),
                               describe(Report.Program->End)),
                   0, Options.Text.Width) +
           "\n";
  if (!Out.empty())
    Out += "\n";
  VerdictCounts Lines = Result.lineCounts();
  VerdictCounts Sums, Launches, Registers;
  std::string Names;
  for (const GpuVerdict &Gpu : Result.Gpus) {
    Names += fmt::format(
        "{}{}{}", Names.empty() ? "" : ", ",
        Gpu.Devices > 1 ? fmt::format("{} x ", Gpu.Devices) : std::string(),
        printable(Gpu.Name.empty() ? "unknown GPU" : Gpu.Name));
    Sums.Confirmed += Gpu.SumCounts.Confirmed;
    Sums.Refuted += Gpu.SumCounts.Refuted;
    Sums.Inconclusive += Gpu.SumCounts.Inconclusive;
    Launches.Confirmed += Gpu.LaunchCounts.Confirmed;
    Launches.Refuted += Gpu.LaunchCounts.Refuted;
    Launches.Inconclusive += Gpu.LaunchCounts.Inconclusive;
    Launches.NotMeasured += Gpu.LaunchCounts.NotMeasured;
    Launches.MeasuredOnly += Gpu.LaunchCounts.MeasuredOnly;
    Registers.Refuted += Gpu.RegisterCounts.Refuted;
    Registers.Confirmed += Gpu.RegisterCounts.Confirmed;
  }
  auto say = [&](const std::string &Text) {
    Out += wrapped(Text, 0, Options.Text.Width) + "\n";
  };
  if (std::string Counted = countedText(Result); !Counted.empty())
    say(Counted);
  say(fmt::format("lines:     {}; {} missed", countsText(Lines), Lines.Missed));
  say(fmt::format("sums:      {} confirmed, {} refuted, {} inconclusive",
                  Sums.Confirmed, Sums.Refuted, Sums.Inconclusive));
  say(fmt::format("occupancy: {}", countsText(Launches)));
  say(fmt::format("registers: {} confirmed, {} refuted", Registers.Confirmed,
                  Registers.Refuted));
  if (!Names.empty())
    say(fmt::format("on {}, within {:.3g} % ({:.3g} % where exact)", Names,
                    Report.Allowed.Assumed * 100, Report.Allowed.Exact * 100));
  return Out;
}

} // namespace cudalint
