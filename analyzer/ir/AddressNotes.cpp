//===- analyzer/ir/AddressNotes.cpp - What else addresses tell ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/AddressNotes.h"

#include "analyzer/ir/RequestSums.h"

#include <algorithm>
#include <bit>

namespace cudalint {

void WarpShifts::add(LaneArithmetic &A, const Request &R, unsigned FirstWarp,
                     unsigned Last) {
  std::vector<std::int64_t> Its;
  bool IsOne = R.Active != 0;
  const LaneValue From = A.inWarp(R.Address, FirstWarp);
  for (unsigned W = FirstWarp; W <= Last; ++W) {
    const LaneValue To = A.inWarp(R.Address, W);
    std::optional<std::int64_t> By;
    for (unsigned L = 0; L < WarpSize; ++L)
      if (R.Active >> L & 1) {
        const std::int64_t Here = distance(From.Constant[L], To.Constant[L]);
        IsOne &= By.value_or(Here) == Here;
        By = Here;
      }
    Its.push_back(By.value_or(0));
  }
  // The next warps, or another turn of the same ones.
  if (FirstWarp != First || Its.size() != Behind.size())
    IsKnown = IsOne;
  else
    IsKnown &= IsOne && Its == Behind;
  First = FirstWarp;
  Behind = std::move(Its);
}

std::vector<std::int64_t> WarpShifts::placesOf(const Request &R) const {
  if (R.AlikeWarps == 1 || R.AreAlikeAtOnePlace)
    return {0};
  const std::size_t At = R.Warp - First;
  const std::size_t Last = At + (R.AlikeWarps - 1) * R.AlikeStep;
  if (!IsKnown || R.Warp < First || Last >= Behind.size())
    return {};
  std::vector<std::int64_t> Places;
  for (std::size_t W = At; W <= Last; W += R.AlikeStep)
    Places.push_back(distance(Behind[At], Behind[W]));
  return Places;
}

/// It stands for requests with other addresses, which are not looked at.
static bool standsForOthers(const Request &R) {
  return R.Sampled || R.OpenLoops || R.Repeated.Bytes != 0;
}

/// Whether the bytes from \p At on are in the row that \p Of says, whichever of
/// equal planes that is in; the whole array is one that begins at 0.
static bool isInFixedRow(const Access &Of, std::int64_t At, std::int64_t Row) {
  const std::vector<std::uint64_t> &Its = Of.Source.Array->Dimensions;
  std::uint64_t Rows = 1;
  for (std::size_t I = 0; I + 1 < Its.size(); ++I)
    Rows *= Its[I];
  const std::int64_t Plane = Of.Source.RowsOfPlane;
  if (Plane > 0 && static_cast<std::uint64_t>(Plane) != Rows)
    At = (At % (Plane * Row) + Plane * Row) % (Plane * Row);
  const std::int64_t From = *Of.Source.FixedRow * Row;
  return At >= From && At + Of.Bytes <= From + Row;
}

/// Whether all lanes are so many bytes behind the begin of one object.
static bool isInOneObject(const LaneArithmetic &A, const Request &R) {
  const LaneValue &Address = R.Address;
  return !(Address.Unknown & R.Active) && Address.Terms.size() == 1 &&
         A.info(Address.Terms.front().S).Kind == SymbolKind::Object;
}

void noteReach(Access &Of, const LaneArithmetic &A, const Request &R) {
  if (R.Space != MemorySpace::Shared || R.Doubtful || !isInOneObject(A, R))
    return;
  // A turn that a wider instruction makes with others has its own bytes alone.
  const unsigned Written = Of.Source.Bytes ? Of.Source.Bytes : 1;
  const std::int64_t Bytes =
      R.As && R.As->IsWider ? std::min(Of.Bytes, Written) : Of.Bytes;
  for (unsigned L = 0; L < WarpSize; ++L) {
    if (!(R.Active >> L & 1) || R.Address.Terms.front().Coefficient[L] != 1)
      continue;
    const std::int64_t At = R.Address.Constant[L];
    if (!Of.Reach)
      Of.Reach = {At, At + Bytes};
    Of.Reach->Begin = std::min(Of.Reach->Begin, At);
    Of.Reach->End = std::max(Of.Reach->End, At + Bytes);
  }
}

void noteRows(Access &Of, const LaneArithmetic &A, const Request &R,
              const WarpShifts &Others) {
  const std::optional<ArrayFact> &Array = Of.Source.Array;
  const LaneValue &Address = R.Address;
  if (R.Space != MemorySpace::Shared || !Array || Array->Dimensions.size() < 2)
    return;
  const bool IsFixed = Of.Source.FixedRow.has_value();
  const bool IsKnown = isInOneObject(A, R);
  const std::vector<std::int64_t> Places =
      IsFixed ? Others.placesOf(R) : std::vector<std::int64_t>();
  if (IsFixed)
    Of.StaysInRow = Of.StaysInRow.value_or(true) && IsKnown &&
                    !Places.empty() && !standsForOthers(R);
  const auto Row =
      static_cast<std::int64_t>(Array->Dimensions.back() * Array->ElementBytes);
  for (unsigned L = 0; IsKnown && Row > 0 && L < WarpSize; ++L) {
    if (!(R.Active >> L & 1))
      continue;
    const std::int64_t At = Address.Constant[L];
    const bool IsInObject = Address.Terms.front().Coefficient[L] == 1;
    if (IsInObject)
      Of.LastInRow =
          std::max(Of.LastInRow.value_or(0),
                   (At % Row < 0 ? At % Row + Row : At % Row) + Of.Bytes - 1);
    if (IsFixed &&
        (!IsInObject || !std::ranges::all_of(Places, [&](std::int64_t By) {
          return isInFixedRow(Of, At + By, Row);
        })))
      Of.StaysInRow = false;
  }
}

std::uint64_t AddressGroups::keyOf(const Request &R, unsigned Start) {
  if (R.Address.Unknown & R.Active || R.Address.Terms.empty())
    return 0;
  std::vector<std::int64_t> Key = {static_cast<std::int64_t>(R.Op),
                                   static_cast<std::int64_t>(R.Space), R.Active,
                                   Start};
  for (const Term &T : R.Address.Terms) {
    Key.push_back(T.S);
    for (unsigned L = 0; L < WarpSize; ++L)
      Key.push_back(T.Coefficient[L]);
  }
  for (unsigned L = 0; L < WarpSize; ++L)
    Key.push_back(distance(R.Address.Constant[0], R.Address.Constant[L]));
  return Groups.try_emplace(std::move(Key), Groups.size() + 1).first->second;
}

void BaseName::add(const LaneArithmetic &A, const Request &R) {
  std::optional<Symbol> Base;
  for (const Term &T : R.Address.Terms)
    if (A.info(T.S).Kind == SymbolKind::Object) {
      if (Base) {
        Base.reset();
        break;
      }
      Base = T.S;
    }
  if (IsSet && Base == Last)
    return;
  // The symbols of another warp are others, of the same names.
  std::string New = Base ? A.info(*Base).Name : std::string();
  Name = !IsSet || New == Name ? std::move(New) : std::string();
  Last = Base;
  IsSet = true;
}

void noteBlocks(Access &Of, const LaneArithmetic &A, const Request &R) {
  const LaneValue &Address = R.Address;
  if (R.Space != MemorySpace::Global || Address.Unknown & R.Active)
    return;
  const auto First = static_cast<unsigned>(std::countr_zero(R.Active));
  for (const Term &T : Address.Terms) {
    const SymbolInfo &I = A.info(T.S);
    // What is computed from blockIdx has no name.
    if (I.Kind == SymbolKind::BlockIndex && I.Name.empty())
      Of.HasBlockQuotient = true;
    if (I.Kind != SymbolKind::BlockIndex || I.Name.empty() ||
        !T.Coefficient.isUniformIn(R.Active))
      continue;
    // They are fewer than a warp has lanes.
    if (I.Min != NoMin && I.Max != NoMax && I.Max - I.Min + 1 < WarpSize)
      continue;
    const std::int64_t Step = T.Coefficient[First];
    if (Step > 0 && (Of.BlockStep == 0 || Step < Of.BlockStep))
      Of.BlockStep = Step;
  }
}

void TurnSteps::note(std::int64_t Bytes) {
  // Hostile offsets wrap, as addresses do.
  const std::int64_t Each = Bytes < 0 ? distance(Bytes, 0) : Bytes;
  IsOne &= Step.value_or(Each) == Each;
  Step = Each;
}

void TurnSteps::add(const LaneArithmetic &A, const Request &R, unsigned Run) {
  const LaneValue &Address = R.Address;
  if (!IsOne ||
      (R.Space != MemorySpace::Global && R.Space != MemorySpace::Shared))
    return;
  if (Address.Unknown & R.Active) {
    IsOne = false;
    return;
  }
  const auto First = static_cast<unsigned>(std::countr_zero(R.Active));
  if (R.Repeated.Period)
    note(R.Repeated.Bytes);
  Seen Now = {
      .Run = Run, .Turn = R.Turn, .Base = {}, .At = Address.Constant[First]};
  for (const Term &T : Address.Terms) {
    Now.Base.emplace_back(T.S, T.Coefficient[First]);
    if (A.info(T.S).Kind == SymbolKind::Counter)
      note(T.Coefficient[First]);
  }
  // What other lanes do is no other place of these.
  if (Last && Last->Run == Run && Now.Turn == Last->Turn + 1 &&
      Last->Base == Now.Base)
    note(distance(Last->At, Now.At));
  Last = std::move(Now);
}

} // namespace cudalint
