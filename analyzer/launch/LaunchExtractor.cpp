//===- analyzer/launch/LaunchExtractor.cpp - Launches from the AST --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/LaunchExtractor.h"

#include "analyzer/frontend/SourcePlaces.h"
#include "analyzer/frontend/UserFunctions.h"
#include "analyzer/launch/BlockSizes.h"
#include "analyzer/launch/HostEvaluator.h"
#include "analyzer/launch/KernelDeclarations.h"
#include "analyzer/launch/LaunchCalls.h"
#include "analyzer/launch/LaunchWriter.h"
#include "analyzer/launch/OptIns.h"
#include "analyzer/launch/OwnAllocations.h"
#include "analyzer/launch/PointerStores.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <tuple>

using namespace clang;

namespace cudalint {

/// One launch expression with more shapes than this is reported as unknown.
static constexpr std::size_t MaxShapes = 64;

/// Functions that are called in ways that were not followed: their launches
/// hold for parameters that are not known.
static void visitNotFollowed(HostEvaluator &Evaluator, const HostCode &Code,
                             HostVisits &Met) {
  llvm::SmallPtrSet<const FunctionDecl *, 16> Done;
  // Grows while it is worked off.
  for (std::size_t I = 0; I < Met.NotFollowed.size(); ++I) {
    const FunctionDecl *Function = Met.NotFollowed[I];
    if (Code.canBeRoot(*Function) && Done.insert(Function).second)
      Met.add(Evaluator.runRoot(*Function, /*EvenDead=*/false));
  }
}

using Sites = llvm::SmallPtrSet<const CallExpr *, 32>;

static Sites sitesOf(const HostVisits &Met) {
  Sites Result;
  for (const LaunchVisit &Visit : Met.Launches)
    Result.insert(Visit.Site);
  return Result;
}

/// Launches that no path has met: first with their function's parameters
/// unknown, as for a callback, then in branches that constants rule out.
static void visitUnmet(HostEvaluator &Evaluator, const HostCode &Code,
                       HostVisits &Met) {
  for (bool EvenDead : {false, true}) {
    const Sites Before = sitesOf(Met);
    llvm::SmallPtrSet<const FunctionDecl *, 16> Done;
    for (auto [Site, Function] : Code.Launches) {
      if (Before.contains(Site) || !Code.canBeRoot(*Function) ||
          !Done.insert(Function).second)
        continue;
      HostVisits New = Evaluator.runRoot(*Function, EvenDead);
      // What has been met before was met on a path that exists.
      llvm::erase_if(New.Launches, [&](const LaunchVisit &Visit) {
        return Before.contains(Visit.Site);
      });
      Met.add(std::move(New));
    }
  }
}

/// What remains has at least a place and, mostly, a kernel.
static void addUnmet(const HostCode &Code, ValueFactory &Values,
                     HostVisits &Met) {
  const Sites Before = sitesOf(Met);
  for (auto [Site, Function] : Code.Launches) {
    if (Before.contains(Site))
      continue;
    Value Unknown = Values.symbol("code that is not followed");
    LaunchVisit Visit;
    Visit.Site = Site;
    LaunchCall Kind = launchCallOf(Site->getDirectCallee());
    Visit.Cooperative = Kind == LaunchCall::Cooperative;
    Visit.KernelExpr = Kind == LaunchCall::None
                           ? Site->getCallee()
                           : Site->getArg(Kind == LaunchCall::Ex);
    const FunctionDecl *Kernel = namedFunction(Visit.KernelExpr);
    Visit.Kernel = Kernel ? Values.function(Kernel) : Unknown;
    Visit.Grid.fill(Unknown);
    Visit.Block.fill(Unknown);
    Visit.SharedBytes = Unknown;
    Met.Launches.push_back(std::move(Visit));
  }
}

static auto orderOf(const Launch &L) {
  return std::tie(L.Where, L.Kernel, L.KernelAsWritten, L.Block, L.Grid,
                  L.DynamicSharedBytes, L.Arguments, L.Fields, L.Nulls,
                  L.Offsets, L.Powers, L.NotRound, L.Limits, L.Multiples,
                  L.BlockSizes, L.TimesOfBlockSize, L.Alignments, L.Usual,
                  L.IfLarge, L.UsualGrid, L.Paired);
}

/// What is left of a launch with too many shapes: where it is, and the kernel.
static Launch withoutShape(Launch L) {
  L.Block = L.Grid = {};
  L.Usual.reset();
  L.IfLarge.reset();
  L.Paired.reset();
  L.UsualGrid.reset();
  L.Alignments.clear();
  L.Fields.clear();
  L.Nulls.clear();
  L.Offsets.clear();
  L.DynamicSharedBytes.reset();
  for (auto &Each : L.Arguments)
    Each.reset();
  L.Powers.clear();
  L.NotRound.clear();
  L.Limits.clear();
  L.Multiples.clear();
  L.BlockSizes.clear();
  L.TimesOfBlockSize.clear();
  L.HasOwnAllocations = false;
  L.Unknown = {"more than " + std::to_string(MaxShapes) +
               " shapes are launched here"};
  return L;
}

static void tidy(std::vector<Launch> &Launches) {
  // Of launches that differ in what is checked before, the least checked one
  // stays, and one that runs before one that does not; of those that differ in
  // what they depend on, the first.
  llvm::stable_sort(Launches, [](const Launch &A, const Launch &B) {
    return std::tuple(orderOf(A), A.NeverRuns, A.CheckedSizes.size()) <
           std::tuple(orderOf(B), B.NeverRuns, B.CheckedSizes.size());
  });
  // What is true of one visit alone is not told of them all.
  for (std::size_t I = 1; I < Launches.size(); ++I)
    if (orderOf(Launches[I - 1]) == orderOf(Launches[I]) &&
        Launches[I - 1].Raised != Launches[I].Raised)
      Launches[I - 1].Raised = Launches[I].Raised = std::nullopt;
  for (std::size_t I = Launches.size(); I-- > 1;)
    if (orderOf(Launches[I - 1]) == orderOf(Launches[I]))
      Launches[I - 1].HasOwnAllocations &= Launches[I].HasOwnAllocations;
  Launches.erase(std::unique(Launches.begin(), Launches.end(),
                             [](const Launch &A, const Launch &B) {
                               return orderOf(A) == orderOf(B);
                             }),
                 Launches.end());
  std::vector<Launch> Kept;
  for (std::size_t I = 0; I < Launches.size();) {
    std::size_t End = I;
    while (End < Launches.size() && Launches[End].Where == Launches[I].Where &&
           Launches[End].Kernel == Launches[I].Kernel)
      ++End;
    if (End - I > MaxShapes)
      Kept.push_back(withoutShape(Launches[I]));
    else
      Kept.insert(Kept.end(), Launches.begin() + I, Launches.begin() + End);
    I = End;
  }
  Launches = std::move(Kept);
}

/// What the file passes to functions of others.
static void noteOuterCalls(const ASTContext &Context, const HostVisits &All,
                           const HostCode &Code, ProgramFacts &Facts) {
  Sites Met;
  for (const OuterCallVisit &Visit : All.OuterCalls) {
    const std::string Name = sharedName(*Visit.Callee);
    if (Name.empty())
      continue;
    Met.insert(Visit.Site);
    CallArguments Passed;
    for (Value Each : Visit.Arguments)
      Passed.push_back(Each ? integerOf(Each) : std::nullopt);
    OuterCalls &Calls = Facts.Calls[Name];
    if (Calls.Met.size() < MaxOuterCalls)
      Calls.Met.try_emplace(
          std::move(Passed),
          placeOf(Context, Visit.Site->getSourceRange()).Where);
    else
      Calls.IsComplete &= Calls.Met.contains(Passed);
  }
  for (const CallExpr *Site : Code.OuterCalls)
    if (!Met.contains(Site))
      Facts.Calls[sharedName(*Site->getDirectCallee())].IsComplete = false;
  for (const FunctionDecl *Named : Code.OuterNamed)
    Facts.Calls[sharedName(*Named)].IsComplete = false;
}

/// Runs what nothing in this file calls, with unknown arguments, and what other
/// files call with theirs.
static HostVisits
visitRoots(HostEvaluator &Evaluator, const HostCode &Code,
           const std::map<std::string, OuterCalls> &OfOthers,
           const std::vector<const FunctionDecl *> &Launchers) {
  HostVisits Met;
  auto callsOf = [&](const FunctionDecl &Function) -> const OuterCalls * {
    auto Found = OfOthers.find(sharedName(Function));
    return Found == OfOthers.end() ? nullptr : &Found->second;
  };
  for (const FunctionDecl *Root : Code.Roots) {
    const OuterCalls *Calls = callsOf(*Root);
    if (!Calls || !Calls->IsComplete || Calls->Met.empty() ||
        !Root->getNumParams())
      Met.add(Evaluator.runRoot(*Root, /*EvenDead=*/false));
  }
  for (const FunctionDecl *Launcher : Launchers)
    if (const OuterCalls *Calls = callsOf(*Launcher))
      for (const auto &[Passed, Where] : Calls->Met) {
        HostVisits Shaped =
            Evaluator.runRoot(*Launcher, /*EvenDead=*/false, Passed);
        for (LaunchVisit &Each : Shaped.Launches)
          Each.CalledAt = &Where;
        Met.add(std::move(Shaped));
      }
  return Met;
}

LaunchFacts extractLaunches(ASTContext &Context, const Target &Gpu,
                            bool IsAlone, const WholeProgram *Program,
                            const std::vector<Problem> &Errors) {
  LaunchFacts Facts;
  LinkageNames Names(Context);
  UserFunctions Functions = collectUserFunctions(Context);
  collectKernels(Context, Functions, Names, Facts);
  const UnitEffects Effects = effectsOf(Functions);
  ProgramPlaces Places;
  Facts.Program = scanProgram(Context, Functions, Effects, Places);
  Facts.Program.Pointers = pointerStores(Context, Functions);
  const HostCode Code(Functions, Effects, /*WithOuterCalls=*/!IsAlone,
                      LostCode(Context, Functions, Errors));
  Facts.Program.Complete &= !Code.Incomplete;
  if (Code.Launches.empty() && Code.OptIns.empty() && Code.OuterCalls.empty())
    return Facts;
  WholeProgram Alone;
  if (!Program) {
    const ProgramFacts *const Own[] = {&Facts.Program};
    Alone = wholeProgram(Own);
    // Its own calls are met on the way.
    Alone.Calls.clear();
    Program = &Alone;
  }
  std::vector<const FunctionDecl *> Launchers;
  for (const FunctionDecl *Each : Functions.Definitions)
    if (std::string Name = IsAlone ? std::string() : sharedName(*Each);
        !Name.empty() && Each->getNumParams() && Code.canBeRoot(*Each) &&
        Code.reachesLaunch(*Each)) {
      Launchers.push_back(Each);
      Facts.Launchers.insert(std::move(Name));
    }
  TypedValues Values(Context);
  HostEvaluator Evaluator(Context, Gpu, Code, *Program, Places, Values);
  HostVisits Met = visitRoots(Evaluator, Code, Program->Calls, Launchers);
  visitNotFollowed(Evaluator, Code, Met);
  visitUnmet(Evaluator, Code, Met);
  addUnmet(Code, Values, Met);
  const OptIns Raises(Context, Code, Met.OptIns);
  for (const FunctionDecl *Kernel : Raises.kernels())
    Facts.SharedMemoryOptIns.insert(Kernel ? Names.nameOf(definitionOf(*Kernel))
                                           : std::string());
  const BlockSizes Sizes(Context, Functions, Code);
  const LaunchStreams Streams(Context, Code, Effects);
  LaunchWriter Writer(Context, Names, Raises, Sizes, Streams, Values);
  for (const LaunchVisit &Visit : Met.Launches)
    for (const LaunchVisit &Outcome : outcomesOf(Visit, Values))
      Facts.Launches.push_back(Writer.write(Outcome));
  tidy(Facts.Launches);
  noteOutsideLaunches({Evaluator, Code, Functions, Names, Values},
                      Facts.Kernels);
  noteOuterCalls(Context, Met, Code, Facts.Program);
  Facts.UnknownPlaces = std::move(Met.UnknownPlaces);
  return Facts;
}

} // namespace cudalint
