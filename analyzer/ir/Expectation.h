//===- analyzer/ir/Expectation.h - Costs of random requests --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a request costs whose addresses depend on data, if the data is random:
/// each number independent of the others, and equally likely to be any of those
/// that the code allows; a condition, to hold in a lane or not.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_EXPECTATION_H
#define CUDA_LINT_ANALYZER_IR_EXPECTATION_H

#include "analyzer/ir/Access.h"
#include "analyzer/ir/RandomAddress.h"
#include "analyzer/ir/RequestCost.h"
#include "hardware/CountedRequest.h"

#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace cudalint {

/// What hardware/RandomRequest.h says of the requests of one kernel, each of
/// which is asked about once.
class RandomCosts {
public:
  explicit RandomCosts(const Architecture &Arch) : Arch(Arch) {}

  /// Of `Piece` bytes of each lane: the mean over what the known part of the
  /// address can be. Nothing where even that is not known well enough, or where
  /// more than \p NewLeft requests are new, which it counts down.
  std::optional<Expectation>
  expectation(const Request &R, const RandomAddress &Address, unsigned Piece,
              const LaneArithmetic &A, unsigned &NewLeft);

  /// The same of a request in whose address lanes count those that say yes:
  /// each does or does not, which is equally likely.
  std::optional<Expectation>
  expectation(const Request &R, const CountedLanes &Counted, unsigned Piece,
              const LaneArithmetic &A, unsigned &NewLeft);

private:
  const Architecture &Arch;
  using Key = std::tuple<RequestMemory, RequestKind, unsigned, LaneMask,
                         LaneOffsets, std::vector<RandomNumber>>;
  std::map<Key, RandomCost> Known;
  using CountedKey =
      std::tuple<RequestMemory, RequestKind, unsigned, LaneMask, std::int64_t,
                 std::int64_t, LaneMask, std::array<LaneMask, WarpSize>, bool>;
  std::map<CountedKey, std::optional<CountedCost>> KnownCounted;
  /// Of a kernel: a few seconds, if each takes as long as any does.
  static constexpr std::size_t MostKnown = 512;

  /// Null: it is not known, and no more are asked about.
  const RandomCost *costOf(RequestMemory Memory, RequestKind Kind,
                           unsigned Piece, LaneMask Active,
                           const LaneOffsets &Offsets,
                           const std::vector<RandomNumber> &Numbers,
                           unsigned &NewLeft);
  const CountedCost *countedCostOf(const CountedRequest &R, unsigned &NewLeft);
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_EXPECTATION_H
