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
    "the condition holds that the compiled code has and the source has not";

static constexpr const char *ConditionIsLeft =
    "the condition holds that the source has and the compiled code has not";

static constexpr const char *AreAllLanes =
    "an access that the compiled code makes once for all turns is of the lanes "
    "of one";

/// Behind a branch, in its loop or without one.
static bool isConditional(const WrittenAccess &W) {
  return W.LoopDepth ? !W.InEachTurn : !W.InEachRun;
}

static bool isUnconditional(const MachineInstruction &I) {
  return I.Block && I.IsInEachTurn && !I.Predicated;
}

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
    Out.Accesses[Access].Assumptions.insert(ConditionHolds);
  if (isConditional(W) && !Part.IsAlternative &&
      std::ranges::any_of(Pool, isUnconditional))
    Out.Accesses[Access].Assumptions.insert(ConditionIsLeft);
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
    Out.Accesses[Access].Assumptions.insert(ConditionIsLeft);
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
    Out.Accesses[Access].Assumptions.insert(ConditionHolds);
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

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

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
  unsigned Hoisted = 0, OnceInstructions = 0;
  std::vector<std::size_t> Once;
  if (IsOneLoop) {
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
    if (What == InvariantCode::Never && HasBranches)
      What = InvariantCode::EachTurn;
    if (What == InvariantCode::Never)
      for (std::size_t A : Invariant) {
        Out.Accesses[A].WhyRemoved = InRegister;
        IsPlaced[A] = true;
      }
    if (What == InvariantCode::Once) {
      Once.assign(Invariant.begin(), Invariant.end());
      OnceInstructions = instructionsOfInvariant(Group, Loops[Loop]);
      std::ranges::stable_sort(Instructions, {}, [&](std::size_t I) {
        return Code[I].Loops.size();
      });
      const auto Depth = static_cast<unsigned>(std::max<std::size_t>(
          Loops[Loop].Depth, Code[Instructions.back()].Loops.size()));
      Hoisted =
          std::max(1u, Depth - static_cast<unsigned>(
                                   Code[Instructions.front()].Loops.size()));
    }
    if (What != InvariantCode::EachTurn)
      Accesses.erase(Invariant.begin(), Invariant.end());
  }
  if (!Once.empty()) {
    const auto End = Instructions.begin() + OnceInstructions;
    const bool IsClear =
        OnceInstructions == Once.size() &&
        (End == Instructions.end() ||
         Code[*(End - 1)].Loops.size() != Code[*End].Loops.size());
    const unsigned Pool = addPool({Instructions.begin(), End});
    Instructions.erase(Instructions.begin(), End);
    for (std::size_t A : Once)
      place(A, {.Bytes = Written[A].Bytes,
                .Hoisted = std::min(Hoisted, Written[A].Invariant),
                .Pool = Pool});
    // Which of them are out of the loop is a guess otherwise, and that they
    // are.
    if (!IsClear) {
      for (std::size_t A : Once)
        Out.Accesses[A].Assumptions.insert(OwnInstructions);
      for (std::size_t A : Accesses)
        Out.Accesses[A].Assumptions.insert(OwnInstructions);
    }
  }
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

/// As many instructions as there are of accesses of which each lane takes one,
/// or, of one such set in a loop that is written out, as it has turns.
bool Matching::matchAlternatives(const std::vector<std::size_t> &Accesses,
                                 std::vector<std::size_t> Instructions) {
  std::vector<std::vector<std::size_t>> Sets;
  std::map<unsigned, std::size_t> SetOf;
  for (std::size_t A : Accesses) {
    const unsigned Number = Written[A].Alternative;
    const auto [Found, IsNew] = SetOf.try_emplace(Number, Sets.size());
    if (IsNew || !Number)
      Sets.emplace_back();
    Sets[Number ? Found->second : Sets.size() - 1].push_back(A);
  }
  if (Sets.size() == Accesses.size())
    return false;
  const WrittenAccess &First = Written[Accesses.front()];
  // Of one set in a loop, as many as turns are written out; if each branch had
  // its own, they would be a multiple.
  const bool AreAllTurns =
      Instructions.size() == First.Turns &&
      std::ranges::all_of(Instructions,
                          [&](std::size_t I) { return Code[I].Loops.empty(); });
  const bool AreForAll =
      std::ranges::all_of(
          Accesses, [&](std::size_t A) { return isConditional(Written[A]); }) &&
      std::ranges::all_of(Instructions, [&](std::size_t I) {
        return isUnconditional(Code[I]);
      });
  const bool AreTurns =
      Sets.size() == 1 &&
      (AreAllTurns || (First.LoopDepth &&
                       (AreForAll || Instructions.size() % Accesses.size())));
  if (Sets.size() != Instructions.size() && !AreTurns)
    return false;
  // What some lanes alone do is one branch, unless all of it is.
  auto IsPredicated = [&](std::size_t I) { return Code[I].Predicated; };
  const auto Predicated = static_cast<std::size_t>(
      std::ranges::count_if(Instructions, IsPredicated));
  auto IsOne = [&](const std::vector<std::size_t> &Set) {
    return Set.size() == 1 && !Written[Set.front()].InEachRun;
  };
  if (Predicated ==
          static_cast<std::size_t>(std::ranges::count_if(Sets, IsOne)) &&
      !AreTurns) {
    std::ranges::stable_partition(Sets, IsOne);
    std::ranges::stable_partition(Instructions, IsPredicated);
  }
  for (std::size_t S = 0; S != Sets.size() && !AreTurns; ++S)
    if (Sets[S].size() > 1 && Code[Instructions[S]].Predicated &&
        Predicated != Instructions.size())
      return false;
  for (std::size_t S = 0; S != Sets.size(); ++S) {
    const unsigned Pool = addPool(
        AreTurns ? Instructions : std::vector<std::size_t>{Instructions[S]});
    const bool AreMore = Sets[S].size() > 1;
    for (std::size_t A : Sets[S])
      place(A, {.Bytes = Written[A].Bytes,
                .IsShared = AreMore,
                .IsAlternative = AreMore,
                .Pool = Pool});
    // Under a condition, it may be that of one of them, of which the other has
    // its value already.
    if (AreMore &&
        std::ranges::any_of(Out.Pools[Pool], &MachineInstruction::Predicated))
      for (std::size_t A : Sets[S])
        Out.Accesses[A].Assumptions.insert(SharesInstruction);
  }
  return true;
}

