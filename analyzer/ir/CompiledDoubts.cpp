//===- analyzer/ir/CompiledDoubts.cpp - Whose instructions they may be ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where an instruction that was matched may be another access's, the match is
/// assumed.
///
//===----------------------------------------------------------------------===//

#include "analyzer/ir/CompiledMatching.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace cudalint {

static constexpr const char *AreTogether =
    "lanes go on together behind the loop of an atomic";

/// Whether nvcc may say the line of one of the other.
static bool areNear(const std::vector<Location> &A,
                    const std::vector<Location> &B) {
  return std::ranges::any_of(A, [&](const Location &X) {
    return std::ranges::any_of(B, [&](const Location &Y) {
      return X.File == Y.File && X.Line <= Y.Line + MostLinesApart &&
             Y.Line <= X.Line + MostLinesApart;
    });
  });
}

/// How many instructions of it there may be: as many as turns are written out
/// of the loop that it is in.
std::size_t Matching::mostCopies(std::size_t Access,
                                 const CompiledPart &Part) const {
  if (Part.Hoisted || !Written[Access].Loop)
    return 1;
  const auto Loop = Loops.find(Written[Access].Loop);
  return Loop == Loops.end() || Loop->second.Turns.empty()
             ? ~std::size_t{0}
             : *Loop->second.Turns.rbegin();
}

/// An instruction of which no access is known is that of some access on another
/// line, which has those of a third: of all that look like it. And that of an
/// access that has none may be one more than an access needs, that of two
/// branches of which one may make both, or what is near and of a value that is
/// elsewhere in a register.
void Matching::doubtAlike() {
  using Kind = std::tuple<AccessOp, MemorySpace, unsigned>;
  using Address = std::pair<unsigned, std::int64_t>;
  auto AddressOf = [](const WrittenAccess &W) -> Address {
    return {W.Chain, W.ChainOffset};
  };
  std::set<Kind> Left;
  std::map<Kind, std::map<Address, std::vector<std::size_t>>> Gone;
  for (const MachineInstruction &I : Out.Unmatched)
    Left.insert({I.Op, I.Space, I.Bytes});
  for (std::size_t A = 0; A != Written.size(); ++A)
    if (const WrittenAccess &W = Written[A];
        Out.Accesses[A].WhyRemoved == NoInstruction)
      Gone[{W.Op, W.Space, W.Bytes}][AddressOf(W)].push_back(A);
  for (std::size_t A = 0; A != Written.size(); ++A)
    for (const CompiledPart &Part : Out.Accesses[A].Parts) {
      if (Part.Pool >= UsersOf.size())
        continue;
      const std::vector<MachineInstruction> &Pool = Out.Pools[Part.Pool];
      const Kind Of = {Pool.front().Op, Pool.front().Space, Pool.front().Bytes};
      const std::size_t Users = UsersOf[Part.Pool];
      const bool IsOneMore =
          (Pool.size() + Users - 1) / Users > mostCopies(A, Part);
      // Any number of copies may be its own, so that some may be another's.
      const bool IsAnyNumber =
          Pool.size() > Users && Pool.size() / Users < mostCopies(A, Part);
      const auto Without = Gone.find(Of);
      auto IsOther = [&](const auto &Each) {
        return Each.first != AddressOf(Written[A]) &&
               std::ranges::any_of(Each.second, [&](std::size_t Other) {
                 return areNear(Written[A].Frames, Written[Other].Frames);
               });
      };
      if (Left.contains(Of) ||
          (Without != Gone.end() &&
           (IsOneMore || Written[A].Alternative ||
            ((IsAnyNumber || Without->second.contains(AddressOf(Written[A]))) &&
             std::ranges::any_of(Without->second, IsOther)))))
        Out.Accesses[A].Assumptions.insert(OwnInstructions);
    }
}

