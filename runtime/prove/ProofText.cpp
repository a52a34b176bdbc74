//===- runtime/prove/ProofText.cpp - Proofs for people --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/Names.h"
#include "report/TerminalText.h"
#include "runtime/prove/ProofWriters.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace cudalint {

/// `12.4 us`, in the unit that fits.
static std::string timeWords(double Nanoseconds) {
  static constexpr const char *Units[] = {"ns", "us", "ms", "s"};
  std::size_t Unit = 0;
  while (Nanoseconds >= 1000 && Unit != 3) {
    Nanoseconds /= 1000;
    ++Unit;
  }
  return fmt::format("{:.2f} {}", Nanoseconds, Units[Unit]);
}

static std::string timeWords(const TimeSpread &Spread) {
  return fmt::format("{} ({} .. {})", timeWords(Spread.Median),
                     timeWords(Spread.Least), timeWords(Spread.Most));
}

static std::string figureWords(const std::optional<double> &Value) {
  return Value ? fmt::format("{:.0f}", *Value) : "?";
}

static std::string changeOf(const Change<double> &Both) {
  if (!Both.Before || !Both.After || *Both.Before == 0)
    return "-";
  return fmt::format("{:+.1f} %", (*Both.After / *Both.Before - 1) * 100);
}

static std::string changeOf(const std::optional<TimeComparison> &Times) {
  return Times ? fmt::format("{:+.1f} %", (Times->Ratio - 1) * 100) : "-";
}

static std::string placeOf(const Location &Where) {
  std::string Text = Where.File;
  if (Where.Line)
    Text += fmt::format(":{}", Where.Line);
  return Text;
}

/// `registers 16 -> 18, warps per SM 64 -> 64`, as far as it is known.
static std::string resourceWords(const ResourceChange &Each) {
  std::string Result;
  const auto add = [&](const char *Name, const Change<std::uint64_t> &Both) {
    if (!Both.Before || !Both.After || (*Both.Before == 0 && *Both.After == 0))
      return;
    Result +=
        fmt::format("{}{} {}", Result.empty() ? "" : ", ", Name, *Both.Before);
    if (*Both.Before != *Both.After)
      Result += fmt::format(" -> {}", *Both.After);
  };
  add("registers", Each.Registers);
  add("shared bytes", Each.SharedBytes);
  add("local bytes", Each.LocalBytes);
  add("warps per SM", Each.Warps);
  return Result;
}

static std::string resultWords(const Proof &Each) {
  switch (Each.Results) {
  case ResultsKind::Unknown:
    return Each.ResultsWhy;
  case ResultsKind::Equal:
    return "equal: " + Each.ResultsWhy;
  case ResultsKind::Differ:
    return "differ: " + Each.ResultsWhy;
  }
  return {};
}

static std::string verdictWords(const Proof &Each) {
  std::string Result = Each.Verdict == ProofVerdict::NotMeasured
                           ? "not measured"
                           : std::string(nameOf(Each.Verdict));
  if (Each.Times)
    Result += fmt::format(": {} of time, {:+.1f} .. {:+.1f} % with 95 % "
                          "certainty",
                          changeOf(Each.Times), (Each.Times->Low - 1) * 100,
                          (Each.Times->High - 1) * 100);
  if (!Each.Why.empty())
    Result += ": " + Each.Why;
  return Result;
}

namespace {
/// Rows of a name and what is said of it.
class Block {
public:
  Block(std::string &Out, unsigned Width) : Out(Out), Width(Width) {}

  void row(const char *Name, const std::string &Words) {
    if (Words.empty())
      return;
    // What a program printed has lines of its own.
    const std::size_t First = std::min(Words.find('\n'), Words.size());
    Out += wrapped(
        fmt::format("  {:<11}{}", Name, printable(Words.substr(0, First))), 0,
        Width);
    Out += Words.substr(First) + "\n";
  }

private:
  std::string &Out;
  unsigned Width;
};
} // namespace

static void addBlock(const Proof &Each, unsigned Width, std::string &Out) {
  Out +=
      wrapped(printable(fmt::format("{}: {} [{}]", placeOf(Each.About.Where),
                                    Each.About.Description, Each.About.Check)),
              0, Width) +
      "\n";
  Block Rows(Out, Width);
  if (Each.Verdict != ProofVerdict::Refused)
    Rows.row("analysis", Each.Analysis);
  for (const ResourceChange &Of : Each.Resources)
    if (const std::string Words = resourceWords(Of); !Words.empty())
      Rows.row("compiled", Each.Resources.size() > 1
                               ? fmt::format("{}: {}", Of.Kernel, Words)
                               : Words);
  Rows.row("results", resultWords(Each));
  if (Each.About.Unit && (Each.Predicted.Before || Each.Measured.Before)) {
    const std::string_view Unit = nameOf(*Each.About.Unit);
    if (Each.Predicted.Before && Each.Predicted.After)
      Rows.row("predicted",
               fmt::format("{} -> {} {}", figureWords(Each.Predicted.Before),
                           figureWords(Each.Predicted.After), Unit));
    Rows.row("measured",
             fmt::format("{} -> {} {}; {} of {} lines confirmed",
                         figureWords(Each.Measured.Before),
                         figureWords(Each.Measured.After), Unit, Each.Confirmed,
                         Each.Confirmed + Each.Refuted));
  }
  if (Each.Times)
    Rows.row("time", timeWords(Each.Times->Before) + " -> " +
                         timeWords(Each.Times->After));
  Rows.row("verdict", verdictWords(Each));
}

std::string proofText(const ProofReport &Report, unsigned Width) {
  std::string Out;
  for (const Proof &Each : Report.Fixes) {
    addBlock(Each, Width, Out);
    Out += "\n";
  }
  Out += fmt::format("{:<28} {:<13}{:>12}{:>12}{:>9}\n", "fix", "verdict",
                     "predicted", "measured", "time");
  for (const Proof &Each : Report.Fixes)
    Out += fmt::format("{:<28} {:<13}{:>12}{:>12}{:>9}\n",
                       cutToEnd(printable(placeOf(Each.About.Where)), 28),
                       Each.Verdict == ProofVerdict::NotMeasured
                           ? "not measured"
                           : nameOf(Each.Verdict),
                       changeOf(Each.Predicted), changeOf(Each.Measured),
                       changeOf(Each.Times));
  for (const std::string &Note : Report.Notes)
    Out += wrapped(printable("note: " + Note), 0, Width) + "\n";
  if (!Report.Gpu.empty())
    Out += printable(fmt::format("on {}, {} pairs of runs", Report.Gpu,
                                 Report.Runs)) +
           "\n";
  return Out;
}

} // namespace cudalint
