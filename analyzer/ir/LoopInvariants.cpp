//===- analyzer/ir/LoopInvariants.cpp - Out of the loop -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/LoopInvariants.h"

#include <algorithm>
#include <optional>

namespace cudalint {

InvariantCode invariantCode(const LoopGroup &Group, const LoopCode &Loop) {
  const auto Count = static_cast<unsigned>(Group.Depths.size());
  const unsigned All = Group.Varying + Group.Invariant;
  if (!Group.Invariant || !Count)
    return InvariantCode::EachTurn;
  // What the varying ones are in says how deep the loop is.
  unsigned Depth = Loop.Depth;
  if (Group.Varying)
    Depth = std::max(Depth, std::ranges::max(Group.Depths));
  const auto Outside = static_cast<unsigned>(std::ranges::count_if(
      Group.Depths, [&](unsigned Each) { return Each < Depth; }));

  // What happens if so many turns are written out, if it can be so.
  auto IfTurns = [&](unsigned Turns) -> std::optional<InvariantCode> {
    // One turn, or one before it: the loops around them tell.
    if (Count == All * Turns)
      return Turns == 1 && Outside == Group.Invariant ? InvariantCode::Once
                                                      : InvariantCode::EachTurn;
    const unsigned OfVarying = Group.Varying * Turns;
    if (OfVarying == Count && Group.Varying && !Group.AreStores)
      return InvariantCode::Never;
    // Several: a loop that is unrolled has another one for the rest.
    if (OfVarying < Count && Count < All * Turns &&
        (Count - OfVarying) % Group.Invariant == 0)
      return InvariantCode::Once;
    return std::nullopt;
  };
  for (unsigned Turns : Loop.Turns)
    if (std::optional<InvariantCode> Code = IfTurns(Turns))
      return *Code;
  // Else something must be left for those that vary.
  if (!Loop.Turns.empty() || (Group.Varying && Count <= Group.Invariant))
    return InvariantCode::EachTurn;
  for (unsigned Turns : Loop.PerhapsTurns)
    if (std::optional<InvariantCode> Code = IfTurns(Turns); Code && Turns > 1)
      return *Code;
  if (Count % All == 0)
    return *IfTurns(Count / All);
  if (!Group.Varying)
    return InvariantCode::EachTurn;
  // Nothing tells of turns: those that stand outside may be they.
  if (Outside >= Group.Invariant &&
      (Count - Group.Invariant) % Group.Varying == 0)
    return InvariantCode::Once;
  // Of one that varies there is any number.
  return Group.Varying > 1 && Count % Group.Varying == 0 && !Group.AreStores
             ? InvariantCode::Never
             : InvariantCode::EachTurn;
}

unsigned instructionsOfInvariant(const LoopGroup &Group, const LoopCode &Loop) {
  const auto Count = static_cast<unsigned>(Group.Depths.size());
  for (const std::set<unsigned> *Evidence : {&Loop.Turns, &Loop.PerhapsTurns})
    for (unsigned Turns : *Evidence) {
      const unsigned OfVarying = Group.Varying * Turns;
      if (OfVarying < Count && Count < OfVarying + Group.Invariant * Turns &&
          (Count - OfVarying) % Group.Invariant == 0)
        return Count - OfVarying;
    }
  return std::min(Group.Invariant, Count);
}

} // namespace cudalint
