//===- tests/differential/LinearSystem.cpp - Equations modulo 2^64 --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinearSystem.h"

#include <bit>
#include <utility>

namespace cudalint::differential {

/// The number whose product with the odd `A` is 1 (Newton's iteration).
static std::uint64_t inverse(std::uint64_t A) {
  std::uint64_t X = A;
  for (unsigned I = 0; I < 6; ++I)
    X *= 2 - A * X;
  return X;
}

static std::uint64_t lowBits(unsigned Bits) {
  return Bits >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << Bits) - 1;
}

bool isSolvable(std::vector<Equation> E) {
  if (E.empty())
    return true;
  std::size_t Unknowns = E[0].Coefficients.size(), Row = 0;
  std::vector<bool> Used(Unknowns, false);
  while (Row < E.size()) {
    // The coefficient with the fewest twos divides all others.
    int Best = 64;
    std::size_t AtRow = 0, AtColumn = 0;
    for (std::size_t R = Row; R < E.size(); ++R)
      for (std::size_t C = 0; C < Unknowns; ++C)
        if (std::uint64_t V = E[R].Coefficients[C];
            V && !Used[C] && std::countr_zero(V) < Best) {
          Best = std::countr_zero(V);
          AtRow = R;
          AtColumn = C;
        }
    if (Best == 64)
      break;
    std::swap(E[Row], E[AtRow]);
    Used[AtColumn] = true;
    std::uint64_t Odd = inverse(E[Row].Coefficients[AtColumn] >> Best);
    // A row may be solved for its pivot only if the right side has its twos.
    if (E[Row].Right & lowBits(static_cast<unsigned>(Best)))
      return false;
    for (std::size_t R = Row + 1; R < E.size(); ++R) {
      std::uint64_t Factor = (E[R].Coefficients[AtColumn] >> Best) * Odd;
      if (!Factor)
        continue;
      for (std::size_t C = 0; C < Unknowns; ++C)
        E[R].Coefficients[C] -= Factor * E[Row].Coefficients[C];
      E[R].Right -= Factor * E[Row].Right;
    }
    ++Row;
  }
  for (; Row < E.size(); ++Row)
    if (E[Row].Right)
      return false;
  return true;
}

std::optional<Residue> Residue::both(Residue A, Residue B) {
  if (A.Bits < B.Bits)
    std::swap(A, B);
  if ((A.Value ^ B.Value) & lowBits(B.Bits))
    return std::nullopt;
  return A;
}

bool Residue::meets(std::int64_t Min, std::int64_t Max,
                    std::uint64_t Step) const {
  // Only the power of two in the step can contradict.
  unsigned Twos = Step ? static_cast<unsigned>(std::countr_zero(Step)) : 0;
  if (Value & lowBits(std::min(Twos, Bits)))
    return false;
  // The smallest number of the class that is at least Min.
  std::uint64_t Up = (Value - static_cast<std::uint64_t>(Min)) & lowBits(Bits);
  return Up <=
         static_cast<std::uint64_t>(Max) - static_cast<std::uint64_t>(Min);
}

std::optional<Residue> solve(const std::vector<Equation> &Equations) {
  Residue All;
  for (const Equation &E : Equations) {
    std::uint64_t C = E.Coefficients[0];
    if (!C) {
      if (E.Right)
        return std::nullopt;
      continue;
    }
    unsigned Twos = static_cast<unsigned>(std::countr_zero(C));
    if (E.Right & lowBits(Twos))
      return std::nullopt;
    Residue One;
    One.Bits = 64 - Twos;
    One.Value = (E.Right >> Twos) * inverse(C >> Twos) & lowBits(One.Bits);
    auto Next = Residue::both(All, One);
    if (!Next)
      return std::nullopt;
    All = *Next;
  }
  return All;
}

} // namespace cudalint::differential