/// How many of one turn a word holds that begins with this one.
std::size_t Matching::mostInWord(std::size_t Access, unsigned Bytes) const {
  const WrittenAccess &First = Written[Access];
  std::set<std::int64_t> Offsets = {First.ChainOffset};
  anyNear(First, Bytes, [&](std::size_t Each) {
    const WrittenAccess &W = Written[Each];
    if (W.ChainOffset > First.ChainOffset && W.Run == First.Run &&
        W.Op == First.Op && W.Loop == First.Loop && W.Bytes == First.Bytes)
      Offsets.insert(W.ChainOffset);
    return false;
  });
  return Offsets.size();
}

/// In loops that the compiled code has not, an access has as many instructions
/// as these make turns, unless it is moved out of them.
bool Matching::lacksTurns(std::size_t Access) const {
  std::size_t Depth = 0, Bytes = 0;
  for (const CompiledPart &Part : Out.Accesses[Access].Parts) {
    if (Part.Hoisted || Part.Pool >= Out.Pools.size())
      return false;
    for (const MachineInstruction &I : Out.Pools[Part.Pool])
      Depth = std::max(Depth, I.Loops.size());
    Bytes += Out.Pools[Part.Pool].size() * Part.Bytes /
             mostInWord(Access, Part.Bytes);
  }
  // Of whichever loops. One whose turns are not known makes more than one.
  std::vector<unsigned> Turns = Written[Access].LoopTurns;
  std::ranges::replace(Turns, 0u, 2u);
  std::ranges::sort(Turns);
  std::uint64_t Fewest = 1;
  for (std::size_t L = 0; L + Depth < Turns.size(); ++L)
    Fewest = std::min<std::uint64_t>(Fewest * Turns[L], ~0u);
  return Bytes < Fewest * Written[Access].Bytes;
}

/// Whether instructions like its own are on lines near it that have no such
/// access, in fewer loops, or beside several of its own: they may be what is
/// left of it out of its loop.
bool Matching::mayBeMovedOut(std::size_t Access) const {
  const WrittenAccess &W = Written[Access];
  if (!W.MayBeInvariantInSome || W.Volatile)
    return false;
  return std::ranges::any_of(
      Out.Accesses[Access].Parts, [&](const CompiledPart &Part) {
        if (Part.Hoisted || Part.Pool >= Out.Pools.size())
          return false;
        const MachineInstruction &Own = Out.Pools[Part.Pool].front();
        const bool HasCopies = Out.Pools[Part.Pool].size() > UsersOf[Part.Pool];
        return std::ranges::any_of(OfOtherLines, [&](std::size_t I) {
          const MachineInstruction &Other = Code[I];
          return Other.Op == Own.Op && Other.Space == Own.Space &&
                 Other.Bytes == Own.Bytes &&
                 Other.Loops.size() < Own.Loops.size() + HasCopies &&
                 areNear(Other.Frames, W.Frames);
        });
      });
}

/// Of the turns of a loop some are before it or behind; the others are as many
/// as its instructions make, several times: a loop that turned once is none.
bool Matching::leavesTurns(std::size_t Access) const {
  const WrittenAccess &W = Written[Access];
  const std::vector<CompiledPart> &Parts = Out.Accesses[Access].Parts;
  if (Parts.size() != 1 || Parts[0].Hoisted || W.LoopTurns.empty() ||
      !W.LoopTurns[0] || Parts[0].Pool >= Out.Pools.size() ||
      Parts[0].Bytes != W.Bytes)
    return true;
  const std::vector<MachineInstruction> &Pool = Out.Pools[Parts[0].Pool];
  const auto &Deepest = std::ranges::max(
      Pool, {}, [](const MachineInstruction &I) { return I.Loops.size(); });
  std::size_t InLoop = 0;
  for (const MachineInstruction &I : Pool)
    if (I.Loops == Deepest.Loops)
      ++InLoop;
    else if (I.Loops.size() + 1 != Deepest.Loops.size())
      return true;
  const std::size_t All = W.LoopTurns[0] * UsersOf[Parts[0].Pool];
  const std::size_t Others = Pool.size() - InLoop;
  return Deepest.Loops.size() != W.LoopDepth || !Others ||
         (All >= Others + 2 * InLoop && (All - Others) % InLoop == 0);
}

