//===- analyzer/checks/StrideConditions.cpp - When a stride is bad --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/StrideConditions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace cudalint {

/// The smallest power of two with which `Bad` repeats.
static unsigned periodOf(const std::vector<bool> &Bad) {
  for (unsigned P = 1; P < Bad.size(); P *= 2) {
    bool Repeats = true;
    for (std::size_t I = P; I < Bad.size() && Repeats; ++I)
      Repeats = Bad[I] == Bad[I % P];
    if (Repeats)
      return P;
  }
  return static_cast<unsigned>(Bad.size());
}

static std::string residueClause(const std::string &Symbol, unsigned Period,
                                 const std::vector<unsigned> &Residues) {
  if (Residues.size() == 1)
    return fmt::format("{} % {} == {}", Symbol, Period, Residues.front());
  return fmt::format("{} % {} is one of {}", Symbol, Period,
                     fmt::join(Residues, ", "));
}

std::string residueCondition(const std::string &Symbol,
                             const std::vector<bool> &Bad,
                             ConditionReach Reach) {
  const char *If = Reach == ConditionReach::Whole ? "if and only if" : "if";
  const unsigned Period = periodOf(Bad);
  if (Period == 2)
    return fmt::format("{} {} is {}", If, Symbol, Bad[0] ? "even" : "odd");
  std::vector<unsigned> In, NotIn;
  for (unsigned I = 0; I < Period; ++I)
    (Bad[I] ? In : NotIn).push_back(I);
  return In.size() <= NotIn.size()
             ? fmt::format("{} {}", If, residueClause(Symbol, Period, In))
             : "unless " + residueClause(Symbol, Period, NotIn);
}

std::string goodResidue(const std::vector<bool> &Bad) {
  const unsigned Period = periodOf(Bad);
  if (Period == 2)
    return fmt::format("an {} length", Bad[0] ? "odd" : "even");
  const auto Good = std::find(Bad.begin(), Bad.end(), false) - Bad.begin();
  return fmt::format("a length with length % {} == {}", Period, Good);
}

unsigned neededAlignment(const std::vector<bool> &Bad) {
  for (unsigned D = 2; D <= 16; D *= 2) {
    bool Fits = true;
    for (std::size_t I = 17; I < Bad.size() && Fits; ++I)
      Fits = Bad[I] == (I % D != 0);
    if (Fits)
      return D;
  }
  return 0;
}

/// `1, 2 or 8`
static std::string orList(const std::vector<std::int64_t> &All) {
  const auto Last = All.end() - 1;
  return All.size() == 1
             ? fmt::format("{}", *Last)
             : fmt::format("{} or {}", fmt::join(All.begin(), Last, ", "),
                           *Last);
}

std::string whenBad(const CostByPower &By, const std::vector<bool> &Bad) {
  const std::vector<PowerCost> &V = By.Values;
  // What is more than a name would run into the comparison.
  const std::string Symbol = By.Symbol.find(' ') == std::string::npos
                                 ? By.Symbol
                                 : "'" + By.Symbol + "'";
  const auto First = std::find(Bad.begin(), Bad.end(), true);
  const auto Behind = std::find(First, Bad.end(), false);
  const auto From = First - Bad.begin(), To = Behind - Bad.begin();
  const bool IsRange = std::find(Behind, Bad.end(), true) == Bad.end();
  if (Behind == Bad.end() && From == 0)
    return fmt::format("whatever {} is", Symbol);
  if (IsRange && From == 0 && To != 1)
    return fmt::format("when {} < {}", Symbol, V[To].Power);
  if (IsRange && Behind == Bad.end() && To - From != 1)
    return fmt::format("when {} > {}", Symbol, V[From - 1].Power);
  std::vector<std::int64_t> All;
  for (std::size_t I = 0; I < Bad.size(); ++I)
    if (Bad[I])
      All.push_back(V[I].Power);
  return fmt::format("when {} is {}", Symbol, orList(All));
}

} // namespace cudalint
