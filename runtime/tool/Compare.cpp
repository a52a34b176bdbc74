//===- runtime/tool/Compare.cpp - confirm --compare -----------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/tool/Compare.h"

#include "runtime/measure/Clocks.h"
#include "runtime/tool/Measuring.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <utility>

namespace cudalint {

namespace {
/// A program, or what was saved of it.
struct Side {
  const char *Name;
  Options Run; ///< With a folder of its own for profiles.
  const std::vector<std::string> *Command = nullptr;
  Measured Its;
  std::vector<unsigned> Clocks; ///< After each run for times, MHz.
};
} // namespace

/// Counters make a kernel slower, so its times come from runs of their own; in
/// turns, and each the first as often: what drifts is not to fall on one alone.
static void measureBoth(const Options &Run, Side &Before, Side &After) {
  const auto goesOn = [&] {
    return Before.Its.Failure.empty() && After.Its.Failure.empty();
  };
  const auto both = [&](Purpose What) {
    for (Side *Each : {&Before, &After})
      if (goesOn())
        runAndRead(Each->Run, *Each->Command, What, Each->Its);
  };
  if (!Run.NoCounters)
    both(Purpose::Counters);
  for (unsigned Pair = 1; Pair <= Run.Runs; ++Pair) {
    // A program that fails has no times, and a second time it fails again.
    if (!goesOn() || anyFailed(Before.Its) || anyFailed(After.Its))
      return;
    progress(Run, fmt::format("pair {} of {}", Pair, Run.Runs));
    Side *Turns[] = {&Before, &After};
    if (Pair % 2 == 0)
      std::swap(Turns[0], Turns[1]);
    for (Side *Each : Turns) {
      if (!goesOn())
        return;
      runAndRead(Each->Run, *Each->Command, Purpose::Time, Each->Its, Pair);
      if (const std::optional<unsigned> Clock = fastestSmClock())
        Each->Clocks.push_back(*Clock);
    }
  }
  if (Run.Occupancy)
    both(Purpose::Occupancy);
}

/// In the order of the runs, as far as a report has use for it: all runs of one
/// program, and then of the other.
static void report(Side &Its, CompareReport &Out) {
  for (const ProgramReport &Each : Its.Its.Programs)
    Out.Programs.push_back(Each);
  for (const ProfileProblem &Each : merge(Its.Its.Read.Profiles).Problems)
    if (std::ranges::find(Out.Problems, Each) == Out.Problems.end())
      Out.Problems.push_back(Each);
}

/// What nobody counts may have become more, or have taken the place of what was
/// counted: sums are no gate then.
static void noteGatesUncounted(const Options &Run, CompareReport &Report) {
  static constexpr std::string_view Kinds[] = {
      "bulk-copy", "graph-not-measured", "snapshot"};
  for (const CompareGate Gate :
       {CompareGate::MoreSectors, CompareGate::MoreWavefronts})
    for (const std::string_view Kind : Kinds)
      if (const auto Found =
              std::ranges::find(Report.Problems, Kind, &ProfileProblem::Kind);
          Run.Gates.contains(Gate) && Found != Report.Problems.end())
        Report.Faults.push_back({Gate,
                                 {},
                                 /*IsUndecided=*/true,
                                 "not all is counted: " + Found->Message});
}

int compare(const Options &Run) {
  Side Sides[2] = {{.Name = "before", .Run = Run, .Its = {}, .Clocks = {}},
                   {.Name = "after", .Run = Run, .Its = {}, .Clocks = {}}};
  auto &[Before, After] = Sides;
  if (Run.Commands.empty()) {
    readProfiles(Run.Sources[0], Before.Its.Read, /*TakesResults=*/true);
    readProfiles(Run.Sources[1], After.Its.Read, /*TakesResults=*/true);
  } else {
    for (Side &Each : Sides) {
      Each.Command = &Run.Commands[&Each == &Before ? 0 : 1];
      if (!Run.SaveProfile.empty())
        Each.Run.SaveProfile += fmt::format("/{}", Each.Name);
    }
    measureBoth(Run, Before, After);
  }
  CompareReport Report;
  for (Side &Each : Sides) {
    if (!Each.Its.Failure.empty()) {
      complain(Each.Its.Failure);
      return std::max(codeOfNothing(Before.Its), codeOfNothing(After.Its));
    }
    for (const std::string &Error : Each.Its.Read.Errors)
      complain(Error);
    report(Each, Report);
  }
  Report.Before = totals(Before.Its.Read.Profiles);
  Report.After = totals(After.Its.Read.Profiles);
  Report.Pairs = matchKernels(Report.Before, Report.After);
  Report.ClocksBefore = std::move(Before.Clocks);
  Report.ClocksAfter = std::move(After.Clocks);
  if (Report.Before.empty() || Report.After.empty()) {
    for (const ProfileProblem &Problem : Report.Problems)
      complain(fmt::format("{} ({})", Problem.Message, Problem.Kind));
    complain(fmt::format("no kernel ran {}, so there is nothing to compare",
                         Report.Before.empty() ? "before" : "after"));
    return std::max(codeOfNothing(Before.Its), codeOfNothing(After.Its));
  }
  Report.Faults = judgeGates(Report.Before, Report.After, Report.Pairs,
                             Run.Gates, Run.Threshold);
  noteGatesUncounted(Run, Report);
  if (int Code = writeReport(Run, Run.Format == OutputFormat::Json
                                      ? compareJson(Report)
                                      : compareText(Report, textWidth(Run))))
    return Code;
  // What is not known is no reason to be green, or red.
  if (!isComplete(Before.Its) || !isComplete(After.Its) ||
      std::ranges::any_of(Report.Problems, &ProfileProblem::IsLoss) ||
      std::ranges::any_of(Report.Faults, &GateFault::IsUndecided))
    return PartlyDone;
  return Report.Faults.empty() ? NothingFound : SomethingFound;
}

} // namespace cudalint
