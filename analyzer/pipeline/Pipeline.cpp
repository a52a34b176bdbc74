//===- analyzer/pipeline/Pipeline.cpp - All files of a run ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/Pipeline.h"

#include "analyzer/pipeline/Compilation.h"
#include "analyzer/pipeline/HostFiles.h"
#include "analyzer/pipeline/LaunchAssignment.h"
#include "analyzer/pipeline/MissingHeaders.h"
#include "analyzer/pipeline/Trials.h"
#include "analyzer/pipeline/UnitAnalysis.h"
#include "analyzer/pipeline/UnusedNames.h"
#include "report/DocumentOrder.h"
#include "report/FindingGroups.h"
#include "report/Fingerprint.h"
#include "report/Names.h"
#include "report/Ranking.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <llvm/ADT/ScopeExit.h>
#include <llvm/Support/ThreadPool.h>
#include <map>
#include <mutex>
#include <set>

namespace cudalint {

static UnitOptions unitOptions(const AnalysisRequest &Run,
                               std::vector<Target> Gpus) {
  UnitOptions Result;
  static_cast<AnalysisSettings &>(Result) = Run;
  Result.Frontend.CudaPath = Run.CudaPath;
  Result.Frontend.Added = Run.Added;
  Result.Frontend.Arch = Gpus.front().Arch;
  Result.Frontend.UseColour = Run.UseColour;
  Result.Frontend.Width = Run.Width;
  Result.Gpus = std::move(Gpus);
  Result.HasOneFile = Run.Jobs.size() + Run.HostJobs.size() == 1;
  return Result;
}

/// Each compute capability of the targets once.
static std::vector<ComputeCapability> capabilities(const AnalysisRequest &Run) {
  std::vector<ComputeCapability> Result;
  for (const Target &Gpu : Run.Gpus)
    if (std::ranges::find(Result, Gpu.Arch->CC) == Result.end())
      Result.push_back(Gpu.Arch->CC);
  return Result;
}

/// The targets, by their indexes, in groups for each of which a file is parsed:
/// device code asks for the architecture, and host code for the SMs as well.
static std::vector<std::vector<std::size_t>>
alikeOnHost(std::span<const Target> Gpus) {
  std::vector<std::vector<std::size_t>> Groups;
  for (std::size_t I = 0; I != Gpus.size(); ++I) {
    const auto Its = std::ranges::find_if(Groups, [&](const auto &Group) {
      const Target &First = Gpus[Group.front()];
      return First.Arch == Gpus[I].Arch && First.SMs == Gpus[I].SMs;
    });
    if (Its == Groups.end())
      Groups.push_back({I});
    else
      Its->push_back(I);
  }
  return Groups;
}

/// Runs `Work(0)` to `Work(Count - 1)`, several at a time.
static void forEach(std::size_t Count, unsigned Jobs,
                    const std::function<void(std::size_t)> &Work) {
  if (Count == 1 || Jobs == 1) {
    for (std::size_t I = 0; I != Count; ++I)
      Work(I);
    return;
  }
  llvm::DefaultThreadPool Pool(llvm::hardware_concurrency(Jobs));
  for (std::size_t I = 0; I != Count; ++I)
    Pool.async([&Work, I] { Work(I); });
  Pool.wait();
}

namespace {
/// Counts what is done of a run: each file is parsed for each group of targets,
/// and evaluated for each of them.
class Progress {
public:
  Progress(const AnalysisRequest &Run, std::size_t Groups)
      : Run(Run),
        All(static_cast<double>(Run.Jobs.size() * (Groups + Run.Gpus.size()))) {
  }

  void add(std::size_t Job) {
    if (!Run.OnProgress)
      return;
    const std::lock_guard Lock(Mutex);
    Run.OnProgress(++Done / All, Run.Jobs[Job].File);
  }

private:
  const AnalysisRequest &Run;
  double All, Done = 0;
  std::mutex Mutex;
};
} // namespace

static ParsedUnit parseGuarded(const CompileJob &Job,
                               const UnitOptions &Analysis,
                               const WholeProgram *Program) {
  // What a crash leaves behind is not touched again, but for the words.
  auto *Unit = new ParsedUnit;
  auto Progress = std::make_unique<ParseProgress>();
  if (Analysis.Guard->runFile(
          [&] { *Unit = parseUnit(Job, Analysis, *Progress, Program); })) {
    ParsedUnit Result = std::move(*Unit);
    delete Unit;
    return Result;
  }
  if (Progress->At != ParseProgress::Step::Clang)
    return ParsedUnit::failed(
        Job.File, Analysis.Guard->crashed("the analysis of this file"),
        ErrorKind::Parse);
  const std::string Excuse = Analysis.Guard->excuse();
  if (!Progress->Stopped.empty())
    return ParsedUnit::unreadable(Job.File, Progress->Stopped);
  if (!Excuse.empty())
    return ParsedUnit::unreadable(Job.File, "cannot be parsed: " + Excuse);
  return ParsedUnit::unreadable(
      Job.File,
      "made Clang crash; see whether 'clang++ -fsyntax-only' parses it, and "
      "lint the other files without it",
      ErrorKind::Parse);
}

namespace {
/// All files of a run, in the order of its jobs.
struct ParsedFiles {
  explicit ParsedFiles(std::size_t Count) : Units(Count), Indexes(Count) {}

