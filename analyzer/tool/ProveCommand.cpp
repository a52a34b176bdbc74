//===- analyzer/tool/ProveCommand.cpp - The command prove -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/ProveCommand.h"

#include "analyzer/frontend/Frontend.h"
#include "analyzer/project/Project.h"
#include "analyzer/resources/NvccArguments.h"
#include "analyzer/tool/ExitCodes.h"
#include "analyzer/tool/FixRun.h"
#include "report/OutputFile.h"
#include "report/TerminalText.h"
#include "runtime/measure/Gpu.h"
#include "runtime/measure/ProbedRun.h"
#include "runtime/prove/ProofWriters.h"
#include "runtime/prove/Prover.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace cudalint {

//===----------------------------------------------------------------------===//
// Which fixes
//===----------------------------------------------------------------------===//

/// Whether the user calls \p F so.
static bool isCalled(const Finding &F, const std::string &Name) {
  static constexpr std::size_t LeastDigits = 4;
  if (Name == F.Check ||
      (Name.size() >= LeastDigits && F.Fingerprint.starts_with(Name)))
    return true;
  const std::string Place = fmt::format("{}:{}", F.Where.File, F.Where.Line);
  // Names of files are compared from their ends.
  const auto isEnd = [&](const std::string &Whole) {
    return Whole.ends_with(Name) &&
           (Whole.size() == Name.size() ||
            Whole[Whole.size() - Name.size() - 1] == '/');
  };
  return isEnd(Place) || isEnd(fmt::format("{}:{}", Place, F.Where.Column));
}

/// Indices of \p Offered that are to be proved. What a name does not find is
/// told by \p Why.
static std::vector<std::size_t> chosen(const std::vector<OfferedFix> &Offered,
                                       const std::vector<std::string> &Names,
                                       std::string &Why) {
  const auto isNamed = [&](const OfferedFix &Fix, const std::string &Name) {
    return std::ranges::any_of(Fix.Mends, [&](const FindingPlace &Each) {
      return isCalled(*Each.What, Name);
    });
  };
  for (const std::string &Name : Names)
    if (std::ranges::none_of(Offered, [&](const OfferedFix &Each) {
          return isNamed(Each, Name);
        })) {
      Why = fmt::format("no finding '{}' has a fix that can be written; there "
                        "are {}",
                        printable(Name),
                        Offered.empty() ? "none at all" : "those of");
      for (const OfferedFix &Each : Offered)
        Why += fmt::format("{} {}:{} [{}]", &Each == &Offered[0] ? "" : ",",
                           printable(Each.first().Where.File),
                           Each.first().Where.Line, Each.first().Check);
      return {};
    }
  std::vector<std::size_t> Result;
  for (std::size_t I = 0; I != Offered.size(); ++I)
    if (Names.empty() ||
        std::ranges::any_of(Names, [&](const std::string &Name) {
          return isNamed(Offered[I], Name);
        }))
      Result.push_back(I);
  return Result;
}

static ProofSubject subjectOf(const OfferedFix &Fix) {
  const Finding &F = Fix.first();
  ProofSubject About = {.Where = F.Where,
                        .Check = F.Check,
                        .Description = Fix.What.Description,
                        .Fingerprint = F.Fingerprint,
                        .Kernels = {},
                        .Unit = {}};
  for (const FindingPlace &Each : Fix.Mends) {
    const std::string &Kernel = Each.What->Kernel;
    if (!Kernel.empty() &&
        std::ranges::find(About.Kernels, Kernel) == About.Kernels.end())
      About.Kernels.push_back(Kernel);
  }
  if (F.Predicted && F.Predicted->Metric.starts_with("sectors"))
    About.Unit = TrafficUnit::Sectors;
  if (F.Predicted && F.Predicted->Metric.starts_with("wavefronts"))
    About.Unit = TrafficUnit::Wavefronts;
  return About;
}

//===----------------------------------------------------------------------===//
// How it is built
//===----------------------------------------------------------------------===//

