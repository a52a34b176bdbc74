//===- analyzer/tool/Run.cpp - A run over several files -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/Run.h"

#include "analyzer/frontend/ArgumentFiles.h"
#include "analyzer/frontend/CompilerArguments.h"
#include "analyzer/pipeline/NearestWord.h"
#include "analyzer/pipeline/Pipeline.h"
#include "analyzer/project/CompileDatabase.h"
#include "analyzer/tool/ChangedLines.h"
#include "analyzer/tool/CheckPages.h"
#include "analyzer/tool/Configuration.h"
#include "analyzer/tool/FileSettings.h"
#include "analyzer/tool/OccupancyCommand.h"
#include "analyzer/tool/OutputPath.h"
#include "analyzer/tool/Silencing.h"
#include "analyzer/tool/SourceTexts.h"
#include "report/CommandLine.h"
#include "report/FindingWords.h"
#include "report/GithubWriter.h"
#include "report/GitlabWriter.h"
#include "report/InputFile.h"
#include "report/JsonWriter.h"
#include "report/JunitWriter.h"
#include "report/Names.h"
#include "report/OutputFile.h"
#include "report/RdjsonWriter.h"
#include "report/SarifWriter.h"
#include "report/TerminalText.h"
#include "report/TextWriter.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <llvm/Support/Regex.h>
#include <map>
#include <unistd.h>