/// Instructions that are all in one loop make so many turns each time that it
/// turns: the turns of the loops around the access are a multiple.
bool Matching::dividesTurns(std::size_t Access) const {
  for (const CompiledPart &Part : Out.Accesses[Access].Parts) {
    if (Part.Hoisted || Part.Pool >= Out.Pools.size())
      continue;
    const std::vector<MachineInstruction> &Pool = Out.Pools[Part.Pool];
    const bool AreTogether =
        !Pool.front().Loops.empty() &&
        std::ranges::all_of(Pool, [&](const MachineInstruction &I) {
          return I.Loops == Pool.front().Loops;
        });
    const std::size_t Users = UsersOf[Part.Pool];
    if (!AreTogether || Pool.size() % Users ||
        Part.Bytes > Written[Access].Bytes * mostInWord(Access, Part.Bytes))
      continue;
    std::size_t Copies = Pool.size() / Users;
    for (const unsigned Turns : Written[Access].LoopTurns) {
      if (!Turns || Copies == 1)
        break;
      if (std::max<std::size_t>(Turns, Copies) %
          std::min<std::size_t>(Turns, Copies))
        return false;
      Copies = std::max<std::size_t>(Copies / Turns, 1);
    }
  }
  return true;
}

/// The loops of the compiled code, each with those around it, that access
/// something else in each turn of one of the source.
std::set<std::vector<std::uint64_t>>
Matching::copiesOfLoop(std::size_t Access) const {
  std::set<std::vector<std::uint64_t>> Result;
  const WrittenAccess &W = Written[Access];
  // An atomic may be a loop itself.
  if (!W.Loop || !W.InEachTurn || (W.Invariant && !W.Volatile) ||
      W.Op == AccessOp::Atomic)
    return Result;
  for (const CompiledPart &Part : Out.Accesses[Access].Parts)
    if (!Part.Hoisted && Part.Pool < Out.Pools.size())
      for (const MachineInstruction &I : Out.Pools[Part.Pool])
        Result.insert(I.Loops);
  return Result;
}

/// Where the lines of a loop say different things of how many of its turns are
/// written out or where, or there are fewer or more than it makes, instructions
/// of some are another's.
void Matching::doubtLoops() {
  std::map<unsigned, std::set<std::vector<std::uint64_t>>> CopiesOf;
  for (std::size_t A = 0; A != Written.size(); ++A)
    CopiesOf[Written[A].Loop].merge(copiesOfLoop(A));
  // What such a loop of lanes and another one have become one of.
  std::set<std::vector<std::uint64_t>> OfAtomics;
  for (std::size_t I : OfAtomicLoops)
    OfAtomics.insert(Code[I].Loops);
  for (std::size_t A = 0; A != Written.size(); ++A) {
    for (const CompiledPart &Part : Out.Accesses[A].Parts)
      if (Part.Pool < Out.Pools.size() && Written[A].Op != AccessOp::Atomic &&
          std::ranges::any_of(
              Out.Pools[Part.Pool],
              [&](const MachineInstruction &I) {
                return OfAtomics.contains(I.Loops);
              }))
        Out.Accesses[A].Assumptions.insert(AreTogether);
    std::set<unsigned> Turns;
    bool HasOthers = false;
    if (const auto Loop = Loops.find(Written[A].Loop); Loop != Loops.end()) {
      HasOthers = Loop->second.HasOthers;
      Turns = Loop->second.Turns;
      if (Written[A].Invariant && !Out.Accesses[A].Parts.empty() &&
          Out.Accesses[A].Parts.front().Hoisted == 0)
        Turns.insert(Loop->second.PerhapsTurns.begin(),
                     Loop->second.PerhapsTurns.end());
    }
    const auto Copies = copiesOfLoop(A);
    const bool LacksCopies =
        !Copies.empty() && Copies.size() != CopiesOf[Written[A].Loop].size();
    if (!Out.Accesses[A].Parts.empty() &&
        (Turns.size() > 1 || HasOthers || LacksCopies || lacksTurns(A) ||
         !leavesTurns(A) || mayBeMovedOut(A) || !dividesTurns(A)))
      Out.Accesses[A].Assumptions.insert(OwnInstructions);
  }
}

} // namespace cudalint
