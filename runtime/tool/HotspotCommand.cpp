//===- runtime/tool/HotspotCommand.cpp - Hot spots of a program -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/tool/HotspotCommand.h"

#include "report/Names.h"
#include "report/Terminal.h"
#include "runtime/hotspots/HotspotWriters.h"
#include "runtime/hotspots/LintedLines.h"
#include "runtime/tool/Checks.h"
#include "runtime/tool/Measuring.h"
#include "runtime/tool/Predicting.h"
#include "runtime/tool/SourceFiles.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <unistd.h>

namespace cudalint {

static bool hasTimes(const ProfilesRead &Read) {
  return std::ranges::any_of(Read.Profiles, [](const Profile &Each) {
    return std::ranges::any_of(Each.Launches, [](const ProfileLaunch &Launch) {
      return Launch.Duration.has_value();
    });
  });
}

/// A kernel that is counted is slower, so that its times come from a second
/// run; not of a program that failed, nor where they are there already because
/// nothing could be counted.
static void measureHotspots(const Options &Run,
                            const std::vector<std::string> &Command,
                            Measured &What) {
  auto goesOn = [&] { return What.Failure.empty() && !anyFailed(What); };
  if (!Run.NoCounters)
    runAndRead(Run, Command, Purpose::Counters, What);
  if (goesOn() && !Run.Once && !hasTimes(What.Read))
    runAndRead(Run, Command, Purpose::Time, What);
  if (goesOn() && Run.Occupancy)
    runAndRead(Run, Command, Purpose::Occupancy, What);
  if (goesOn() && Run.Stalls)
    runAndRead(Run, Command, Purpose::Stalls, What);
}

static void noteUncounted(const Hotspots &Found,
                          std::vector<std::string> &Notes) {
  constexpr std::size_t Most = 3;
  std::map<std::string_view, std::vector<std::string>> ByReason;
  for (const HotGpu &Gpu : Found.Gpus)
    for (const HotKernel &Kernel : Gpu.Kernels)
      if (!Kernel.Uncounted.empty())
        ByReason[Kernel.Uncounted == "second-run"
                     ? std::string_view("it did not run when launches were "
                                        "counted, but in the run for times")
                     : whyUncounted(Kernel.Uncounted)]
            .emplace_back(withoutParameters(Kernel.Signature));
  for (const auto &[Why, Names] : ByReason) {
    std::string Few;
    for (std::size_t I = 0; I != std::min(Most, Names.size()); ++I)
      Few += (I ? ", " : "") + Names[I];
    if (Names.size() > Most)
      Few += fmt::format(" and {} more", Names.size() - Most);
    Notes.push_back(fmt::format("not counted: {}: {}", Few, Why));
  }
}

static std::vector<std::string> notesOn(const Options &Run,
                                        const Measured &What,
                                        const Hotspots &Found, bool AnyCounted,
                                        std::size_t Kernels) {
  std::vector<std::string> Notes;
  if (Run.NoCounters)
    Notes.emplace_back("requests were not counted: --no-counters");
  else
    noteUncounted(Found, Notes);
  if (!Found.HasTimes && Kernels != 0)
    Notes.emplace_back(
        Run.Once          ? "times were not measured: --once"
        : anyFailed(What) ? "times were not measured: the program failed "
                            "before its second run"
        : Run.Commands.empty()
            ? Run.Ncu.empty()
                  ? "times are not known: what was recorded holds none"
                  : "times are not known: export '--page raw' of the report, "
                    "too"
            : "times are not known: the second run left none");
  if (Run.Stalls && !Found.HasSamples && Kernels != 0)
    Notes.emplace_back(anyFailed(What)
                           ? "stall reasons were not sampled: the program "
                             "failed in a run before or in that for them"
                           : "stall reasons are not known: their run left "
                             "none");
  if (!Run.Ncu.empty() && Found.HasTimes)
    Notes.emplace_back(
        "times are those under ncu, which runs one kernel at a time and, "
        "unless "
        "told otherwise, at the base clock and with empty caches");
  if (!Run.Kernel.empty() && !Run.NoCounters && !AnyCounted && Kernels != 0)
    Notes.push_back(fmt::format("--kernel '{}' matches none of the {} kernels "
                                "that ran",
                                Run.Kernel, Kernels));
  return Notes;
}

/// Files of which the linter says nothing, or not all, since it could not read
/// them.
static std::vector<std::string>
unitsNotLinted(std::span<const Document> Predictions) {
  std::vector<std::string> Notes;
  for (const Document &Doc : Predictions)
    for (const UnitRecord &Unit : Doc.Units) {
      if (Unit.Status == UnitStatus::Ok)
        continue;
      std::string Note = fmt::format(
          "'{}' {}: {}", Unit.File,
          Unit.Status == UnitStatus::Failed ? "could not be linted"
                                            : "was linted in part",
          Unit.Errors.empty() ? "see its errors" : Unit.Errors.front().Message);
      if (std::ranges::find(Notes, Note) == Notes.end())
        Notes.push_back(std::move(Note));
    }
  return Notes;
}

/// Puts what the linter says beside the lines. Returns whether it could: what
/// was measured is told all the same.
static bool addLinter(const Options &Run, const Measured &What,
                      std::vector<Document> Predictions,
                      HotspotReport &Report) {
  if (Run.Predictions.empty() && Run.Sources.empty())
    return true;
  if (std::string Error = lintSources(Run, What.Read.Profiles, Predictions);
      !Error.empty()) {
    complain(Error);
    Report.Notes.push_back("what the linter says is not shown: " + Error);
    return false;
  }
  std::vector<std::string> Notes = unitsNotLinted(Predictions);
  SourceFiles Sources(rootsOf(Run));
  std::ranges::move(addFindings(Predictions, merge(What.Read.Profiles),
                                Sources.lookup(), Report.Found),
                    std::back_inserter(Notes));
  const bool CouldAll = Notes.empty();
  std::ranges::move(Notes, std::back_inserter(Report.Notes));
  return CouldAll;
}

int reportHotspots(const Options &Run, std::vector<Document> Predictions) {
  Measured What;
  readRecorded(Run, What);
  for (const std::vector<std::string> &Command : Run.Commands)
    measureHotspots(Run, Command, What);
  for (const std::string &Error : What.Read.Errors)
    complain(Error);
  if (What.Failure.empty() && What.Read.Profiles.empty())
    What.Failure = "there is no profile to report on";
  // Of a second run that left nothing, the first is told all the same.
  if (!What.Failure.empty()) {
    complain(What.Failure);
    if (What.Read.Profiles.empty())
      return codeOfNothing(What);
  }

  HotspotReport Report = {.Found = findHotspots(What.Read.Profiles)};
  Report.Runs = What.Programs;
  // It matters to predictions alone.
  if (Run.Predictions.empty() && Run.Sources.empty())
    std::erase_if(Report.Found.Problems, [](const ProfileProblem &Each) {
      return Each.Kind == "demangled-names";
    });
  bool AnyCounted = false;
  std::size_t Kernels = 0;
  for (const HotGpu &Gpu : Report.Found.Gpus)
    for (const HotKernel &Kernel : Gpu.Kernels) {
      AnyCounted |= Kernel.Measured != 0;
      ++Kernels;
    }
  Report.Notes = notesOn(Run, What, Report.Found, AnyCounted, Kernels);
  const bool IsLinted =
      Kernels == 0 || addLinter(Run, What, std::move(Predictions), Report);

  SourceFiles Quoted({Run.SourceRoot.empty() ? "." : Run.SourceRoot});
  const bool ToTerminal = Run.Output == "-";
  HotspotOptions Options = {
      .Text = {.UseColour = ToTerminal && useColour(Run.Colour, STDOUT_FILENO),
               .Width = textWidth(Run)}};
  if (Run.Top)
    Options.Top = Run.Top;
  if (Run.ShowAll)
    Options.Top.reset();
  if (int Code =
          writeReport(Run, Run.Format == OutputFormat::Json
                               ? hotspotJson(Report)
                               : hotspotText(Report, Options, Quoted.text())))
    return Code;
  const bool IsLost =
      std::ranges::any_of(Report.Found.Problems, &ProfileProblem::IsLoss);
  if (Kernels == 0)
    return IsLost ? PartlyDone : codeOfNothing(What);
  const bool IsUncounted =
      !Run.NoCounters && (!Report.Found.HasCounters || !AnyCounted);
  const bool IsUnsampled = Run.Stalls && !Report.Found.HasSamples;
  return !isComplete(What) || !What.Failure.empty() || IsLost || IsUncounted ||
                 IsUnsampled || !IsLinted
             ? PartlyDone
             : NothingFound;
}

} // namespace cudalint
