//===- analyzer/pipeline/UnitAnalysis.cpp - From source to record ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/UnitAnalysis.h"

#include "analyzer/checks/Repeated.h"
#include "analyzer/ir/BarrierArrivals.h"
#include "analyzer/ir/DivergentBranches.h"
#include "analyzer/ir/FittingBlock.h"
#include "analyzer/ir/KernelEvaluator.h"
#include "analyzer/ir/SharedRaces.h"
#include "analyzer/ir/UnseenCode.h"
#include "analyzer/model/LittleCost.h"
#include "analyzer/model/RegisterBounds.h"
#include "analyzer/pipeline/AccessRecords.h"
#include "analyzer/pipeline/AccessTable.h"
#include "analyzer/pipeline/AccessTotals.h"
#include "analyzer/pipeline/KernelNames.h"
#include "analyzer/pipeline/LaunchFigures.h"
#include "analyzer/pipeline/LaunchShapes.h"
#include "analyzer/pipeline/UnlaunchedKernels.h"
#include "analyzer/pipeline/UnseenKernelCode.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <set>
#include <tuple>

namespace cudalint {

namespace {
/// A kernel between its evaluation and its checks.
struct EvaluatedKernel {
  KernelModel Model;
  KernelShapes Shapes;
  std::vector<RemovedAccess> Removed;
  bool IsUnlaunched = false;
};

struct UnitEvaluation {
  const ParsedUnit &Unit;
  const std::string &File;
  llvm::Module *Module; ///< Null when there is no kernel.
  const UnitOptions &Options;
  const Target &Gpu;
  UnitResult &Result;
  UnseenKernelCode Unseen = {};