/// nvcc with the flags of the files. What cannot be said is told by \p Why.
static std::vector<std::vector<std::string>> buildOf(const Options &Run,
                                                     std::string &Why) {
  if (!Run.Prove->Build.empty())
    return {Run.Prove->Build};
  const std::vector<std::string> &Program = Run.Prove->Program;
  if (!Program.empty() && Program[0].find('/') == std::string::npos) {
    Why = fmt::format("'{}' is looked for on the PATH, and not built: write "
                      "./{}, or name what builds it by --build",
                      printable(Program[0]), printable(Program[0]));
    return {};
  }
  const ToolkitLookup Toolkit = findToolkit(Run.CudaPath);
  if (Toolkit.Path.empty()) {
    Why = Toolkit.Error;
    return {};
  }
  std::vector<std::vector<std::string>> Result;
  for (const ProjectFile &File : Run.Files) {
    std::vector<std::string> Command = {Toolkit.Path + "/bin/nvcc"};
    const std::vector<std::string> Flags = nvccArguments(File.Arguments);
    Command.insert(Command.end(), Flags.begin(), Flags.end());
    Command.emplace_back("-lineinfo");
    if (File.Architectures.empty() || Run.HasGpus)
      Command.push_back("-arch=" +
                        nvccArchitecture(Run.Gpus.front().Arch->CC, Flags));
    else
      for (const std::string &Each : File.Architectures) {
        const std::string Number = Each.substr(Each.find('_') + 1);
        Command.push_back(
            fmt::format("-gencode=arch=compute_{},code=sm_{}", Number, Number));
      }
    Result.push_back(std::move(Command));
  }
  if (Program.empty()) {
    for (std::size_t I = 0; I != Result.size(); ++I)
      Result[I].insert(Result[I].end(),
                       {"-c", "-o", "/dev/null", Run.Files[I].Name});
    return Result;
  }
  for (const std::vector<std::string> &Each : Result)
    if (Each != Result.front()) {
      Why = "the files have different flags: name what builds the program by "
            "--build";
      return {};
    }
  Result.resize(1);
  for (const ProjectFile &File : Run.Files)
    Result[0].push_back(File.Name);
  Result[0].insert(Result[0].end(), {"-o", Program[0]});
  return Result;
}

/// What to copy, and from where the commands run; both real.
static std::string findFolders(const Options &Run, ProveRequest &Request) {
  std::error_code Code;
  const fs::path Here = fs::current_path(Code);
  Request.Here = fs::weakly_canonical(Here, Code).string();
  const fs::path Given = Run.Prove->Project.empty()
                             ? fs::path(repositoryAround(Here.string()))
                             : fs::absolute(Run.Prove->Project, Code);
  const fs::path Project = fs::canonical(Given, Code);
  if (Code || !fs::is_directory(Project, Code))
    return fmt::format("--project '{}' is no folder",
                       printable(Given.string()));
  Request.Project = Project.string();
  if (Project == Project.root_path())
    return "the project would be all of the file system: name its folder by "
           "--project";
  const fs::path Inside = fs::path(Request.Here).lexically_relative(Project);
  if (Inside.empty() || *Inside.begin() == "..")
    return fmt::format("this folder is not in the project '{}'",
                       printable(Request.Project));
  return {};
}

/// All but the probe. What cannot be said is told by \p Why.
static ProveRequest requestOf(const Options &Run, std::string &Why) {
  const ProveOptions &Prove = *Run.Prove;
  ProveRequest Request;
  Why = findFolders(Run, Request);
  if (Why.empty())
    Request.Build = buildOf(Run, Why);
  Request.Program = Prove.Program;
  Request.CompareWith = Prove.CompareWith;
  Request.Runs = Prove.Runs;
  Request.Timeout = Prove.Timeout;
  Request.BuildTimeout = Prove.BuildTimeout;
  Request.Cupti = Prove.Cupti;
  if (!Run.Quiet && ::isatty(STDERR_FILENO))
    Request.OnProgress = [](const std::string &What) {
      fmt::print(stderr, "cuda-lint: {}\n", What);
    };
  return Request;
}

//===----------------------------------------------------------------------===//
// The command
//===----------------------------------------------------------------------===//

/// Where a file was not analysed, or in part, there may be more fixes.
static int codeOfFiles(std::span<const Document> Documents) {
  bool IsWhole = true, IsAny = false;
  for (const Document &Doc : Documents)
    for (const UnitRecord &Unit : Doc.Units) {
      IsWhole &= Unit.Status == UnitStatus::Ok;
      IsAny |= Unit.Status != UnitStatus::Failed;
    }
  return IsWhole ? NothingFound : IsAny ? SomeNotAnalysed : NothingAnalysed;
}

static int codeOf(const ProofReport &Report, bool IsMeasured) {
  const auto has = [&](ProofVerdict Verdict) {
    return std::ranges::find(Report.Fixes, Verdict, &Proof::Verdict) !=
           Report.Fixes.end();
  };
  if (has(ProofVerdict::Breaks) || has(ProofVerdict::Costs))
    return SomethingFound;
  if (has(ProofVerdict::Inconclusive) ||
      (IsMeasured && has(ProofVerdict::NotMeasured)))
    return SomeNotAnalysed;
  return NothingFound;
}

