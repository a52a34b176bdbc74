//===- analyzer/ir/WiderRequests.cpp - Accesses in one word ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/WiderRequests.h"

#include "analyzer/ir/SharedRequests.h"

#include <algorithm>
#include <limits>

using namespace llvm;

namespace cudalint {

/// By how many bytes \p To lies behind \p From in each of these lanes, if that
/// is one distance.
static std::optional<std::int64_t>
distance(LaneMask Lanes, const LaneValue &From, const LaneValue &To) {
  LaneValue Moved = From;
  Moved.Constant = To.Constant;
  if (!Lanes || !sameIn(Lanes, Moved, To))
    return std::nullopt;
  std::optional<std::int64_t> Result;
  for (unsigned L = 0; L < WarpSize; ++L)
    if (Lanes >> L & 1) {
      // Addresses wrap.
      const auto Each = static_cast<std::int64_t>(
          static_cast<std::uint64_t>(To.Constant[L]) -
          static_cast<std::uint64_t>(From.Constant[L]));
      if (Result.value_or(Each) != Each)
        return std::nullopt;
      Result = Each;
    }
  return Result;
}

//===----------------------------------------------------------------------===//
// Turns of a loop
//===----------------------------------------------------------------------===//

std::pair<WiderRequests::Run, std::int64_t>
WiderRequests::placeOf(const Request &Part) const {
  const WrittenAccess *W = Plan.written(*Part.Inst, Part.Part);
  return W ? std::pair(Run(Part.Op, W->Run, W->Chain), W->ChainOffset)
           : std::pair(Run(Part.Op, 0, 0), std::int64_t{0});
}

std::optional<WiderRequests::Entry>
WiderRequests::entryOf(const Request &Part) {
  const unsigned Loops = Part.As->Unrolled;
  if (!Loops || Loops > Request::MostEntries)
    return std::nullopt;
  return Entry(Part.Inst, Part.Part, Part.Piece,
               Part.Entries[Loops - 1].Number);
}

bool WiderRequests::mayHappen(const Request &Part) const {
  if (const std::optional<Entry> Of = entryOf(Part))
    if (const auto Found = Times.find(*Of);
        Found != Times.end() && Found->second >= Part.As->Most)
      return false;
  return !isInWider(Part, Part.Bytes);
}

/// Whether \p Wide has the first \p Bytes of \p Part.
static bool covers(const Request &Wide, const Request &Part, unsigned Bytes) {
  if (Part.Active & ~Wide.Active)
    return false;
  LaneValue Moved = Wide.Address;
  for (unsigned L = 0; L < WarpSize; ++L)
    if (Part.Active >> L & 1) {
      // Addresses wrap.
      const std::uint64_t In =
          static_cast<std::uint64_t>(Part.Address.Constant[L]) -
          static_cast<std::uint64_t>(Moved.Constant[L]);
      if (In > Wide.Bytes || In + Bytes > Wide.Bytes)
        return false;
    }
  Moved.Constant = Part.Address.Constant;
  return sameIn(Part.Active, Moved, Part.Address);
}

void WiderRequests::note(const Request &Part, bool Happens) {
  const auto [Of, Offset] = placeOf(Part);
  if (Happens) {
    ByRun[Of].insert_or_assign(Offset, Part);
    if (const std::optional<Entry> Loop = entryOf(Part))
      ++Times[*Loop];
    return;
  }
  const auto All = ByRun.find(Of);
  if (All == ByRun.end())
    return;
  const auto Before = All->second.find(Offset);
  const WrittenAccess *W = Plan.written(*Part.Inst, Part.Part);
  // This turn is in no word of those before it.
  if (Before != All->second.end() && Before->second.Inst == Part.Inst &&
      !covers(Before->second, Part, W ? W->Bytes : Part.Bytes))
    All->second.erase(Before);
}

bool WiderRequests::cover(const Request &Part) const {
  return isInWider(Part, 0);
}

bool WiderRequests::isInWider(const Request &Part, unsigned Least) const {
  // What has an instruction of its own, and no other, makes it.
  const CompiledAccess *Planned = Plan.find(*Part.Inst, Part.Part);
  if (Planned && Planned->Parts.size() == 1 &&
      Plan.sharersOf(Part.As->Pool) == 1)
    return false;
  // In another turn of the loop, it may be in the word of a neighbour: those
  // are near, and what it is compared with is bounded.
  constexpr std::int64_t Near = 64;
  using Limits = std::numeric_limits<std::int64_t>;
  const auto [Of, Offset] = placeOf(Part);
  const auto All = ByRun.find(Of);
  if (All == ByRun.end() || !Plan.written(*Part.Inst, Part.Part))
    return false;
  return std::any_of(
      All->second.lower_bound(std::max(Offset, Limits::min() + Near) - Near),
      All->second.upper_bound(std::min(Offset, Limits::max() - Near) + Near),
      [&](const auto &Each) {
        return Each.second.Bytes > Least &&
               covers(Each.second, Part, Part.Bytes);
      });
}

//===----------------------------------------------------------------------===//
// Neighbours
//===----------------------------------------------------------------------===//

/// The part of so many bytes that the request has with neighbours, or null.
static const CompiledPart *partOfNeighbours(const AccessPlan &Plan,
                                            const Request &R, unsigned Bytes) {
  for (const CompiledPart &Each : Plan.find(*R.Inst, R.Part)->Parts)
    if (Each.IsOfNeighbours && Each.Bytes == Bytes)
      return &Each;
  return nullptr;
}

void NeighbourRequests::add(const Request &R) {
  Turn &Waiting = ByRun[{R.Op, Plan.written(*R.Inst, R.Part)->Run}];
  const bool IsNext = std::ranges::any_of(Waiting, [&](const Request &Each) {
    return std::pair(Each.Inst, Each.Part) == std::pair(R.Inst, R.Part);
  });
  // Neighbours are near each other; what each is compared with is bounded.
  constexpr std::size_t MostWaiting = 32;
  if (IsNext || Waiting.size() == MostWaiting)
    flush(Waiting);
  Waiting.push_back(R);
}

void NeighbourRequests::flush(Turn &Waiting) {
  for (std::size_t I = 0; I != Waiting.size(); ++I) {
    if (!Waiting[I].Inst)
      continue; // it is in a word of those before it
    // All that is the next in one word, and that of the word before it.
    std::vector<std::pair<std::int64_t, Request *>> Near;
    for (std::size_t K = I; K != Waiting.size(); ++K)
      if (Request &Other = Waiting[K];
          Other.Inst && Other.Active == Waiting[I].Active)
        if (const std::optional<std::int64_t> At =
                distance(Other.Active, Waiting[I].Address, Other.Address))
          Near.emplace_back(*At, &Other);
    std::ranges::stable_sort(Near, {}, [](const auto &E) { return E.first; });
    if (!makeWord(Near, Waiting[I]))
      AddRest(Waiting[I]);
  }
  Waiting.clear();
}

/// Makes one request of those that are a whole word together with \p Of.
bool NeighbourRequests::makeWord(
    const std::vector<std::pair<std::int64_t, Request *>> &Near, Request &Of) {
  for (std::size_t First = 0; First != Near.size(); ++First) {
    std::int64_t Bytes = 0;
    bool HasOf = false;
    const CompiledPart *As = nullptr;
    const Request *By = nullptr;
    std::size_t AsEnd = First;
    for (std::size_t End = First;
         End != Near.size() && Near[End].first == Near[First].first + Bytes;
         ++End) {
      Bytes += Near[End].second->Bytes;
      HasOf |= Near[End].second == &Of;
      for (std::size_t K = First; HasOf && End != First && K <= End; ++K)
        if (const CompiledPart *Each = partOfNeighbours(
                Plan, *Near[K].second, static_cast<unsigned>(Bytes))) {
          As = Each;
          By = Near[K].second;
          AsEnd = End + 1;
        }
    }
    if (!As)
      continue;
    Request Whole = *By;
    Whole.Address = Near[First].second->Address;
    if (!AddWide(Whole, *As))
      continue;
    const llvm::Instruction *Made = Whole.Inst;
    for (std::size_t K = First; K != AsEnd; ++K) {
      if (Near[K].second->Inst != Made)
        AddHeld(*Near[K].second);
      Near[K].second->Inst = nullptr;
    }
    return true;
  }
  // All of it is wider, as of bit-fields: the compiler loads the word.
  const std::vector<CompiledPart> &Parts = Plan.find(*Of.Inst, Of.Part)->Parts;
  if (Parts.empty() ||
      !std::ranges::all_of(Parts, &CompiledPart::IsOfNeighbours) ||
      !AddWide(Of, Parts.front()))
    return false;
  for (auto [At, Other] : Near)
    if (Other != &Of && At >= 0 &&
        At + Other->Bytes <= static_cast<std::int64_t>(Parts.front().Bytes)) {
      AddHeld(*Other);
      Other->Inst = nullptr;
    }
  return true;
}

void NeighbourRequests::finish() {
  for (auto &[Run, Waiting] : ByRun)
    flush(Waiting);
  ByRun.clear();
}

} // namespace cudalint
