//===- analyzer/tool/Analysis.cpp - From source to record -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/Analysis.h"

#include "analyzer/frontend/SourceFacts.h"
#include "analyzer/ir/Canonicalise.h"
#include "analyzer/ir/KernelEvaluator.h"
#include "analyzer/launch/LaunchExtractor.h"
#include "analyzer/tool/AccessTable.h"
#include "analyzer/tool/CrashGuard.h"
#include "analyzer/tool/LaunchShapes.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <map>
#include <tuple>

namespace cudalint {

struct ParsedUnit::State {
  std::string File;
  // The module goes before its context.
  std::unique_ptr<llvm::LLVMContext> Context;
  FrontendResult Parse;
  LaunchFacts Launches;
  SourceFacts Facts;
  /// Of the checks that read the source, for each GPU.
  std::vector<std::vector<Finding>> SourceFindings;
};

ParsedUnit::ParsedUnit() : S(std::make_unique<State>()) {}
ParsedUnit::~ParsedUnit() = default;
ParsedUnit::ParsedUnit(ParsedUnit &&) noexcept = default;
ParsedUnit &ParsedUnit::operator=(ParsedUnit &&) noexcept = default;

const std::string &ParsedUnit::file() const { return S->File; }
const LaunchFacts &ParsedUnit::launches() const { return S->Launches; }
const std::string &ParsedUnit::diagnostics() const {
  return S->Parse.Diagnostics;
}
UnitStatus ParsedUnit::status() const { return S->Parse.Status; }

ParsedUnit ParsedUnit::failed(const std::string &File, std::string Message) {
  ParsedUnit Unit;
  Unit.S->File = File;
  Unit.S->Parse.Status = UnitStatus::Failed;
  Unit.S->Parse.Diagnostics = fmt::format("{}: error: {}\n", File, Message);
  Unit.S->Parse.Errors.push_back(
      {.Where = {.File = File}, .Message = std::move(Message)});
  return Unit;
}

//===----------------------------------------------------------------------===//
// Parse
//===----------------------------------------------------------------------===//

/// Errors and nothing of CUDA: prose, or another language.
static bool holdsNothing(const LaunchFacts &Facts) {
  return Facts.Kernels.empty() && Facts.Launches.empty() &&
         Facts.UninstantiatedTemplates.empty();
}

ParsedUnit parseUnit(const std::string &File, const AnalysisOptions &Options) {
  ParsedUnit Unit;
  ParsedUnit::State &S = Unit.state();
  S.File = File;
  S.Context = std::make_unique<llvm::LLVMContext>();
  S.SourceFindings.resize(Options.Gpus.size());
  auto readAST = [&](clang::ASTContext &AST) {
    S.Launches = extractLaunches(AST);
    S.Facts = collectSourceFacts(AST);
    for (std::size_t I = 0; I != Options.Gpus.size(); ++I)
      for (const Check *Each : Options.Checks) {
        FindingSink Sink(Each->info(), S.SourceFindings[I]);
        Each->checkSource(AST, Options.Gpus[I], Sink);
      }
  };
  S.Parse = parseCuda(File, Options.Frontend, *S.Context, readAST);
  if (S.Parse.Status == UnitStatus::Partial && holdsNothing(S.Launches)) {
    S.Parse.Status = UnitStatus::Failed;
    S.Parse.Diagnostics +=
        fmt::format("{}: note: there is no kernel in what could be read; is "
                    "this CUDA source?\n",
                    File);
  }
  if (S.Parse.Module)
    canonicalise(*S.Parse.Module);
  return Unit;
}

//===----------------------------------------------------------------------===//
// Evaluate
//===----------------------------------------------------------------------===//

static AccessRecord recordOf(const Access &A) {
  AccessRecord Record{.Where = A.Where,
                      .Space = A.Space,
                      .Op = A.Op,
                      .Bytes = A.Bytes,
                      .Unit = A.Space == MemorySpace::Shared
                                  ? TrafficUnit::Wavefronts
                                  : TrafficUnit::Sectors,
                      .PerRequest = std::nullopt,
                      .Ideal = std::nullopt,
                      .Lanes = std::nullopt,
                      .Trust = A.Trust,
                      .Assumptions = A.Assumptions,
                      .Block = A.Block,
                      .LoopDepth = A.LoopDepth,
                      .InlinedAt = A.InlinedAt};
  if (A.Predicted) {
    Record.PerRequest = A.Predicted->PerRequest;
    Record.Ideal = A.Predicted->Ideal;
    Record.Lanes = A.Predicted->Lanes;
  }
  return Record;
}

/// What two block shapes must agree on for one record to stand for both.
using AccessKey =
    std::tuple<Location, std::vector<Location>, MemorySpace, AccessOp, unsigned,
               unsigned, Certainty, bool, double, double, double, unsigned>;

static AccessKey keyOf(const Access &A) {
  Traffic T = A.Predicted.value_or(Traffic());
  return {A.Where,      A.InlinedAt, A.Space, A.Op,
          A.Bytes,      A.LoopDepth, A.Trust, A.Predicted.has_value(),
          T.PerRequest, T.Ideal,     T.Lanes, T.Ways};
}

/// Adds what the evaluation of one more block shape gave. Accesses that cost
/// the same under an earlier shape are left out, but never a part of a group:
/// checks judge the accesses of a group together.
static void addShape(std::vector<Access> &All, std::vector<Access> Fresh,
                     std::uint64_t &NextGroup) {
  std::map<AccessKey, unsigned> Known;
  for (const Access &A : All)
    ++Known[keyOf(A)];
  // An access without a group is one of its own.
  std::map<std::pair<std::uint64_t, std::size_t>, std::vector<std::size_t>>
      Groups;
  for (std::size_t I = 0; I != Fresh.size(); ++I) {
    std::uint64_t Group = Fresh[I].GroupKey;
    Groups[{Group, Group ? 0 : I}].push_back(I);
  }
  std::vector<bool> Keep(Fresh.size(), false);
  for (auto &[Group, Members] : Groups) {
    std::vector<unsigned *> Taken;
    for (std::size_t I : Members) {
      auto Found = Known.find(keyOf(Fresh[I]));
      if (Found == Known.end() || Found->second == 0)
        break;
      --Found->second;
      Taken.push_back(&Found->second);
    }
    if (Taken.size() == Members.size())
      continue;
    for (unsigned *Count : Taken)
      ++*Count;
    // Keys of different shapes must not meet.
    std::uint64_t Key = Group.first ? NextGroup++ : 0;
    for (std::size_t I : Members) {
      Keep[I] = true;
      Fresh[I].GroupKey = Key;
    }
  }
  for (std::size_t I = 0; I != Fresh.size(); ++I)
    if (Keep[I])
      All.push_back(std::move(Fresh[I]));
}

struct UnitEvaluation {
  const ParsedUnit::State &Unit;
  const AnalysisOptions &Options;
  const Target &Gpu;
  UnitResult &Result;

