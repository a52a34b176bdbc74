//===- report/LaunchTraffic.cpp - What launches move ----------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/LaunchTraffic.h"

#include "report/Names.h"
#include "report/SupposedTraffic.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace cudalint {

bool isOfLaunch(const AccessRecord &A, const WarpTotals &Launch) {
  return A.Shapes.empty() ||
         std::ranges::find(A.Shapes, Launch.Shape) != A.Shapes.end();
}

static bool isOfEqualSizes(const WarpTotals &A, const WarpTotals &B) {
  return A.Block == B.Block && A.Grid == B.Grid;
}

/// Launches that the totals stand for: those of the same shape, of which those
/// that pass something else have totals of their own.
static double launchesOf(const WarpTotals &Totals, const KernelRecord &Kernel) {
  const auto Entries =
      std::ranges::count_if(Kernel.Totals, [&](const WarpTotals &Each) {
        return isOfEqualSizes(Each, Totals);
      });
  const auto Same =
      std::ranges::count_if(Kernel.Launches, [&](const LaunchRecord &L) {
        for (std::size_t I = 0; I != 3; ++I)
          if (L.Block[I].value_or(Totals.Block[I]) != Totals.Block[I])
            return false;
        return L.Grid == Totals.Grid;
      });
  return static_cast<double>(std::max(Same, Entries)) /
         static_cast<double>(std::max<std::ptrdiff_t>(Entries, 1));
}

std::optional<double> warpsOf(const KernelRecord &Kernel) {
  double Sum = 0;
  for (const WarpTotals &Each : Kernel.Totals) {
    if (!Each.Warps)
      return std::nullopt;
    Sum += *Each.Warps * launchesOf(Each, Kernel);
  }
  return Kernel.Totals.empty() ? std::nullopt : std::optional(Sum);
}

std::optional<double> trafficOf(const WarpTotals &Totals,
                                std::string_view Unit) {
  double Sum = 0;
  for (const SpaceTotals &Each : Totals.Spaces) {
    if (nameOf(Each.Unit) != Unit)
      continue;
    if (!Each.Traffic)
      return std::nullopt;
    Sum += *Each.Traffic;
  }
  return Sum;
}

std::optional<double> trafficOf(const KernelRecord &Kernel,
                                std::string_view Unit) {
  double Sum = 0;
  for (const WarpTotals &Each : Kernel.Totals) {
    const std::optional<double> PerWarp = trafficOf(Each, Unit);
    if (!PerWarp || (*PerWarp != 0 && !Each.Warps))
      return std::nullopt;
    Sum += *PerWarp * Each.Warps.value_or(0) * launchesOf(Each, Kernel);
  }
  return Sum;
}

std::optional<double>
wastedPerWarp(std::span<const AccessRecord *const> Accesses,
              const BlockShape &Of, const WarpTotals *Launch) {
  using Instruction =
      std::tuple<Location, AccessOp, std::vector<Location>, std::uint64_t>;
  std::map<Instruction, double> Most;
  double Sum = 0; // Of those of which the instruction is not known.
  for (const AccessRecord *A : Accesses) {
    const BlockCount *Count = countOf(*A, Of);
    if ((!Count && (A->Block != Of || !A->Counts.empty())) ||
        (Launch && !isOfLaunch(*A, *Launch)))
      continue;
    const std::optional<double> Times =
        Count ? Count->Executions : A->Executions;
    if (!Times || !A->PerRequest || !A->Ideal)
      return std::nullopt;
    const double Wasted = *Times * std::max(0.0, *A->PerRequest - *A->Ideal);
    if (!A->Compiled) {
      Sum += Wasted;
      continue;
    }
    double &Its = Most[{A->Where, A->Op, A->InlinedAt, A->Compiled->Offset}];
    Its = std::max(Its, Wasted);
  }
  for (const auto &[Instruction, Wasted] : Most)
    Sum += Wasted;
  return Sum;
}

std::optional<double> wastedInAll(std::span<const AccessRecord *const> Accesses,
                                  const KernelRecord &Kernel) {
  double Sum = 0;
  for (const WarpTotals &Each : Kernel.Totals) {
    const std::optional<double> PerWarp =
        wastedPerWarp(Accesses, Each.Block, &Each);
    if (!PerWarp || !Each.Warps)
      return std::nullopt;
    Sum += *PerWarp * *Each.Warps * launchesOf(Each, Kernel);
  }
  return Kernel.Totals.empty() ? std::nullopt : std::optional(Sum);
}

} // namespace cudalint
