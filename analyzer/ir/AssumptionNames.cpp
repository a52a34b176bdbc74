//===- analyzer/ir/AssumptionNames.cpp - What is taken for granted --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/AssumptionNames.h"

#include "analyzer/ir/LaneValue.h"

#include <utility>

namespace cudalint {

void nameAssumptions(std::uint32_t Bits, std::set<Assumption> &Out) {
  static constexpr std::pair<std::uint32_t, const char *> Texts[] = {
      {AssumesNoWrap, "index arithmetic does not overflow"},
      {AssumesNonNegative, "indices are not negative"},
      {AssumesInterior, "threads at a border are not looked at"},
      {AssumesNoStraddle, "rows do not end inside a warp"},
      {AssumesAllLanes, AllLanesByData},
      {AssumesBlockLanes, "all lanes take branches that depend on blockIdx"},
      {AssumesTruncated, FirstTurns},
      {AssumesInitialTable, "constant tables hold what the program says"},
      {AssumesSampled, SomeTurns},
      {AssumesRound, "sizes known only at run time are multiples of 32"},
      {AssumesPhase, "a block starts at a multiple of the divisor"},
      {AssumesExactFloat, "a float holds the index without rounding"},
      {AssumesMeeting, "lanes that come here by different ways go on together"},
      {AssumesSomeBlocks, "some blocks from all over the grid stand for all"},
  };
  for (auto [Bit, Text] : Texts)
    if (Bits & Bit)
      Out.emplace(Text, Bit == AssumesRound ? AssumptionKind::Program
                                            : AssumptionKind::Model);
}

Assumption blockAssumption(const LaunchShape &Shape) {
  std::string S = "the block is " + std::to_string(Shape.Block[0]);
  for (unsigned D = 1; D < 3; ++D)
    if (Shape.Block[D] > 1 || (D == 1 && Shape.Block[2] > 1))
      S += " x " + std::to_string(Shape.Block[D]);
  S += Shape.Block[1] * Shape.Block[2] > 1 ? " threads" : " threads wide";
  if (!Shape.BlockReason.empty())
    S += ", " + Shape.BlockReason;
  else if (Shape.BlockSource == LaunchSource::Usual)
    S += ", as it is unless input changes it";
  else if (Shape.IsLargestFitting)
    S += ", the most that the kernel allows";
  return {std::move(S), AssumptionKind::Program};
}

} // namespace cudalint
