//===- runtime/tool/CompareText.cpp - Before and after for people ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/TerminalText.h"
#include "runtime/tool/Report.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

namespace {
using Figure = std::optional<double>;

/// The rows of one kernel; a row that neither side knows is left out.
class Table {
public:
  Table(const KernelTotals *Before, const KernelTotals *After)
      : Before(Before), After(After) {}

  /// \p Digits behind the point.
  template <typename Function>
  void row(const char *Name, int Digits, Function Get) {
    Figure B = Before ? Figure(Get(*Before)) : std::nullopt;
    Figure A = After ? Figure(Get(*After)) : std::nullopt;
    if ((!B && !A) || (B.value_or(0) == 0 && A.value_or(0) == 0))
      return;
    std::string Change;
    if (B && A && *B != 0)
      Change = *A == *B ? "=" : fmt::format("{:+.1f} %", (*A - *B) / *B * 100);
    Out += fmt::format("  {:<30}{:>16}{:>16}", Name, text(B, Digits),
                       text(A, Digits));
    Out += Change.empty() ? "\n" : fmt::format("{:>14}\n", Change);
  }

  void words(const char *Name, const std::string &B, const std::string &A) {
    if (!B.empty() || !A.empty())
      Out += fmt::format("  {:<30}{:>16}{:>16}\n", Name, B.empty() ? "-" : B,
                         A.empty() ? "-" : A);
  }

  std::string take() { return std::move(Out); }

private:
  static std::string text(const Figure &Value, int Digits) {
    return Value ? fmt::format("{:.{}f}", *Value, Digits) : "-";
  }

  const KernelTotals *Before;
  const KernelTotals *After;
  std::string Out;
};
} // namespace

static Figure figure(const Count &Value) {
  return Value ? Figure(static_cast<double>(*Value)) : std::nullopt;
}

static Figure perRequest(const Count &Total, const Count &Requests) {
  if (!Total || !Requests || *Requests == 0)
    return std::nullopt;
  return static_cast<double>(*Total) / static_cast<double>(*Requests);
}

static std::string spread(const KernelTotals *Kernel) {
  if (!Kernel || !Kernel->Time)
    return {};
  // As many digits as leave a blank between two columns.
  const double Most = Kernel->Time->Max / 1000;
  const int Digits = Most < 100 ? 2 : Most < 10000 ? 1 : 0;
  return fmt::format("{:.{}f} to {:.{}f}", Kernel->Time->Min / 1000, Digits,
                     Most, Digits);
}

static std::string verdictOf(const KernelTotals &Before,
                             const KernelTotals &After) {
  if (!Before.Time && !After.Time)
    return "neither side has times: --compare -- ./before -- ./after measures "
           "them";
  if (!Before.Time)
    return "the side before has no times, so none are compared";
  if (!After.Time)
    return "the side after has no times, so none are compared";
  const std::optional<TimeComparison> Times = compareTimes(Before, After);
  if (!Times)
    return fmt::format("whether it is faster takes {} runs of each program in "
                       "turns: --compare --runs={} -- ./before -- ./after",
                       LeastPairs, LeastPairs + 1);
  static constexpr const char *Words[] = {"faster", "no change of speed",
                                          "slower",
                                          "the times spread too much to tell"};
  return fmt::format("{}: {:.2f} times as long, {:.2f} to {:.2f} with 95 %, by "
                     "{} pairs of runs",
                     Words[static_cast<std::size_t>(Times->Verdict)],
                     Times->Ratio, Times->Low, Times->High, Before.Runs.size());
}

/// `1980 MHz`, `1410 to 1980 MHz`; empty for none.
static std::string inWords(const std::vector<unsigned> &Clocks) {
  if (Clocks.empty())
    return {};
  const auto [Least, Most] = std::ranges::minmax(Clocks);
  return Least == Most ? fmt::format("{} MHz", Most)
                       : fmt::format("{} to {} MHz", Least, Most);
}

