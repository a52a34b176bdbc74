//===- analyzer/ir/CompiledCode.cpp - What nvcc makes of accesses ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/CompiledCode.h"

#include "analyzer/frontend/SystemHeaders.h"
#include "analyzer/ir/LoopInvariants.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <tuple>

namespace cudalint {

using Place = std::pair<std::string_view, unsigned>;

static constexpr const char *NoInstruction =
    "the compiled code has no instruction for it";
static constexpr const char *SharesInstruction =
    "one instruction makes the accesses of branches that meet right after";

namespace {

/// Sets of numbers, of which two may become one.
class DisjointSets {
public:
  explicit DisjointSets(std::size_t Size) : Parent(Size) {
    std::iota(Parent.begin(), Parent.end(), std::size_t(0));
  }
  std::size_t find(std::size_t I) {
    while (Parent[I] != I)
      I = Parent[I] = Parent[Parent[I]];
    return I;
  }
  void unite(std::size_t I, std::size_t J) { Parent[find(I)] = find(J); }

private:
  std::vector<std::size_t> Parent;
};

} // namespace

namespace {

class Matching {
public:
  Matching(const std::vector<WrittenAccess> &Written,
           const std::vector<MachineInstruction> &Code)
      : Written(Written), Code(Code), IsPlaced(Written.size()),
        IsTaken(Code.size()) {
    Out.Accesses.resize(Written.size());
    for (std::size_t I = 0; I != Written.size(); ++I)
      Chains[Written[I].Chain].emplace(Written[I].ChainOffset, I);
  }

  CompiledKernel run();

private:
  const std::vector<WrittenAccess> &Written;
  const std::vector<MachineInstruction> &Code;
  /// Accesses by the distances within their chains.
  std::map<unsigned, std::multimap<std::int64_t, std::size_t>> Chains;
  std::vector<bool> IsPlaced;        ///< Of the written accesses.
  std::vector<bool> IsTaken;         ///< Of the instructions.
  std::vector<std::size_t> Unneeded; ///< Unless narrower ones are theirs.
  CompiledKernel Out;

  /// Whether \p Test holds for an access of the same chain less than so many
  /// bytes away, or for this one.
  template <typename Predicate>
  bool anyNear(const WrittenAccess &A, unsigned Bytes, Predicate Test) const {
    const auto Chain = Chains.find(A.Chain);
    if (Chain == Chains.end())
      return false;
    auto At = Chain->second.upper_bound(A.ChainOffset -
                                        static_cast<std::int64_t>(Bytes));
    for (; At != Chain->second.end() && At->first < A.ChainOffset + Bytes; ++At)
      if (Test(At->second))
        return true;
    return false;
  }
  static constexpr unsigned MostBytes = 32; ///< Of one instruction and lane.

  std::map<unsigned, LoopCode> Loops; ///< By WrittenAccess::Loop.

