//===- analyzer/launch/HostCode.cpp - The host code of a file -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostCode.h"

#include "analyzer/launch/ProgramPlaces.h"

#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"

#include <algorithm>

using namespace clang;

namespace cudalint {

UnitEffects effectsOf(const UserFunctions &Functions) {
  UnitEffects Result;
  std::vector<const FunctionDecl *> Pending = Functions.Definitions;
  auto NoteClasses = [&](const EffectSummary &Effects) {
    for (const CXXRecordDecl *Each : Effects.LocalClasses)
      llvm::append_range(Pending, collectUserFunctions(*Each).Definitions);
  };
  for (const VarDecl *Each : Functions.Variables) {
    Result.Variables.emplace_back(Each, effectsOf(*Each));
    NoteClasses(Result.Variables.back().second);
  }
  llvm::SmallPtrSet<const FunctionDecl *, 32> Seen;
  // Grows while it is worked off.
  for (std::size_t I = 0; I < Pending.size(); ++I)
    if (const FunctionDecl *Each = Pending[I]; Seen.insert(Each).second) {
      Result.Functions.emplace_back(Each, effectsOf(*Each));
      NoteClasses(Result.Functions.back().second);
    }
  return Result;
}

bool HostCode::reachesLaunch(const FunctionDecl &Function) const {
  bool Reaches = false;
  forEachReached(Function, [&](const EffectSummary &Each) {
    Reaches |= !Each.Launches.empty();
  });
  return Reaches;
}

bool HostCode::canBeRoot(const FunctionDecl &Function) const {
  const EffectSummary *Effects = effectsOf(Function);
  bool Reaches = false;
  if (Effects && !Effects->TooDeep)
    forEachReached(Function, [&](const EffectSummary &Each) {
      Reaches |= !Each.Launches.empty() ||
                 (WithOuterCalls && !Each.OuterCalls.empty());
    });
  return Reaches;
}

void HostCode::forEachReached(
    const FunctionDecl &First,
    llvm::function_ref<void(const EffectSummary &)> Visit) const {
  llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;
  std::vector<const FunctionDecl *> Pending{&First};
  while (!Pending.empty()) {
    const FunctionDecl *Next = Pending.back();
    Pending.pop_back();
    const EffectSummary *Effects = effectsOf(*Next);
    if (!Effects || !Seen.insert(Next).second)
      continue;
    Visit(*Effects);
    llvm::append_range(Pending, Effects->Callees);
  }
}

void HostCode::add(const EffectSummary &Effects) {
  if (WithOuterCalls)
    llvm::append_range(OuterCalls, Effects.OuterCalls);
  for (const FunctionDecl *Each : Effects.AddressTaken)
    if (const FunctionDecl *Definition = Each->getDefinition())
      AddressTaken.insert(Definition);
    else if (isOfAnotherFile(*Each))
      OuterNamed.insert(Each);
}

/// What initialises variables at run time, and functions that are said to run
/// by themselves.
void HostCode::findChangesBeforeMain(const UnitEffects &Effects) {
  auto Note = [&](const EffectSummary &Each) {
    ChangedBeforeMain.insert_range(Each.Changed);
  };
  for (const auto &[Function, Each] : Effects.Functions)
    if (Function->hasAttr<ConstructorAttr>() || Function->hasAttr<UsedAttr>())
      forEachReached(*Function, Note);
  for (const auto &[Variable, Each] : Effects.Variables) {
    const Expr *Init = Variable->getInit();
    if (!Init || Init->isValueDependent())
      continue;
    add(Each);
    if (Variable->hasConstantInitialization())
      continue;
    Note(Each);
    for (const FunctionDecl *Callee : Each.Callees)
      forEachReached(*Callee, Note);
  }
}

bool HostCode::mayBeSetByLost(const ValueDecl &Named) const {
  return Lost.mayMean(Named) ||
         ChangedByLost.contains(cast<ValueDecl>(Named.getCanonicalDecl()));
}

/// Functions that are named there may be called there, and pointers that are
/// lead to what has been leaked.
void HostCode::findChangesByLost(const UnitEffects &Effects) {
  if (Lost.isEmpty())
    return;
  for (const auto &[Function, Own] : Effects.Functions) {
    const bool LosesPart = Lost.isPartOf(*Function);
    for (const VarDecl *Each : Own.Leaked)
      if ((LosesPart || Each->hasGlobalStorage()) &&
          !Each->getType().isConstQualified())
        ChangedByLost.insert(Each);
    if (Lost.names(Function->getNameAsString()))
      forEachReached(*Function, [&](const EffectSummary &Reached) {
        for (const VarDecl *Each : Reached.Changed)
          if (Each->hasGlobalStorage())
            ChangedByLost.insert(Each);
      });
  }
}

HostCode::HostCode(const UserFunctions &Functions, const UnitEffects &Effects,
                   bool WithOuterCalls, LostCode Lost)
    : WithOuterCalls(WithOuterCalls), Lost(std::move(Lost)) {
  llvm::SmallPtrSet<const FunctionDecl *, 32> Called;
  for (const auto &[Function, Each] : Effects.Functions) {
    if (Function->hasAttr<CUDAGlobalAttr>() ||
        (Function->hasAttr<CUDADeviceAttr>() &&
         !Function->hasAttr<CUDAHostAttr>()))
      continue;
    Summaries[Function] = &Each;
    Incomplete |= Each.TooDeep;
    add(Each);
    for (const CallExpr *Launch : Each.Launches)
      Launches.emplace_back(Launch, Function);
    llvm::append_range(OptIns, Each.OptIns);
    Changed.insert_range(Each.Changed);
    Leaked.insert_range(Each.Leaked);
    for (const FunctionDecl *Callee : Each.Callees)
      if (Callee != Function)
        Called.insert(Callee);
  }
  findChangesBeforeMain(Effects);
  findChangesByLost(Effects);
  for (const FunctionDecl *Each : Functions.Definitions)
    if (Each->isUsed(/*CheckUsedAttr=*/false) && !isa<CXXMethodDecl>(Each) &&
        !Each->isOverloadedOperator() && !Called.contains(Each) &&
        !AddressTaken.contains(Each))
      Unnamed.push_back(Each);
  for (const auto &[Function, Each] : Effects.Functions)
    if (!Called.contains(Function) && canBeRoot(*Function))
      Roots.push_back(Function);
  std::ranges::stable_partition(
      Roots, [&](const FunctionDecl *Each) { return reachesLaunch(*Each); });
}

} // namespace cudalint
