//===- runtime/prove/Prover.cpp - Builds and runs both --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/prove/Prover.h"

#include "report/InputFile.h"
#include "report/TerminalText.h"
#include "runtime/join/Comparison.h"
#include "runtime/join/Join.h"
#include "runtime/join/Names.h"
#include "runtime/measure/ProbedRun.h"
#include "runtime/measure/ScratchFolder.h"
#include "runtime/prove/BuiltCopy.h"
#include "runtime/prove/NotedSignals.h"
#include "runtime/prove/ProjectCopy.h"
#include "runtime/prove/ProvedKernels.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <utility>

namespace fs = std::filesystem;

namespace cudalint {

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

namespace {
/// One of the two programs.
struct Side {
  std::string Root;                ///< Of its copy.
  std::string Here;                ///< Where it runs.
  ProofSubject About;              ///< With the names of kernels there.
  std::string Output;              ///< A file, of the last run.
  ProfilesRead Times;              ///< Of the last run.
  std::vector<double> Nanoseconds; ///< Of each run, of the kernels that count.
  ProgramEnd End;
  std::string FirstOutput; ///< A file.
  bool IsSteady = true;    ///< Its output is the same each time.
  std::string Failure;     ///< Why there are no times; or empty.
};
} // namespace

struct Prover::State {
  explicit State(ProveRequest Request) : Request(std::move(Request)) {}

  std::string rootOf(const std::string &Name) const {
    return Scratch.path() + "/" + Name;
  }
  void progress(const std::string &What) const {
    if (Request.OnProgress)
      Request.OnProgress(What);
  }

  ProgramEnd run(const ProgramRun &Run) {
    ProgramEnd End = runProgram(Run);
    if (End.PassedOn)
      NotedSignals::add(End.PassedOn);
    return End;
  }

  std::string build(const std::string &Root, const std::string &What) {
    return buildCopy(Request, Root, What, Scratch.path() + "/build.log",
                     [this](const ProgramRun &Run) { return run(Run); });
  }
  ProbedEnd probe(const Side &Its, Purpose What, ProfilesRead &Read);
  void runOnce(Side &Its, const std::string &Mark);
  void judgeResults(Side &Before, Side &After, Proof &Result);
  void count(const Side &Its, std::span<const Document> Predicted,
             std::optional<double> &Total, std::optional<double> &Counted,
             Proof &Result);
  void measure(const FixToProve &Fix, Proof &Result);