  void addKernel(const KernelDeclaration &Kernel,
                 std::span<const Launch> Launches);
  KernelModel evaluate(const KernelDeclaration &Kernel,
                       const llvm::Function &Code, const KernelShapes &Shapes);
  void addNotes();
};

KernelModel UnitEvaluation::evaluate(const KernelDeclaration &Kernel,
                                     const llvm::Function &Code,
                                     const KernelShapes &Shapes) {
  KernelModel Model{.Declaration = Kernel,
                    .Gpu = Gpu,
                    .Launches = Shapes.Launches,
                    .Accesses = {},
                    .StaticSharedBytes = 0,
                    .UsesDynamicShared = false,
                    .Barriers = 0};
  std::uint64_t NextGroup = 1;
  for (const LaunchShape &Shape : Shapes.Shapes) {
    KernelEvaluation E = evaluateKernel(Code, Shape, *Gpu.Arch, Unit.Facts);
    Model.StaticSharedBytes = E.StaticSharedBytes;
    Model.UsesDynamicShared = E.UsesDynamicShared;
    Model.Barriers = E.Barriers;
    addShape(Model.Accesses, std::move(E.Accesses), NextGroup);
  }
  std::stable_sort(
      Model.Accesses.begin(), Model.Accesses.end(),
      [](const Access &A, const Access &B) { return A.Where < B.Where; });
  return Model;
}

void UnitEvaluation::addKernel(const KernelDeclaration &Kernel,
                               std::span<const Launch> Launches) {
  KernelShapes Shapes = chooseShapes(Kernel, Launches, Options.Shapes);
  KernelRecord Record{.Name = Kernel.Name,
                      .Signature = Kernel.Signature,
                      .Where = Kernel.Where,
                      .Resources = std::nullopt,
                      .Launches = launchRecords(Kernel, Shapes),
                      .Accesses = {}};
  const llvm::Function *Code =
      Unit.Parse.Module ? findKernel(*Unit.Parse.Module, Kernel.Name) : nullptr;
  std::vector<Finding> Findings;
  bool Survived = runGuardedInPlace([&] {
    KernelModel Model;
    if (Code)
      Model = evaluate(Kernel, *Code, Shapes);
    else {
      // Its launches can still be judged.
      Model.Declaration = Kernel;
      Model.Gpu = Gpu;
      Model.Launches = Shapes.Launches;
    }
    for (const Check *Each : Options.Checks) {
      FindingSink Sink(Each->info(), Findings);
      Each->checkKernel(Model, Sink);
    }
    for (const Access &A : Model.Accesses) {
      Record.Accesses.push_back(recordOf(A));
      if (Options.ExplainAt && isAccessAt(A, *Options.ExplainAt))
        Result.Explanations += accessTable(A, *Gpu.Arch);
    }
  });
  if (!Survived) {
    Record.Accesses.clear();
    Findings.clear();
    Result.Record.Status = UnitStatus::Partial;
    Result.Record.Errors.push_back(
        {.Where = Kernel.Where,
         .Message = fmt::format("internal error: the evaluation of kernel '{}' "
                                "crashed; the other kernels are reported, "
                                "please report this one",
                                Kernel.Signature)});
  }
  Result.Record.Kernels.push_back(std::move(Record));
  Result.Record.Findings.insert(Result.Record.Findings.end(),
                                std::make_move_iterator(Findings.begin()),
                                std::make_move_iterator(Findings.end()));
}

void UnitEvaluation::addNotes() {
  for (const KernelDeclaration &Template :
       Unit.Launches.UninstantiatedTemplates)
    Result.Notes.push_back(fmt::format(
        "{}:{}:{}: note: kernel template '{}' is never instantiated here: "
        "nothing to evaluate; launch it or instantiate it in this file",
        Template.Where.File, Template.Where.Line, Template.Where.Column,
        Template.Signature));
  if (Unit.Parse.Status == UnitStatus::Failed || Result.Kernels != 0 ||
      !Unit.Launches.UninstantiatedTemplates.empty())
    return;
  Result.Notes.push_back(
      fmt::format("{}: note: there are no kernels in this file", Unit.File));
}

UnitResult evaluateUnit(std::span<const ParsedUnit> Units, std::size_t Index,
                        const AnalysisOptions &Options, std::size_t Gpu) {
  const ParsedUnit::State &Unit = Units[Index].state();
  UnitResult Result;
  Result.Record.File = Unit.File;
  Result.Record.Status = Unit.Parse.Status;
  Result.Record.Errors = Unit.Parse.Errors;
  if (Gpu < Unit.SourceFindings.size())
    Result.Record.Findings = Unit.SourceFindings[Gpu];
  Result.Kernels = Unit.Launches.Kernels.size();

  std::vector<const LaunchFacts *> Facts;
  for (const ParsedUnit &Each : Units)
    Facts.push_back(&Each.launches());
  UnitEvaluation Evaluation{Unit, Options, Options.Gpus[Gpu], Result};
  for (const KernelDeclaration &Kernel : Unit.Launches.Kernels)
    Evaluation.addKernel(Kernel, launchesOf(Kernel, Index, Facts));
  Evaluation.addNotes();
  return Result;
}

} // namespace cudalint