/// What has no instruction on its own line may be made by that of another
/// branch, sunk below both.
void Matching::matchSunk() {
  std::map<unsigned, std::vector<std::size_t>> Alternatives;
  for (std::size_t A = 0; A != Written.size(); ++A)
    if (Written[A].Alternative)
      Alternatives[Written[A].Alternative].push_back(A);
  std::vector<std::size_t> Users(Out.Pools.size());
  for (const CompiledAccess &Each : Out.Accesses)
    for (const CompiledPart &Part : Each.Parts)
      ++Users[Part.Pool];
  for (const auto &[Number, All] : Alternatives) {
    std::vector<std::size_t> With, Without;
    for (std::size_t A : All)
      (IsPlaced[A] ? With : Without).push_back(A);
    if (With.size() != 1 || Without.empty())
      continue;
    std::vector<CompiledPart> &Parts = Out.Accesses[With[0]].Parts;
    if (Parts.size() != 1 || Parts[0].Bytes != Written[With[0]].Bytes ||
        Parts[0].Hoisted || Parts[0].IsShared ||
        (Out.Pools[Parts[0].Pool].size() != 1 &&
         Out.Pools[Parts[0].Pool].size() != Written[With[0]].Turns) ||
        Users[Parts[0].Pool] != 1)
      continue;
    Parts[0].IsShared = Parts[0].IsAlternative = true;
    for (std::size_t A : Without) {
      place(A, Parts[0]);
      Out.Accesses[A].Assumptions.insert(SharesInstruction);
    }
    Out.Accesses[With[0]].Assumptions.insert(SharesInstruction);
  }
}

/// The same for words of several accesses, of which each branch has all.
void Matching::matchSunkWords() {
  std::map<unsigned, std::vector<std::size_t>> Alternatives;
  for (std::size_t A = 0; A != Written.size(); ++A)
    if (Written[A].Alternative)
      Alternatives[Written[A].Alternative].push_back(A);
  for (const auto &[Number, All] : Alternatives) {
    const auto HasWord = std::ranges::find_if(All, [&](std::size_t A) {
      const std::vector<CompiledPart> &Parts = Out.Accesses[A].Parts;
      return Parts.size() == 1 && Parts[0].IsWider &&
             !Parts[0].IsOfNeighbours && Out.Pools[Parts[0].Pool].size() == 1;
    });
    if (HasWord == All.end())
      continue;
    const WrittenAccess &First = Written[*HasWord];
    CompiledPart &Word = Out.Accesses[*HasWord].Parts[0];
    Word.IsOfAllBranches = std::ranges::all_of(All, [&](std::size_t A) {
      const WrittenAccess &Each = Written[A];
      const std::vector<CompiledPart> &Parts = Out.Accesses[A].Parts;
      return Each.Chain == First.Chain &&
             Each.ChainOffset == First.ChainOffset &&
             (Parts.empty() ||
              (Parts.size() == 1 && Parts[0].Pool == Word.Pool));
    });
  }
}

/// What one instruction makes of several accesses rests on what each of them
/// takes for granted. It needs no condition of some of them alone.
void Matching::shareDoubts() {
  std::map<unsigned, std::set<std::string>> OfPool;
  auto ForEach = [&](auto Function) {
    for (CompiledAccess &Each : Out.Accesses)
      for (const CompiledPart &Part : Each.Parts)
        if (Part.IsShared)
          Function(Each.Assumptions, OfPool[Part.Pool]);
  };
  ForEach([](const std::set<std::string> &Own, std::set<std::string> &All) {
    All.insert(Own.begin(), Own.end());
    All.erase(ConditionIsLeft);
  });
  ForEach([](std::set<std::string> &Own, const std::set<std::string> &All) {
    Own.insert(All.begin(), All.end());
  });
}

CompiledKernel Matching::run() {
  matchLines();
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
