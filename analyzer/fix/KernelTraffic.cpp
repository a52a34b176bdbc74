//===- analyzer/fix/KernelTraffic.cpp - What a fix makes kernels move -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/fix/KernelTraffic.h"

#include "report/Names.h"
#include "report/Phrase.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace cudalint {

namespace {
/// Of a kernel: in which of its shapes, and where.
using TrafficKey = std::pair<std::size_t, MemorySpace>;
using Traffic = std::map<TrafficKey, double>;
} // namespace

/// What is known of single accesses alone, in all shapes.
static constexpr std::size_t NoShape = SIZE_MAX;

/// Warps of a block whose lanes are all there, for one that it has.
static double fullWarps(const std::array<std::int64_t, 3> &Block) {
  const std::int64_t Threads = Block[0] * Block[1] * Block[2];
  const std::int64_t Warps = (Threads + 31) / 32;
  return Warps > 0
             ? static_cast<double>(Threads) / static_cast<double>(Warps * 32)
             : 1;
}

/// What a warp moves; \p OfLanes: 32 threads, however many warps they are.
/// Where that is not known, as how often a loop turns, each access counts once,
/// or as often as it is known to be made: no total, but it falls and rises as
/// the total does.
static Traffic trafficOf(const KernelRecord &Kernel, bool OfLanes = false) {
  const auto of = [&](const std::array<std::int64_t, 3> &Block) {
    return OfLanes ? 1 / fullWarps(Block) : 1;
  };
  Traffic Result;
  std::set<MemorySpace> Unknown;
  for (std::size_t I = 0; I != Kernel.Totals.size(); ++I)
    for (const SpaceTotals &Each : Kernel.Totals[I].Spaces)
      if (Each.Traffic)
        Result[{I, Each.Space}] = *Each.Traffic * of(Kernel.Totals[I].Block);
      else
        Unknown.insert(Each.Space);
  for (const AccessRecord &Access : Kernel.Accesses)
    if (Unknown.contains(Access.Space) && Access.PerRequest)
      Result[{NoShape, Access.Space}] +=
          *Access.PerRequest * Access.Executions.value_or(1) * of(Access.Block);
  return Result;
}

static TrafficUnit unitOf(const KernelRecord &Kernel, MemorySpace Space) {
  for (const AccessRecord &Each : Kernel.Accesses)
    if (Each.Space == Space)
      return Each.Unit;
  return TrafficUnit::Sectors;
}

/// Of what differs by less, the same was computed in another order.
static bool isLess(double A, double B) { return A < B * (1 - 1e-9); }

/// `'f': 1056 -> 64 shared wavefronts per warp`
static std::string change(const KernelRecord &Kernel, MemorySpace Space,
                          double Before, double After) {
  return fmt::format("'{}': {} -> {} {} {} per warp",
                     withoutParameters(Kernel.Signature), number(Before),
                     number(After), nameOf(Space),
                     nameOf(unitOf(Kernel, Space)));
}

/// The most that \p From has of a space in any shape, where the shapes are not
/// the same; else in \p Key.
static std::optional<double> mostOf(const Traffic &From, const TrafficKey &Key,
                                    bool HasSameShapes) {
  std::optional<double> Most;
  for (const auto &[Its, Value] : From)
    if (Its == Key || (!HasSameShapes && Its.first != NoShape &&
                       Key.first != NoShape && Its.second == Key.second))
      Most = std::max(Most.value_or(0), Value);
  return Most;
}

static bool haveSameBlocks(const KernelRecord &A, const KernelRecord &B) {
  return std::ranges::equal(A.Totals, B.Totals, {}, &WarpTotals::Block,
                            &WarpTotals::Block);
}

std::string moreTraffic(const KernelRecord &Before, const KernelRecord &After) {
  const bool HasSameShapes = Before.Totals.size() == After.Totals.size();
  const Traffic Old = trafficOf(Before, /*OfLanes=*/true),
                New = trafficOf(After, /*OfLanes=*/true);
  // In blocks of another size, other warps are at the ends of what is accessed.
  // Chosen: less than any change of a layout.
  const double Slack = haveSameBlocks(Before, After) ? 1 : 1.01;
  for (const auto &[Key, Now] : New)
    if (const std::optional<double> Then = mostOf(Old, Key, HasSameShapes);
        Then && isLess(*Then * Slack, Now))
      return "more is moved then: " +
             change(Before, Key.second,
                    *mostOf(trafficOf(Before), Key, HasSameShapes),
                    trafficOf(After).at(Key));
  return {};
}

std::vector<std::string> lessTraffic(const KernelRecord &Before,
                                     const KernelRecord &After) {
  std::vector<std::string> Result;
  const Traffic New = trafficOf(After);
  for (const auto &[Key, Then] : trafficOf(Before))
    if (const auto Now = New.find(Key);
        Now != New.end() && isLess(Now->second, Then))
      Result.push_back(change(Before, Key.second, Then, Now->second));
  return Result;
}

} // namespace cudalint
