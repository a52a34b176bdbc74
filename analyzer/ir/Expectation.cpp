//===- analyzer/ir/Expectation.cpp - Costs of random requests ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/Expectation.h"

#include <algorithm>
#include <random>

namespace cudalint {

/// Requests that are tried. The fullest of 32 banks for 32 lanes varies by 0.7
/// around 3.5, the sectors by less: their means by 0.5 %.
static constexpr unsigned Tries = 1024;
/// Elements of an array whose size is not known: far more than lanes.
static constexpr std::uint64_t LargeArray = 1 << 22;

/// Below \p Values, which is not 0; the same on every platform, as the
/// distributions of the standard library are not.
static std::uint64_t draw(std::mt19937 &Generator, std::uint64_t Values) {
  return (std::uint64_t(Generator()) * Values) >> 32;
}

std::optional<Expectation> expectation(const Architecture &Arch,
                                       const Request &R,
                                       const RandomAddress &Address,
                                       unsigned Piece,
                                       const LaneArithmetic &A) {
  if (Address.Parts.empty())
    return std::nullopt;
  const AddressVariants Known =
      R.Space == MemorySpace::Shared
          ? sharedVariants(A, Address.Known, R.Active)
          : globalVariants(A, Address.Known, R.Active, globalPeriod(Arch));
  if (Known.Offsets.empty())
    return std::nullopt;
  std::mt19937 Generator(1);
  Expectation Out;
  for (unsigned Try = 0; Try < Tries; ++Try) {
    LaneOffsets Offsets = Known.Offsets[Try % Known.Offsets.size()];
    // The first is that of equal numbers.
    const bool AreEqual = Try == 0;
    for (const RandomPart &Part : Address.Parts) {
      const std::uint64_t Values = Part.Values ? Part.Values : LargeArray;
      std::uint64_t Number = AreEqual ? 0 : draw(Generator, Values);
      for (unsigned L = 0; L < WarpSize; ++L) {
        if (Part.PerLane && !AreEqual)
          Number = draw(Generator, Values);
        // Hostile factors wrap, as addresses do.
        Offsets[L] = static_cast<std::int64_t>(
            static_cast<std::uint64_t>(Offsets[L]) +
            static_cast<std::uint64_t>(Part.Bytes[L]) * Number);
      }
    }
    const Cost Each = costOf(Arch, R, Piece, Offsets);
    if (AreEqual) {
      Out.Least = Out.Most = Each.PerRequest;
      continue;
    }
    Out.PerRequest += Each.PerRequest;
    Out.Ideal += Each.Ideal;
    Out.Least = std::min(Out.Least, Each.PerRequest);
    Out.Most = std::max(Out.Most, Each.PerRequest);
  }
  Out.PerRequest /= Tries - 1;
  Out.Ideal /= Tries - 1;
  return Out;
}

} // namespace cudalint