namespace cudalint {

/// What compilers call it.
static constexpr const char *StandardInput = "<stdin>";

static void complain(std::string_view Message) {
  fmt::print(stderr, "cuda-lint: error: {}\n", Message);
}

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

ExitCode exitCodeOf(std::span<const Document> Documents,
                    std::optional<Severity> FailOn) {
  bool SomeAnalysed = false;
  bool SomeNotAnalysed = false;
  bool Found = false;
  for (const Document &Doc : Documents)
    for (const UnitRecord &Unit : Doc.Units) {
      SomeAnalysed |= Unit.Status != UnitStatus::Failed;
      SomeNotAnalysed |= Unit.Status != UnitStatus::Ok;
      Found |=
          FailOn && std::ranges::any_of(Unit.Findings, [&](const Finding &F) {
            return F.Level >= *FailOn;
          });
    }
  if (!SomeAnalysed)
    return ExitCode::NothingAnalysed;
  if (SomeNotAnalysed)
    return ExitCode::SomeNotAnalysed;
  return Found ? ExitCode::SomethingFound : ExitCode::NothingFound;
}

static std::string textReport(const AnalysisResult &Result, const Options &Run,
                              const std::string &Output, SourceTexts &Sources) {
  bool ToTerminal = Output == "-";
  TextOptions Text{
      .UseColour = ToTerminal ? useColour(Run.Colour, STDOUT_FILENO)
                              : Run.Colour == ColourMode::Always,
      .Width = ToTerminal ? widthOf(STDOUT_FILENO) : 0,
      .ShowErrors = false, // Clang's own words of them are on stderr.
      .ShowDetail = Run.Explain && !Run.ExplainAt,
      .ShowAll = Run.ExplainAll,
      .ShowSummary = !Run.Quiet,
      .Sort = Run.Sort,
      .MaxFindings = Run.MaxFindings};
  std::string Report = toText(Result.Documents, Text, Sources.asFunction());
  if (Run.Summary)
    Report += summaryText(Result.Documents, Run.Gpus, Text.Width);
  if (!Run.ExplainAt)
    return Report;
  if (!Result.Explanations.empty())
    return Report + Result.Explanations;
  return Report + fmt::format("{}:{}: no access was found on this line\n",
                              Run.ExplainAt->File, Run.ExplainAt->Line);
}

/// A report of \p Result for \p Output, `-` or a file.
static std::string reportOf(OutputFormat Format, const AnalysisResult &Result,
                            const Options &Run, const std::string &Output,
                            SourceTexts &Sources) {
  const std::string Here = std::filesystem::current_path().string();
  const ReportPlaces Places = {.Root = repositoryAround(Here), .Current = Here};
  const std::vector<Document> &Documents = Result.Documents;
  switch (Format) {
  case OutputFormat::Text:
    return textReport(Result, Run, Output, Sources);
  case OutputFormat::Json:
    return toJson(Documents);
  case OutputFormat::Sarif:
    return toSarif(Documents, Places, Sources.asFunction());
  case OutputFormat::Github:
    return toGithub(Documents, Places, Sources.asFunction());
  case OutputFormat::Gitlab:
    return toGitlab(Documents, Places);
  case OutputFormat::Rdjson:
    return toRdjson(Documents, Places, Sources.asFunction());
  case OutputFormat::Junit:
    return toJunit(Documents, Places);
  }
  return {};
}

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

/// Before any work is done; nothing when all reports can be written.
static std::optional<std::string> whyNoOutput(const Options &Run) {
  std::vector<std::string> Inputs;
  for (const ProjectFile &Each : Run.Files)
    Inputs.push_back(Each.Name);
  Inputs.insert(Inputs.end(), Run.Resources.PtxasLogs.begin(),
                Run.Resources.PtxasLogs.end());
  for (const std::string &Each : {Run.LaunchesFrom, Run.Baseline})
    if (!Each.empty())
      Inputs.push_back(Each);
  std::vector<std::string> Outputs = {Run.Output};
  if (!Run.WriteBaseline.empty())
    Outputs.push_back(Run.WriteBaseline);
  for (const auto &[Format, File] : Run.Outputs)
    Outputs.push_back(File);
  for (const std::string &Each : Outputs) {
    if (Each == "-")
      continue;
    if (std::ranges::count(Outputs, Each) > 1)
      return fmt::format("two reports cannot go to one file, '{}'",
                         printable(Each));
    if (std::optional<std::string> Why = whyOutputIsInput(Each, Inputs))
      return Why;
    if (std::optional<std::string> Why = whyNotWritable(Each))
      return Why;
  }
  return std::nullopt;
}

/// Whether anything that is to be printed depends on registers, and the user
/// lets them be known.
static bool needsResources(const Options &Run,
                           const std::vector<const Check *> &Checks) {
  const ResourceOptions &Given = Run.Resources;
  if (Given.Mode == PtxasMode::Off && Given.Registers.empty() &&
      Given.PtxasLogs.empty())
    return false;
  return Run.What == Command::Occupancy || Run.Format != OutputFormat::Text ||
         !Run.Outputs.empty() || Run.Summary || Run.MinOccupancy ||
         std::ranges::any_of(Checks, [](const Check *Each) {
           return Each->info().NeedsResources;
         });
}

/// Settles what follows `--`. Returns what is wrong with it.
static std::optional<std::string> readCompilerArguments(Options &Run) {
  if (std::optional<std::string> Why =
          expandArgumentFiles(Run.CompilerArguments))
    return Why;
  if (std::string Other = askingForOther(Run.CompilerArguments); !Other.empty())
    return fmt::format("compiler argument '{}' asks for something else than to "
                       "compile code for a GPU, so there would be nothing to "
                       "lint; take it out ('cuda-lint --help' stands before "
                       "any --)",
                       printable(Other));
  return std::nullopt;
}

static AnalysisRequest requestOf(const Options &Run,
                                 const std::vector<const Check *> &Checks,
                                 const ResourceFinder *Resources,
                                 const WorkGuard &Guard) {
  AnalysisRequest Request;
  Request.Checks = Checks;
  Request.Shapes = Run.Shapes;
  Request.Resources = Resources;
  Request.MinOccupancy = Run.MinOccupancy;
  Request.AsWritten = Run.AsWritten;
  Request.ExplainAt = Run.ExplainAt;
  Request.Guard = &Guard;
  Request.Unreadable = Run.Unreadable;
  Request.CudaPath = Run.CudaPath;
  Request.Gpus = Run.Gpus;
  Request.Listed = Run.Listed;
  Request.Threads = Run.Jobs;
  Request.UseColour = useColour(Run.Colour, STDERR_FILENO);
  Request.Width = widthOf(STDERR_FILENO);
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files;
  if (!Run.Texts.empty())
    Files = overDisk(Run.Texts, /*Folder=*/"");
  for (const ProjectFile &Each : Run.Files)
    Request.Jobs.push_back({.File = Each.Name,
                            .Folder = {},
                            .Arguments = Each.Arguments,
                            .Files = Files});
  for (const RegisterOption &Option : Run.Resources.Registers)
    if (!Option.Kernel.empty())
      Request.KernelsWithRegisters.push_back(Option.Kernel);
  return Request;
}

namespace {
/// `[12/80] a.cu` on a terminal, over and over in one line.
class ProgressLine {
public:
  explicit ProgressLine(const Options &Run)
      : Files(Run.Files.size()),
        IsShown(Files > 1 && !Run.Quiet && ::isatty(STDERR_FILENO)),
        Width(widthOf(STDERR_FILENO)) {}

