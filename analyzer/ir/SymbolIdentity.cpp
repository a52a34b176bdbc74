//===- analyzer/ir/SymbolIdentity.cpp - Symbols of several runs -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/SymbolIdentity.h"

#include "analyzer/ir/SymbolFacts.h"

#include <algorithm>

namespace cudalint {

bool addIdentity(const LaneArithmetic &A, Symbol S,
                 std::vector<std::int64_t> &Out) {
  const SymbolInfo &I = A.info(S);
  auto AddOf = [&](const void *Value, std::int64_t At) {
    Out.push_back(static_cast<std::int64_t>(I.Kind));
    Out.push_back(
        static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(Value)));
    Out.push_back(At);
  };
  switch (I.Kind) {
  case SymbolKind::Product: {
    std::vector<std::vector<std::int64_t>> Factors;
    for (Symbol F : I.Factors)
      if (!addIdentity(A, F, Factors.emplace_back()))
        return false;
    std::ranges::sort(Factors); // symbols have other numbers in other warps
    AddOf(nullptr, static_cast<std::int64_t>(Factors.size()));
    for (const auto &Each : Factors)
      Out.insert(Out.end(), Each.begin(), Each.end());
    return true;
  }
  case SymbolKind::BlockIndex:
    // Not what is computed from it.
    if (I.Name.empty())
      return false;
    AddOf(nullptr, I.ByBlock);
    return true;
  case SymbolKind::Object:
  case SymbolKind::Parameter:
    if (I.Fixed.By)
      AddOf(I.Fixed.By, I.Fixed.At);
    return I.Fixed.By != nullptr;
  default:
    return false;
  }
}

std::string whyNotTold(const LaneArithmetic &A, Symbol S) {
  switch (A.info(S).Kind) {
  case SymbolKind::Object:
    return "which array it is in is not known";
  case SymbolKind::Loaded:
    return "the address depends on loaded data";
  case SymbolKind::Counter:
    return "the address depends on how often a loop has turned";
  default:
    return "the address depends on " + describe(A, S);
  }
}

} // namespace cudalint