/// Tries the fix at \p Index on the analysis, and where that bears it out on
/// the machine.
static Proof proveOne(const Options &Run, std::size_t Index,
                      std::span<const Document> Documents,
                      std::chrono::system_clock::time_point Start,
                      const Reanalysis &Again, Prover &Machine) {
  FixRun One(Run, Start);
  One.prove(Documents, Again, Index);
  const ProvedFixes &Tried = One.proved();
  const TriedFix &Fix = Tried.Fixes[Index];
  FixToProve ToProve = {.About = subjectOf(Fix.Offered),
                        .Analysis = Fix.Words,
                        .Texts = Tried.Texts,
                        .Originals = {},
                        .Before = Documents,
                        .After = Tried.After};
  if (Fix.State != FixState::Proved) {
    Proof Result = {.About = ToProve.About, .Analysis = Fix.Words};
    Result.Verdict = ProofVerdict::Refused;
    Result.Why = Fix.Words;
    return Result;
  }
  for (const auto &[File, Text] : Tried.Texts)
    ToProve.Originals[File] = One.textOf(File);
  return Machine.prove(ToProve);
}

static std::string changeInWords(const Prover &Machine) {
  const std::string Changed = Machine.changedFile();
  if (Changed.empty())
    return {};
  return fmt::format("'{}' of the project itself has changed meanwhile: a "
                     "build or a program that writes by a name of its own does "
                     "not stay in the copies",
                     printable(Changed));
}

/// Writes the report; the error, if it could not be written.
static std::optional<std::string> writeProofs(const Options &Run,
                                              const ProofReport &Report) {
  const unsigned Width = Run.Output == "-" ? widthOf(STDOUT_FILENO) : 0;
  return writeOutputFile(
      Run.Output, Run.Prove->AsJson ? proofJson(Report)
                                    : proofText(Report, Width ? Width : 80));
}

int proveAndReport(const Options &Run, std::span<const Document> Documents,
                   std::chrono::system_clock::time_point Start,
                   const Reanalysis &Again) {
  const ProveOptions &Prove = *Run.Prove;
  std::string Why;
  const std::vector<OfferedFix> Offered = offeredFixes(Documents);
  std::vector<std::size_t> Fixes = chosen(Offered, Prove.Fixes, Why);
  ProveRequest Request;
  if (Why.empty())
    Request = requestOf(Run, Why);
  if (!Why.empty()) {
    complain(Why);
    return NothingAnalysed;
  }
  ProofReport Report = {.Fixes = {},
                        .Gpu = {},
                        .Build = Request.Build,
                        .Program = Prove.Program,
                        .Runs = Prove.Runs,
                        .Notes = {}};
  const bool Measures =
      !Prove.Program.empty() && Prove.Measures.value_or(findGpu().has_value());
  if (Measures) {
    Request.Probe = findProbe(Prove.Probe, Why);
    if (!Why.empty()) {
      complain(Why);
      return NothingAnalysed;
    }
  } else if (!Prove.Program.empty()) {
    Report.Notes.emplace_back(Prove.Measures ? "the program was not run: "
                                               "--measure=off"
                                             : "the program was not run: there "
                                               "is no GPU here, or no driver");
  }
  // Each costs a build and many runs.
  static constexpr std::size_t MostFixes = 16;
  if (Fixes.size() > MostFixes) {
    Report.Notes.push_back(fmt::format("{} more fixes are not proved here; "
                                       "--fix chooses",
                                       Fixes.size() - MostFixes));
    Fixes.resize(MostFixes);
  }
  if (Fixes.empty()) {
    if (codeOfFiles(Documents) != NothingAnalysed)
      fmt::print(stderr,
                 "cuda-lint: no finding has a fix that can be written\n");
    return writeOutputFile(Run.Output, Prove.AsJson ? proofJson(Report) : "")
               ? NothingAnalysed
               : codeOfFiles(Documents);
  }
  Prover Machine(std::move(Request));
  const std::string Failure = Machine.prepare();
  if (!Failure.empty()) {
    complain(Failure);
    if (const std::string Changed = changeInWords(Machine); !Changed.empty())
      complain(Changed);
    return SomeNotAnalysed;
  }
  for (const std::size_t Index : Fixes) {
    if (Machine.signal() != 0)
      break;
    Report.Fixes.push_back(
        proveOne(Run, Index, Documents, Start, Again, Machine));
  }
  Report.Gpu = Machine.gpu();
  if (const std::string Changed = changeInWords(Machine); !Changed.empty())
    Report.Notes.push_back(Changed);
  if (std::optional<std::string> Error = writeProofs(Run, Report)) {
    complain(*Error);
    return NothingAnalysed;
  }
  if (Machine.signal() != 0)
    return 128 + Machine.signal();
  const int Code = codeOf(Report, Measures);
  return Code == NothingFound ? codeOfFiles(Documents) : Code;
}

} // namespace cudalint
