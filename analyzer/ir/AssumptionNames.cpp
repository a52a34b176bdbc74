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
  struct NamedLimit {
    std::uint32_t Bit;
    const char *Text;
    ModelLimit Limit = ModelLimit::None;
  };
  static constexpr NamedLimit Texts[] = {
      {AssumesNoWrap, "index arithmetic does not overflow"},
      {AssumesNonNegative, "indices are not negative"},
      {AssumesInterior, "threads at a border are not looked at"},
      {AssumesNoStraddle, "rows do not end inside a warp"},
      {AssumesAllLanes, "all lanes take branches that depend on data",
       ModelLimit::AllLanesByData},
      {AssumesBlockLanes, "all lanes take branches that depend on blockIdx"},
      {AssumesTruncated, "the first turns of a long loop stand for all",
       ModelLimit::FirstTurns},
      {AssumesInitialTable, "constant tables hold what the program says"},
      {AssumesSampled, "some turns from all over a long loop stand for all",
       ModelLimit::SomeTurns},
      {AssumesRound, "sizes known only at run time are multiples of 32"},
      {AssumesPhase, "a block starts at a multiple of the divisor"},
      {AssumesExactFloat, "a float holds the index without rounding"},
      {AssumesMeeting, "lanes that come here by different ways go on together"},
      {AssumesSomeBlocks, "some blocks from all over the grid stand for all"},
  };
  for (const NamedLimit &Each : Texts)
    if (Bits & Each.Bit) {
      Assumption Named(Each.Text, Each.Bit == AssumesRound
                                      ? AssumptionKind::Program
                                      : AssumptionKind::Model);
      Named.Limit = Each.Limit;
      Out.insert(std::move(Named));
    }
}

Assumption blockAssumption(const LaunchShape &Shape) {
  std::string S = "the block is " + std::to_string(Shape.Block[0]);
  for (unsigned D = 1; D < 3; ++D)
    if (Shape.Block[D] > 1 || (D == 1 && Shape.Block[2] > 1))
      S += " x " + std::to_string(Shape.Block[D]);
  S += Shape.Block[1] * Shape.Block[2] > 1 ? " threads"
       : Shape.Block[0] == 1               ? " thread wide"
                                           : " threads wide";
  if (!Shape.BlockReason.empty())
    S += ", " + Shape.BlockReason;
  else if (Shape.BlockSource == LaunchSource::Usual)
    S += ", as it is unless input changes it";
  else if (Shape.IsLargestFitting)
    S += ", a size that the kernel can run with";
  return {std::move(S), AssumptionKind::Program};
}

} // namespace cudalint
