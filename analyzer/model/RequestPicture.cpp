//===- analyzer/model/RequestPicture.cpp - A request to be shown ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/model/RequestPicture.h"

#include <utility>

namespace cudalint {

static LaneAddresses addressesOf(const WarpRequest &R) {
  LaneAddresses Out(WarpSize);
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
    if (R.ActiveMask >> Lane & 1)
      Out[Lane] = R.Address[Lane];
  return Out;
}

static std::pair<unsigned, unsigned> costAndIdeal(const Architecture &Arch,
                                                  MemorySpace Space,
                                                  const WarpRequest &R) {
  if (Space == MemorySpace::Shared) {
    const SharedTraffic T = sharedTraffic(Arch, R);
    return {T.Wavefronts, T.Ideal};
  }
  const GlobalTraffic T = globalTraffic(Arch, R);
  return {T.Transactions, T.Ideal};
}

static std::optional<RequestExample> withoutRemedy(const Architecture &Arch,
                                                   const Access &A) {
  const bool IsShared = A.Space == MemorySpace::Shared;
  if (A.Samples.empty() || A.Samples.front().ActiveMask == 0 ||
      (!IsShared && (A.Space != MemorySpace::Global || Arch.CC.Major < 5)))
    return std::nullopt;
  const WarpRequest R = toRequest(A, A.Samples.front());
  const auto [Cost, Ideal] = costAndIdeal(Arch, A.Space, R);
  if (Cost == 0) // Of a width that no instruction has.
    return std::nullopt;
  return RequestExample{.Unit = IsShared ? "wavefronts" : "sectors",
                        .Bytes = R.BytesPerLane,
                        .Lanes = addressesOf(R),
                        .Cost = Cost,
                        .Ideal = Ideal,
                        .LanesThen = {}};
}

static void addRemedy(RequestExample &To, const Architecture &Arch,
                      MemorySpace Space, const WarpRequest &Then) {
  To.LanesThen = addressesOf(Then);
  To.CostThen = costAndIdeal(Arch, Space, Then).first;
}

std::optional<RequestExample> exampleOf(const Architecture &Arch,
                                        const Access &A, const Layout &Then) {
  std::optional<RequestExample> Out = withoutRemedy(Arch, A);
  if (Out && Then)
    addRemedy(*Out, Arch, A.Space, toRequest(A, A.Samples.front(), Then));
  return Out;
}

std::optional<RequestExample> exampleOf(const Architecture &Arch,
                                        const Access &A, const Access &Then) {
  std::optional<RequestExample> Out = withoutRemedy(Arch, A);
  if (Out && !Then.Samples.empty() && Then.Bytes == A.Bytes &&
      Then.Samples.front().ActiveMask != 0)
    addRemedy(*Out, Arch, A.Space, toRequest(Then, Then.Samples.front()));
  return Out;
}

} // namespace cudalint
