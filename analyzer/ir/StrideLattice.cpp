//===- analyzer/ir/StrideLattice.cpp - What a block leaves between --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/StrideLattice.h"

#include "analyzer/ir/RequestSums.h"

#include <algorithm>
#include <set>

namespace cudalint {

/// Turns and warps that show how those of a loop go on. Chosen.
static constexpr unsigned MostAdded = 96;

namespace {
/// The symbols of an address in the words of any run.
class Words {
public:
  Words(const LaneArithmetic &A, const LaneValue &Address) : A(A) {
    for (const Term &T : Address.Terms)
      for (const Symbol Each : factorsOf(T.S))
        if (!hasName(Each))
          Nameless[A.info(Each).Kind].insert(Each);
  }

  StrideLattice::Product productOf(Symbol S) const {
    StrideLattice::Product Its;
    for (const Symbol Each : factorsOf(S))
      Its.push_back(factorOf(Each));
    std::ranges::sort(Its);
    return Its;
  }

private:
  const LaneArithmetic &A;
  std::map<SymbolKind, std::set<Symbol>> Nameless;

  bool hasName(Symbol S) const {
    return !A.info(S).Name.empty() || A.info(S).Fixed.By;
  }
  std::vector<Symbol> factorsOf(Symbol S) const {
    return A.info(S).Kind == SymbolKind::Product ? A.info(S).Factors
                                                 : std::vector<Symbol>{S};
  }
  StrideLattice::Factor factorOf(Symbol S) const {
    const SymbolInfo &I = A.info(S);
    if (hasName(S))
      return {I.Kind, I.Name, I.Fixed.By, I.Fixed.At, -1};
    // Each run meets those of an address in the same order.
    const std::set<Symbol> &Alike = Nameless.at(I.Kind);
    return {I.Kind, "", nullptr, 0,
            std::distance(Alike.begin(), Alike.find(S))};
  }
};
} // namespace

static void addTo(StrideLattice::Sum &S, const StrideLattice::Product &P,
                  std::int64_t Times) {
  // As addresses do, hostile ones wrap.
  const auto Before = static_cast<std::uint64_t>(S[P]);
  if ((S[P] = static_cast<std::int64_t>(
           Before + static_cast<std::uint64_t>(Times))) == 0)
    S.erase(P);
}

/// Where a lane is, in bytes.
static StrideLattice::Sum placeOf(const LaneArithmetic &A,
                                  const LaneValue &Address, unsigned Lane) {
  const Words Its(A, Address);
  StrideLattice::Sum S;
  addTo(S, {}, Address.Constant[Lane]);
  for (const Term &T : Address.Terms)
    addTo(S, Its.productOf(T.S), T.Coefficient[Lane]);
  return S;
}

/// How far \p To is behind \p From.
static StrideLattice::Sum wayBetween(const StrideLattice::Sum &From,
                                     StrideLattice::Sum To) {
  for (const auto &[P, Times] : From)
    addTo(To, P, distance(Times, 0));
  return To;
}

/// In a block, it is one number.
static bool isFixed(const StrideLattice::Product &P) {
  return std::ranges::all_of(P, [](const StrideLattice::Factor &F) {
    const SymbolKind Kind = std::get<SymbolKind>(F);
    return Kind == SymbolKind::Parameter || Kind == SymbolKind::BlockIndex ||
           Kind == SymbolKind::Object;
  });
}

bool StrideLattice::Stride::divides(const Product &P,
                                    std::int64_t Times) const {
  return Times % Bytes == 0 && std::ranges::includes(P, Of);
}

StrideLattice::Sum StrideLattice::Stride::remainder(const Sum &S) const {
  Sum Rest;
  for (const auto &[P, Times] : S)
    if (P == Of && Times % Bytes != 0)
      Rest[P] = (Times % Bytes + Bytes) % Bytes;
    else if (!divides(P, Times))
      Rest[P] = Times;
  return Rest;
}

void StrideLattice::addLanes(const LaneArithmetic &A, const LaneValue &Address,
                             const Request &R) {
  std::optional<Sum> Before;
  for (unsigned L = 0; L < WarpSize && IsApart; ++L) {
    if (!(R.Active >> L & 1))
      continue;
    Sum Its = placeOf(A, Address, L);
    if (Before && !Step) {
      const Sum Way = wayBetween(*Before, Its);
      if (Way.empty()) // At one place.
        continue;
      IsApart = Way.size() == 1 && isFixed(Way.begin()->first) &&
                Way.begin()->second != NoMin;
      if (!IsApart)
        return;
      Step = {.Bytes = std::abs(Way.begin()->second), .Of = Way.begin()->first};
      // Of neighbours, nothing is left between.
      IsApart = !Step->Of.empty() ||
                Step->Bytes >= 2 * static_cast<std::int64_t>(R.Bytes);
      At = Step->remainder(*Before);
    }
    if (Step)
      IsApart = IsApart && Step->remainder(Its) == At;
    Before = std::move(Its);
  }
  IsApart = IsApart && Step;
  // What changes from turn to turn, it is no part of one place.
  for (const auto &[P, Times] : At)
    IsApart = IsApart && isFixed(P);
  if (const std::int64_t Bytes = R.Repeated.Bytes; Bytes != 0)
    IsApart = IsApart && Step->divides({}, Bytes);
}

void StrideLattice::add(LaneArithmetic &A, const Request &R, unsigned First,
                        unsigned Last) {
  if (!IsApart || Added == MostAdded || R.Active == 0)
    return;
  if (R.Address.Unknown & R.Active) {
    IsApart = false;
    return;
  }
  ++Added;
  // All of them grow by what the second is behind the first.
  addLanes(A, First == Last ? R.Address : A.inWarp(R.Address, First), R);
  if (First != Last)
    addLanes(A, A.inWarp(R.Address, First + 1), R);
}

std::vector<StrideLattice::Sum> StrideLattice::place() const {
  if (!IsApart || !Step)
    return {};
  return {Sum{{Step->Of, Step->Bytes}}, At};
}

} // namespace cudalint