static std::string kernelText(const KernelTotals *Before,
                              const KernelTotals *After) {
  Table Rows(Before, After);
  using K = const KernelTotals &;
  Rows.row("launches", 0, [](K Each) { return Figure(Each.Launches); });
  auto isScaled = [](const KernelTotals *Each) {
    return Each && Each->MeasuredLaunches < Each->Launches;
  };
  if (isScaled(Before) || isScaled(After))
    Rows.row("  counted, the rest scaled", 0,
             [](K Each) { return Figure(Each.MeasuredLaunches); });
  Rows.row("global requests", 0,
           [](K Each) { return figure(Each.Global.requests()); });
  Rows.row("global sectors", 0,
           [](K Each) { return figure(Each.Global.Sectors); });
  Rows.row("global sectors per request", 2, [](K Each) {
    return perRequest(Each.Global.Sectors, Each.Global.requests());
  });
  Rows.row("shared requests", 0,
           [](K Each) { return figure(Each.Shared.requests()); });
  Rows.row("shared wavefronts", 0,
           [](K Each) { return figure(Each.Shared.Wavefronts); });
  Rows.row("shared wavefronts per request", 2, [](K Each) {
    return perRequest(Each.Shared.Wavefronts, Each.Shared.requests());
  });
  Rows.row("local sectors", 0,
           [](K Each) { return figure(Each.Local.Sectors); });
  Rows.row("registers per thread", 0,
           [](K Each) { return figure(Each.Registers); });
  Rows.row("warps per SM", 0, [](K Each) -> Figure {
    return Each.WarpsPerSM ? Figure(*Each.WarpsPerSM) : std::nullopt;
  });
  Rows.row("achieved occupancy, %", 1, [](K Each) -> Figure {
    return Each.Achieved ? Figure(*Each.Achieved * 100) : std::nullopt;
  });
  Rows.row("DRAM bytes of a launch", 0, [](K Each) { return Each.DramBytes; });
  Rows.row("time of a launch, us", 2, [](K Each) -> Figure {
    return Each.Time ? Figure(Each.Time->Median / 1000) : std::nullopt;
  });
  Rows.words("  least to most", spread(Before), spread(After));
  return Rows.take();
}

std::string compareText(const CompareReport &Report, unsigned Width) {
  std::string Out;
  auto say = [&](const std::string &Text) {
    Out += wrapped(Text, 0, Width) + "\n";
  };
  for (const KernelPair &Pair : Report.Pairs) {
    const KernelTotals *Before =
        Pair.Before ? &Report.Before[*Pair.Before] : nullptr;
    const KernelTotals *After =
        Pair.After ? &Report.After[*Pair.After] : nullptr;
    if (!Before) {
      say(printable(After->Signature) + ": only after");
    } else if (!After) {
      say(printable(Before->Signature) + ": only before");
    } else {
      say(printable(Before->Signature));
      if (!Pair.Why.empty()) {
        say("against " + printable(After->Signature));
        say(fmt::format("(taken for the same: {})", Pair.Why));
      }
    }
    Out += fmt::format("  {:<30}{:>16}{:>16}{:>14}\n", "", "before", "after",
                       "change");
    Out += kernelText(Before, After);
    if (Before && After)
      Out += wrapped("  " + verdictOf(*Before, *After), 2, Width) + "\n";
    Out += "\n";
  }
  if (!Report.ClocksBefore.empty() && !Report.ClocksAfter.empty())
    say(fmt::format("clock of the SMs after a run: {} before, {} after",
                    inWords(Report.ClocksBefore), inWords(Report.ClocksAfter)));
  for (const GateFault &Fault : Report.Faults)
    say(fmt::format("{}: {}: {}: {}", Fault.IsUndecided ? "undecided" : "worse",
                    nameOf(Fault.Gate),
                    Fault.Signature.empty() ? "all kernels"
                                            : printable(Fault.Signature),
                    Fault.Message));
  for (const ProfileProblem &Problem : Report.Problems)
    say(fmt::format("problem: {} ({})", printable(Problem.Message),
                    printable(Problem.Kind)));
  for (const ProgramReport &Program : Report.Programs)
    if (!Program.End.isSuccess())
      say(fmt::format("problem: {} {}; what it did until then was measured",
                      printable(Program.Command[0]), describe(Program.End)));
  return Out;
}

} // namespace cudalint
