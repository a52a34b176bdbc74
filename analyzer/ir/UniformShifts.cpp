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

/// Modulo a power of two, what overflows does not matter.
static std::int64_t product(std::int64_t A, std::int64_t B) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(A) *
                                   static_cast<std::uint64_t>(B));
}

void UniformShifts::addMultiples(std::uint64_t Bytes) {
  Step = std::gcd(Step, Bytes);
}

void UniformShifts::addValues(const FewValues &Values, std::int64_t Bytes) {
  std::vector<std::int64_t> Each;
  for (unsigned K = 0; K < Values.Count; ++K)
    Each.push_back(product(Values[K], Bytes));
  addEach(std::move(Each));
}

void UniformShifts::addEach(std::vector<std::int64_t> Bytes) {
  Few.push_back(std::move(Bytes));
}

namespace {
/// Of a remainder: how many of the values give it, and one that does.
struct Place {
  std::uint64_t Times = 0;
  std::int64_t Shift = 0;
};
} // namespace

/// Divides counts by what they have in common; their sum.
static std::uint64_t reduce(std::vector<Place> &Places) {
  std::uint64_t Common = 0, Sum = 0;
  for (const Place &Each : Places)
    Common = std::gcd(Common, Each.Times);
  for (Place &Each : Places)
    Sum += Each.Times /= Common;
  return Sum;
}

std::vector<std::int64_t> UniformShifts::ofKnownValues(unsigned Most,
                                                       unsigned Apart) const {
  // By the remainder modulo Apart.
  std::vector<Place> Places(Apart);
  Places[0].Times = 1;
  for (const std::vector<std::int64_t> &Each : Few) {
    std::vector<Place> Moved(Apart);
    for (const std::int64_t Bytes : Each) {
      const auto By = static_cast<std::uint64_t>(Bytes);
      for (std::uint64_t At = 0; At < Apart; ++At) {
        if (Places[At].Times == 0)
          continue;
        Place &To = Moved[(At + By) % Apart];
        To.Times += Places[At].Times;
        To.Shift = static_cast<std::int64_t>(
            static_cast<std::uint64_t>(Places[At].Shift) + By);
      }
    }
    Places = std::move(Moved);
    if (reduce(Places) > Most / (Period / Apart))
      return {};
  }
  std::vector<std::int64_t> R;
  for (unsigned First = 0; First < Period; First += Apart)
    for (const Place &Each : Places)
      R.insert(R.end(), Each.Times, First + Each.Shift);
  return R;
}

std::vector<std::int64_t> UniformShifts::get(unsigned Most,
                                             unsigned Least) const {
  std::uint64_t Apart = std::max<std::uint64_t>(Step, Least);
  if (!Few.empty())
    if (std::vector<std::int64_t> R =
            ofKnownValues(Most, static_cast<unsigned>(Apart));
        !R.empty())
      return R;
  for (const std::vector<std::int64_t> &Each : Few)
    for (const std::int64_t Bytes : Each)
      Apart = std::gcd(Apart, static_cast<std::uint64_t>(Bytes));
  Apart = std::max<std::uint64_t>({Apart, Least, Period / Most});
  std::vector<std::int64_t> R;
  for (std::uint64_t At = 0; At < Period; At += Apart)
    R.push_back(static_cast<std::int64_t>(At));
  return R;
}

} // namespace cudalint
