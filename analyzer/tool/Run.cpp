//===- analyzer/tool/Run.cpp - A run over several files -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/Run.h"

#include "analyzer/pipeline/NearestWord.h"
#include "analyzer/pipeline/Pipeline.h"
#include "analyzer/tool/CheckPages.h"
#include "analyzer/tool/Configuration.h"
#include "analyzer/tool/ExitCodes.h"
#include "analyzer/tool/FileSettings.h"
#include "analyzer/tool/FixRun.h"
#include "analyzer/tool/LaunchedBuild.h"
#include "analyzer/tool/MergeCommand.h"
#include "analyzer/tool/OccupancyCommand.h"
#include "analyzer/tool/ProgressLine.h"
#include "analyzer/tool/ProveCommand.h"
#include "analyzer/tool/Reports.h"
#include "analyzer/tool/RunAnalysis.h"
#include "analyzer/tool/RunInputs.h"
#include "analyzer/tool/Silencing.h"
#include "analyzer/tool/SourceTexts.h"
#include "analyzer/tool/VersionWords.h"
#include "report/CommandLine.h"
#include "report/MergedDocuments.h"
#include "report/OutputFile.h"
#include "report/SourceAssertions.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <llvm/Support/Regex.h>
#include <map>
#include <unistd.h>

namespace cudalint {

/// Prints to standard output; 2 when that cannot be written.
static int print(std::string_view Text) {
  if (std::optional<std::string> Error = writeOutputFile("-", Text)) {
    complain(*Error);
    return NothingAnalysed;
  }
  return NothingFound;
}

//===----------------------------------------------------------------------===//
// Report
//===----------------------------------------------------------------------===//

/// What crashed after the parse has not been named yet.
static void printInternalErrors(std::span<const Document> Documents) {
  for (const Document &Doc : Documents)
    for (const UnitRecord &Unit : Doc.Units)
      for (const ErrorRecord &Error : Unit.Errors)
        if (Error.Kind == ErrorKind::Evaluation)
          fmt::print(stderr, "{}:{}:{}: error: {}\n",
                     printable(Error.Where.File), Error.Where.Line,
                     Error.Where.Column, printable(Error.Message));
}

namespace {
/// What decides about the findings of a run, besides its options.
struct RunParts {
  const std::vector<const Check *> &Checks;
  std::map<std::string, OptionValues> Values = {};
  FindingFilter Filter;
  FindingFilter FilterAgain = {}; ///< The same, of edited files.
  const Silencing &Silent;
  const WorkGuard &Guard;
  std::string Settings = {}; ///< As KeptFindings has them.
};
} // namespace

/// Proves the fixes of \p Result and does with them what is wished; \p Result
/// becomes that of the files as they are then. False: something failed.
static bool fix(const Options &Run, FixRun &Fixes, AnalysisResult &Result,
                const Reanalysis &Again) {
  Fixes.prove(Result.Documents, Again);
  const std::vector<std::string> Errors = Fixes.write();
  if (!Run.Quiet)
    for (const std::string &Remark : Fixes.remarks())
      fmt::print(stderr, "{}\n", wrapped(Remark, 0, widthOf(STDERR_FILENO)));
  for (const std::string &Error : Errors)
    complain(Error);
  if (Run.Fixes.Show)
    if (std::optional<std::string> Why = writeOutputFile("-", Fixes.patch())) {
      complain(*Why);
      return false;
    }
  return Errors.empty();
}

static void printNotes(const Options &Run, const AnalysisResult &Result) {
  if (!Run.Launched)
    printInternalErrors(Result.Documents);
  if (Run.Quiet)
    return;
  const unsigned Width = widthOf(STDERR_FILENO);
  for (const std::string &Note : Run.Notes)
    fmt::print(stderr, "{}\n",
               wrapped(printable("cuda-lint: " + Note), 0, Width));
  for (const std::string &Note : Result.Notes)
    fmt::print(stderr, "{}\n", wrapped(printable(Note), 0, Width));
}

static int analyseAndReport(const Options &Run, const RunParts &Parts) {
  const auto Start = std::chrono::system_clock::now();
  if (Run.Fixes.Apply && !Run.Texts.empty()) {
    complain(fmt::format("'{}' cannot be written; --fix-dry-run prints a patch",
                         printable(Run.Texts.begin()->first)));
    return NothingAnalysed;
  }
  if (std::optional<std::string> Why = whyNoOutput(Run)) {
    complain(*Why);
    return NothingAnalysed;
  }
  std::optional<ResourceFinder> Resources;
  if (needsResources(Run, Parts.Checks)) {
    Resources.emplace(Run.Resources);
    if (std::optional<std::string> Why = Resources->readLogs()) {
      complain(*Why);
      return NothingAnalysed;
    }
  }
  AnalysisRequest Request = requestOf(
      Run, Parts.Checks, Resources ? &*Resources : nullptr, Parts.Guard);
  Request.Values = Parts.Values;
  if (Resources)
    Request.Added = Resources->addedByNvcc();
  SourceTexts Sources(Run.Texts);
  Request.OnFindings = [&](std::span<Document> Documents) {
    Parts.Filter(Documents, Sources);
  };
  const ProgressLine Line(Run.Files.size(), Run.Quiet);
  Request.OnProgress = Line.asFunction();
  AnalysisResult Result = findOrAnalyse(Run, Request, Parts.Settings);
  Line.clear();
  if (Run.Launched && !Run.ExplainAll)
    fmt::print(stderr, "{}", noteOnUnread(Result.Documents));
  else
    fmt::print(stderr, "{}", Result.Diagnostics);
  if (!Result.Error.empty()) {
    complain(Result.Error);
    return NothingAnalysed;
  }
  printNotes(Run, Result);
  for (const std::string &Remark : Parts.Silent.remarks())
    fmt::print(stderr, "{}\n", Remark);
  if (Run.What == Command::Occupancy)
    return reportOccupancy(Result.Documents, Run,
                           exitCodeOf(Result.Documents, std::nullopt));
  const Reanalysis Again =
      [&](const std::map<std::string, std::string> &Texts) {
        return analyseEdited(Run, Request, Parts.FilterAgain, Texts);
      };
  if (Run.What == Command::Prove)
    return proveAndReport(Run, Result.Documents, Start, Again);
  FixRun Fixes(Run, Start);
  const bool IsFixed = !Run.Fixes.areWished() || fix(Run, Fixes, Result, Again);
  std::map<std::string, std::string> Texts = Run.Texts;
  if (const std::vector<Document> *After = Fixes.after()) {
    Result.Documents = *After;
    Texts.insert(Fixes.texts().begin(), Fixes.texts().end());
  }
  SourceTexts Now(Texts);
  std::fflush(stderr);
  if (std::optional<std::string> Error = writeReports(Result, Run, Now)) {
    complain(*Error);
    return NothingAnalysed;
  }
  if (!IsFixed)
    return NothingAnalysed;
  if (std::optional<std::string> Error = Parts.Silent.write(Result.Documents)) {
    complain(*Error);
    return NothingAnalysed;
  }
  if (!Run.Launched)
    return exitCodeOf(Result.Documents, Run.FailOn);
  const ExitCode Code = exitCodeBesideCompiler(Result.Documents, Run.FailOn);
  if (Code == SomethingFound)
    removeObjects(Run);
  return Code;
}

static int explain(const std::vector<std::unique_ptr<Check>> &All,
                   const std::string &Name) {
  std::vector<std::string> Names;
  for (const std::unique_ptr<Check> &Each : All) {
    if (Each->info().Name == Name)
      return print(checkExplanation(Each->info()));
    Names.emplace_back(Each->info().Name);
  }
  std::string Near = nearestWord(Name, Names);
  complain(fmt::format(
      "no check is called '{}'; {}'cuda-lint list-checks' "
      "names them all",
      Name, Near.empty() ? "" : fmt::format("did you mean {}? ", Near)));
  return NothingAnalysed;
}

static KnownChecks knownOf(const std::vector<std::unique_ptr<Check>> &Checks) {
  KnownChecks Result;
  for (const std::unique_ptr<Check> &Each : Checks) {
    Result.Names.emplace_back(Each->info().Name);
    for (const CheckOption &Option : Each->info().Options)
      Result.Options.push_back(
          {std::string(Option.Name), Option.Least, Option.Most});
  }
  return Result;
}

/// Takes out what is in headers of which the name does not match.
static void keepHeaders(std::span<Document> Documents,
                        const std::string &Filter) {
  if (Filter.empty())
    return;
  const llvm::Regex Wanted(Filter);
  // `./a.h` and `sub/../a.h` are a.h, as a user would write it.
  const auto isWanted = [&](const std::string &File) {
    return Wanted.match(File) ||
           Wanted.match(
               std::filesystem::path(File).lexically_normal().string());
  };
  for (Document &Doc : Documents)
    for (UnitRecord &Unit : Doc.Units)
      std::erase_if(Unit.Findings, [&](const Finding &F) {
        return !F.Where.File.empty() && F.Where.File != Unit.File &&
               !isWanted(F.Where.File);
      });
}

/// Reports are written even where there is nothing to lint: somebody waits for
/// them.
static int reportNothing(const Options &Run) {
  if (!Run.Quiet)
    for (const std::string &Note : Run.Notes)
      fmt::print(stderr, "cuda-lint: {}\n", printable(Note));
  AnalysisResult Result;
  for (const Target &Gpu : Run.Gpus)
    Result.Documents.push_back(
        {.ToolVersion = CUDA_LINT_VERSION,
         .Target = {.Name = Gpu.Name,
                    .ComputeCapability = toString(Gpu.Arch->CC),
                    .SMs = Gpu.SMs}});
  SourceTexts Sources(Run.Texts);
  std::optional<std::string> Why = whyNoOutput(Run);
  if (!Why)
    Why = writeReports(Result, Run, Sources);
  if (!Why)
    return NothingFound;
  complain(*Why);
  return NothingAnalysed;
}

/// CUDA files in a diff that somebody else has made and that are not here,
/// where its names would start: why it is of no use, where that is all of them;
/// else a note.
static std::string whyNotHere(const ChangedLines &Changes,
                              const std::string &Here,
                              std::vector<std::string> &Notes) {
  const std::vector<std::string> Missing = missingSources(Changes, Here);
  if (Missing.empty())
    return {};
  const std::string What = fmt::format(
      "'{}' is neither in this folder, from which the names in a diff start, "
      "nor in one around it",
      printable(Missing.front()));
  if (changedSources(Changes, Here).empty())
    return What + "; run in the folder in which it was made";
  Notes.push_back("note: " + What);
  return {};
}

static int lint(Options Run, const std::vector<std::unique_ptr<Check>> &Checks,
                const WorkGuard &Guard) {
  const KnownChecks Known = knownOf(Checks);
  std::error_code Gone;
  const std::string Here = std::filesystem::current_path(Gone).string();
  std::string Error;
  std::optional<Configuration> Forced =
      givenConfiguration(Run, Here, Known, Error);
  if (!Error.empty()) {
    complain(Error);
    return NothingAnalysed;
  }
  Configurations All(Known, std::move(Forced));
  const std::optional<ChangedLines> Changes = changesOf(Run);
  if (Changes && !Changes->Error.empty()) {
    complain("--diff: " + Changes->Error);
    return NothingAnalysed;
  }
  if (Changes && Run.Diff == "-")
    if (std::string Why = whyNotHere(*Changes, Here, Run.Notes); !Why.empty()) {
      complain("--diff: " + Why);
      return NothingAnalysed;
    }
  if (Changes && Run.Inputs.empty() && Run.Build.empty()) {
    takeChanged(*Changes, Here, Run);
    if (Run.Inputs.empty() && !changesHeaders(*Changes)) {
      Run.Notes.push_back("note: no CUDA file has changed");
      return reportNothing(Run);
    }
  }
  std::optional<std::string> Why = prepare(Run, All);
  FileSettings Settings(Checks);
  if (!Why)
    Why = addSettings(Run, All, Settings);
  if (Why) {
    complain(*Why);
    return NothingAnalysed;
  }
  if (Run.DumpConfig)
    return print(dumpConfiguration(effective(Run, All)));
  if (Run.Files.empty())
    return Run.Launched ? NothingFound : reportNothing(Run);
  if (Run.What != Command::Occupancy && Settings.checks().empty())
    Run.Notes.push_back("note: no check is on for these files");
  Silencing Silent(Run, repositoryAround(Here), Here, Known.Names);
  if (std::optional<std::string> Fault = Silent.read()) {
    complain(*Fault);
    return NothingAnalysed;
  }
  if (Run.What == Command::Occupancy)
    return analyseAndReport(
        Run, {.Checks = {},
              .Filter = [](std::span<Document>, SourceTexts &) {},
              .Silent = Silent,
              .Guard = Guard});
  const auto filterWith = [&](Silencing &Its) -> FindingFilter {
    return [&](std::span<Document> Documents, SourceTexts &Sources) {
      Settings.apply(Documents);
      keepHeaders(Documents, Run.HeaderFilter);
      Its.apply(Documents, Sources);
      if (Changes)
        keepChanged(Documents, *Changes, Here);
      checkAssertions(Documents, Sources.asFunction());
    };
  };
  // What it says of edited files is not told.
  Silencing OfEdited = Silent;
  return analyseAndReport(
      Run, {.Checks = Settings.checks(),
            .Values = Settings.values(),
            .Filter = filterWith(Silent),
            .FilterAgain = filterWith(OfEdited),
            .Silent = Silent,
            .Guard = Guard,
            .Settings = Run.Launched ? dumpConfiguration(effective(Run, All))
                                     : std::string()});
}

static int merge(const Options &Run) {
  AnalysisResult Result;
  std::vector<Measurements> Measured;
  std::optional<std::string> Why = whyNoOutput(Run);
  if (!Why) {
    MergeRead Read = readAndMerge(Run.Inputs);
    Measured = std::move(Read.Measured);
    Result.Documents = std::move(Read.Documents);
    if (!Read.Error.empty())
      Why = std::move(Read.Error);
    addMeasured(Result.Documents, Measured);
  }
  SourceTexts Sources(Run.Texts);
  if (!Why)
    Why = writeReports(Result, Run, Sources, Measured);
  if (Why) {
    complain(*Why);
    return NothingAnalysed;
  }
  return exitCodeOf(Result.Documents, Run.FailOn);
}

int run(const Options &Run, const WorkGuard &Guard) {
  const std::vector<std::unique_ptr<Check>> All = makeChecks();
  switch (Run.What) {
  case Command::ListChecks:
    return print(checkList(All));
  case Command::Version:
    return print(versionWords(All.size(), Run.CudaPath));
  case Command::Explain:
    return explain(All, Run.Argument);
  case Command::WriteCheckPages:
    if (std::optional<std::string> Error = writeCheckPages(All, Run.Argument)) {
      complain(*Error);
      return NothingAnalysed;
    }
    return NothingFound;
  case Command::Merge:
    return merge(Run);
  case Command::Discard:
    return discardBuild(Run);
  case Command::Occupancy:
  case Command::Prove:
  case Command::Analyse:
    return lint(Run, All, Guard);
  }
  return NothingAnalysed;
}

} // namespace cudalint
