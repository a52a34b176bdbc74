//===- runtime/tool/Confirm.cpp - The command confirm ---------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/tool/Confirm.h"

#include "hardware/Architecture.h"
#include "report/CommandLine.h"
#include "report/InputFile.h"
#include "report/Terminal.h"
#include "report/TerminalText.h"
#include "runtime/measure/ScratchFolder.h"
#include "runtime/tool/Checks.h"
#include "runtime/tool/Compare.h"
#include "runtime/tool/HotspotCommand.h"
#include "runtime/tool/Measuring.h"
#include "runtime/tool/Report.h"
#include "runtime/tool/SourceFiles.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace cudalint {

//===----------------------------------------------------------------------===//
// Predicting
//===----------------------------------------------------------------------===//

/// The GPU to lint for: that which ran the program.
static std::string targetOf(const std::vector<Profile> &Profiles) {
  for (const Profile &Each : Profiles)
    for (const ProfileDevice &Device : Each.Devices) {
      std::optional<Target> Product = parseTarget(Device.Name);
      if (Product && toString(Product->Arch->CC) == Device.ComputeCapability)
        return Product->Name;
      std::string Arch = Device.ComputeCapability;
      std::erase(Arch, '.');
      if (parseTarget("sm_" + Arch))
        return "sm_" + Arch;
    }
  return {};
}

/// Not cuda-lint itself, which can do nothing without it.
static std::string findLinter() { return findSibling("cuda-lint-check"); }

/// Lints the sources for the GPU that was measured. Returns a message on
/// failure.
static std::string predict(const Options &Run, const std::string &Gpu,
                           std::vector<Document> &Out) {
  ScratchFolder Folder;
  if (!Folder.error().empty())
    return Folder.error();
  std::string Result = Folder.path() + "/predictions.json";
  ProgramRun Lint;
  Lint.Command = {findLinter(), "--format=json", "--fail-on=never",
                  "--output=" + Result};
  if (!Gpu.empty())
    Lint.Command.push_back("--gpu=" + Gpu);
  for (const std::string &File : Run.Sources)
    Lint.Command.push_back(File);
  if (!Run.ExtraArguments.empty()) {
    Lint.Command.push_back("--");
    Lint.Command.insert(Lint.Command.end(), Run.ExtraArguments.begin(),
                        Run.ExtraArguments.end());
  }
  progress(Run, fmt::format("linting {} files", Run.Sources.size()));
  ProgramEnd End = runProgram(Lint);
  if (!End.NotStarted.empty())
    return End.NotStarted;
  if (End.Signal != 0 || End.Code == NothingDone)
    return fmt::format("the sources could not be linted: {} {}",
                       Lint.Command[0], describe(End));
  return readPredictions(Result, Out);
}

//===----------------------------------------------------------------------===//
// Reporting
//===----------------------------------------------------------------------===//

/// Predictions name files, and may be anybody's: what they name is quoted where
/// they are and where the user is. What the user names himself is the user's.
static std::vector<std::string> rootsOf(const Options &Run) {
  if (!Run.SourceRoot.empty())
    return {Run.SourceRoot};
  if (Run.Predictions.empty())
    return {};
  std::vector<std::string> Roots = {"."};
  for (const std::string &Path : Run.Predictions)
    Roots.push_back(fs::absolute(Path).parent_path().string());
  return Roots;
}

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
  if (Run.isHotspots())
    return reportHotspots(Run);
  std::vector<Document> Predictions;
  // What is wrong with the predictions is said before a long run.
  for (const std::string &Path : Run.Predictions)
    if (std::string Error = readPredictions(Path, Predictions);
        !Error.empty()) {
      complain(Error);
      return NothingDone;
    }
  if (!Run.Sources.empty() && findLinter().empty()) {
    complain("cuda-lint-check, which lints the sources, is not beside this "
             "program; lint them where it is, and name the result by "
             "--predictions FILE");
    return NothingDone;
  }

  for (const std::string &Path : Run.Sources)
    if (::access(Path.c_str(), R_OK) != 0) {
      complain(fmt::format("cannot read '{}': {}", Path, std::strerror(errno)));
      return NothingDone;
    }

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

  if (!Run.Sources.empty())
    if (std::string Error =
            predict(Run, targetOf(What.Read.Profiles), Predictions);
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
