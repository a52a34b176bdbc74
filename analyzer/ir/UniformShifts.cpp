//===- analyzer/ir/UniformShifts.cpp - What moves all lanes alike ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/UniformShifts.h"

#include <algorithm>
#include <numeric>

namespace cudalint {

void UniformShifts::addMultiples(std::uint64_t Bytes) {
  Step = std::gcd(Step, Bytes);
}

void UniformShifts::addValues(const FewValues &Values, std::int64_t Bytes) {
  // Modulo a power of two, what overflows does not matter.
  Few.push_back({Values, static_cast<std::uint64_t>(Bytes) % Period});
}

/// Divides counts by what they have in common.
static void reduce(std::vector<std::uint64_t> &Times) {
  std::uint64_t Common = 0;
  for (std::uint64_t Each : Times)
    Common = std::gcd(Common, Each);
  for (std::uint64_t &Each : Times)
    Each /= Common;
}

std::vector<unsigned> UniformShifts::ofKnownValues(unsigned Most,
                                                   unsigned Apart) const {
  // How often each remainder modulo Apart occurs.
  std::vector<std::uint64_t> Times(Apart);
  Times[0] = 1;
  for (const Known &Each : Few) {
    std::vector<std::uint64_t> Moved(Apart);
    for (unsigned K = 0; K < Each.Values.Count; ++K) {
      const std::uint64_t By =
          static_cast<std::uint64_t>(Each.Values[K]) * Each.Bytes;
      for (std::uint64_t At = 0; At < Apart; ++At)
        Moved[(At + By) % Apart] += Times[At];
    }
    reduce(Moved);
    Times = std::move(Moved);
    if (std::accumulate(Times.begin(), Times.end(), std::uint64_t(0)) >
        Most / (Period / Apart))
      return {};
  }
  std::vector<unsigned> R;
  for (unsigned First = 0; First < Period; First += Apart)
    for (unsigned At = 0; At < Apart; ++At)
      R.insert(R.end(), Times[At], First + At);
  return R;
}

std::vector<unsigned> UniformShifts::get(unsigned Most, unsigned Least) const {
  unsigned Apart = std::max(static_cast<unsigned>(Step), Least);
  if (!Few.empty())
    if (std::vector<unsigned> R = ofKnownValues(Most, Apart); !R.empty())
      return R;
  for (const Known &Each : Few)
    Apart = std::gcd(
        Apart, static_cast<unsigned>(
                   std::gcd(static_cast<std::uint64_t>(Each.Values.First),
                            static_cast<std::uint64_t>(Each.Values.Step)) *
                   Each.Bytes % Period));
  Apart = std::max({Apart, Least, Period / Most});
  std::vector<unsigned> R;
  for (unsigned At = 0; At < Period; At += Apart)
    R.push_back(At);
  return R;
}

} // namespace cudalint
