//===- tests/unit/analyzer/ir/Substitution.h - Symbols ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a value over symbols is once the symbols have values.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_UNIT_ANALYZER_IR_SUBSTITUTION_H
#define CUDA_LINT_TESTS_UNIT_ANALYZER_IR_SUBSTITUTION_H

#include "tests/unit/analyzer/ir/Operations.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

namespace cudalint {

using Assignment = std::map<Symbol, std::int64_t>;
/// One plain number per lane; empty where nothing is defined.
using PlainLanes = std::array<std::optional<std::uint64_t>, WarpSize>;

/// The factors of a symbol: itself, unless it is a product.
inline std::vector<Symbol> factorsOf(const LaneArithmetic &A, Symbol S) {
  return A.info(S).Kind == SymbolKind::Product ? A.info(S).Factors
                                               : std::vector<Symbol>{S};
}

/// The polynomial of lane `L` as an integer, modulo 2^128.
/// EXPECTS: every symbol of it has a value.
inline __int128 integerOf(const LaneArithmetic &A, const LaneValue &V,
                          unsigned L, const Assignment &Symbols) {
  unsigned __int128 Sum = static_cast<unsigned __int128>(V.Constant[L]);
  for (const Term &T : V.Terms) {
    unsigned __int128 P = static_cast<unsigned __int128>(T.Coefficient[L]);
    for (Symbol S : factorsOf(A, T.S))
      P *= static_cast<unsigned __int128>(Symbols.at(S));
    Sum += P;
  }
  return static_cast<__int128>(Sum);
}

/// Symbols of `V` that have no value yet.
inline std::set<Symbol> openSymbols(const LaneArithmetic &A, const LaneValue &V,
                                    const Assignment &Symbols) {
  std::set<Symbol> Open;
  for (const Term &T : V.Terms)
    for (Symbol S : factorsOf(A, T.S))
      if (!Symbols.contains(S))
        Open.insert(S);
  return Open;
}

/// Whether `V` is `Expected` in all lanes where both say something.
inline bool agrees(const LaneArithmetic &A, const LaneValue &V,
                   const PlainLanes &Expected, const Assignment &Symbols) {
  for (unsigned L = 0; L < WarpSize; ++L) {
    if (!Expected[L] || (V.Unknown >> L & 1))
      continue;
    const auto Got = static_cast<std::uint64_t>(integerOf(A, V, L, Symbols));
    if ((Got & maskOf(V.Bits)) != (*Expected[L] & maskOf(V.Bits)))
      return false;
  }
  return true;
}

enum class Fit {
  None,  ///< No values of the symbols that are still open make it right.
  One,   ///< Just one does; it has been added to the assignment.
  Many,  ///< More than one does, or there is nothing to tell by.
  Untold ///< Too many symbols are open to try.
};

/// A result may hold a new symbol for what is no polynomial: the same in all
/// lanes, within its stated range and a multiple of what is stated. Tries all
/// values that this allows.
inline Fit fit(const LaneArithmetic &A, const LaneValue &V,
               const PlainLanes &Expected, Assignment &Symbols) {
  const std::set<Symbol> Open = openSymbols(A, V, Symbols);
  if (Open.empty())
    return agrees(A, V, Expected, Symbols) ? Fit::One : Fit::None;
  if (Open.size() > 1 || V.Bits > 16)
    return Fit::Untold;
  const Symbol S = *Open.begin();
  const SymbolInfo &Info = A.info(S);
  const std::int64_t Limit = std::int64_t(1) << V.Bits;
  const std::int64_t From = std::max(Info.Min, -Limit);
  const std::int64_t To = std::min(Info.Max, Limit);
  unsigned Found = 0;
  std::int64_t Value = 0;
  for (std::int64_t X = From; X <= To; ++X) {
    if (X % static_cast<std::int64_t>(Info.MultipleOf))
      continue;
    Symbols[S] = X;
    if (agrees(A, V, Expected, Symbols)) {
      ++Found;
      Value = X;
    }
  }
  Symbols.erase(S);
  if (!Found)
    return Fit::None;
  if (Found > 1)
    return Fit::Many;
  Symbols[S] = Value;
  return Fit::One;
}

} // namespace cudalint

#endif // CUDA_LINT_TESTS_UNIT_ANALYZER_IR_SUBSTITUTION_H
