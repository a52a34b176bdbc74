//===- analyzer/ir/StrideTally.cpp - What strides cost --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/StrideTally.h"

#include "analyzer/ir/RequestVariants.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <numeric>

namespace cudalint {

static void addGlobalStride(AccessTally &T, const Architecture &Arch,
                            const LaneArithmetic &A, const Request &R,
                            const KernelStructure &Kernel,
                            const StrideSymbol &S) {
  // Of the request with most lanes: at an edge, some take no part.
  const auto Lanes = static_cast<unsigned>(std::popcount(R.Active));
  if (T.Result.Stride && Lanes <= T.StrideLanes)
    return;
  T.StrideLanes = Lanes;
  RuntimeStride &Out = T.Result.Stride.emplace();
  Out.Symbol = strideName(A, S.S, *Kernel.accesses(*R.Inst)[R.Part].Pointer);
  Out.BytesPerUnit = S.BytesPerUnit;
  Out.IsBound = S.IsBound;
  Out.IsOfRows = S.IsOfRows;
  Out.RowLanes = S.RowLanes;
  Out.RestsOnOthers =
      R.Address.Assumes & (AssumesNoStraddle | AssumesPhase | AssumesRound);
  Out.PerRequest = costsByStride(Arch, A, R, T.Result.Bytes, S);
}

/// In shared memory, whatever conflicts in some warp is told: each value of the
/// stride costs what it does in the request that suffers most.
static void addSharedStride(AccessTally &T, const Architecture &Arch,
                            const LaneArithmetic &A, const Request &R,
                            const KernelStructure &Kernel,
                            const StrideSymbol &S) {
  constexpr std::size_t MostRequests = 128;
  const auto First = static_cast<unsigned>(std::countr_zero(R.Active));
  std::array<LaneOffsets, 2> Of = {};
  for (unsigned L = 0; L < WarpSize; ++L)
    if (R.Active >> L & 1) {
      Of[0][L] = R.Address.Constant[L] - R.Address.Constant[First];
      Of[1][L] = S.Coefficient[L] - S.Coefficient[First];
    }
  std::optional<RuntimeStride> &Stride = T.Result.Stride;
  if (Stride && T.OfStride.size() >= MostRequests)
    Stride->RestsOnOthers = true;
  const bool IsNew = T.OfStride.size() < MostRequests &&
                     T.OfStride.insert({R.Active, Of}).second;
  if (Stride && !IsNew)
    return;
  const std::string Name =
      strideName(A, S.S, *Kernel.accesses(*R.Inst)[R.Part].Pointer);
  const std::optional<std::int64_t> Longer = longerBy(R.Address, S, R.Active);
  const std::vector<double> Costs =
      costsByStride(Arch, A, R, T.Result.Bytes, S);
  if (!Stride) {
    Stride.emplace().Symbol = Name;
    Stride->BytesPerUnit = S.BytesPerUnit;
    Stride->PerRequest.assign(Costs.size(), 0);
    // Requests without the symbol have been added.
    Stride->RestsOnOthers = T.OfStride.size() == 1 && T.Sum.Requests > 0;
    T.RowsLonger = Longer;
  }
  Stride->IsBound |= S.IsBound;
  Stride->RestsOnOthers |=
      Stride->Symbol != Name ||
      R.Address.Assumes & (AssumesNoStraddle | AssumesPhase | AssumesRound);
  if (T.RowsLonger != Longer)
    T.RowsLonger.reset();
  if (Stride->Symbol != Name)
    return;
  std::vector<double> &All = Stride->PerRequest;
  if (All.empty() || Costs.empty())
    return All.clear();
  // Both numbers are powers of two.
  for (const std::size_t Few = All.size(); All.size() < Costs.size();)
    All.push_back(All[All.size() % Few]);
  for (std::size_t I = 0; I != All.size(); ++I)
    All[I] = std::max(All[I], Costs[I % Costs.size()]);
}

void addStride(AccessTally &T, const Architecture &Arch,
               const LaneArithmetic &A, const Request &R,
               const KernelStructure &Kernel, const StrideSymbol &S) {
  (R.Space == MemorySpace::Shared ? addSharedStride
                                  : addGlobalStride)(T, Arch, A, R, Kernel, S);
}

void addBesideStride(AccessTally &T, const Architecture &Arch,
                     const LaneArithmetic &A, const Request &R,
                     const KernelStructure &Kernel) {
  RuntimeStride &Stride = *T.Result.Stride;
  const AddressVariants V = variantsOf(A, R, Arch, T.Result.Bytes);
  if (V.Stride)
    addSharedStride(T, Arch, A, R, Kernel, *V.Stride);
  else
    Stride.RestsOnOthers |= V.Offsets.empty();
  for (const LaneOffsets &Each : V.Offsets)
    for (double &Cost : Stride.PerRequest)
      Cost = std::max(Cost, costOf(Arch, R, T.Result.Bytes, Each).PerRequest);
}

void tellLeastStride(AccessTally &T) {
  if (!T.Result.Stride || T.Result.Space != MemorySpace::Global)
    return;
  const RuntimeStride &Of = *T.Result.Stride;
  const std::vector<double> &Costs = Of.PerRequest;
  // Others put an element where none may be.
  const std::int64_t Element = std::bit_floor(T.Result.Bytes);
  const auto Step = static_cast<std::size_t>(
      Element / std::gcd(Element, std::max<std::int64_t>(Of.BytesPerUnit, 1)));
  const std::size_t Last = Costs.size() - 1;
  std::size_t Least = Last;
  while (Least > Step && Costs[Least - Step] == Costs.back())
    Least -= Step;
  if (Least == Last || Least <= Step || Last % Step)
    return;
  const std::string About = "'" + Of.Symbol + "'";
  const auto find = [&](AssumptionKind Kind) {
    return std::ranges::find_if(T.Assumptions, [&](const Assumption &Each) {
      return Each.Kind == Kind && Each.About == About;
    });
  };
  const auto Large = find(AssumptionKind::LargeSize);
  if (Large == T.Assumptions.end())
    return;
  T.Assumptions.erase(Large);
  // A multiple of 32 is as large.
  if (find(AssumptionKind::RoundSize) == T.Assumptions.end())
    T.Assumptions.emplace(About + " is " + std::to_string(Least) + " or more",
                          AssumptionKind::LargeSize, About);
}

void nameRows(AccessTally &T) {
  if (!T.Result.Stride || T.Result.Space != MemorySpace::Shared ||
      T.Result.Stride->Symbol.empty())
    return;
  RuntimeStride &Of = *T.Result.Stride;
  for (double &Cost : Of.PerRequest)
    Cost = std::max(Cost, T.StrideFloor);
  // What is computed from a size is a part of it, and no row.
  const bool IsName = Of.Symbol.find(' ') == std::string::npos;
  Of.IsOfRows = IsName && T.RowsLonger.has_value();
  const std::int64_t By = T.RowsLonger.value_or(0);
  constexpr std::int64_t Most = 1024;
  if (By == 0 || By < -Most || By > Most || Of.PerRequest.empty())
    return;
  const auto Count = static_cast<std::int64_t>(Of.PerRequest.size());
  std::vector<double> ByRow(Of.PerRequest.size());
  for (std::int64_t I = 0; I != Count; ++I)
    ByRow[((I + By) % Count + Count) % Count] = Of.PerRequest[I];
  Of.PerRequest = std::move(ByRow);
  Of.Symbol += (By < 0 ? " - " : " + ") + std::to_string(std::abs(By));
}

} // namespace cudalint
