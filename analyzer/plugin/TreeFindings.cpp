//===- analyzer/plugin/TreeFindings.cpp - Within a compiler ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/plugin/TreeFindings.h"

#include "analyzer/fix/ProvedFixes.h"
#include "analyzer/pipeline/CheckSelection.h"
#include "analyzer/pipeline/Pipeline.h"
#include "hardware/UnknownTarget.h"
#include "report/InputFile.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/TargetInfo.h"
#include "clang/Basic/TargetOptions.h"
#include "llvm/Support/CrashRecoveryContext.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

using namespace clang;

namespace cudalint {

namespace {
/// A crash of ours is none of the compiler's.
class PluginGuard final : public WorkGuard {
public:
  PluginGuard() { llvm::CrashRecoveryContext::Enable(); }
  bool runFile(const Work &Do) const override {
    bool Survived = false;
    llvm::CrashRecoveryContext Outer;
    Outer.RunSafelyOnThread([&] { Survived = runPart(Do); },
                            stackForDeepSource());
    return Survived;
  }
  bool runPart(const Work &Do) const override {
    llvm::CrashRecoveryContext Context;
    return Context.RunSafely(Do);
  }
};
} // namespace

/// The target of \p Wished or, without, that of the tree.
static std::optional<Target>
targetOf(const ASTContext &AST, const std::string &Wished, std::string &Error) {
  const std::string &Compiled = AST.getTargetInfo().getTargetOpts().CPU;
  const std::optional<Target> Own = parseTarget(Compiled);
  if (Wished.empty()) {
    if (!Own)
      Error = fmt::format("'{}' is no GPU that is known", Compiled);
    return Own;
  }
  std::optional<Target> Result = parseTarget(Wished);
  if (!Result) {
    Error = fmt::format("'{}' is no GPU that is known", Wished);
  } else if (Own && Own->Arch->CC != Result->Arch->CC) {
    Error = fmt::format("'{}' has compute capability {}, and this is compiled "
                        "for {}",
                        Wished, toString(Result->Arch->CC), Compiled);
    return std::nullopt;
  }
  return Result;
}

bool isCompiledFor(const ASTContext &AST, const std::string &Gpu) {
  const std::optional<Target> Own = parseTarget(
                                  AST.getTargetInfo().getTargetOpts().CPU),
                              Wished = parseTarget(Gpu);
  return !Own || !Wished || Own->Arch->CC == Wished->Arch->CC;
}

static std::string mainFileOf(const ASTContext &AST) {
  const SourceManager &Sources = AST.getSourceManager();
  const OptionalFileEntryRef Main =
      Sources.getFileEntryRefForID(Sources.getMainFileID());
  return Main ? Main->getName().str() : std::string();
}

static CompileJob jobOf(const std::string &File, const DeviceParse &Parse) {
  return {.File = File,
          .Folder = Parse.Folder,
          .Arguments = Parse.Arguments.Arguments};
}

/// Texts of files as they are.
class Originals {
public:
  explicit Originals(const CompileJob &Job) : Job(Job) {}
  std::optional<std::string_view> of(const std::string &File) {
    const auto [Entry, IsNew] = Texts.try_emplace(File);
    std::string Why;
    if (IsNew)
      Entry->second =
          readWholeFile(Job.fromProcess(File), MostSourceBytes, Why);
    if (!Entry->second)
      return std::nullopt;
    return std::string_view(*Entry->second);
  }

private:
  const CompileJob &Job;
  std::map<std::string, std::optional<std::string>> Texts;
};

/// The safe fixes of \p File that hold, by trials of \p Request in \p Parse.
static std::vector<Fix> provedFixes(const std::string &File,
                                    const DeviceParse &Parse,
                                    AnalysisRequest Request) {
  const CompileJob Job = jobOf(File, Parse);
  Request.CudaPath = Parse.Arguments.CudaPath;
  const Reanalysis Again =
      [&](const std::map<std::string, std::string> &Texts) {
        CompileJob Edited = Job;
        if (!Texts.empty())
          Edited.Files = overDisk(Texts, Job.Folder);
        Request.Jobs = {std::move(Edited)};
        return analyse(Request).Documents;
      };
  const std::vector<Document> Before = Again({});
  Originals Texts(Job);
  // Whether a header is edited, the user tells the program that edits.
  const ProvedFixes Tried = proveFixes(
      Before,
      {.Most = FixSafety::Safe,
       .Original = [&](const std::string &Name) { return Texts.of(Name); },
       .WhyNotOurs = [](const std::string &) { return std::string(); }},
      Again);
  std::vector<Fix> Result;
  for (const TriedFix &Each : Tried.Fixes)
    if (Each.State == FixState::Proved)
      Result.push_back(Each.Offered.What);
  return Result;
}

static bool hasSafeFix(const Finding &F) {
  return std::ranges::any_of(F.Fixes, [](const Fix &Each) {
    return Each.Safety == FixSafety::Safe && !Each.Edits.empty();
  });
}

/// Two parses may name a file in two ways.
bool TreeFindings::isProved(const Fix &What) const {
  const auto edit = [](const Edit &E) {
    return std::tie(E.Offset, E.Length, E.Text);
  };
  return std::ranges::any_of(Proved, [&](const Fix &Each) {
    return Each.Description == What.Description &&
           std::ranges::equal(Each.Edits, What.Edits, {}, edit, edit);
  });
}

/// Analyses the file of \p Job alone, by a compiler's \p Options.
static void analyseJob(CompileJob Job, const std::string &CudaPath,
                       const Target &Gpu, const TreeOptions &Options,
                       TreeFindings &Result) {
  const std::vector<std::unique_ptr<Check>> All = makeChecks();
  const auto Selected = selectChecks(All, Options.Checks, Result.Error);
  if (!Selected)
    return;
  const PluginGuard Guard;
  AnalysisRequest Request;
  Request.Checks = *Selected;
  Request.Guard = &Guard;
  Request.Gpus = {Gpu};
  Request.Threads = 1;
  Request.CudaPath = CudaPath;
  const std::string File = Job.File;
  Request.Jobs = {std::move(Job)};
  const AnalysisResult Analysed = analyse(Request);
  std::set<std::tuple<std::string, Location, std::string>> Seen;
  for (const UnitRecord &Unit : Analysed.Documents.at(0).Units) {
    for (const Finding &F : Unit.Findings)
      if (Seen.insert({F.Check, F.Where, messageOf(F)}).second)
        Result.Findings.push_back(F);
    for (const ErrorRecord &Each : Unit.Errors)
      if (Result.Error.empty())
        Result.Error = Each.Message;
  }
  if (Options.Trial && std::ranges::any_of(Result.Findings, hasSafeFix))
    Result.Proved = provedFixes(File, *Options.Trial, std::move(Request));
}

TreeFindings analyseTree(ASTContext &AST, const CodeGenOptions &Code,
                         const TreeOptions &Options) {
  TreeFindings Result;
  if (!AST.getLangOpts().CUDA || !AST.getLangOpts().CUDAIsDevice ||
      AST.getDiagnostics().hasErrorOccurred())
    return Result;
  const SyntaxTree Tree{AST, Code};
  if (const std::optional<Target> Gpu =
          targetOf(AST, Options.Gpu, Result.Error))
    analyseJob({.File = mainFileOf(AST),
                .Folder = {},
                .Arguments = {},
                .Files = nullptr,
                .Tree = &Tree},
               /*CudaPath=*/{}, *Gpu, Options, Result);
  return Result;
}

TreeFindings analyseAgain(const ASTContext &AST, const DeviceParse &Parse,
                          const TreeOptions &Options) {
  TreeFindings Result;
  if (!AST.getLangOpts().CUDA || AST.getDiagnostics().hasErrorOccurred())
    return Result;
  const std::string Name = Options.Gpu.empty() ? "sm_90" : Options.Gpu;
  const std::optional<Target> Gpu = parseTarget(Name);
  if (!Gpu)
    Result.Error = fmt::format("'{}' is no GPU that is known", Name);
  else
    analyseJob(jobOf(mainFileOf(AST), Parse), Parse.Arguments.CudaPath, *Gpu,
               Options, Result);
  return Result;
}

SourceLocation locationOf(const Location &Where, const SourceManager &Sources) {
  if (Where.File.empty() || !Where.Line)
    return {};
  const OptionalFileEntryRef File =
      Sources.getFileManager().getOptionalFileRef(Where.File);
  if (!File)
    return {};
  return Sources.translateFileLineCol(*File, Where.Line,
                                      std::max(Where.Column, 1u));
}

std::vector<FixItHint> hintsOf(const Fix &What, const SourceManager &Sources) {
  std::vector<FixItHint> Result;
  for (const Edit &E : What.Edits) {
    const OptionalFileEntryRef File =
        Sources.getFileManager().getOptionalFileRef(E.File);
    const FileID ID = File ? Sources.translateFile(*File) : FileID();
    if (ID.isInvalid())
      return {};
    const SourceLocation Begin =
        Sources.getLocForStartOfFile(ID).getLocWithOffset(
            static_cast<SourceLocation::IntTy>(E.Offset));
    Result.push_back(FixItHint::CreateReplacement(
        CharSourceRange::getCharRange(
            Begin, Begin.getLocWithOffset(
                       static_cast<SourceLocation::IntTy>(E.Length))),
        E.Text));
  }
  return Result;
}

} // namespace cudalint