  std::optional<EvaluatedKernel> evaluate(const KernelDeclaration &Kernel,
                                          std::span<const Launch> Launches,
                                          const FileResources *Compiled);
  void evaluate(const llvm::Function &Code, const FileResources *Compiled,
                EvaluatedKernel &Out);
  const KernelInstructions *instructionsOf(const llvm::Function &Code,
                                           const FileResources *Compiled) const;
  AccessPlan planOf(const llvm::Function &Code,
                    const FileResources *Compiled) const;
  std::vector<Launch> replaced(std::vector<Launch> Found,
                               const KernelDeclaration &Kernel);
  void addKernel(EvaluatedKernel &Kernel);
  void addResources(EvaluatedKernel &Kernel, const FileResources *Compiled);
  void addUnevaluated(const KernelDeclaration &Kernel,
                      std::span<const Launch> Launches);
  void addCrash(const KernelDeclaration &Kernel);
  void addNote(const Location &Where, std::string Message);
  void addNotes();
  void weighSourceFindings(std::span<const KernelModel *const> Kernels);
};
} // namespace

/// What the compiler made of a kernel; null where that is not known.
const KernelInstructions *
UnitEvaluation::instructionsOf(const llvm::Function &Code,
                               const FileResources *Compiled) const {
  return Compiled
             ? findInstructions(*Compiled, Code.getName().str(), Gpu.Arch->CC)
             : nullptr;
}

/// As which instructions the accesses of a kernel are evaluated.
AccessPlan UnitEvaluation::planOf(const llvm::Function &Code,
                                  const FileResources *Compiled) const {
  if (Options.AsWritten)
    return AccessPlan();
  const KernelInstructions *Instructions = instructionsOf(Code, Compiled);
  return AccessPlan(Code, Unit.Facts,
                    Instructions ? &Instructions->Memory : nullptr);
}

/// A kernel has the same variables in each shape; what one reaches is reached.
static void addShared(std::vector<SharedVariable> &Found,
                      std::vector<SharedVariable> &Out) {
  for (std::size_t I = 0; I != Out.size(); ++I)
    Found[I].HasUnreached &= Out[I].HasUnreached;
  Out = std::move(Found);
}

/// Whether a block of two dimensions wastes sectors.
static bool mayGainFromSwap(const KernelEvaluation &E,
                            const LaunchShape &Shape) {
  return Shape.Block[0] > 1 && Shape.Block[1] > 1 &&
         std::ranges::any_of(E.Accesses, [](const Access &A) {
           return A.Space == MemorySpace::Global && A.Predicted &&
                  A.Predicted->PerRequest >= 2 * A.Predicted->Ideal;
         });
}

void UnitEvaluation::evaluate(const llvm::Function &Code,
                              const FileResources *Compiled,
                              EvaluatedKernel &Out) {
  KernelModel &Model = Out.Model;
  Model.Traits = traitsOf(Code, Unit.Facts);
  Model.Library = libraryStackOf(Code);
  const KernelInstructions *Instructions = instructionsOf(Code, Compiled);
  Model.HasMachineCode = !Options.AsWritten && Instructions;
  if (Instructions)
    Model.HasDoubles = Instructions->HasDoubles;
  const AccessPlan Plan = planOf(Code, Compiled);
  Out.Removed = Plan.removed();
  std::uint64_t NextGroup = 1;
  for (LaunchShape &Shape : Out.Shapes.Shapes) {
    Shape = fittedBlock(Code, Shape);
    KernelEvaluation E =
        evaluateKernel(Code, Shape, *Gpu.Arch, Unit.Facts, Plan);
    addShared(E.Shared, Model.Shared);
    Model.StaticSharedBytes = E.StaticSharedBytes;
    Model.UsesDynamicShared = E.UsesDynamicShared;
    Model.Barriers = E.Barriers;
    addDivergentBarriers(Code, Shape, Unit.Facts, Model.DivergentBarriers);
    addDivergentBranches(Code, Shape, Unit.Facts, Model.DivergentBranches);
    addSharedRaces(Code, Shape, Unit.Facts, Model.SharedRaces);
    const auto Number = static_cast<unsigned>(Model.Totals.size());
    Model.Totals.push_back(totalsOf(E, Shape, Gpu));
    Model.Totals.back().Shape = Number;
    for (Access &A : E.Accesses)
      A.Shapes = {Number};
    if (!Model.Traits.DependsOnLanes && Model.Traits.ReadsBothIndices &&
        mayGainFromSwap(E, Shape)) {
      LaunchShape Swapped = Shape;
      Swapped.HasSwappedRoles = true;
      std::ranges::move(
          evaluateKernel(Code, Swapped, *Gpu.Arch, Unit.Facts, Plan).Accesses,
          std::back_inserter(Model.Swapped));
    }
    addShape(Model.Accesses, std::move(E.Accesses), NextGroup);
    if (Shape.Block == Out.Shapes.Shapes.front().Block)
      std::ranges::move(E.Removed, std::back_inserter(Out.Removed));
  }
  std::stable_sort(
      Model.Accesses.begin(), Model.Accesses.end(),
      [](const Access &A, const Access &B) { return A.Where < B.Where; });
}

/// The launches of a list in place of \p Found, where it has any.
std::vector<Launch> UnitEvaluation::replaced(std::vector<Launch> Found,
                                             const KernelDeclaration &Kernel) {
  if (!Options.Listed)
    return Found;
  const auto Listed = Options.Listed->Kernels.find(Kernel.Name);
  if (Listed == Options.Listed->Kernels.end())
    return Found;
  if (std::string Note =
          leftOut(Listed->second, Options.Listed->File, MaxShapes);
      !Note.empty())
    addNote(Kernel.Where, std::move(Note));
  return launchesOfList(Kernel, Found, Listed->second);
}

/// Empty when the evaluation crashed.
std::optional<EvaluatedKernel>
UnitEvaluation::evaluate(const KernelDeclaration &Kernel,
                         std::span<const Launch> Launches,
                         const FileResources *Compiled) {
  EvaluatedKernel Evaluated;
  Evaluated.Shapes = chooseShapes(Kernel, Launches, Options.Shapes);
  const llvm::Function *Code =
      Module ? findKernel(*Module, Kernel.Name) : nullptr;
  std::vector<UnseenCode> Found;
  // Without code, its launches can still be judged.
  if (Code && !Options.Guard->runPart([&] {
        evaluate(*Code, Compiled, Evaluated);
        Found = unseenCodeOf(*Code, Unit.Facts);
      }))
    return std::nullopt;
  if (std::ranges::any_of(Found, [](const UnseenCode &Each) {
        return Each.What != UnseenCode::Kind::Computation;
      }))
    for (WarpTotals &Each : Evaluated.Model.Totals)
      leaveOutUnseen(Each, Gpu);
  Unseen.add(std::move(Found), Kernel.Signature);
  Evaluated.Model.Declaration = Kernel;
  Evaluated.Model.Gpu = Gpu;
  Evaluated.Model.Launches = Evaluated.Shapes.Launches;
  Evaluated.Model.MaxRegisters = Unit.MaxRegisters;
  Evaluated.Model.IsForOneArchitecture = Unit.IsForOneArchitecture;
  Evaluated.Model.MinOccupancy = Options.MinOccupancy;
  return Evaluated;
}

/// What is left of a kernel whose evaluation crashed.
void UnitEvaluation::addUnevaluated(const KernelDeclaration &Kernel,
                                    std::span<const Launch> Launches) {
  Result.Record.Kernels.push_back(
      {.Name = Kernel.Name,
       .Signature = Kernel.Signature,
       .Template = Kernel.Template,
       .TemplateArguments = Kernel.TemplateArguments,
       .Where = Kernel.Where,
       .Resources = std::nullopt,
       .StaticSharedBytes = std::nullopt,
       .Launches = launchRecords(
           Kernel, chooseShapes(Kernel, Launches, Options.Shapes)),
       .Accesses = {},
       .Removed = {}});
  addCrash(Kernel);
}

void UnitEvaluation::addCrash(const KernelDeclaration &Kernel) {
  Result.Record.Status = UnitStatus::Partial;
  Result.Record.Errors.push_back(
      {.Where = Kernel.Where,
       .Message = fmt::format("internal error: the evaluation of kernel '{}' "
                              "crashed; the other kernels are reported, please "
                              "report this one",
                              Kernel.Signature),
       .Kind = ErrorKind::Evaluation});
}

/// Registers that a user gives, to all kernels mostly, may be more than the
/// compiler would ever give this one.
static void keepBounds(ResourceRecord &Resources,
                       const KernelDeclaration &Kernel, const Target &Gpu,
                       std::vector<std::string> &Notes) {
  const std::optional<std::uint64_t> Most = boundedRegisters(*Gpu.Arch, Kernel);
  if (Resources.Source != "user" || !Most ||
      Resources.Registers.value_or(0) <= *Most)
    return;
  Notes.push_back(fmt::format(
      "cuda-lint: note: {} leaves a thread of '{}' {} registers on {}: they "
      "are taken, not the {} of --registers",
      launchBoundsOf(Kernel), Kernel.Signature, *Most, Gpu.Name,
      *Resources.Registers));
  Resources.Registers = Most;
}

/// What the compiler gave the kernel, and what each launch makes of it.
void UnitEvaluation::addResources(EvaluatedKernel &Kernel,
                                  const FileResources *Compiled) {
  KernelModel &Model = Kernel.Model;
  if (!Options.Resources)
    return;
  const KernelDeclaration &Declaration = Model.Declaration;
  ResourceAnswer Answer = Options.Resources->find(
      Declaration.Name, File, Gpu.Arch->CC,
      [&](std::string_view Name) { return namesKernel(Name, Declaration); },
      Compiled);
  if (!Answer.Note.empty())
    Result.Notes.push_back(fmt::format("cuda-lint: note: {}", Answer.Note));
  Model.Resources = std::move(Answer.Record);
  // Clang's code has private arrays in memory that the compiler, which unrolls
  // more, keeps in registers: without a stack there is no access to predict.
  if (Model.Resources && Model.Resources->LocalBytes == std::uint64_t(0)) {
    std::erase_if(Model.Accesses, [](const Access &A) {
      return A.Space == MemorySpace::Local;
    });
    for (WarpTotals &Each : Model.Totals)
      std::erase_if(Each.Spaces, [](const SpaceTotals &S) {
        return S.Space == MemorySpace::Local;
      });
  }
  if (Model.Resources)
    keepBounds(*Model.Resources, Declaration, Gpu, Result.Notes);
}

void UnitEvaluation::addKernel(EvaluatedKernel &Kernel) {
  KernelModel &Model = Kernel.Model;
  KernelRecord Record{.Name = Model.Declaration.Name,
                      .Signature = Model.Declaration.Signature,
                      .Template = Model.Declaration.Template,
                      .TemplateArguments = Model.Declaration.TemplateArguments,
                      .Where = Model.Declaration.Where,
                      .Resources = Model.Resources,
                      .StaticSharedBytes = Model.staticShared(),
                      .Launches = recordsOf(Kernel.Model, Kernel.Shapes),
                      .Accesses = {},
                      .Removed = std::move(Kernel.Removed),
                      .Totals = Model.Totals,
                      .Rows = rowsOf(Model.Accesses)};
  // A user gives registers alone; what the file declares is known.
  if (Record.Resources)
    Record.Resources->SharedBytes = Model.staticShared();
  std::vector<Finding> Findings;
  bool Survived = Options.Guard->runPart([&] {
    if (Kernel.Shapes.NeverRuns) // What does not happen is no fault.
      return;
    for (const Check *Each : Options.Checks) {
      FindingSink Sink(Each->info(), Findings,
                       Options.valuesOf(Result.Record.File));
      Each->checkKernel(Model, Sink);
    }
    dropRepeated(Findings, Options.Checks);
    tellUnlaunched(Model, Kernel.IsUnlaunched, Findings);
    for (const Access &A : Model.Accesses) {
      addRecords(A, Record.Accesses);
      if (Options.ExplainAt && isAccessAt(A, *Options.ExplainAt))
        Result.Explanations += accessTable(A, *Gpu.Arch);
    }
  });
  if (!Survived) {
    Record.Accesses.clear();
    Record.Totals.clear();
    Findings.clear();
    addCrash(Model.Declaration);
  }
  Result.Record.Kernels.push_back(std::move(Record));
  Result.Record.Findings.insert(Result.Record.Findings.end(),
                                std::make_move_iterator(Findings.begin()),
                                std::make_move_iterator(Findings.end()));
}

/// What was found in the source costs what it costs the kernel that has most of
/// it, and is left out where the compiler made nothing of it.
void UnitEvaluation::weighSourceFindings(
    std::span<const KernelModel *const> Kernels) {
  std::erase_if(Result.Record.Findings, [&](Finding &F) {
    const auto Of =
        std::ranges::find_if(Options.Checks, [&](const Check *Each) {
          return Each->info().Name == F.Check;
        });
    if (Of == Options.Checks.end())
      return false;
    std::optional<double> Most;
    for (const KernelModel *Kernel : Kernels)
      Most = std::max(Most, (*Of)->mostOf(*Kernel, F));
    setMostOfKernel(F, Most);
    return (*Of)->isRefuted(Kernels, F);
  });
}

void UnitEvaluation::addNote(const Location &Where, std::string Message) {
  std::string Place = Where.File;
  if (Where.Line)
    Place += fmt::format(":{}:{}", Where.Line, Where.Column);
  Result.Notes.push_back(fmt::format("{}: note: {}", Place, Message));
  Result.Record.Notes.push_back({Where, std::move(Message)});
}

void UnitEvaluation::addNotes() {
  // Silence about what was not evaluated would be taken for a verdict.
  for (const auto &[Code, Kernel, MoreKernels] : Unseen.parts())
    addNote(Code.Where, describe(Code, Kernel, MoreKernels));
  for (const KernelDeclaration &Template : Unit.UninstantiatedTemplates)
    addNote(Template.Where,
            fmt::format("kernel template '{}' is never instantiated here: "
                        "nothing to evaluate; launch it or instantiate it in "
                        "this file",
                        Template.Signature));
  if (Unit.Status == UnitStatus::Failed || Result.Kernels != 0 ||
      !Unit.UninstantiatedTemplates.empty())
    return;
  addNote({.File = File}, "there are no kernels in this file");
}

UnitResult evaluateUnit(const ParsedUnit &Parsed,
                        std::span<const UnitIndex> Units, std::size_t Home,
                        const UnitOptions &Options, std::size_t Gpu) {
  const std::vector<KernelDeclaration> &Own = Units[Home].Kernels;
  UnitResult Result;
  Result.Record.File = Units[Home].File;
  Result.Record.Status = Parsed.Status;
  Result.Record.Errors = Parsed.Errors;
  if (Gpu < Parsed.SourceFindings.size())
    Result.Record.Findings = Parsed.SourceFindings[Gpu];
  Result.Kernels = Own.size();

  llvm::LLVMContext Context;
  const std::unique_ptr<llvm::Module> Module = Parsed.module(Context);
  UnitEvaluation Evaluation{Parsed,  Units[Home].File,  Module.get(),
                            Options, Options.Gpus[Gpu], Result};
  // The compiler ran during the parse; only now is it waited for.
  const FileResources *Compiled =
      Parsed.Assembled ? &*Parsed.Assembled : nullptr;
  if (!Compiled && Options.Compiled && Parsed.NeedsCompiler)
    Compiled = Options.Compiled(Home);
  std::vector<EvaluatedKernel> Kernels;
  for (const KernelDeclaration &Kernel : Own) {
    const std::vector<Launch> Launches =
        Evaluation.replaced(launchesOf(Kernel, Home, Units), Kernel);
    if (std::optional<EvaluatedKernel> Evaluated =
            Evaluation.evaluate(Kernel, Launches, Compiled)) {
      Evaluated->IsUnlaunched =
          isUnlaunched(Kernel, Evaluated->Shapes, Units[Home]);
      Kernels.push_back(std::move(*Evaluated));
    } else
      Evaluation.addUnevaluated(Kernel, Launches);
  }
  if (Compiled)
    for (const std::string &Note : Compiled->Notes)
      Result.Notes.push_back(fmt::format("cuda-lint: note: {}", Note));
  // What kernels declare together is judged by all of them, so all is known of
  // each before the first is checked.
  std::vector<KernelModel *> Models;
  for (EvaluatedKernel &Kernel : Kernels) {
    Evaluation.addResources(Kernel, Compiled);
    for (const Launch &L : Kernel.Model.Launches)
      Kernel.Model.Verdicts.push_back(judge(Kernel.Model, L));
    Models.push_back(&Kernel.Model);
  }
  if (Compiled && Options.Tried)
    addTrials(Models, [&](std::uint64_t Most) {
      return Options.Tried(Home, Options.Gpus[Gpu].Arch->CC, Most);
    });
  const std::vector<const KernelModel *> All(Models.begin(), Models.end());
  for (EvaluatedKernel &Kernel : Kernels)
    Kernel.Model.Unit = All;
  Evaluation.weighSourceFindings(All);
  for (EvaluatedKernel &Kernel : Kernels)
    Evaluation.addKernel(Kernel);
  Evaluation.addNotes();
  Result.Record.Sources = Parsed.sourcesOf(Result.Record);
  for (Finding &F : Result.Record.Findings)
    if (auto Found = Parsed.Includes.find(F.Where.File);
        F.IncludedFrom.empty() && Found != Parsed.Includes.end())
      F.IncludedFrom = Found->second;
  return Result;
}

} // namespace cudalint
