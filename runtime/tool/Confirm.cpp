//===- runtime/tool/Confirm.cpp - The command confirm ---------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/tool/Confirm.h"

#include "report/CommandLine.h"
#include "report/Terminal.h"
#include "runtime/tool/Checks.h"
#include "runtime/tool/Compare.h"
#include "runtime/tool/HotspotCommand.h"
#include "runtime/tool/Measuring.h"
#include "runtime/tool/Predicting.h"
#include "runtime/tool/Report.h"
#include "runtime/tool/SourceFiles.h"

#include <algorithm>
#include <unistd.h>

namespace cudalint {

static int codeOf(const Options &Run, const ConfirmReport &Report,
                  const Measured &What) {
  const JoinResult &Result = Report.Result;
  bool AnyRan = false;
  for (const GpuVerdict &Gpu : Result.Gpus)
    for (const KernelVerdict &Kernel : Gpu.Kernels)
      AnyRan |= Kernel.WasPredicted && Kernel.Launches != 0;
  bool IsLost = std::ranges::any_of(Result.Problems, &ProfileProblem::IsLoss);
  if (!AnyRan)
    return IsLost ? PartlyDone : codeOfNothing(What);
  if (!isComplete(What) || (!Result.HasCounters && !Run.NoCounters) ||
      !Result.Notes.empty() || IsLost)
    return PartlyDone;
  bool IsFound =
      (Run.Gate != FailOn::Never && Result.refuted() != 0) ||
      (Run.Gate == FailOn::Missed && Result.lineCounts().Missed != 0);
  return IsFound ? SomethingFound : NothingFound;
}

/// Before a long run; nothing when the report replaces nothing that is read.
static std::optional<std::string> whyNoOutput(const Options &Run) {
  if (auto Why = whyNotWritable(Run.Output))
    return Why;
  if (auto Why = whyNotSavable(Run.SaveProfile))
    return Why;
  std::vector<std::string> Inputs = Run.Sources;
  Inputs.insert(Inputs.end(), Run.Predictions.begin(), Run.Predictions.end());
  Inputs.insert(Inputs.end(), Run.Profiles.begin(), Run.Profiles.end());
  Inputs.insert(Inputs.end(), Run.Ncu.begin(), Run.Ncu.end());
  return whyOutputIsInput(Run.Output, Inputs);
}

int confirm(const Options &Run) {
  if (std::optional<std::string> Why = whyNoOutput(Run)) {
    complain(*Why);
    return NothingDone;
  }
  if (Run.Compare)
    return compare(Run);
  std::vector<Document> Predictions;
  if (std::string Error = readGiven(Run, Predictions); !Error.empty()) {
    complain(Error);
    return NothingDone;
  }
  if (Run.isHotspots())
    return reportHotspots(Run, std::move(Predictions));

  Measured What;
  readRecorded(Run, What);
  for (const std::vector<std::string> &Command : Run.Commands) {
    runAndRead(Run, Command, Run.NoCounters ? Purpose::Time : Purpose::Counters,
               What);
    if (What.Failure.empty() && Run.Occupancy)
      runAndRead(Run, Command, Purpose::Occupancy, What);
    if (Run.CheckUnits)
      runForUnits(Run, Command, What);
  }
  for (const std::string &Error : What.Read.Errors)
    complain(Error);
  if (What.Failure.empty() && What.Read.Profiles.empty())
    What.Failure = "there is no profile to join with";
  if (!What.Failure.empty()) {
    complain(What.Failure);
    return codeOfNothing(What);
  }

  if (std::string Error = lintSources(Run, What.Read.Profiles, Predictions);
      !Error.empty()) {
    complain(Error);
    return NothingDone;
  }
  ConfirmReport Report;
  SourceFiles Sources(rootsOf(Run));
  Report.Result = join(Predictions, merge(What.Read.Profiles), Run.Allowed,
                       Sources.lookup());
  noteWhatIsMissing(Run, Report.Result);
  Report.Allowed = Run.Allowed;
  if (!What.Programs.empty())
    Report.Program = What.Programs.front();
  bool ToTerminal = Run.Output == "-";
  ReportOptions Options = {
      .Text = {.UseColour = ToTerminal && useColour(Run.Colour, STDOUT_FILENO),
               .Width = textWidth(Run)},
      .ShowAll = Run.ShowAll};
  if (int Code =
          writeReport(Run, Run.Format == OutputFormat::Json
                               ? confirmJson(Report)
                               : confirmText(Report, Options, Sources.text())))
    return Code;
  return codeOf(Run, Report, What);
}

} // namespace cudalint
