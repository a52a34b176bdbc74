//===- analyzer/ir/CompiledLoops.cpp - What turns have in common ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/CompiledMatching.h"

#include <algorithm>
#include <tuple>

namespace cudalint {

/// Accesses that happen in each turn of one loop, and nothing else, tell how
/// many turns of it are written out.
void Matching::readLoop(const std::vector<std::size_t> &Accesses,
                        const std::vector<std::size_t> &Instructions) {
  const WrittenAccess &First = Written[Accesses.front()];
  const bool AreAlike = std::ranges::all_of(Accesses, [&](std::size_t A) {
    return Written[A].Loop == First.Loop && Written[A].Bytes == First.Bytes &&
           Written[A].IsRedundant == First.IsRedundant;
  });
  auto StaysInLoop = [&](std::size_t A) {
    return !Written[A].Invariant || Written[A].Volatile;
  };
  const bool AllStay = std::ranges::all_of(Accesses, StaysInLoop);
  if (!First.Loop || !AreAlike ||
      (!AllStay && std::ranges::any_of(Accesses, StaysInLoop)) ||
      Instructions.size() % Accesses.size() ||
      std::ranges::any_of(Instructions, [&](std::size_t I) {
        return Code[I].Bytes != First.Bytes;
      }))
    return;
  // More than all of its turns need are those of a loop around it, or others'.
  LoopCode &Loop = Loops[First.Loop];
  const auto WrittenOut =
      static_cast<unsigned>(Instructions.size() / Accesses.size());
  const unsigned All = First.LoopTurns.empty() ? 0 : First.LoopTurns.front();
  if (All && WrittenOut > All && WrittenOut % All) {
    Loop.HasOthers = true;
    return;
  }
  (AllStay ? Loop.Turns : Loop.PerhapsTurns).insert(WrittenOut);
  // An atomic may be a loop itself.
  for (std::size_t I : Instructions)
    if (First.Op != AccessOp::Atomic)
      Loop.Depth =
          std::max(Loop.Depth, static_cast<unsigned>(Code[I].Loops.size()));
}

/// The same of accesses of several widths, each of which has instructions as
/// wide.
void Matching::readLoops(const std::vector<std::size_t> &Accesses,
                         const std::vector<std::size_t> &Instructions) {
  using OfOneWidth =
      std::pair<std::vector<std::size_t>, std::vector<std::size_t>>;
  std::map<unsigned, OfOneWidth> ByWidth;
  for (std::size_t A : Accesses)
    ByWidth[Written[A].Bytes].first.push_back(A);
  for (std::size_t I : Instructions)
    ByWidth[Code[I].Bytes].second.push_back(I);
  if (std::ranges::all_of(ByWidth, [](const auto &Each) {
        return !Each.second.first.empty() && !Each.second.second.empty();
      }))
    for (const auto &[Bytes, Of] : ByWidth)
      readLoop(Of.first, Of.second);
}

/// Of accesses and instructions in one loop, takes away those whose address
/// its turns do not change, where they do not happen in each.
void Matching::matchInvariant(std::vector<std::size_t> &Accesses,
                              std::vector<std::size_t> &Instructions) {
  const unsigned Loop = Written[Accesses.front()].Loop;
  // Nor is one of two branches alone, whose instruction has either address.
  std::map<unsigned, unsigned> Branches;
  for (std::size_t A : Accesses)
    ++Branches[Written[A].Alternative];
  auto Varies = [&](std::size_t A) {
    return !Written[A].Invariant || Written[A].Volatile ||
           (Written[A].Alternative && Branches[Written[A].Alternative] > 1);
  };
  const auto Invariant = std::ranges::stable_partition(Accesses, Varies);
  const bool HasBranches = std::ranges::any_of(
      Branches, [](const auto &Of) { return Of.first && Of.second > 1; });
  LoopGroup Group{
      .Varying = static_cast<unsigned>(Invariant.begin() - Accesses.begin()),
      .Invariant = static_cast<unsigned>(Invariant.size()),
      .Depths = {},
      .AreStores =
          Written[Invariant.empty() ? Accesses.front() : Invariant.front()]
              .Op == AccessOp::Store};
  for (std::size_t I : Instructions)
    Group.Depths.push_back(static_cast<unsigned>(Code[I].Loops.size()));
  InvariantCode What = invariantCode(Group, Loops[Loop]);
  // Where the loop is one in the machine code, too, they are out of it.
  const unsigned Deepest =
      std::max(Loops[Loop].Depth, std::ranges::max(Group.Depths));
  if (What == InvariantCode::Once &&
      Deepest >= Written[Accesses.front()].LoopDepth &&
      std::ranges::min(Group.Depths) >= Deepest)
    What = InvariantCode::EachTurn;
  // As few instructions may be that of two branches and one of its own.
  if (What == InvariantCode::EachTurn ||
      (What == InvariantCode::Never && HasBranches))
    return;
  const std::vector<std::size_t> Own(Invariant.begin(), Invariant.end());
  Accesses.erase(Invariant.begin(), Invariant.end());
  if (What == InvariantCode::Once) {
    placeOnce(Own, instructionsOfInvariant(Group, Loops[Loop]), Accesses,
              Instructions);
    return;
  }
  InRegisters.insert(InRegisters.end(), Own.begin(), Own.end());
}

/// What has no instruction in its loop may have one before it: nvcc gives what
/// it moves there the line of what is there. That is so where as many loads are
/// left, in the loops around those that do not change the address, as accesses
/// are; else values that are in registers are not loaded.
void Matching::matchMovedOut() {
  using Kind = std::tuple<MemorySpace, unsigned>; // and bytes
  std::map<Kind, std::vector<std::size_t>> Accesses, Instructions;
  for (std::size_t A = 0; A != Written.size(); ++A)
    if (!IsPlaced[A] && Written[A].Op == AccessOp::Load)
      Accesses[{Written[A].Space, Written[A].Bytes}].push_back(A);
  for (std::size_t I = 0; I != Code.size(); ++I)
    if (!IsTaken[I] && Code[I].Op == AccessOp::Load &&
        Code[I].Space != MemorySpace::Local)
      Instructions[{Code[I].Space, Code[I].Bytes}].push_back(I);
  for (const auto &[Of, Left] : Instructions) {
    const std::vector<std::size_t> &Without = Accesses[Of];
    const std::size_t Depth = Code[Left.front()].Loops.size();
    const bool AreMoved = std::ranges::all_of(Without, [&](std::size_t A) {
      const WrittenAccess &W = Written[A];
      return W.Invariant && W.LoopDepth == W.Invariant + Depth &&
             W.Turns != 1 && !W.Volatile;
    });
    if (!AreMoved || Without.size() != Left.size() ||
        !std::ranges::all_of(
            Left, [&](std::size_t I) { return Code[I].Loops.size() == Depth; }))
      continue;
    const unsigned Pool = addPool(Left);
    for (std::size_t A : Without) {
      place(A, {.Bytes = Written[A].Bytes,
                .Hoisted = Written[A].Invariant,
                .Pool = Pool});
      Out.Accesses[A].Assumptions.insert(IsNearest);
    }
  }
  for (std::size_t A : InRegisters) {
    if (!IsPlaced[A])
      Out.Accesses[A].WhyRemoved = InRegister;
    IsPlaced[A] = true;
  }
}

/// Of the instructions of one loop, takes away \p Count, those in the fewest
/// loops, which \p Once make once for all turns; \p Rest are the others.
void Matching::placeOnce(const std::vector<std::size_t> &Once, unsigned Count,
                         const std::vector<std::size_t> &Rest,
                         std::vector<std::size_t> &Instructions) {
  auto DepthOf = [&](std::size_t I) {
    return static_cast<unsigned>(Code[I].Loops.size());
  };
  std::ranges::stable_sort(Instructions, {}, DepthOf);
  const unsigned Depth = std::max(Loops[Written[Once.front()].Loop].Depth,
                                  DepthOf(Instructions.back()));
  const unsigned Hoisted = std::max(1u, Depth - DepthOf(Instructions.front()));
  const auto End = Instructions.begin() + Count;
  const bool IsClear =
      Count == Once.size() &&
      (End == Instructions.end() || DepthOf(*(End - 1)) != DepthOf(*End));
  const unsigned Pool = addPool({Instructions.begin(), End});
  Instructions.erase(Instructions.begin(), End);
  for (std::size_t A : Once)
    place(A, {.Bytes = Written[A].Bytes,
              .Hoisted = std::min(Hoisted, Written[A].Invariant),
              .Pool = Pool});
  if (IsClear)
    return;
  // Which of them are out of the loop is a guess otherwise, and that they are.
  for (const std::vector<std::size_t> *Both : {&Once, &Rest})
    for (std::size_t A : *Both)
      Out.Accesses[A].Assumptions.insert(OwnInstructions);
}

/// An address that no loop around it changes, and instructions in none, one for
/// each access: the value is in a register in between.
bool Matching::matchRegisters(const std::vector<std::size_t> &Accesses,
                              const std::vector<std::size_t> &Instructions) {
  const bool StayOutside = std::ranges::all_of(Accesses, [&](std::size_t A) {
    const WrittenAccess &W = Written[A];
    return W.LoopDepth && W.Invariant == W.LoopDepth && W.Turns != 1 &&
           !W.Volatile && !IsPlaced[A];
  });
  if (!StayOutside || Accesses.size() != Instructions.size() ||
      !std::ranges::all_of(
          Instructions, [&](std::size_t I) { return Code[I].Loops.empty(); }))
    return false;
  const unsigned Pool = addPool(Instructions);
  for (std::size_t A : Accesses)
    place(A, {.Bytes = Written[A].Bytes,
              .Hoisted = Written[A].LoopDepth,
              .Pool = Pool});
  return true;
}

} // namespace cudalint
