//===- analyzer/ir/CompiledBranches.cpp - One instruction of branches -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/CompiledMatching.h"

#include <algorithm>

namespace cudalint {

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

} // namespace cudalint
