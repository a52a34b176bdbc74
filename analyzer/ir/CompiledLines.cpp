//===- analyzer/ir/CompiledLines.cpp - Accesses and code of a line --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/SystemHeaders.h"
#include "analyzer/ir/CompiledMatching.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <tuple>

namespace cudalint {

/// An instruction of the generic space touches any; what was written may not
/// tell, either.
static bool mayBe(const WrittenAccess &A, const MachineInstruction &I) {
  if (A.OfKnownTable && I.Loops.size() < std::max(A.LoopDepth, 1u))
    return false;
  auto MayBeIn = [&](MemorySpace Space) {
    return Space == I.Space || Space == MemorySpace::Generic ||
           I.Space == MemorySpace::Generic;
  };
  return A.Op == I.Op && MayBeIn(A.Space) && MayBeIn(A.ObjectSpace);
}

/// Where an instruction has the call of another one, as uniteCalls() says, its
/// width may tell: no access of its call is as wide, and one of another call of
/// the function is. Then all these calls share their instructions. Of a load, a
/// part may be what is needed; what is stored is stored whole, and if that
/// other call has no such instruction, it is not gone.
void Matching::uniteWidths(
    const std::map<Place, std::vector<std::size_t>> &ByFirst,
    const std::vector<std::pair<std::size_t, std::size_t>> &Of,
    DisjointSets &Groups) const {
  std::map<std::size_t, std::vector<std::size_t>> Members;
  for (std::size_t A = 0; A != Written.size(); ++A)
    Members[Groups.find(A)].push_back(A);
  std::set<std::pair<std::size_t, unsigned>> Widths; // of groups
  for (auto [A, I] : Of)
    Widths.emplace(Groups.find(A), Code[I].Bytes);
  std::vector<std::vector<std::size_t>> Families;
  for (auto [A, I] : Of) {
    const unsigned Bytes = Code[I].Bytes;
    const WrittenAccess &Own = Written[A];
    const auto Calls = Own.Frames.size() < 2
                           ? ByFirst.end()
                           : ByFirst.find(placeOf(Own.Frames.front()));
    if (Calls == ByFirst.end())
      continue;
    const std::vector<std::size_t> &Its = Members[Groups.find(A)];
    if (std::ranges::any_of(Its, [&](std::size_t Each) {
          return Written[Each].Bytes == Bytes;
        }))
      continue;
    const bool MayBeOwn = std::ranges::any_of(Its, [&](std::size_t Each) {
      const WrittenAccess &W = Written[Each];
      return neighboursMakeUp(Each, Bytes) ||
             (W.Bytes > Bytes &&
              (W.Op != AccessOp::Store || W.Align < W.Bytes));
    });
    const auto isAnother = [&](std::size_t Each) {
      const WrittenAccess &W = Written[Each];
      return W.Op == Own.Op && W.Space == Own.Space && W.Frames != Own.Frames;
    };
    if (std::ranges::none_of(Calls->second, [&](std::size_t Each) {
          return isAnother(Each) && Written[Each].Bytes == Bytes &&
                 (!MayBeOwn || (Own.Op == AccessOp::Store &&
                                !Widths.contains({Groups.find(Each), Bytes})));
        }))
      continue;
    Families.push_back({A});
    std::ranges::copy_if(Calls->second, std::back_inserter(Families.back()),
                         isAnother);
  }
  for (const std::vector<std::size_t> &Family : Families)
    for (const std::size_t Each : Family)
      Groups.unite(Each, Family.front());
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
  std::map<unsigned, std::vector<std::size_t>> Alternatives;
  for (std::size_t A = 0; A != Written.size(); ++A) {
    if (Written[A].Alternative)
      Alternatives[Written[A].Alternative].push_back(A);
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
    // Of branches that share one, the others.
    if (const auto Set = Alternatives.find(W.Alternative);
        Set != Alternatives.end())
      for (std::size_t Each : Set->second)
        if (placesOf(Written[Each].Frames) == placesOf(W.Frames) &&
            !Instructions.contains(Groups.find(Each))) {
          Groups.unite(Each, With);
          United.insert(Each);
        }
    Instructions[Groups.find(With)] = Count;
    Needed[Groups.find(With)] = Both;
    return true;
  };
  auto HasTooMany = [&](std::size_t A) {
    const std::size_t Group = Groups.find(A);
    const auto Found = Instructions.find(Group);
    return Found != Instructions.end() && Found->second > Needed[Group];
  };
  for (const auto &[At, Members] : ByFirst) {
    std::map<std::pair<AccessOp, unsigned>, std::vector<std::size_t>> TooMany;
    for (std::size_t A : Members)
      if (HasTooMany(A))
        TooMany[{Written[A].Op, Written[A].Bytes}].push_back(A);
    for (std::size_t Without : Members) {
      if (TooMany.empty() || Written[Without].Frames.size() < 2 ||
          Instructions.contains(Groups.find(Without)))
        continue;
      std::vector<std::size_t> &Among =
          TooMany[{Written[Without].Op, Written[Without].Bytes}];
      for (std::size_t With : Among)
        // Of known turns, all that have too many share them.
        if (Unite(Without, With) && !Written[With].Turns)
          break;
      std::erase_if(Among, [&](std::size_t A) { return !HasTooMany(A); });
    }
  }
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

/// The load of a loop that compares and swaps until it has added, say, a float.
bool Matching::isOfAtomicLoop(std::size_t Load) const {
  const MachineInstruction &L = Code[Load];
  return L.Op == AccessOp::Load && !L.Loops.empty() &&
         std::ranges::any_of(Code, [&](const MachineInstruction &I) {
           return I.Op == AccessOp::Atomic && I.Space == L.Space &&
                  I.Loops == L.Loops &&
                  placesOf(I.Frames) == placesOf(L.Frames);
         });
}

namespace {
/// Accesses by where they are written.
class PlacedAccesses {
public:
  PlacedAccesses(const std::vector<WrittenAccess> &Written,
                 const std::vector<MachineInstruction> &Code)
      : Written(Written), Code(Code) {
    for (std::size_t A = 0; A != Written.size(); ++A) {
      std::vector<Place> Places = placesOf(Written[A].Frames);
      if (Places.empty())
        continue;
      ByFirst[Places.front()].push_back(A);
      for (; !Places.empty(); Places.erase(Places.begin()))
        ByEnd[Places].push_back(A);
    }
    for (const MachineInstruction &Each : Code)
      ++Alike[{placesOf(Each.Frames), Each.Op, Each.Space, Each.Bytes}];
  }

  std::vector<std::size_t> at(const std::vector<Place> &Places,
                              std::size_t I) const;
  std::vector<std::size_t> behind(const std::vector<Place> &Places,
                                  std::size_t I) const;
  const std::map<Place, std::vector<std::size_t>> &byFirst() const {
    return ByFirst;
  }

private:
  const std::vector<WrittenAccess> &Written;
  const std::vector<MachineInstruction> &Code;
  std::map<std::vector<Place>, std::vector<std::size_t>> ByEnd;
  std::map<Place, std::vector<std::size_t>> ByFirst;
  std::map<std::tuple<std::vector<Place>, AccessOp, MemorySpace, unsigned>,
           std::ptrdiff_t>
      Alike; ///< Instructions of one place.

  /// Of which instruction \p I may be, and which pass \p Test.
  template <typename Key, typename Predicate>
  std::vector<std::size_t>
  fitting(const std::map<Key, std::vector<std::size_t>> &Among, const Key &At,
          std::size_t I, Predicate Test) const {
    std::vector<std::size_t> Found;
    if (const auto Near = Among.find(At); Near != Among.end())
      for (std::size_t A : Near->second)
        if (mayBe(Written[A], Code[I]) && Test(Written[A]))
          Found.push_back(A);
    return Found;
  }
};
} // namespace

/// Accesses written in that very place of which instruction \p I may be: those
/// of its space, if there are some.
std::vector<std::size_t> PlacedAccesses::at(const std::vector<Place> &Places,
                                            std::size_t I) const {
  const MachineInstruction &Of = Code[I];
  auto IsHere = [&](const WrittenAccess &A) {
    return A.Frames.size() == Places.size();
  };
  std::vector<std::size_t> Found =
      fitting(ByEnd, Places, I, [&](const WrittenAccess &A) {
        return IsHere(A) && A.Space == Of.Space;
      });
  // More than those are: some are of pointers of which the space is not known,
  // as of what was loaded.
  const auto SameWidth = std::ranges::count_if(
      Found, [&](std::size_t A) { return Written[A].Bytes == Of.Bytes; });
  if (!Found.empty() && Of.Loops.empty() &&
      Alike.at({Places, Of.Op, Of.Space, Of.Bytes}) > SameWidth)
    std::ranges::copy(fitting(ByEnd, Places, I,
                              [&](const WrittenAccess &A) {
                                return IsHere(A) &&
                                       A.Space == MemorySpace::Generic &&
                                       A.Bytes == Of.Bytes && !A.LoopDepth;
                              }),
                      std::back_inserter(Found));
  return Found.empty() ? fitting(ByEnd, Places, I, IsHere) : Found;
}

/// The same of what is inlined there, or else of what begins with that line.
std::vector<std::size_t>
PlacedAccesses::behind(const std::vector<Place> &Places, std::size_t I) const {
  auto Any = [](const WrittenAccess &) { return true; };
  std::vector<std::size_t> Found = fitting(ByEnd, Places, I, Any);
  return Found.empty() ? fitting(ByFirst, Places.front(), I, Any) : Found;
}

/// Instructions and accesses of one place. Where a function is inlined, the
/// compiler gives some of its instructions the line of the call: these belong
/// to all that is written behind it.
void Matching::matchLines() {
  const PlacedAccesses Placed(Written, Code);
  DisjointSets Groups(Written.size());
  std::vector<std::pair<std::size_t, std::size_t>> Of; // access, instruction
  for (std::size_t I = 0; I != Code.size(); ++I) {
    const std::vector<Place> Places = placesOf(Code[I].Frames);
    if (Places.empty())
      continue;
    std::vector<std::size_t> Found = Placed.at(Places, I);
    // The loop of the atomic is none of the source.
    if (isOfAtomicLoop(I) && std::ranges::all_of(Found, [&](std::size_t A) {
          return Written[A].LoopDepth < Code[I].Loops.size();
        })) {
      IsTaken[I] = true;
      OfAtomicLoops.push_back(I);
      continue;
    }
    if (Found.empty())
      Found = Placed.behind(Places, I);
    if (Found.empty())
      continue;
    for (std::size_t A : Found)
      Groups.unite(A, Found.front());
    Of.emplace_back(Found.front(), I);
  }
  uniteWidths(Placed.byFirst(), Of, Groups);
  uniteCalls(Placed.byFirst(), Of, Groups);
  std::map<std::size_t, std::vector<std::size_t>> Accesses, Instructions;
  for (auto [A, I] : Of)
    Instructions[Groups.find(A)].push_back(I);
  for (std::size_t A = 0; A != Written.size(); ++A)
    if (Instructions.contains(Groups.find(A)))
      Accesses[Groups.find(A)].push_back(A);
  for (const auto &[Group, Each] : Instructions)
    readLoops(Accesses[Group], Each);
  for (const auto &[Group, Each] : Instructions)
    match(Accesses[Group], Each);
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
  std::set<std::pair<AccessOp, MemorySpace>> Used;
  for (std::size_t A = 0; A != Written.size(); ++A) {
    if (IsPlaced[A])
      continue;
    const WrittenAccess &Of = Written[A];
    CompiledAccess &Result = Out.Accesses[A];
    bool MayBeLeft = false;
    for (std::size_t I : Left)
      if (mayBe(Of, Out.Unmatched[I])) {
        MayBeLeft = true;
        Used.insert({Out.Unmatched[I].Op, Out.Unmatched[I].Space});
      }
    if (MayBeLeft) {
      Result.Parts.push_back(
          {.Bytes = Of.Bytes, .IsAsWritten = true, .Pool = ~0u});
      Result.Assumptions.emplace("the compiler makes of it what is written",
                                 AssumptionKind::Compiler);
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
  std::erase_if(Out.Unmatched, [&](const MachineInstruction &I) {
    return Used.contains({I.Op, I.Space});
  });
  doubtAlike();
  for (std::size_t I : OfAtomicLoops)
    Out.Unmatched.push_back(Code[I]);
}

} // namespace cudalint
