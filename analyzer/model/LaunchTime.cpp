//===- analyzer/model/LaunchTime.cpp - Launches that end soon -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/model/LaunchTime.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace cudalint {

/// Clocks until the value is there, rounded up from what microbenchmarks find
/// on GPUs from Volta on: from DRAM, from L1, from shared memory; of an
/// operation that waits for another. A store is waited for by nobody.
static constexpr double OfMemory = 700, OfL1 = 40, OfShared = 30,
                        OfOperation = 8, OfStore = 8;

/// 2 microseconds at 1.75 GHz: chosen. An empty kernel takes about as long.
static constexpr double Short = 3500;

static const WarpTotals *totalsOf(const KernelModel &K, const Launch &L) {
  const auto Found = std::ranges::find_if(K.Totals, [&](const WarpTotals &T) {
    return T.Grid == L.Grid && std::ranges::equal(T.Block, L.Block);
  });
  return Found == K.Totals.end() ? nullptr : &*Found;
}

static double latencyOf(const Access &A) {
  if (A.Op == AccessOp::Store)
    return OfStore;
  if (A.Space == MemorySpace::Shared)
    return OfShared;
  if (A.Space == MemorySpace::Local)
    return OfL1;
  // Lanes that meet at one address come one after the other.
  return A.Op == AccessOp::Atomic ? OfMemory + WarpSize * OfL1 : OfMemory;
}

/// Of the warp that makes it most often.
static double timesOf(const Access &A) {
  return std::max(A.Executions.value_or(0), A.Predicted && A.Executions != 0.0
                                                ? A.Predicted->Requests
                                                : 0);
}

std::optional<double> clocksOfOneBlockEach(const KernelModel &K,
                                           const Launch &L) {
  const WarpTotals *Totals = totalsOf(K, L);
  if (!Totals || !Totals->Operations || K.Traits.Blocks.HasBareLoops ||
      !K.Traits.Divisions.empty() ||
      std::ranges::any_of(Totals->Spaces, [](const SpaceTotals &S) {
        return !S.Requests || !S.Traffic;
      }))
    return std::nullopt;
  const auto Threads = static_cast<double>(Totals->Block[0] * Totals->Block[1] *
                                           Totals->Block[2]);
  double Clocks = Totals->Operations->all() / WarpSize * OfOperation;
  if (!Totals->Bounds.empty())
    Clocks += Totals->Bounds.front().Clocks * std::ceil(Threads / WarpSize);
  // What is between two branches waits together.
  std::map<unsigned, double> Waits;
  for (const Access &A : K.Accesses)
    if (A.Block == Totals->Block) {
      const double Wait = timesOf(A) * latencyOf(A);
      double &Longest = Waits[A.Place.Block];
      if (A.Op == AccessOp::Atomic) // They are in order.
        Clocks += Wait;
      else
        Longest = std::max(Longest, Wait);
    }
  for (const auto &[Block, Each] : Waits)
    Clocks += Each;
  return Clocks;
}

bool isShort(const KernelModel &K, const Launch &L) {
  const std::optional<double> Clocks = clocksOfOneBlockEach(K, L);
  return Clocks && *Clocks <= Short;
}

} // namespace cudalint
