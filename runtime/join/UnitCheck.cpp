//===- runtime/join/UnitCheck.cpp - CUPTI's counts, the units' ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/UnitCheck.h"

#include "runtime/join/LaunchJudge.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace cudalint {

bool UnitSum::agrees(double Allowed) const {
  return std::abs(Counted - Hardware) <= Allowed * Hardware;
}

using UnitKey = std::pair<MemorySpace, std::optional<AccessOp>>;

/// Of all launches. Without those of which a shape was not measured, or half of
/// what the code counts together.
static std::map<UnitKey, double> byHardware(const MeasuredKernel &Kernel) {
  std::map<UnitKey, double> Sums;
  std::map<UnitKey, std::size_t> Measured;
  std::size_t Shapes = 0;
  for (const ProfileLaunch &Launch : Kernel.Launched) {
    if (Launch.Number == 0)
      continue;
    ++Shapes;
    for (const ProfileUnit &Each : Launch.Units) {
      // Earlier profiles have all wavefronts of shared memory together, with
      // those that are no access.
      if (Each.Launches == 0 || !Each.Op)
        continue;
      const UnitKey Key = {Each.Space, Each.Op};
      const double OfLaunch =
          static_cast<double>(Each.Amount) / static_cast<double>(Each.Launches);
      Sums[Key] += OfLaunch * static_cast<double>(Launch.Number);
      ++Measured[Key];
    }
  }
  std::erase_if(Sums, [&](const auto &Each) {
    const bool AreTwo = Each.first.first == MemorySpace::Global &&
                        Each.first.second == AccessOp::Atomic;
    return Measured[Each.first] != Shapes * (AreTwo ? 2 : 1);
  });
  return Sums;
}

/// The sum of the lines that the hardware counts together as \p Key; empty
/// where one of them has no count.
static Count byCode(const MeasuredKernel &Kernel, const UnitKey &Key) {
  const auto &[Space, Op] = Key;
  const TrafficUnit Unit = Space == MemorySpace::Shared
                               ? TrafficUnit::Wavefronts
                               : TrafficUnit::Sectors;
  std::uint64_t Sum = 0;
  for (const CountedLine &Line : Kernel.Lines) {
    const bool IsAny =
        Line.Space == MemorySpace::Generic && Space != MemorySpace::Local;
    if ((Line.Space != Space && !IsAny) || (Op && Line.Op != *Op))
      continue;
    const Count Its = Line.total(Unit);
    if (!Its)
      return std::nullopt;
    Sum = sum(Sum, *Its);
  }
  return Sum;
}

/// Every launch was counted, and of each shape measured.
static bool isOfAll(const MeasuredKernel &Kernel, const UnitKey &Key) {
  return Kernel.MeasuredLaunches == Kernel.Launches &&
         std::ranges::all_of(Kernel.Launched, [&](const ProfileLaunch &Launch) {
           return std::ranges::all_of(Launch.Units, [&](const ProfileUnit &Of) {
             return UnitKey(Of.Space, Of.Op) != Key ||
                    Of.Launches >= Launch.Number;
           });
         });
}

std::vector<UnitSum> checkUnits(const MeasuredKernel &Kernel) {
  std::vector<UnitSum> Out;
  if (Kernel.MeasuredLaunches == 0)
    return Out;
  for (const auto &[Key, Hardware] : byHardware(Kernel)) {
    const Count Counted = byCode(Kernel, Key);
    if (!Counted)
      continue;
    Out.push_back({.Space = Key.first,
                   .Op = Key.second,
                   .Unit = Key.first == MemorySpace::Shared
                               ? TrafficUnit::Wavefronts
                               : TrafficUnit::Sectors,
                   .Counted = static_cast<double>(*Counted) * scaleOf(Kernel),
                   .Hardware = Hardware,
                   .IsScaled = !isOfAll(Kernel, Key)});
  }
  return Out;
}

} // namespace cudalint