  void set(std::size_t I, ParsedUnit Unit) {
    Indexes[I] = std::move(Unit.Index);
    Units[I] = std::move(Unit);
  }

  std::vector<ParsedUnit> Units;
  std::vector<UnitIndex> Indexes;
  std::vector<UnitIndex> Host; ///< Of files that are not analysed.
  /// What could not be read of those, in words for the user.
  std::vector<std::string> HostNotes;
};
} // namespace

/// Whether a file may have other launches once \p Program is known.
static bool dependsOn(const WholeProgram &Program, const UnitIndex &File) {
  return std::ranges::any_of(File.UnknownPlaces,
                             [&](const std::string &Place) {
                               return Program.Values.contains(Place) ||
                                      Program.Moved.contains(Place);
                             }) ||
         std::ranges::any_of(File.Launchers, [&](const std::string &Name) {
           return Program.Calls.contains(Name);
         });
}

/// Files whose launches may depend on what other files store are parsed again
/// when all have been read: to keep the syntax trees of all would take more
/// memory than there may be.
static void parseWithProgram(const AnalysisRequest &Run,
                             const UnitOptions &Analysis, ParsedFiles &Files) {
  std::vector<const ProgramFacts *> Facts;
  for (const std::vector<UnitIndex> *Of : {&Files.Indexes, &Files.Host})
    for (const UnitIndex &File : *Of)
      Facts.push_back(&File.Program);
  const WholeProgram Program = wholeProgram(Facts);
  forEach(Run.Jobs.size(), Run.Threads, [&](std::size_t I) {
    if (dependsOn(Program, Files.Indexes[I]))
      Files.set(I, parseGuarded(Run.Jobs[I], Analysis, &Program));
  });
}

/// What is not known of a C++ file, whose findings are nobody's.
static std::string unreadCaller(const std::string &File,
                                const ErrorRecord &First) {
  return fmt::format(
      "cuda-lint: note: '{}' calls functions that launch kernels, and not all "
      "of it could be read: {}{}; what it passes may be missing",
      File,
      First.Where.Line
          ? fmt::format("{}:{}: ", First.Where.File, First.Where.Line)
          : "",
      First.Message);
}

/// Those of the host's files that call what the launches hang by: what they say
/// to others is all that is kept of them.
static void parseHost(const AnalysisRequest &Run, const UnitOptions &Analysis,
                      ParsedFiles &Files) {
  if (Run.HostJobs.empty())
    return;
  const std::vector<std::size_t> Callers =
      callersAmong(Run.HostJobs, launchingFunctions(Files.Indexes));
  Files.Host.resize(Callers.size());
  UnitOptions Quiet = Analysis;
  Quiet.Checks.clear();
  std::vector<std::string> Notes(Callers.size());
  forEach(Callers.size(), Run.Threads, [&](std::size_t I) {
    ParsedUnit Unit =
        parseGuarded(Run.HostJobs[Callers[I]], Quiet, /*Program=*/nullptr);
    if (!Unit.Errors.empty())
      Notes[I] =
          unreadCaller(Run.HostJobs[Callers[I]].File, Unit.Errors.front());
    Files.Host[I] = std::move(Unit.Index);
  });
  std::erase(Notes, "");
  Files.HostNotes = std::move(Notes);
}

/// Calls \p OnParsed with each file as soon as it has been read.
static ParsedFiles
parseAll(const AnalysisRequest &Run, const UnitOptions &Analysis,
         const std::function<void(std::size_t, const ParsedUnit &)> &OnParsed) {
  ParsedFiles Files(Run.Jobs.size());
  forEach(Run.Jobs.size(), Run.Threads, [&](std::size_t I) {
    auto Why = Run.Unreadable.find(Run.Jobs[I].File);
    Files.set(I, Why != Run.Unreadable.end()
                     ? ParsedUnit::unreadable(Why->first, Why->second)
                     : parseGuarded(Run.Jobs[I], Analysis,
                                    /*Program=*/nullptr));
    OnParsed(I, Files.Units[I]);
  });
  parseHost(Run, Analysis, Files);
  if (Run.Jobs.size() + Files.Host.size() > 1)
    parseWithProgram(Run, Analysis, Files);
  return Files;
}

static std::vector<UnitResult> evaluateAll(const ParsedFiles &Files,
                                           const AnalysisRequest &Run,
                                           const UnitOptions &Analysis,
                                           std::size_t Gpu, Progress &Done) {
  std::vector<UnitResult> Results(Run.Jobs.size());
  forEach(Results.size(), Run.Threads, [&](std::size_t I) {
    const llvm::scope_exit Count([&] { Done.add(I); });
    auto *Result = new UnitResult;
    if (Analysis.Guard->runFile([&] {
          *Result =
              evaluateUnit(Files.Units[I], Files.Indexes, I, Analysis, Gpu);
        })) {
      Results[I] = std::move(*Result);
      delete Result;
      return;
    }
    UnitRecord &Record = Results[I].Record;
    Record.File = Files.Indexes[I].File;
    Record.Status = UnitStatus::Failed;
    Record.Errors.push_back(
        {.Where = {.File = Record.File},
         .Message = Analysis.Guard->crashed("the evaluation of this file"),
         .Kind = ErrorKind::Evaluation});
  });
  return Results;
}

/// Nothing where the check could find all in the whole document.
static std::optional<SkippedCheck> skipped(const CheckInfo &Info,
                                           const Document &Doc) {
  if (factsOf(Info.ConfirmedBy).NeedsSMs && !Doc.Target.SMs)
    return SkippedCheck{
        .Name = std::string(Info.Name),
        .Why = fmt::format("needs the SMs of a product, such as --gpu h200, "
                           "not '{}'",
                           Doc.Target.Name)};
  if (Info.NeedsHeaders && MissingHeaders::areIn(Doc))
    return SkippedCheck{.Name = std::string(Info.Name),
                        .InPart = true,
                        .Why = "needs the header that is missing"};
  if (!Info.NeedsResources)
    return std::nullopt;
  bool HasKernels = false;
  for (const UnitRecord &Unit : Doc.Units)
    for (const KernelRecord &Kernel : Unit.Kernels) {
      if (Kernel.Resources)
        return std::nullopt;
      HasKernels = true;
    }
  if (!HasKernels)
    return std::nullopt;
  return SkippedCheck{.Name = std::string(Info.Name),
                      .InPart = true,
                      .Why = "needs the compiler's figures: of nvcc, or of "
                             "--ptxas-log"};
}

static Document documentOf(const Target &Gpu,
                           std::span<const Check *const> Checks,
                           std::vector<UnitResult> &Results) {
  Document Doc;
  Doc.ToolVersion = CUDA_LINT_VERSION;
  Doc.Target = {.Name = Gpu.Name,
                .ComputeCapability = toString(Gpu.Arch->CC),
                .SMs = Gpu.SMs};
  for (const Check *Each : Checks)
    Doc.Rules.push_back(ruleOf(Each->info()));
  for (UnitResult &Result : Results)
    Doc.Units.push_back(std::move(Result.Record));
  for (const Check *Each : Checks)
    if (std::optional<SkippedCheck> Skipped = skipped(Each->info(), Doc))
      Doc.Skipped.push_back(std::move(*Skipped));
  sortDocument(Doc);
  addFingerprints(Doc);
  addWaste(Doc);
  return Doc;
}

/// Joins the list of the user, which may be none, with the kernels of all
/// files.
static LaunchAssignment assignListed(const AnalysisRequest &Run,
                                     std::span<const UnitIndex> Files) {
  if (!Run.Listed)
    return {};
  std::vector<KernelDeclaration> Kernels;
  for (const UnitIndex &File : Files)
    std::ranges::copy(File.Kernels, std::back_inserter(Kernels));
  return assignLaunches(*Run.Listed, Kernels);
}

/// Whose launches are not those of the source, and what a name was taken for.
static void noteListed(const LaunchAssignment &Listed,
                       std::span<const UnitIndex> Files,
                       AnalysisResult &Result) {
  static constexpr std::size_t MostNames = 4;
  std::vector<std::string> Names;
  for (const UnitIndex &File : Files)
    for (const KernelDeclaration &Kernel : File.Kernels)
      if (std::string Name(withoutParameters(Kernel.Signature));
          Listed.Kernels.contains(Kernel.Name) &&
          std::ranges::find(Names, Name) == Names.end())
        Names.push_back(std::move(Name));
  if (Names.empty()) {
    Result.Notes.push_back(fmt::format(
        "cuda-lint: warning: '{}' holds no launch of any kernel in the files: "
        "they keep those of the source",
        Listed.File));
    return;
  }
  std::string More;
  if (Names.size() > MostNames)
    More = fmt::format(" and {} more", Names.size() - MostNames);
  Names.resize(std::min(Names.size(), MostNames));
  Result.Notes.push_back(fmt::format("cuda-lint: note: the launches of {}{} "
                                     "are those of '{}', not of the source",
                                     fmt::join(Names, ", "), More,
                                     Listed.File));
  for (const std::string &Note : Listed.Notes)
    Result.Notes.push_back("cuda-lint: note: " + Note);
}

/// A folder that the environment names and that holds no toolkit: most likely
/// misspelt, or of a version that is gone.
static void noteToolkit(const AnalysisRequest &Run, AnalysisResult &Result) {
  const bool NeedsHeaders =
      std::ranges::any_of(Run.Jobs, [](const CompileJob &Job) {
        return std::ranges::find(Job.Arguments, "-nocudainc") ==
               Job.Arguments.end();
      });
  if (!NeedsHeaders && !Run.Resources)
    return;
  // Where there is none at all, that is an error of each file.
  ToolkitLookup Toolkit = findToolkit(Run.CudaPath);
  if (!Toolkit.Path.empty() && !Toolkit.Note.empty())
    Result.Notes.push_back("cuda-lint: warning: " + Toolkit.Note);
}

AnalysisResult analyse(const AnalysisRequest &Run) {
  AnalysisResult Result;
  const ResourceFinder *Resources = Run.Resources;
  noteToolkit(Run, Result);
  std::optional<Compilation> Compiler;
  if (Resources && Resources->needsCompilation())
    Compiler.emplace(*Resources, Run.Jobs, capabilities(Run), Run.Threads);
  Result.Documents.resize(Run.Gpus.size());
  // The same words for several targets or files are said once.
  std::set<std::string> Said;
  MissingHeaders Headers;
  const std::vector<std::vector<std::size_t>> Groups = alikeOnHost(Run.Gpus);
  /// Parses of each file for which nothing has to be compiled.
  std::vector<std::size_t> Needless(Run.Jobs.size());
  Progress Done(Run, Groups.size());
  for (const std::vector<std::size_t> &Group : Groups) {
    std::vector<Target> Gpus;
    for (std::size_t I : Group)
      Gpus.push_back(Run.Gpus[I]);
    UnitOptions Analysis = unitOptions(Run, Gpus);
    if (Compiler) {
      Analysis.Compiled = [&](std::size_t I) { return &Compiler->of(I); };
      Analysis.Tried = trials(Run.Checks, *Resources, Run.Jobs);
    }
    const ParsedFiles Files =
        parseAll(Run, Analysis, [&](std::size_t I, const ParsedUnit &Unit) {
          Done.add(I);
          if (!Unit.NeedsCompiler && ++Needless[I] == Groups.size() && Compiler)
            Compiler->drop(I);
        });
    for (const ParsedUnit &Unit : Files.Units)
      if (Said.insert(Unit.Diagnostics).second && Headers.isNews(Unit))
        Result.Diagnostics += Unit.Diagnostics;
    for (const std::string &Note : Files.HostNotes)
      if (Said.insert(Note).second)
        Result.Notes.push_back(Note);
    const LaunchAssignment Listed = assignListed(Run, Files.Indexes);
    if (!Listed.Error.empty()) {
      Result.Error = "--launches-from: " + Listed.Error;
      return Result;
    }
    Analysis.Listed = &Listed;
    if (&Group == &Groups.front()) {
      noteUnusedNames(Run, Files.Indexes, Listed, Result.Notes);
      if (Run.Listed)
        noteListed(Listed, Files.Indexes, Result);
    }
    for (std::size_t I = 0; I != Gpus.size(); ++I) {
      std::vector<UnitResult> Evaluated =
          evaluateAll(Files, Run, Analysis, I, Done);
      for (UnitResult &Each : Evaluated) {
        for (std::string &Note : Each.Notes)
          if (!MissingHeaders::areMeantBy(Note, Each) &&
              Said.insert(Note).second)
            Result.Notes.push_back(std::move(Note));
        Result.Explanations += Each.Explanations;
      }
      Result.Documents[Group[I]] = documentOf(Gpus[I], Run.Checks, Evaluated);
    }
  }
  if (std::string Note = Headers.note(); !Note.empty())
    Result.Notes.insert(Result.Notes.begin(), std::move(Note));
  if (Run.OnFindings)
    Run.OnFindings(Result.Documents);
  addGroups(Result.Documents);
  return Result;
}

} // namespace cudalint