  void readLoop(const std::vector<std::size_t> &Accesses,
                const std::vector<std::size_t> &Instructions);
  void matchSame(std::vector<std::size_t> Accesses,
                 std::vector<std::size_t> Instructions,
                 const std::set<std::size_t> &Widened);
  void uniteCalls(const std::map<Place, std::vector<std::size_t>> &ByFirst,
                  const std::vector<std::pair<std::size_t, std::size_t>> &Of,
                  DisjointSets &Groups) const;
  bool matchOffsets(const std::vector<std::size_t> &Accesses,
                    const std::vector<std::size_t> &Instructions);
  bool matchAlternatives(const std::vector<std::size_t> &Accesses,
                         const std::vector<std::size_t> &Instructions);
  void matchSunk();
  void matchLines();
  void matchNearest();
  void match(const std::vector<std::size_t> &Accesses,
             const std::vector<std::size_t> &Instructions);
  unsigned addPool(const std::vector<std::size_t> &Instructions);
  void place(std::size_t Access, CompiledPart Part);
  bool neighboursMakeUp(std::size_t Access, unsigned Bytes) const;
  bool isAlone(std::size_t Access, unsigned Bytes) const;
  unsigned unrolledLoops(std::size_t Access,
                         const std::vector<std::size_t> &Instructions) const;
  std::vector<std::size_t> packed(const std::vector<std::size_t> &Accesses,
                                  unsigned Bytes);
  void split(const std::vector<std::size_t> &Accesses,
             const std::vector<std::size_t> &Instructions);
  void explainRest();
};

} // namespace

static Place placeOf(const Location &L) { return {baseName(L.File), L.Line}; }

static std::vector<Place> placesOf(const std::vector<Location> &Frames) {
  std::vector<Place> Result;
  for (const Location &Each : Frames)
    Result.push_back(placeOf(Each));
  return Result;
}

unsigned Matching::addPool(const std::vector<std::size_t> &Instructions) {
  std::vector<MachineInstruction> &Pool = Out.Pools.emplace_back();
  for (std::size_t I : Instructions) {
    Pool.push_back(Code[I]);
    IsTaken[I] = true;
  }
  return static_cast<unsigned>(Out.Pools.size() - 1);
}

void Matching::place(std::size_t Access, CompiledPart Part) {
  Part.OneLane = Written[Access].AddsUp &&
                 std::ranges::all_of(Out.Pools[Part.Pool],
                                     &MachineInstruction::Predicated);
  Out.Accesses[Access].Parts.push_back(Part);
  IsPlaced[Access] = true;
}

//===----------------------------------------------------------------------===//
// Widths
//===----------------------------------------------------------------------===//

/// Whether neighbours of the access, or what it accesses in other turns of a
/// loop, lie right beside it.
bool Matching::neighboursMakeUp(std::size_t Access, unsigned Bytes) const {
  const WrittenAccess &A = Written[Access];
  if (A.Bytes >= Bytes)
    return false;
  if (std::ranges::any_of(A.Steps, [&](std::int64_t Step) {
        return std::abs(Step) == A.Bytes;
      }))
    return true;
  return anyNear(A, Bytes, [&](std::size_t Other) {
    return Written[Other].Op == A.Op &&
           Written[Other].ChainOffset != A.ChainOffset;
  });
}

/// Whether a word of so many bytes that begins with the access holds nothing
/// else, neither a neighbour nor the same access in the next turn of a loop.
bool Matching::isAlone(std::size_t Access, unsigned Bytes) const {
  const WrittenAccess &A = Written[Access];
  return std::ranges::none_of(
             A.Steps,
             [&](std::int64_t Step) { return std::abs(Step) < Bytes; }) &&
         !anyNear(A, Bytes, [&](std::size_t Other) {
           return Written[Other].Op == A.Op &&
                  Written[Other].ChainOffset > A.ChainOffset;
         });
}

/// Of how many loops around it, from the innermost on, all turns are written
/// out.
unsigned
Matching::unrolledLoops(std::size_t Access,
                        const std::vector<std::size_t> &Instructions) const {
  const std::size_t Depth = Code[Instructions.front()].Loops.size();
  const unsigned Written = this->Written[Access].LoopDepth;
  return Depth < Written && std::ranges::all_of(
                                Instructions,
                                [&](std::size_t I) {
                                  return Code[I].Loops.size() == Depth;
                                })
             ? Written - static_cast<unsigned>(Depth)
             : 0;
}

/// Of accesses that instructions of so many bytes hold several of, those that
/// stand for them: of the neighbours in one word, the first; the others become
/// part of it. What is alone in its word is none of them where others are not.
std::vector<std::size_t>
Matching::packed(const std::vector<std::size_t> &Accesses, unsigned Bytes) {
  std::map<unsigned, std::vector<std::size_t>> ByChain;
  for (std::size_t A : Accesses)
    ByChain[Written[A].Chain].push_back(A);
  std::vector<std::size_t> Leaders, Alone;
  for (auto &[Chain, Members] : ByChain) {
    std::ranges::stable_sort(
        Members, {}, [&](std::size_t A) { return Written[A].ChainOffset; });
    std::optional<std::int64_t> Begin;
    for (std::size_t A : Members) {
      const std::int64_t At = Written[A].ChainOffset;
      // Within the word of the one before it.
      if (Begin && At - *Begin + Written[A].Bytes <= Bytes && At != *Begin) {
        Out.Accesses[A].WhyRemoved =
            "it is part of a wider access of the compiled code";
        IsPlaced[A] = true;
        continue;
      }
      Begin = At;
      (isAlone(A, Bytes) ? Alone : Leaders).push_back(A);
    }
  }
  return Leaders.empty() ? Alone : Leaders;
}

/// One access that is several instructions: which bytes each has, their
/// distances tell.
void Matching::split(const std::vector<std::size_t> &Accesses,
                     const std::vector<std::size_t> &Instructions) {
  std::map<std::pair<unsigned, unsigned>, std::vector<std::size_t>> Parts;
  const unsigned Whole = Written[Accesses.front()].Bytes;
  for (std::size_t I : Instructions) {
    const unsigned Bytes = std::max(Code[I].Bytes, 1u);
    const auto In = static_cast<unsigned>(Code[I].AddressOffset & (Whole - 1));
    Parts[{std::min(In, Whole - Bytes) / Bytes * Bytes, Bytes}].push_back(I);
  }
  for (const auto &[Part, Of] : Parts) {
    const unsigned Pool = addPool(Of);
    for (std::size_t A : Accesses)
      place(A, {.Bytes = Part.second, .Offset = Part.first, .Pool = Pool});
  }
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
    return Written[A].Loop == First.Loop && Written[A].Bytes == First.Bytes;
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
  LoopCode &Loop = Loops[First.Loop];
  (AllStay ? Loop.Turns : Loop.PerhapsTurns)
      .insert(static_cast<unsigned>(Instructions.size() / Accesses.size()));
  for (std::size_t I : Instructions)
    Loop.Depth =
        std::max(Loop.Depth, static_cast<unsigned>(Code[I].Loops.size()));
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
  unsigned Hoisted = 0, OnceInstructions = 0;
  std::vector<std::size_t> Once;
  if (IsOneLoop) {
    auto Varies = [&](std::size_t A) {
      return !Written[A].Invariant || Written[A].Volatile;
    };
    const auto Invariant = std::ranges::stable_partition(Accesses, Varies);
    LoopGroup Group{
        .Varying = static_cast<unsigned>(Invariant.begin() - Accesses.begin()),
        .Invariant = static_cast<unsigned>(Invariant.size()),
        .Depths = {},
        .AreStores =
            Written[Invariant.empty() ? Accesses.front() : Invariant.front()]
                .Op == AccessOp::Store};
    for (std::size_t I : Instructions)
      Group.Depths.push_back(static_cast<unsigned>(Code[I].Loops.size()));
    const InvariantCode What = invariantCode(Group, Loops[Loop]);
    if (What == InvariantCode::Never)
      for (std::size_t A : Invariant) {
        Out.Accesses[A].WhyRemoved =
            "the compiled code has the value in a register";
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
    const unsigned Pool = addPool({Instructions.begin(), End});
    Instructions.erase(Instructions.begin(), End);
    for (std::size_t A : Once)
      place(A, {.Bytes = Written[A].Bytes,
                .Hoisted = std::min(Hoisted, Written[A].Invariant),
                .Pool = Pool});
  }
  std::erase_if(Accesses, [&](std::size_t A) {
    return IsPlaced[A] && !Widened.contains(A);
  });
  if (Accesses.empty())
    return;
  if (matchOffsets(Accesses, Instructions) ||
      (Accesses.size() > Instructions.size() &&
       matchAlternatives(Accesses, Instructions)))
    return;
  const unsigned Pool = addPool(Instructions);
  const bool IsShared = Accesses.size() > Instructions.size();
  for (std::size_t A : Accesses)
    place(A, {.Bytes = Written[A].Bytes, .IsShared = IsShared, .Pool = Pool});
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
  // Constants of an address are mostly left to the instruction, whole.
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

/// As many instructions as there are of accesses of which each lane takes one.
bool Matching::matchAlternatives(const std::vector<std::size_t> &Accesses,
                                 const std::vector<std::size_t> &Instructions) {
  std::vector<std::vector<std::size_t>> Sets;
  std::map<unsigned, std::size_t> SetOf;
  for (std::size_t A : Accesses) {
    const unsigned Number = Written[A].Alternative;
    const auto [Found, IsNew] = SetOf.try_emplace(Number, Sets.size());
    if (IsNew || !Number)
      Sets.emplace_back();
    Sets[Number ? Found->second : Sets.size() - 1].push_back(A);
  }
  if (Sets.size() != Instructions.size())
    return false;
  for (std::size_t S = 0; S != Sets.size(); ++S) {
    const unsigned Pool = addPool({Instructions[S]});
    const bool AreMore = Sets[S].size() > 1;
    for (std::size_t A : Sets[S])
      place(A, {.Bytes = Written[A].Bytes,
                .IsShared = AreMore,
                .IsAlternative = AreMore,
                .Pool = Pool});
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
        Out.Pools[Parts[0].Pool].size() != 1 || Users[Parts[0].Pool] != 1)
      continue;
    Parts[0].IsShared = Parts[0].IsAlternative = true;
    for (std::size_t A : Without) {
      place(A, Parts[0]);
      Out.Accesses[A].Assumption = SharesInstruction;
    }
    Out.Accesses[With[0]].Assumption = SharesInstruction;
  }
}

/// The instructions are of these accesses: which is how wide?
void Matching::match(const std::vector<std::size_t> &Accesses,
                     const std::vector<std::size_t> &Instructions) {
  std::map<unsigned, std::vector<std::size_t>, std::greater<>> ByWidth;
  for (std::size_t I : Instructions)
    ByWidth[Code[I].Bytes].push_back(I);
  std::set<std::size_t> Widened;
  for (const auto &[Bytes, Of] : ByWidth) {
    std::vector<std::size_t> Same, Narrower, Wider;
    for (std::size_t A : Accesses) {
      const unsigned As = Written[A].Bytes;
      if (As == Bytes || Bytes == 0)
        Same.push_back(A);
      else if (As > Bytes)
        Wider.push_back(A);
      else if (neighboursMakeUp(A, Bytes))
        Narrower.push_back(A);
    }
    // What has become wider is not what is left as it was, if others are.
    std::vector<std::size_t> Others;
    for (std::size_t A : Same)
      if (!Widened.contains(A))
        Others.push_back(A);
    if (!Others.empty())
      Same = Others;
    if (!Same.empty()) {
      matchSame(std::move(Same), Of, Widened);
    } else if (!Narrower.empty()) {
      const unsigned Pool = addPool(Of);
      const std::vector<std::size_t> Leaders = packed(Narrower, Bytes);
      for (std::size_t A : Leaders)
        place(A, {.Bytes = Bytes,
                  .IsWider = true,
                  .Unrolled = Leaders.size() == 1 ? unrolledLoops(A, Of) : 0,
                  .Most = static_cast<unsigned>(Of.size()),
                  .Pool = Pool});
      for (std::size_t A : Narrower)
        if (IsPlaced[A])
          Widened.insert(A);
    } else if (!Wider.empty()) {
      // What has none yet.
      if (const auto Rest = std::ranges::stable_partition(
              Wider, [&](std::size_t A) { return !IsPlaced[A]; });
          Rest.begin() != Wider.begin())
        Wider.erase(Rest.begin(), Rest.end());
      // Of several sizes, the smallest that holds them.
      unsigned Least = ~0u;
      for (std::size_t A : Wider)
        Least = std::min(Least, Written[A].Bytes);
      std::erase_if(Wider,
                    [&](std::size_t A) { return Written[A].Bytes != Least; });
      split(Wider, Of);
    } else {
      // Neighbours in some turn of a loop whose step changes, as in a bitonic
      // sort: the lanes' addresses tell in which.
      Widened.insert(Accesses.begin(), Accesses.end());
      const unsigned Pool = addPool(Of);
      for (std::size_t A : Accesses)
        place(A, {.Bytes = Bytes,
                  .IsWider = true,
                  .IsOfNeighbours = true,
                  .Pool = Pool});
    }
  }
  for (std::size_t A : Unneeded)
    if (!IsPlaced[A]) {
      Out.Accesses[A].WhyRemoved = NoInstruction;
      IsPlaced[A] = true;
    }
  Unneeded.clear();
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

/// An instruction of the generic space touches any; what was written may not
/// tell, either.
static bool mayBe(const WrittenAccess &A, const MachineInstruction &I) {
  return A.Op == I.Op &&
         (A.Space == I.Space || A.Space == MemorySpace::Generic ||
          I.Space == MemorySpace::Generic);
}

/// ptxas writes no new row where the line stays the same and the call alone
/// changes: of two calls of one function, one right behind the other, all
/// instructions have the call of the first. Where the accesses of one call have
/// more instructions than they need and those of another none, they are of
/// both.
void Matching::uniteCalls(
    const std::map<Place, std::vector<std::size_t>> &ByFirst,
    const std::vector<std::pair<std::size_t, std::size_t>> &Of,
    DisjointSets &Groups) const {
  std::map<std::size_t, std::size_t> Instructions, Needed; // by group
  std::map<std::size_t, std::size_t> Depths;               // likewise
  for (auto [A, I] : Of) {
    ++Instructions[Groups.find(A)];
    Depths.try_emplace(Groups.find(A), Code[I].Loops.size());
  }
  for (std::size_t A = 0; A != Written.size(); ++A) {
    // Of turns that are written out, each has its own.
    const auto Depth = Depths.find(Groups.find(A));
    const bool IsUnrolled = Written[A].Turns && Depth != Depths.end() &&
                            !Depth->second && Written[A].LoopDepth;
    Needed[Groups.find(A)] += IsUnrolled ? Written[A].Turns : 1;
  }
  std::set<std::size_t> United;
  auto Unite = [&](std::size_t Without, std::size_t With) {
    const std::size_t Group = Groups.find(With), Own = Groups.find(Without);
    const WrittenAccess &W = Written[Without], &Other = Written[With];
    if ((Instructions.contains(Own) && !United.contains(Without)) ||
        Group == Own || Other.Frames == W.Frames ||
        std::pair(W.Op, W.Bytes) != std::pair(Other.Op, Other.Bytes) ||
        (W.Space != Other.Space && W.Space != MemorySpace::Generic) ||
        !Instructions.contains(Group) || Instructions[Group] <= Needed[Group])
      return false;
    const std::size_t Count = Instructions[Group] + Instructions[Own];
    const std::size_t Both = Needed[Group] + Needed[Own];
    Groups.unite(Without, With);
    United.insert(Without);
    Instructions[Groups.find(With)] = Count;
    Needed[Groups.find(With)] = Both;
    return true;
  };
  for (const auto &[At, Members] : ByFirst)
    for (std::size_t Without : Members)
      if (Written[Without].Frames.size() > 1 &&
          !Instructions.contains(Groups.find(Without)))
        for (std::size_t With : Members)
          // Of known turns, all that have too many share them.
          if (Unite(Without, With) && !Written[With].Turns)
            break;
  // The toolkit's own functions, atomicAdd for one: the next call, or the last.
  std::optional<std::size_t> Before;
  for (std::size_t A = 0; A != Written.size(); ++A) {
    if (!Written[A].InHeader)
      continue;
    if (Before && !Unite(A, *Before))
      Unite(*Before, A);
    Before = A;
  }
}

/// Instructions and accesses of one place. Where a function is inlined, the
/// compiler gives some of its instructions the line of the call: these belong
/// to all that is written behind it.
void Matching::matchLines() {
  std::map<std::vector<Place>, std::vector<std::size_t>> ByEnd;
  std::map<Place, std::vector<std::size_t>> ByFirst;
  for (std::size_t A = 0; A != Written.size(); ++A) {
    std::vector<Place> Places = placesOf(Written[A].Frames);
    if (Places.empty())
      continue;
    ByFirst[Places.front()].push_back(A);
    for (; !Places.empty(); Places.erase(Places.begin()))
      ByEnd[Places].push_back(A);
  }
  auto Fitting = [&](const std::vector<std::size_t> &Among, std::size_t I,
                     auto Test) {
    std::vector<std::size_t> Found;
    for (std::size_t A : Among)
      if (mayBe(Written[A], Code[I]) && Test(Written[A]))
        Found.push_back(A);
    return Found;
  };
  DisjointSets Groups(Written.size());
  std::vector<std::pair<std::size_t, std::size_t>> Of; // access, instruction
  for (std::size_t I = 0; I != Code.size(); ++I) {
    const std::vector<Place> Places = placesOf(Code[I].Frames);
    if (Places.empty())
      continue;
    const std::vector<std::size_t> &Near = ByEnd[Places];
    std::vector<std::size_t> Found =
        Fitting(Near, I, [&](const WrittenAccess &A) {
          return A.Frames.size() == Places.size() && A.Space == Code[I].Space;
        });
    auto Any = [](const WrittenAccess &) { return true; };
    if (Found.empty())
      Found = Fitting(Near, I, [&](const WrittenAccess &A) {
        return A.Frames.size() == Places.size();
      });
    if (Found.empty())
      Found = Fitting(Near, I, Any);
    if (Found.empty())
      Found = Fitting(ByFirst[Places.front()], I, Any);
    if (Found.empty())
      continue;
    for (std::size_t A : Found)
      Groups.unite(A, Found.front());
    Of.emplace_back(Found.front(), I);
  }
  uniteCalls(ByFirst, Of, Groups);
  std::map<std::size_t, std::vector<std::size_t>> Accesses, Instructions;
  for (auto [A, I] : Of)
    Instructions[Groups.find(A)].push_back(I);
  for (std::size_t A = 0; A != Written.size(); ++A)
    if (Instructions.contains(Groups.find(A)))
      Accesses[Groups.find(A)].push_back(A);
  for (const auto &[Group, Each] : Instructions)
    readLoop(Accesses[Group], Each);
  for (const auto &[Group, Each] : Instructions)
    match(Accesses[Group], Each);
}

/// The two compilers give the parts of one statement lines of their own. As
/// many as a long statement has; among equally good ones the nearest is taken,
/// and only of what no line fits exactly.
static constexpr unsigned MostLinesApart = 8;

void Matching::matchNearest() {
  std::map<Place, std::vector<std::size_t>> ByPlace;
  for (std::size_t A = 0; A != Written.size(); ++A)
    if (!IsPlaced[A] && !Written[A].Frames.empty())
      ByPlace[placeOf(Written[A].Frames.front())].push_back(A);
  std::map<std::pair<Place, std::pair<AccessOp, MemorySpace>>,
           std::vector<std::size_t>>
      Left;
  for (std::size_t I = 0; I != Code.size(); ++I)
    if (!IsTaken[I] && !Code[I].Frames.empty() &&
        Code[I].Space != MemorySpace::Local)
      Left[{placeOf(Code[I].Frames.front()), {Code[I].Op, Code[I].Space}}]
          .push_back(I);
  for (const auto &[Key, Instructions] : Left) {
    const auto &[Of, Kind] = Key;
    std::vector<std::size_t> Nearest;
    unsigned Least = MostLinesApart + 1;
    const unsigned First = Of.second - std::min(Of.second, MostLinesApart);
    for (auto At = ByPlace.lower_bound({Of.first, First});
         At != ByPlace.end() && At->first.first == Of.first &&
         At->first.second <= Of.second + MostLinesApart;
         ++At)
      for (std::size_t A : At->second) {
        const unsigned Line = At->first.second;
        const unsigned Apart =
            Line > Of.second ? Line - Of.second : Of.second - Line;
        if (IsPlaced[A] || Apart > Least ||
            std::pair(Written[A].Op, Written[A].Space) != Kind)
          continue;
        if (Apart < Least)
          Nearest.clear();
        Least = Apart;
        Nearest.push_back(A);
      }
    if (!Nearest.empty())
      match(Nearest, Instructions);
  }
}

/// What has no instruction is gone, unless some are left that may be its.
void Matching::explainRest() {
  // One of each kind is enough to ask.
  std::map<std::pair<AccessOp, MemorySpace>, std::size_t> Kinds;
  for (std::size_t I = 0; I != Out.Unmatched.size(); ++I)
    Kinds.try_emplace({Out.Unmatched[I].Op, Out.Unmatched[I].Space}, I);
  std::vector<std::size_t> Left;
  for (const auto &[Kind, I] : Kinds)
    Left.push_back(I);
  for (std::size_t A = 0; A != Written.size(); ++A) {
    if (IsPlaced[A])
      continue;
    const WrittenAccess &Of = Written[A];
    CompiledAccess &Result = Out.Accesses[A];
    const bool MayBeLeft = std::ranges::any_of(
        Left, [&](std::size_t I) { return mayBe(Of, Out.Unmatched[I]); });
    if (MayBeLeft) {
      Result.Parts.push_back(
          {.Bytes = Of.Bytes, .IsAsWritten = true, .Pool = ~0u});
      Result.Assumption = "the compiler makes of it what is written";
      continue;
    }
    // A neighbour of another line may hold it.
    const bool IsHeld = anyNear(Of, MostBytes, [&](std::size_t Other) {
      const std::int64_t In = Of.ChainOffset - Written[Other].ChainOffset;
      return Other != A && Written[Other].Op == Of.Op &&
             std::ranges::any_of(
                 Out.Accesses[Other].Parts, [&](const CompiledPart &P) {
                   return P.IsWider &&
                          std::abs(In) < static_cast<std::int64_t>(P.Bytes);
                 });
    });
    Result.WhyRemoved =
        IsHeld ? "it is part of a wider access of the compiled code"
               : NoInstruction;
  }
}

CompiledKernel Matching::run() {
  matchLines();
  matchNearest();
  matchSunk();
  for (std::size_t I = 0; I != Code.size(); ++I)
    if (!IsTaken[I] && Code[I].Space != MemorySpace::Local)
      Out.Unmatched.push_back(Code[I]);
  explainRest();
  return std::move(Out);
}

CompiledKernel matchCompiled(const std::vector<WrittenAccess> &Written,
                             const std::vector<MachineInstruction> &Code) {
  return Matching(Written, Code).run();
}

} // namespace cudalint
