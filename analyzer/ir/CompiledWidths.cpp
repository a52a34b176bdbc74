//===- analyzer/ir/CompiledWidths.cpp - How wide instructions are ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/CompiledMatching.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <optional>

namespace cudalint {

//===----------------------------------------------------------------------===//
// Widths
//===----------------------------------------------------------------------===//

/// Whether neighbours of the access, or what it accesses in other turns of a
/// loop, lie right beside it.
bool Matching::neighboursMakeUp(std::size_t Access, unsigned Bytes) const {
  const WrittenAccess &A = Written[Access];
  if (A.Bytes >= Bytes || A.MostAlign < Bytes)
    return false;
  const bool HasTurns =
      !A.AddressTurns || std::uint64_t{A.AddressTurns} * A.Bytes >= Bytes;
  if (HasTurns && std::ranges::any_of(A.Steps, [&](std::int64_t Step) {
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
/// out. One that turns once is no loop in compiled code, wherever it is.
unsigned
Matching::unrolledLoops(std::size_t Access,
                        const std::vector<std::size_t> &Instructions) const {
  const std::size_t Depth = Code[Instructions.front()].Loops.size();
  const std::vector<unsigned> &Turns = Written[Access].LoopTurns;
  const auto Loops = static_cast<std::size_t>(
      std::ranges::count_if(Turns, [](unsigned Each) { return Each != 1; }));
  if (Depth >= Loops || !std::ranges::all_of(Instructions, [&](std::size_t I) {
        return Code[I].Loops.size() == Depth;
      }))
    return 0;
  unsigned Unrolled = 0;
  for (std::size_t Left = Loops - Depth; Left != 0; ++Unrolled)
    Left -= Turns[Unrolled] != 1;
  return Unrolled;
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
/// distances tell. Of several accesses, each has at least what the least has.
void Matching::split(const std::vector<std::size_t> &Accesses,
                     const std::vector<std::size_t> &Instructions) {
  std::map<std::pair<unsigned, unsigned>, std::vector<std::size_t>> Parts;
  unsigned Whole = ~0u;
  for (std::size_t A : Accesses)
    Whole = std::min(Whole, Written[A].Bytes);
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

/// Whether so many bytes each are what other copies of a loop do with \p Wide:
/// all of its parts, in other blocks.
bool Matching::areCopies(const Packs &Wide,
                         const std::vector<std::size_t> &Instructions,
                         unsigned Bytes) const {
  if (!Wide.AreWhole || Bytes == 0 || Wide.Bytes % Bytes)
    return false;
  std::set<std::optional<std::uint64_t>> Blocks = {std::nullopt};
  for (std::size_t I : Wide.Instructions)
    Blocks.insert(Code[I].Block);
  std::map<std::int64_t, std::size_t> Parts;
  for (std::size_t I : Instructions) {
    if (Blocks.contains(Code[I].Block))
      return false;
    ++Parts[Code[I].AddressOffset & (std::int64_t{Wide.Bytes} - 1)];
  }
  return Parts.size() == Wide.Bytes / Bytes &&
         std::ranges::all_of(Parts, [&](const auto &Each) {
           return Each.first % Bytes == 0 &&
                  Each.second == Parts.begin()->second;
         });
}

/// Where some copies of a loop make one access of neighbours, others do not:
/// how often each of them runs tells the evaluation.
void Matching::unpack(const Packs &Wide,
                      const std::vector<std::size_t> &Instructions,
                      unsigned Bytes) {
  std::map<unsigned, std::vector<std::size_t>> Parts;
  for (std::size_t I : Instructions)
    Parts[static_cast<unsigned>(Code[I].AddressOffset & (Wide.Bytes - 1))]
        .push_back(I);
  for (std::size_t A : Wide.Leaders)
    Out.Accesses[A].Parts.back().IsWider = false;
  for (const auto &[Offset, Of] : Parts) {
    const unsigned Pool = addPool(Of);
    for (std::size_t A : Wide.Leaders)
      place(A, {.Bytes = Bytes, .Offset = Offset, .Pool = Pool});
  }
}

/// A mask may leave bytes of what is loaded: then there are more narrow
/// instructions than accesses as narrow, \p Same, and the rest is of wider ones
/// that have none. Takes it out of \p Instructions. Loops may have copies of
/// an instruction, so nothing is said of them.
void Matching::splitRest(const std::vector<std::size_t> &Same,
                         std::vector<std::size_t> Wider,
                         std::vector<std::size_t> &Instructions) {
  std::erase_if(
      Wider, [&](std::size_t A) { return IsPlaced[A] || Written[A].Volatile; });
  auto IsInLoop = [&](std::size_t A) { return Written[A].LoopDepth != 0; };
  if (Wider.empty() || Instructions.size() <= Same.size() ||
      std::ranges::any_of(Same, IsInLoop) ||
      std::ranges::any_of(Wider, IsInLoop) ||
      std::ranges::any_of(
          Instructions, [&](std::size_t I) { return !Code[I].Loops.empty(); }))
    return;
  // Both compilers keep the order, if nothing speaks against it.
  const auto Begin =
      Instructions.begin() + std::ranges::count_if(Same, [&](std::size_t A) {
        return A < Wider.front();
      });
  const auto End =
      Begin + static_cast<std::ptrdiff_t>(Instructions.size() - Same.size());
  split(Wider, {Begin, End});
  Instructions.erase(Begin, End);
  for (std::size_t A : Wider)
    Out.Accesses[A].Assumptions.insert(OwnInstructions);
  for (std::size_t A : Same)
    Out.Accesses[A].Assumptions.insert(OwnInstructions);
}

/// Of wide accesses beside each other, nvcc loads of some only what is needed:
/// where the narrower instructions are one for each that lacks a wide one,
/// takes out of \p Same those that they are of.
void Matching::leaveNarrowed(const std::vector<std::size_t> &Accesses,
                             const std::vector<std::size_t> &Instructions,
                             unsigned Bytes, std::vector<std::size_t> &Same) {
  std::vector<std::size_t> Of;
  for (std::size_t I : Instructions)
    if (Code[I].Bytes <= Bytes)
      Of.push_back(I);
  auto IsFree = [&](std::size_t A) {
    return Written[A].Bytes >= Bytes && !Written[A].LoopDepth &&
           !Written[A].Volatile && !IsPlaced[A];
  };
  auto IsWide = [&](std::size_t I) { return Code[I].Bytes == Bytes; };
  if (Of.size() != Same.size() || std::ranges::all_of(Of, IsWide) ||
      !std::ranges::all_of(Accesses, IsFree) ||
      !std::ranges::all_of(
          Of, [&](std::size_t I) { return Code[I].Loops.empty(); }))
    return;
  // Both compilers keep the order, if nothing speaks against it.
  std::ranges::stable_sort(Of, {},
                           [&](std::size_t I) { return Code[I].Offset; });
  std::vector<std::size_t> Whole;
  for (std::size_t N = 0; N != Of.size(); ++N) {
    Out.Accesses[Same[N]].Assumptions.insert(OwnInstructions);
    if (IsWide(Of[N]))
      Whole.push_back(Same[N]);
  }
  Same = std::move(Whole);
}

/// An access in no loop that has several instructions, and another beside it
/// that has none: one of them is the other's.
void Matching::doubtSurplus(const std::vector<std::size_t> &Accesses) {
  const bool IsAnyLeft = std::ranges::any_of(
      Accesses, [&](std::size_t A) { return !IsPlaced[A]; });
  std::map<unsigned, std::size_t> Sharing; // by pool
  for (std::size_t A : Accesses)
    for (const CompiledPart &Part : Out.Accesses[A].Parts)
      ++Sharing[Part.Pool];
  for (std::size_t A : Accesses)
    for (const CompiledPart &Part : Out.Accesses[A].Parts)
      if (IsAnyLeft && !Written[A].LoopDepth &&
          Out.Pools[Part.Pool].size() > Sharing[Part.Pool])
        Out.Accesses[A].Assumptions.insert(OwnInstructions);
}

/// Instructions of \p Bytes, wider than \p Narrower, which are neighbours of
/// each other or of themselves in the next turns.
Matching::Packs Matching::widen(const std::vector<std::size_t> &Narrower,
                                const std::vector<std::size_t> &Of,
                                unsigned Bytes) {
  const unsigned Pool = addPool(Of);
  const std::vector<std::size_t> Leaders = packed(Narrower, Bytes);
  for (std::size_t A : Leaders) {
    const unsigned Unrolled = Leaders.size() == 1 ? unrolledLoops(A, Of) : 0;
    place(A, {.Bytes = Bytes,
              .IsWider = true,
              .Unrolled = Unrolled,
              .Most = static_cast<unsigned>(Of.size()),
              .Pool = Pool});
    // Turns of which only the run knows the number are not written out.
    const std::vector<unsigned> &Turns = Written[A].LoopTurns;
    if (std::ranges::count(Turns.begin(),
                           Turns.begin() + std::min<std::ptrdiff_t>(
                                               Unrolled, std::ssize(Turns)),
                           0u))
      Out.Accesses[A].Assumptions.insert(OwnInstructions);
  }
  return {.Leaders = Leaders,
          .Bytes = Bytes,
          .Instructions = Of,
          .AreWhole = Narrower.size() * Written[Narrower.front()].Bytes ==
                      Leaders.size() * std::size_t{Bytes}};
}

/// Instructions that are narrower than all of \p Wider.
void Matching::splitNarrowest(std::vector<std::size_t> Wider,
                              const std::vector<std::size_t> &Of) {
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
}

/// Neighbours in some turn of a loop whose step changes, as in a bitonic sort:
/// the lanes' addresses tell in which.
void Matching::widenInSomeTurns(const std::vector<std::size_t> &Accesses,
                                const std::vector<std::size_t> &Of,
                                unsigned Bytes) {
  const unsigned Pool = addPool(Of);
  if (Accesses.size() == 1)
    Out.Accesses[Accesses[0]].Assumptions.insert(OwnInstructions);
  for (std::size_t A : Accesses)
    place(A, {.Bytes = Bytes,
              .IsWider = true,
              .IsOfNeighbours = true,
              .Pool = Pool});
}

/// The instructions are of these accesses: which is how wide?
void Matching::match(const std::vector<std::size_t> &Accesses,
                     const std::vector<std::size_t> &Instructions) {
  std::map<unsigned, std::vector<std::size_t>, std::greater<>> ByWidth;
  for (std::size_t I : Instructions)
    ByWidth[Code[I].Bytes].push_back(I);
  std::set<std::size_t> Widened;
  auto IsWidened = [&](std::size_t A) { return Widened.contains(A); };
  Packs Wide;
  for (auto &[Bytes, Of] : ByWidth) {
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
    const bool AreWidened = std::ranges::all_of(Same, IsWidened);
    if (!AreWidened)
      std::erase_if(Same, IsWidened);
    if (AreWidened && std::ranges::all_of(Narrower, IsWidened) &&
        areCopies(Wide, Of, Bytes)) {
      unpack(Wide, Of, Bytes);
    } else if (!Same.empty()) {
      leaveNarrowed(Accesses, Instructions, Bytes, Same);
      splitRest(Same, std::move(Wider), Of);
      // In loops they are those of other turns.
      for (std::size_t A : Same)
        if (AreWidened && !Written[A].LoopDepth)
          Out.Accesses[A].Assumptions.insert(OwnInstructions);
      matchSame(std::move(Same), Of, Widened);
    } else if (!Narrower.empty()) {
      Wide = widen(Narrower, Of, Bytes);
      for (std::size_t A : Narrower)
        if (IsPlaced[A])
          Widened.insert(A);
    } else if (!Wider.empty()) {
      splitNarrowest(std::move(Wider), Of);
    } else if (Accesses.size() > 1 || Written[Accesses.front()].LoopDepth ||
               !ByWidth.contains(Written[Accesses.front()].Bytes)) {
      Widened.insert(Accesses.begin(), Accesses.end());
      widenInSomeTurns(Accesses, Of, Bytes);
    }
  }
  doubtSurplus(Accesses);
  for (std::size_t A : Unneeded)
    if (!IsPlaced[A]) {
      Out.Accesses[A].WhyRemoved = NoInstruction;
      IsPlaced[A] = true;
    }
  Unneeded.clear();
}

} // namespace cudalint