  std::function<void(double, const std::string &)> asFunction() {
    if (!IsShown)
      return {};
    return [this](double Done, const std::string &File) {
      std::string Text = printable(fmt::format(
          "[{:.0f}/{}] {}", std::floor(Done * static_cast<double>(Files)),
          Files, File));
      if (Width > 1)
        Text.resize(std::min<std::size_t>(Text.size(), Width - 1));
      fmt::print(stderr, "\r\x1b[K{}", Text);
      std::fflush(stderr);
    };
  }

  void clear() const {
    if (IsShown)
      fmt::print(stderr, "\r\x1b[K");
  }

private:
  std::size_t Files;
  bool IsShown;
  unsigned Width;
};
} // namespace

/// What changes the findings of a run before they are told.
using FindingFilter = std::function<void(std::span<Document>, SourceTexts &)>;

static int analyseAndReport(const Options &Run,
                            const std::vector<const Check *> &Checks,
                            const FindingFilter &Filter,
                            const Silencing &Silent, const WorkGuard &Guard) {
  if (std::optional<std::string> Why = whyNoOutput(Run)) {
    complain(*Why);
    return NothingAnalysed;
  }
  std::optional<ResourceFinder> Resources;
  if (needsResources(Run, Checks)) {
    Resources.emplace(Run.Resources);
    if (std::optional<std::string> Why = Resources->readLogs()) {
      complain(*Why);
      return NothingAnalysed;
    }
  }
  AnalysisRequest Request =
      requestOf(Run, Checks, Resources ? &*Resources : nullptr, Guard);
  SourceTexts Sources(Run.Texts);
  Request.OnFindings = [&](std::span<Document> Documents) {
    Filter(Documents, Sources);
  };
  ProgressLine Line(Run);
  Request.OnProgress = Line.asFunction();
  AnalysisResult Result = analyse(Request);
  Line.clear();
  fmt::print(stderr, "{}", Result.Diagnostics);
  if (!Result.Error.empty()) {
    complain(Result.Error);
    return NothingAnalysed;
  }
  printInternalErrors(Result.Documents);
  if (!Run.Quiet)
    for (const std::string &Note : Run.Notes)
      fmt::print(
          stderr, "{}\n",
          wrapped(printable("cuda-lint: " + Note), 0, widthOf(STDERR_FILENO)));
  if (!Run.Quiet)
    for (const std::string &Note : Result.Notes)
      fmt::print(stderr, "{}\n",
                 wrapped(printable(Note), 0, widthOf(STDERR_FILENO)));
  for (const std::string &Remark : Silent.remarks())
    fmt::print(stderr, "{}\n", Remark);
  if (Run.What == Command::Occupancy)
    return reportOccupancy(Result.Documents, Run,
                           exitCodeOf(Result.Documents, std::nullopt));
  std::fflush(stderr);
  std::map<std::string, OutputFormat> Reports = {{Run.Output, Run.Format}};
  for (const auto &[Format, File] : Run.Outputs)
    Reports.try_emplace(File, Format);
  for (const auto &[File, Format] : Reports)
    if (std::optional<std::string> Error = writeOutputFile(
            File, reportOf(Format, Result, Run, File, Sources))) {
      complain(*Error);
      return NothingAnalysed;
    }
  if (std::optional<std::string> Error = Silent.write(Result.Documents)) {
    complain(*Error);
    return NothingAnalysed;
  }
  return exitCodeOf(Result.Documents, Run.FailOn);
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

/// Reads what can be read but once, for all that will ask for it.
static void readPipes(Options &Run) {
  for (ProjectFile &Each : Run.Files) {
    std::string &File = Each.Name;
    if (!isReadOnce(File))
      continue;
    std::string Text;
    std::optional<std::string> Why = readInput(
        File, MostSourceBytes, [&](std::string_view Part) { Text += Part; });
    if (File == "-")
      File = StandardInput;
    if (Why)
      Run.Unreadable[File] = "cannot be read: " + *Why;
    else
      Run.Texts[File] = std::move(Text);
  }
  if (Run.ExplainAt && Run.ExplainAt->File == "-")
    Run.ExplainAt->File = StandardInput;
}

/// What --config or --config-file gives; nothing without them.
static std::optional<Configuration>
givenConfiguration(const Options &Run, const std::string &Here,
                   const std::vector<std::string> &Checks, std::string &Error) {
  std::string Text = Run.Config, Name = "--config";
  if (!Run.ConfigFile.empty()) {
    const std::optional<std::string> Read =
        readWholeFile(Run.ConfigFile, 1u << 20, Error);
    if (!Read)
      return std::nullopt;
    Text = *Read;
    Name = Run.ConfigFile;
  } else if (Text.empty()) {
    return std::nullopt;
  }
  ConfigurationRead Read = parseConfiguration(Text, Name, Here, Checks);
  Error = std::move(Read.Error);
  return std::move(Read.Value);
}

static std::string folderOf(const std::string &File) {
  return std::filesystem::path(File).parent_path().string();
}

/// Leaves out what is excluded, and notes how much that is.
static void dropExcluded(Options &Run, Configurations &All,
                         const std::string &Here) {
  const std::size_t Before = Run.Files.size();
  Configuration Wished;
  Wished.Exclude = Run.Exclude;
  Wished.Folder = Here;
  std::erase_if(Run.Files, [&](const ProjectFile &Each) {
    const std::string File = absoluteName(Here, Each.Name);
    return !isReadOnce(Each.Name) &&
           (All.of(folderOf(File)).excludes(File) || Wished.excludes(File));
  });
  if (const std::size_t Gone = Before - Run.Files.size())
    Run.Notes.push_back(fmt::format("note: {} left out, as {} excluded",
                                    countOf(Gone, "file"),
                                    Gone == 1 ? "it is" : "they are"));
}

/// Finds the files and how they are compiled. Returns why there are none.
static std::optional<std::string> findFiles(Options &Run,
                                            const std::string &Here) {
  Project Found =
      findProject({.Inputs = Run.Inputs,
                   .Build = Run.Build,
                   .IsGiven = Run.HasCompilerArguments && Run.Build.empty(),
                   .Here = Here});
  if (!Found.Error.empty())
    return Found.Error;
  Run.Files = std::move(Found.Files);
  // What the user adds comes last, and so counts.
  for (ProjectFile &Each : Run.Files)
    Each.Arguments.insert(Each.Arguments.end(), Run.CompilerArguments.begin(),
                          Run.CompilerArguments.end());
  Run.Notes.insert(Run.Notes.end(), Found.Notes.begin(), Found.Notes.end());
  if (Run.ExplainAll)
    for (const std::string &Each : Found.Details)
      Run.Notes.push_back("note: " + Each);
  if (Run.CudaPath.empty())
    Run.CudaPath = Run.Resources.CudaPath = Found.CudaPath;
  if (Run.HasGpus || Found.Architectures.empty())
    return std::nullopt;
  const std::vector<std::string> Added =
      translateArguments(Run.CompilerArguments).Architectures;
  chooseGpus(Added.empty() ? Found.Architectures : Added, Run);
  for (const Target &Gpu : Run.Gpus)
    if (std::string Why = whyImpossible(Run.Shapes, Gpu); !Why.empty())
      return Why;
  return std::nullopt;
}

/// What is left of the command line to be read, and what is read but once.
/// Returns what is wrong with it.
static std::optional<std::string> prepare(Options &Run, Configurations &All) {
  std::error_code Gone;
  const std::filesystem::path Here = std::filesystem::current_path(Gone);
  if (Here.empty())
    return fmt::format("the working folder cannot be found: {}; change to one "
                       "that exists",
                       Gone.message());
  if (std::optional<std::string> Why = readCompilerArguments(Run))
    return Why;
  if (!Run.LaunchesFrom.empty()) {
    LaunchListRead Read = readLaunchList(Run.LaunchesFrom);
    if (!Read.Error.empty())
      return "--launches-from: " + Read.Error;
    Run.Listed = std::move(Read.Value);
  }
  configure(All.of(Here.string()), Run);
  if (!All.error().empty())
    return All.error();
  if (std::optional<std::string> Why = findFiles(Run, Here.string()))
    return Why;
  dropExcluded(Run, All, Here.string());
  readPipes(Run);
  return std::nullopt;
}

/// Which checks each file wants. Returns what is wrong with them.
static std::optional<std::string>
addSettings(const Options &Run, Configurations &All, FileSettings &Settings) {
  const std::string Here = std::filesystem::current_path().string();
  for (const ProjectFile &Each : Run.Files) {
    const std::string File = absoluteName(Here, Each.Name);
    std::string Error =
        Settings.add(Each.Name, File, All.of(folderOf(File)), Run.Checks);
    if (!Error.empty())
      return "--checks: " + Error;
  }
  if (!All.error().empty())
    return All.error();
  return std::nullopt;
}

/// What holds for the first file, or here.
static int dumpConfig(const Options &Run, Configurations &All) {
  const std::string Here = std::filesystem::current_path().string();
  Configuration Its = All.of(
      Run.Files.empty() ? Here
                        : folderOf(absoluteName(Here, Run.Files.front().Name)));
  if (!Run.Checks.empty())
    Its.Checks += (Its.Checks.empty() ? "" : ",") + Run.Checks;
  if (Its.FailOn.empty() || Run.HasFailOn)
    Its.FailOn = Run.FailOn ? nameOf(*Run.FailOn) : "never";
  if (Run.MinOccupancy)
    Its.MinOccupancy = fmt::format("{:.0f}", 100 * *Run.MinOccupancy);
  Its.Gpus.clear();
  for (const Target &Gpu : Run.Gpus)
    Its.Gpus.push_back(Gpu.Name);
  Its.InheritsParent = false;
  return print(dumpConfiguration(Its));
}

static std::vector<std::string>
namesOf(const std::vector<std::unique_ptr<Check>> &Checks) {
  std::vector<std::string> Names;
  for (const std::unique_ptr<Check> &Each : Checks)
    Names.emplace_back(Each->info().Name);
  return Names;
}

/// What --diff means; nothing without it.
static std::optional<ChangedLines> changesOf(const Options &Run) {
  if (Run.Diff.empty())
    return std::nullopt;
  if (Run.Diff != "-")
    return changedSince(Run.Diff);
  constexpr std::uint64_t MostBytes = 256u << 20;
  std::string Text;
  if (std::optional<std::string> Why = readInput(
          "-", MostBytes, [&](std::string_view Part) { Text += Part; })) {
    ChangedLines Result;
    Result.Error = "standard input: " + *Why;
    return Result;
  }
  return parseDiff(Text);
}

/// Of a run over all that has changed: its CUDA files. A header may be
/// anybody's: then it stays the whole build.
static void takeChanged(const ChangedLines &Changes, const std::string &Here,
                        Options &Run) {
  const std::vector<std::string> Sources = changedSources(Changes, Here);
  if (!changesHeaders(Changes) || !findCompileDatabase(Here))
    Run.Inputs = Sources;
}

/// Takes out what is in headers of which the name does not match.
static void keepHeaders(std::span<Document> Documents,
                        const std::string &Filter) {
  if (Filter.empty())
    return;
  const llvm::Regex Wanted(Filter);
  for (Document &Doc : Documents)
    for (UnitRecord &Unit : Doc.Units)
      std::erase_if(Unit.Findings, [&](const Finding &F) {
        return !F.Where.File.empty() && F.Where.File != Unit.File &&
               !Wanted.match(F.Where.File);
      });
}

static int lint(Options Run, const std::vector<std::unique_ptr<Check>> &Checks,
                const WorkGuard &Guard) {
  const std::vector<std::string> Names = namesOf(Checks);
  std::error_code Gone;
  const std::string Here = std::filesystem::current_path(Gone).string();
  std::string Error;
  std::optional<Configuration> Forced =
      givenConfiguration(Run, Here, Names, Error);
  if (!Error.empty()) {
    complain(Error);
    return NothingAnalysed;
  }
  Configurations All(Names, std::move(Forced));
  const std::optional<ChangedLines> Changes = changesOf(Run);
  if (Changes && !Changes->Error.empty()) {
    complain("--diff: " + Changes->Error);
    return NothingAnalysed;
  }
  if (Changes && Run.Inputs.empty() && Run.Build.empty()) {
    takeChanged(*Changes, Here, Run);
    if (Run.Inputs.empty() && !changesHeaders(*Changes)) {
      fmt::print(stderr, "cuda-lint: note: no CUDA file has changed\n");
      return NothingFound;
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
    return dumpConfig(Run, All);
  if (Run.Files.empty()) {
    for (const std::string &Note : Run.Notes)
      fmt::print(stderr, "cuda-lint: {}\n", printable(Note));
    return NothingFound;
  }
  Silencing Silent(Run, repositoryAround(Here), Here, Names);
  if (std::optional<std::string> Fault = Silent.read()) {
    complain(*Fault);
    return NothingAnalysed;
  }
  if (Run.What == Command::Occupancy)
    return analyseAndReport(
        Run, {}, [](std::span<Document>, SourceTexts &) {}, Silent, Guard);
  return analyseAndReport(
      Run, Settings.checks(),
      [&](std::span<Document> Documents, SourceTexts &Sources) {
        Settings.apply(Documents);
        keepHeaders(Documents, Run.HeaderFilter);
        Silent.apply(Documents, Sources);
        if (Changes)
          keepChanged(Documents, *Changes, Here);
      },
      Silent, Guard);
}

int run(const Options &Run, const WorkGuard &Guard) {
  const std::vector<std::unique_ptr<Check>> All = makeChecks();
  switch (Run.What) {
  case Command::ListChecks:
    return print(checkList(All));
  case Command::Explain:
    return explain(All, Run.Argument);
  case Command::WriteCheckPages:
    if (std::optional<std::string> Error = writeCheckPages(All, Run.Argument)) {
      complain(*Error);
      return NothingAnalysed;
    }
    return NothingFound;
  case Command::Occupancy:
  case Command::Analyse:
    return lint(Run, All, Guard);
  }
  return NothingAnalysed;
}

} // namespace cudalint