  ProveRequest Request;
  NotedSignals Noted;
  ScratchFolder Scratch;
  std::string Gpu;
  ProjectFiles Before; ///< As prepare() found the project.
};

Prover::Prover(ProveRequest Request)
    : S(std::make_unique<State>(std::move(Request))) {}
Prover::~Prover() = default;
int Prover::signal() const { return NotedSignals::last(); }
const std::string &Prover::gpu() const { return S->Gpu; }

std::string Prover::changedFile() const {
  const ProjectFiles Now = filesOfProject(S->Request.Project);
  // The folder for temporary files may be one of the project.
  const std::string Ours = fs::path(S->Scratch.path())
                               .lexically_relative(S->Request.Project)
                               .string();
  for (const auto &[Name, State] : Now)
    if (const auto Old = S->Before.find(Name);
        !Name.starts_with(Ours + "/") &&
        (Old == S->Before.end() || Old->second != State))
      return Name;
  for (const auto &[Name, State] : S->Before)
    if (!Now.contains(Name))
      return Name;
  return {};
}

std::string Prover::prepare() {
  if (!S->Scratch.error().empty())
    return S->Scratch.error();
  const std::string Root = S->rootOf("before");
  S->Before = filesOfProject(S->Request.Project);
  if (std::string Why = copyEdited(S->Request, Root, {}); !Why.empty())
    return Why;
  if (std::string Why = S->build(Root, "the project as it is"); !Why.empty())
    return Why;
  std::error_code None;
  if (const std::string Program = programIn(S->Request, Root);
      !Program.empty() && !fs::exists(Program, None))
    return fmt::format("the build has not made '{}'; what it needs to be built "
                       "goes behind --build",
                       printable(S->Request.Program[0]));
  return {};
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// What all launches of the kernels took; nothing where one has no time.
static std::optional<double> timeOf(std::span<const Profile> Profiles,
                                    const ProofSubject &About) {
  double Sum = 0;
  bool IsKnown = false;
  for (const KernelTotals &Kernel : totals(Profiles)) {
    if (!counts(About, Kernel.Name) || Kernel.Launches == 0)
      continue;
    if (!Kernel.AllTime)
      return std::nullopt;
    Sum += *Kernel.AllTime;
    IsKnown = true;
  }
  return IsKnown ? std::optional<double>(Sum) : std::nullopt;
}

static bool haveSameBytes(const std::string &A, const std::string &B) {
  std::string Why;
  const std::optional<std::string> First = readWholeFile(A, MostTextBytes, Why);
  return First && First == readWholeFile(B, MostTextBytes, Why);
}

/// Whether the file \p Name is machine code: a script may stand for a program.
static bool isMachineCode(const std::string &Name) {
  std::string Why;
  const std::optional<std::string> Text =
      readWholeFile(Name, MostTextBytes, Why);
  return Text && Text->starts_with("\177ELF");
}

static ProgramRun programOf(const ProveRequest &Request, const Side &Its) {
  ProgramRun Run = {.Command = {},
                    .Environment = {},
                    .Timeout = Request.Timeout,
                    .Folder = Its.Here,
                    .Input = "/dev/null",
                    .Output = Its.Output,
                    .Errors = Its.Output + ".err"};
  for (const std::string &Word : Request.Program)
    Run.Command.push_back(moved(Word, Request.Project, Its.Root));
  return Run;
}

/// One run under the probe, the output of which goes to Its.Output.
ProbedEnd Prover::State::probe(const Side &Its, Purpose What,
                               ProfilesRead &Read) {
  const ScratchFolder Profiles;
  if (!Profiles.error().empty())
    return {.End = {}, .Failure = Profiles.error()};
  ProbedEnd Probed = runProbed({.Program = programOf(Request, Its),
                                .What = What,
                                .Probe = Request.Probe,
                                .Cupti = Request.Cupti,
                                // Totals are to be equal, not about equal.
                                .AllLaunches = true},
                               Profiles.path(), Read);
  if (Probed.End.PassedOn)
    NotedSignals::add(Probed.End.PassedOn);
  return Probed;
}

void Prover::State::runOnce(Side &Its, const std::string &Mark) {
  Its.Output = Its.Root + "." + Mark;
  Its.Times = {};
  const ProbedEnd Probed = probe(Its, Purpose::Time, Its.Times);
  Its.End = Probed.End;
  if (!Probed.Failure.empty())
    Its.Failure = Probed.Failure;
  else if (const auto Time = timeOf(Its.Times.Profiles, Its.About))
    Its.Nanoseconds.push_back(*Time);
  else
    Its.Failure = Its.About.Kernels.empty()
                      ? "no kernel ran whose time is known"
                      : "none of its kernels ran, or their times are not known";
  for (const Profile &Each : Its.Times.Profiles)
    for (const ProfileDevice &Device : Each.Devices)
      if (Gpu.empty())
        Gpu = Device.Name;
  if (Its.FirstOutput.empty())
    Its.FirstOutput = Its.Output;
  else if (!haveSameBytes(Its.FirstOutput, Its.Output))
    Its.IsSteady = false;
}

void Prover::State::judgeResults(Side &Before, Side &After, Proof &Result) {
  Result.Results = ResultsKind::Unknown;
  if (!Before.End.isSuccess()) {
    Result.ResultsWhy =
        fmt::format("the program {} without the fix", describe(Before.End));
    return;
  }
  if (!After.End.isSuccess()) {
    Result.Results = ResultsKind::Differ;
    Result.ResultsWhy =
        fmt::format("the program {} with the fix{}", describe(After.End),
                    tailOf(After.Output + ".err"));
    return;
  }
  if (!Request.CompareWith.empty()) {
    const ProgramEnd End =
        run({.Command = {Request.CompareWith, Before.FirstOutput,
                         After.FirstOutput},
             .Environment = {{"CUDA_LINT_BEFORE", Before.Here},
                             {"CUDA_LINT_AFTER", After.Here}},
             .Timeout = Request.Timeout,
             .Folder = Request.Here,
             .Input = "/dev/null",
             .Output = Scratch.path() + "/compare.log",
             .Errors = Scratch.path() + "/compare.log"});
    if (!End.NotStarted.empty() || End.Signal || End.TimedOut) {
      Result.ResultsWhy =
          End.NotStarted.empty()
              ? fmt::format("'{}' {}", printable(Request.CompareWith),
                            describe(End))
              : End.NotStarted;
      return;
    }
    Result.Results = End.Code == 0 ? ResultsKind::Equal : ResultsKind::Differ;
    Result.ResultsWhy = fmt::format(
        "'{}' {}{}", printable(Request.CompareWith), describe(End),
        End.Code == 0 ? "" : tailOf(Scratch.path() + "/compare.log"));
    return;
  }
  if (!Before.IsSteady) {
    Result.ResultsWhy = "its output is another in each run; --compare-with "
                        "PROGRAM can judge it";
    return;
  }
  const bool IsEqual =
      After.IsSteady && haveSameBytes(Before.FirstOutput, After.FirstOutput);
  Result.Results = IsEqual ? ResultsKind::Equal : ResultsKind::Differ;
  Result.ResultsWhy =
      IsEqual ? "exit code and output" : "the output is another";
}

/// Runs it once more for its counters.
void Prover::State::count(const Side &Its, std::span<const Document> Predicted,
                          std::optional<double> &Total,
                          std::optional<double> &Counted, Proof &Result) {
  ProfilesRead Read;
  Side Now = Its;
  Now.Output = Its.Root + ".counted";
  const ProbedEnd Probed = probe(Now, Purpose::Counters, Read);
  if (!Probed.End.isSuccess() || !Probed.Failure.empty())
    return;
  const JoinResult Joined = join(Predicted, merge(Read.Profiles), Tolerance());
  double Sum = 0, Predictions = 0;
  bool IsKnown = Joined.HasCounters, IsPredicted = true, IsAny = false;
  for (const GpuVerdict &Of : Joined.Gpus)
    for (const LineVerdict &Line : Of.Lines) {
      if (!counts(Its.About, Line.Kernel))
        continue;
      Result.Confirmed += Line.Kind == VerdictKind::Confirmed;
      Result.Refuted += Line.Kind == VerdictKind::Refuted;
      if (Line.Unit != Its.About.Unit)
        continue;
      IsAny = true;
      IsKnown &= Line.Total.has_value();
      Sum += static_cast<double>(Line.Total.value_or(0));
      IsPredicted &= Line.PredictedTotal.has_value();
      Predictions += Line.PredictedTotal.value_or(0);
    }
  if (IsAny && IsKnown)
    Counted = Sum;
  if (IsAny && IsPredicted)
    Total = Predictions;
}

static ProofVerdict inProof(TimeVerdict Verdict) {
  switch (Verdict) {
  case TimeVerdict::Faster:
    return ProofVerdict::Pays;
  case TimeVerdict::Neutral:
    return ProofVerdict::Neutral;
  case TimeVerdict::Slower:
    return ProofVerdict::Costs;
  case TimeVerdict::Inconclusive:
    break;
  }
  return ProofVerdict::Inconclusive;
}

void Prover::State::measure(const FixToProve &Fix, Proof &Result) {
  Side Before = {.Root = rootOf("before"),
                 .Here = folderIn(Request, rootOf("before")),
                 .About = Fix.About};
  Side After = {.Root = rootOf("after"),
                .Here = folderIn(Request, rootOf("after")),
                .About = subjectAfter(Fix)};
  if (const std::string Program = programIn(Request, Before.Root);
      !Program.empty() && isMachineCode(Program) &&
      haveSameBytes(Program, programIn(Request, After.Root))) {
    Result.Verdict = ProofVerdict::Inconclusive;
    Result.Why = "the build makes the same program with and without the fix: "
                 "the edited file is not in it, or was not compiled again";
    return;
  }
  for (unsigned Pair = 0; Pair != Request.Runs && !NotedSignals::last();
       ++Pair) {
    progress(fmt::format("running {} of {}", Pair + 1, Request.Runs));
    const std::string Mark = Pair == 0 ? "first" : "again";
    // What drifts is not to fall on one of them alone.
    Side *Turns[] = {&Before, &After};
    if (Pair % 2)
      std::swap(Turns[0], Turns[1]);
    for (Side *Each : Turns)
      if (!NotedSignals::last())
        runOnce(*Each, Mark);
    // A pair without one of its times would shift all behind it.
    if (!Before.End.isSuccess() || !After.End.isSuccess() ||
        !Before.Failure.empty() || !After.Failure.empty())
      break;
  }
  if (NotedSignals::last()) {
    Result.Verdict = ProofVerdict::Inconclusive;
    Result.Why = "it was interrupted";
    return;
  }
  judgeResults(Before, After, Result);
  if (Result.Results == ResultsKind::Differ) {
    Result.Verdict = ProofVerdict::Breaks;
    Result.Why = Result.ResultsWhy;
    return;
  }
  Result.Verdict = ProofVerdict::Inconclusive;
  if (!Before.End.isSuccess()) {
    Result.Why = Result.ResultsWhy;
    return;
  }
  progress("counting");
  count(Before, Fix.Before, Result.Predicted.Before, Result.Measured.Before,
        Result);
  count(After, Fix.After, Result.Predicted.After, Result.Measured.After,
        Result);
  if (Before.Failure.empty() && After.Failure.empty())
    Result.Times = compareTimes(Before.Nanoseconds, After.Nanoseconds);
  if (!Result.Times) {
    Result.Why = !Before.Failure.empty()  ? Before.Failure
                 : !After.Failure.empty() ? After.Failure
                                          : "the times are not known";
    return;
  }
  Result.Verdict = inProof(Result.Times->Verdict);
  // Nobody is to be told to apply what may break something.
  if (Result.Results == ResultsKind::Unknown)
    Result.Why = Result.ResultsWhy;
}

//===----------------------------------------------------------------------===//
// One fix
//===----------------------------------------------------------------------===//

Proof Prover::prove(const FixToProve &Fix) {
  Proof Result = {.About = Fix.About, .Analysis = Fix.Analysis};
  Result.Resources = resourcesOf(Fix);
  const std::string Root = S->rootOf("after");
  std::string Why = copyEdited(S->Request, Root, Fix.Texts);
  if (!Why.empty()) {
    Result.Verdict = ProofVerdict::Inconclusive;
  } else {
    Why = S->build(Root, "the edited project");
    Result.IsBuilt = Why.empty();
    if (Result.IsBuilt)
      Why = whyChanged(S->Request, Root, Fix.Texts);
    // An interrupted build says nothing.
    if (!Result.IsBuilt && !NotedSignals::last())
      Result.Verdict = ProofVerdict::Breaks;
    else if (!Why.empty())
      Result.Verdict = ProofVerdict::Inconclusive;
  }
  Result.Why = std::move(Why);
  if (Result.IsBuilt && Result.Why.empty() && !S->Request.Program.empty() &&
      !S->Request.Probe.empty())
    S->measure(Fix, Result);
  // A build or a program that leaves its folder may write there all the same.
  for (const auto &[Name, Text] : Fix.Originals) {
    std::string Unread;
    if (readWholeFile((fs::path(S->Request.Here) / Name).string(),
                      MostTextBytes, Unread) != Text) {
      Result.Verdict = ProofVerdict::Inconclusive;
      Result.Why =
          fmt::format("'{}' itself has changed meanwhile: the build or "
                      "the program writes outside of its folder",
                      printable(Name));
    }
  }
  std::error_code None;
  fs::remove_all(Root, None);
  for (const char *Mark : {"first", "again", "counted"})
    for (const char *Kind : {"", ".err"})
      for (const std::string &Name : {Root, S->rootOf("before")})
        fs::remove(fmt::format("{}.{}{}", Name, Mark, Kind), None);
  return Result;
}

} // namespace cudalint
