//===- analyzer/ir/LoopPassages.cpp - Loops in trials of turns ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/WarpRun.h"

#include <algorithm>

using namespace llvm;

namespace cudalint {

/// Each loop tries its turns, in each of which the loops inside try theirs: how
/// often the innermost one is tried grows exponentially with the depth, unless
/// what is known of it is used again. So many different ways to come to a loop
/// are kept: each loop around it may have parted lanes or not, and how many did
/// is one more way than there are such loops; code is not deeper than this.
static constexpr std::size_t MostPassages = 32;

static bool sayTheSame(const HeldRemaindersPtr &X, const HeldRemaindersPtr &Y) {
  return X == Y || (X && Y && *X == *Y);
}

/// Whether lanes come in the same way, but for the numbers of conditions.
static bool isSameWay(const PathMask &X, const PathMask &Y) {
  if (X.May != Y.May || X.Doubtful != Y.Doubtful ||
      X.DataDriven != Y.DataDriven || X.Assumes != Y.Assumes ||
      X.Partings != Y.Partings || X.SomeBlocks != Y.SomeBlocks ||
      X.FewBlocks != Y.FewBlocks || X.OpenBlocks != Y.OpenBlocks ||
      X.Undecided != Y.Undecided || X.Chosen.By != Y.Chosen.By ||
      X.Chosen.Wanted != Y.Chosen.Wanted || X.Chosen.Of != Y.Chosen.Of ||
      !sayTheSame(X.Held, Y.Held))
    return false;
  const std::array Of = {X.Condition, X.Chosen.Set, X.Chosen.From};
  const std::array To = {Y.Condition, Y.Chosen.Set, Y.Chosen.From};
  for (std::size_t K = 0; K < Of.size(); ++K) {
    const bool IsNumber = Of[K] && Of[K] != LaneChoice::Mixed;
    if (IsNumber != (To[K] && To[K] != LaneChoice::Mixed) ||
        (!IsNumber && Of[K] != To[K]))
      return false;
    for (std::size_t Other = 0; Other < K; ++Other)
      if ((Of[K] == Of[Other]) != (To[K] == To[Other]))
        return false;
  }
  return true;
}

/// Lets lanes that come as \p Now says go where those of \p Known went. False:
/// these came in another way.
bool WarpInterpreter::repeat(const LoopPassage &Known, const LoopPassage &Now,
                             const Region &R) {
  if (!isSameWay(Known.Mask, Now.Mask) || Known.Start != Now.Start ||
      Known.Sources != Now.Sources || Known.Warps.First != Now.Warps.First ||
      Known.Warps.Last != Now.Warps.Last ||
      Known.PartingsBefore != Now.PartingsBefore)
    return false;
  auto Renumber = [&](unsigned &Number) {
    if (Number == 0 || Number == LaneChoice::Mixed)
      return;
    if (Number > Known.Conditions)
      Number = Number - Known.Conditions + Conditions;
    else if (Number == Known.Mask.Condition)
      Number = Now.Mask.Condition;
    else if (Number == Known.Mask.Chosen.Set)
      Number = Now.Mask.Chosen.Set;
    else if (Number == Known.Mask.Chosen.From)
      Number = Now.Mask.Chosen.From;
  };
  for (const auto &[Exit, Left] : Known.Exits) {
    EdgeState Its = Left;
    Renumber(Its.Mask.Condition);
    Renumber(Its.Mask.Chosen.Set);
    Renumber(Its.Mask.Chosen.From);
    State.Edges.emplace(Exit, std::move(Its));
  }
  Conditions += Known.NewConditions;
  Work -= std::min(Work, Known.Work);
  for (const llvm::Loop *Each : Known.Decided)
    Decided[Each] = true;
  if (R.StoresToLocals)
    State.Locals.clear();
  return true;
}

/// Lets lanes come to a loop of which it is only asked where they go.
void WarpInterpreter::passThrough(const Region &R, PathMask Mask,
                                  const PhiValues &Start) {
  auto IsWaiting = [&](const BlockEdge &Exit) {
    return State.Edges.contains(Exit);
  };
  if (llvm::any_of(R.Exits, IsWaiting)) {
    // They would meet others there.
    runGeneralised(R, Mask, Start);
    return;
  }
  LoopPassage Now = {.Mask = Mask, .Start = Start, .Conditions = Conditions};
  for (const Instruction *Each : *R.SourcesOfWays)
    Now.Sources.push_back(Values.get(Each));
  if (A.areSeveralWarps())
    Now.Warps = A.warps();
  for (const llvm::Loop *L = R.Loop->getParentLoop(); L; L = L->getParentLoop())
    Now.PartingsBefore.push_back(PartingsBefore.lookup(L));
  std::vector<LoopPassage> &All = Passages[R.Loop];
  if (llvm::any_of(
          All, [&](const LoopPassage &Each) { return repeat(Each, Now, R); }))
    return;

  const std::size_t Symbols = A.symbolCount(), WorkBefore = Work;
  SmallVector<bool> WereDecided;
  for (const llvm::Loop *L = R.Loop->getParentLoop(); L; L = L->getParentLoop())
    WereDecided.push_back(std::exchange(Decided[L], false));
  runGeneralised(R, Mask, Start);
  std::size_t K = 0;
  for (const llvm::Loop *L = R.Loop->getParentLoop(); L;
       L = L->getParentLoop()) {
    if (Decided[L])
      Now.Decided.push_back(L);
    Decided[L] |= WereDecided[K++];
  }
  if (A.areWarpsApart())
    return;
  Now.NewConditions = Conditions - Now.Conditions;
  Now.Work = WorkBefore - Work;
  for (const BlockEdge &Exit : R.Exits)
    if (auto Left = State.Edges.find(Exit); Left != State.Edges.end())
      Now.Exits.emplace_back(*Left);
  // Something that is not known is another thing each time.
  auto IsNew = [&](const LaneValue &V) {
    return llvm::any_of(V.Terms, [&](const Term &T) { return T.S >= Symbols; });
  };
  if (llvm::any_of(Now.Exits, [&](const auto &Exit) {
        return llvm::any_of(Exit.second.PhiValues, IsNew);
      }))
    return;
  // Those of the loops inside may have moved it.
  std::vector<LoopPassage> &Known = Passages[R.Loop];
  if (Known.size() == MostPassages)
    Known.erase(Known.begin());
  Known.push_back(std::move(Now));
}

} // namespace cudalint
