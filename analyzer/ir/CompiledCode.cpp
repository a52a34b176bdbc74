//===- analyzer/ir/CompiledCode.cpp - What nvcc makes of accesses ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/CompiledCode.h"

#include "analyzer/ir/CompiledMatching.h"

#include <algorithm>

namespace cudalint {

unsigned Matching::addPool(const std::vector<std::size_t> &Instructions) {
  std::vector<MachineInstruction> &Pool = Out.Pools.emplace_back();
  for (std::size_t I : Instructions) {
    Pool.push_back(Code[I]);
    IsTaken[I] = true;
  }
  return static_cast<unsigned>(Out.Pools.size() - 1);
}

static constexpr const char *ConditionHolds =
    "the condition that the compiler adds here is true";

static constexpr const char *ConditionIsLeft =
    "the condition that the compiler leaves out here is true";

static constexpr const char *AreAllLanes =
    "an access that the compiled code makes once for all turns is of the lanes "
    "of one";

void Matching::place(std::size_t Access, CompiledPart Part) {
  Part.OneLane = Written[Access].AddsUp &&
                 std::ranges::all_of(Out.Pools[Part.Pool],
                                     &MachineInstruction::Predicated);
  auto IsConditional = [](const MachineInstruction &I) {
    return I.Predicated || (I.Block && !I.IsInEachTurn);
  };
  const WrittenAccess &W = Written[Access];
  const std::vector<MachineInstruction> &Pool = Out.Pools[Part.Pool];
  auto IsInEachRun = [&](const MachineInstruction &I) {
    return !IsConditional(I) && (!I.Block || I.IsInEachRun);
  };
  if (W.InEachRun && !Part.OneLane && !std::ranges::all_of(Pool, IsInEachRun))
    Out.Accesses[Access].Assumptions.emplace(ConditionHolds,
                                             AssumptionKind::Program);
  if (isConditional(W) && !Part.IsAlternative &&
      std::ranges::any_of(Pool, isUnconditional))
    Out.Accesses[Access].Assumptions.emplace(ConditionIsLeft,
                                             AssumptionKind::Program);
  // Of several branches the compiled code may have left one.
  auto IsInBranch = [&](const MachineInstruction &I) {
    return I.Block && !I.IsInEachTurn && !I.Predicated;
  };
  if (W.OfTurnsAlone && W.Op == AccessOp::Load && !W.Volatile &&
      W.ObjectSpace == MemorySpace::Shared &&
      std::ranges::any_of(Pool, [&](const MachineInstruction &I) {
        return IsInBranch(I) &&
               (I.Loops.empty() ? W.Conditions : W.ConditionsInLoop) > 1;
      }))
    Out.Accesses[Access].Assumptions.emplace(ConditionIsLeft,
                                             AssumptionKind::Program);
  // A value that is there on some ways is loaded on the others.
  if (W.SharesValue && std::ranges::any_of(Pool, IsConditional))
    Out.Accesses[Access].Assumptions.insert(OwnInstructions);
  if (Part.Hoisted > W.StaysInLoops)
    Out.Accesses[Access].Assumptions.insert(OwnInstructions);
  if (Part.Hoisted > W.InEachTurn)
    Out.Accesses[Access].Assumptions.insert(AreAllLanes);
  // Some copies are in a loop that others are not in: as the rest of its turns,
  // or of a run in which the value stays.
  auto DepthOf = [](const MachineInstruction &I) { return I.Loops.size(); };
  const bool IsInSomeLoops = std::ranges::max(Pool, {}, DepthOf).Loops.size() !=
                             std::ranges::min(Pool, {}, DepthOf).Loops.size();
  if (IsInSomeLoops && (Part.Hoisted || (W.IsInvariantInSome && !W.Volatile)))
    Out.Accesses[Access].Assumptions.insert(OwnInstructions);
  // A turn may have the value of the one before, on some of the ways here.
  if (W.LoopDepth && W.InEachTurn == W.LoopDepth && !W.Volatile &&
      std::ranges::any_of(Pool, [&](const MachineInstruction &I) {
        return !I.Loops.empty() && IsConditional(I);
      }))
    Out.Accesses[Access].Assumptions.emplace(ConditionHolds,
                                             AssumptionKind::Program);
  // Of turns that are written out, some may be left out.
  if (W.Invariant && !W.Volatile && !Part.Hoisted &&
      std::ranges::any_of(Pool, [&](const MachineInstruction &I) {
        return I.Loops.size() < W.LoopDepth;
      }))
    Out.Accesses[Access].Assumptions.insert(OwnInstructions);
  if (W.MayBeInvariantInSome && !W.Volatile && !Part.Hoisted &&
      std::ranges::any_of(Pool, [&](const MachineInstruction &I) {
        return I.Loops.size() < W.LoopDepth && IsConditional(I);
      }))
    Out.Accesses[Access].Assumptions.insert(OwnInstructions);
  Out.Accesses[Access].Parts.push_back(Part);
  IsPlaced[Access] = true;
}

/// Where the instructions are as many as what is not redundant, or as many in
/// each turn of a loop that is written out, that is what they are of.
void Matching::leaveRedundant(std::vector<std::size_t> &Accesses,
                              std::size_t Instructions) {
  const std::size_t All = Accesses.size();
  const auto Redundant = std::ranges::stable_partition(
      Accesses, [&](std::size_t A) { return !Written[A].IsRedundant; });
  const std::size_t Needed = All - Redundant.size();
  const unsigned Loop = Written[Accesses.front()].Loop;
  const bool AreInOneLoop =
      Loop && std::ranges::all_of(Accesses, [&](std::size_t A) {
        return Written[A].Loop == Loop;
      });
  const auto Of = Loops.find(Loop);
  const bool IsTold =
      AreInOneLoop && Of != Loops.end() && Of->second.Turns.size() == 1;
  const bool AreOfTurns =
      IsTold ? Instructions == Needed * *Of->second.Turns.begin()
             : AreInOneLoop && Needed && Instructions % All &&
                   !(Instructions % Needed);
  if (Redundant.empty() || !Needed || (Instructions != Needed && !AreOfTurns)) {
    std::ranges::sort(Accesses);
    return;
  }
  for (std::size_t A : Redundant) {
    Out.Accesses[A].WhyRemoved =
        Written[A].Op == AccessOp::Load ? InRegister : NoInstruction;
    IsPlaced[A] = true;
  }
  Accesses.erase(Redundant.begin(), Redundant.end());
  if (Instructions != Needed && !IsTold)
    for (std::size_t A : Accesses)
      Out.Accesses[A].Assumptions.insert(OwnInstructions);
}

/// The instructions are as wide as what is written.
void Matching::matchSame(std::vector<std::size_t> Accesses,
                         std::vector<std::size_t> Instructions,
                         const std::set<std::size_t> &Widened) {
  const unsigned Loop = Written[Accesses.front()].Loop;
  const bool IsOneLoop =
      Loop && std::ranges::all_of(Accesses, [&](std::size_t A) {
        return Written[A].Loop == Loop && !IsPlaced[A];
      });
  leaveRedundant(Accesses, Instructions.size());
  if (matchRegisters(Accesses, Instructions))
    return;
  if (IsOneLoop)
    matchInvariant(Accesses, Instructions);
  std::erase_if(Accesses, [&](std::size_t A) {
    return IsPlaced[A] && !Widened.contains(A);
  });
  if (Accesses.empty())
    return;
  if (matchAlternatives(Accesses, Instructions) ||
      matchOffsets(Accesses, Instructions))
    return;
  const unsigned Pool = addPool(Instructions);
  const bool IsShared = Accesses.size() > Instructions.size();
  for (std::size_t A : Accesses) {
    place(A, {.Bytes = Written[A].Bytes, .IsShared = IsShared, .Pool = Pool});
    // As many turns of each are written out, or some of it is something else.
    if (Instructions.size() % Accesses.size() && !IsShared)
      Out.Accesses[A].Assumptions.insert(OwnInstructions);
  }
}

/// Of the members of a struct that is copied, the compiler leaves out what
/// nobody needs: which are left, their distances tell.
bool Matching::matchOffsets(const std::vector<std::size_t> &Accesses,
                            const std::vector<std::size_t> &Instructions) {
  const WrittenAccess &First = Written[Accesses.front()];
  std::map<std::int64_t, std::size_t> ByOffset;
  for (std::size_t A : Accesses)
    if (Written[A].Chain != First.Chain ||
        !ByOffset.emplace(Written[A].ChainOffset, A).second)
      return false;
  using Found = std::map<std::size_t, std::vector<std::size_t>>; // by access
  auto Shifted = [&](std::int64_t Shift) {
    Found Of;
    for (std::size_t I : Instructions) {
      const auto At = ByOffset.find(Code[I].AddressOffset - Shift);
      if (At == ByOffset.end())
        return Found();
      Of[At->second].push_back(I);
    }
    return Of;
  };
  // Constants of an address are mostly left to the instruction, whole; but not
  // what is too large for it.
  std::set<std::pair<std::int64_t, std::size_t>> Once;
  for (std::size_t I : Instructions)
    if (!Once.emplace(Code[I].AddressOffset, Code[I].Loops.size()).second &&
        Accesses.size() >= Instructions.size())
      return false;
  Found Of = Shifted(0);
  const bool AreInTurns = std::ranges::any_of(Instructions, [&](std::size_t I) {
    return Code[I].Loops.size() < First.LoopDepth;
  });
  constexpr std::size_t MostMembers = 256; // each shift is tried on all
  if (Of.empty() && !AreInTurns && Accesses.size() > Instructions.size() &&
      Accesses.size() <= MostMembers)
    for (const auto &[Offset, A] : ByOffset) {
      Found Other = Shifted(Code[Instructions.front()].AddressOffset - Offset);
      if (!Of.empty() && !Other.empty())
        return false;
      if (!Other.empty())
        Of = std::move(Other);
    }
  if (Of.empty() || Of.size() == Accesses.size())
    return false;
  for (std::size_t A : Accesses)
    if (const auto Each = Of.find(A); Each != Of.end())
      place(A, {.Bytes = Written[A].Bytes, .Pool = addPool(Each->second)});
    else
      Unneeded.push_back(A);
  return true;
}

/// What one instruction makes of several accesses rests on what each of them
/// takes for granted. It needs no condition of some of them alone.
void Matching::shareDoubts() {
  std::map<unsigned, std::set<Assumption>> OfPool;
  auto ForEach = [&](auto Function) {
    for (CompiledAccess &Each : Out.Accesses)
      for (const CompiledPart &Part : Each.Parts)
        if (Part.IsShared)
          Function(Each.Assumptions, OfPool[Part.Pool]);
  };
  ForEach([](const std::set<Assumption> &Own, std::set<Assumption> &All) {
    All.insert(Own.begin(), Own.end());
    All.erase(ConditionIsLeft);
  });
  ForEach([](std::set<Assumption> &Own, const std::set<Assumption> &All) {
    Own.insert(All.begin(), All.end());
  });
}

CompiledKernel Matching::run() {
  matchLines();
  matchCalls();
  matchMovedOut();
  matchNearest();
  matchSunk();
  matchLeft();
  for (std::size_t I = 0; I != Code.size(); ++I)
    if (!IsTaken[I] && Code[I].Space != MemorySpace::Local)
      Out.Unmatched.push_back(Code[I]);
  UsersOf.assign(Out.Pools.size(), 0);
  for (const CompiledAccess &Each : Out.Accesses)
    for (const CompiledPart &Part : Each.Parts)
      ++UsersOf[Part.Pool];
  doubtLoops();
  explainRest();
  matchSunkWords();
  shareDoubts();
  return std::move(Out);
}

CompiledKernel matchCompiled(const std::vector<WrittenAccess> &Written,
                             const std::vector<MachineInstruction> &Code) {
  return Matching(Written, Code).run();
}

} // namespace cudalint
