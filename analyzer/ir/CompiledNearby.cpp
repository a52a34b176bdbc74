//===- analyzer/ir/CompiledNearby.cpp - Code of other lines ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/SystemHeaders.h"
#include "analyzer/ir/CompiledMatching.h"

#include <algorithm>
#include <tuple>

namespace cudalint {

Place placeOf(const Location &L) { return {baseName(L.File), L.Line}; }

std::vector<Place> placesOf(const std::vector<Location> &Frames) {
  std::vector<Place> Result;
  for (const Location &Each : Frames)
    Result.push_back(placeOf(Each));
  return Result;
}

/// What the argument of a function loads may have the line of its body, from
/// which that is a number: it belongs to the call.
void Matching::matchCalls() {
  using Key = std::tuple<std::vector<Place>, AccessOp, MemorySpace, unsigned>;
  std::map<Key, std::vector<std::size_t>> Accesses, Instructions;
  for (std::size_t A = 0; A != Written.size(); ++A)
    if (const WrittenAccess &Each = Written[A]; !IsPlaced[A])
      Accesses[{placesOf(Each.Frames), Each.Op, Each.Space, Each.Bytes}]
          .push_back(A);
  for (std::size_t I = 0; I != Code.size(); ++I) {
    const MachineInstruction &Each = Code[I];
    if (IsTaken[I])
      continue;
    std::vector<Place> Places = placesOf(Each.Frames);
    while (Places.size() > 1) {
      Places.erase(Places.begin());
      if (const Key At = {Places, Each.Op, Each.Space, Each.Bytes};
          Accesses.contains(At)) {
        Instructions[At].push_back(I);
        break;
      }
    }
  }
  for (const auto &[At, Its] : Instructions) {
    match(Accesses[At], Its);
    OfOtherLines.insert(OfOtherLines.end(), Its.begin(), Its.end());
    for (std::size_t A : Accesses[At])
      Out.Accesses[A].Assumptions.insert(IsNearest);
  }
}

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
    std::map<unsigned, std::vector<std::size_t>> ByDistance;
    const unsigned First = Of.second - std::min(Of.second, MostLinesApart);
    for (auto At = ByPlace.lower_bound({Of.first, First});
         At != ByPlace.end() && At->first.first == Of.first &&
         At->first.second <= Of.second + MostLinesApart;
         ++At)
      for (std::size_t A : At->second) {
        const unsigned Line = At->first.second;
        if (!IsPlaced[A] && std::pair(Written[A].Op, Written[A].Space) == Kind)
          ByDistance[Line > Of.second ? Line - Of.second : Of.second - Line]
              .push_back(A);
      }
    // The next ones, too, as long as there are more instructions.
    std::vector<std::size_t> Nearest;
    for (const auto &[Distance, Accesses] : ByDistance)
      if (Nearest.size() < Instructions.size())
        Nearest.insert(Nearest.end(), Accesses.begin(), Accesses.end());
    if (Nearest.empty())
      continue;
    match(Nearest, Instructions);
    OfOtherLines.insert(OfOtherLines.end(), Instructions.begin(),
                        Instructions.end());
    for (std::size_t A : Nearest)
      Out.Accesses[A].Assumptions.insert(IsNearest);
  }
}

/// What is left is brought together however far apart it is, where the number
/// fits: nvcc gives what it moves to the front of a kernel the first line.
void Matching::matchLeft() {
  using Kind = std::tuple<AccessOp, MemorySpace, unsigned>;
  std::map<Kind, std::vector<std::size_t>> Accesses, Instructions;
  for (std::size_t A = 0; A != Written.size(); ++A)
    if (!IsPlaced[A])
      Accesses[{Written[A].Op, Written[A].Space, Written[A].Bytes}].push_back(
          A);
  for (std::size_t I = 0; I != Code.size(); ++I)
    if (!IsTaken[I] && Code[I].Space != MemorySpace::Local)
      Instructions[{Code[I].Op, Code[I].Space, Code[I].Bytes}].push_back(I);
  for (const auto &[Of, Left] : Instructions) {
    const auto Found = Accesses.find(Of);
    if (Found == Accesses.end() ||
        (Found->second.size() != 1 && Found->second.size() != Left.size()))
      continue;
    match(Found->second, Left);
    for (std::size_t A : Found->second)
      Out.Accesses[A].Assumptions.insert(IsNearest);
  }
}

} // namespace cudalint
