//===- analyzer/ir/AccessTally.h - The requests of one access ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One access while its requests are counted: how often it is made, by which
/// warps, what that costs and what it takes for granted. finish() makes means
/// of it.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_ACCESSTALLY_H
#define CUDA_LINT_ANALYZER_IR_ACCESSTALLY_H

#include "analyzer/ir/AddressNotes.h"
#include "analyzer/ir/CollectedAccess.h"
#include "analyzer/ir/KernelEvaluator.h"
#include "analyzer/ir/RequestSums.h"
#include "analyzer/ir/StrideSymbol.h"

#include "llvm/ADT/SmallBitVector.h"

#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace cudalint {

/// Where fewer turns that stand for others come to an access, nothing is said
/// of how many do in all: a condition that holds in one of them may hold in a
/// hundred others, or none. Chosen.
inline constexpr std::size_t LeastSampledTurns = 8;

struct AccessTally {
  Access Result;
  const llvm::Instruction *Inst = nullptr;
  unsigned Part = 0, Piece = 0;
  const CompiledPart *As = nullptr;
  unsigned Start = 0;    ///< Of the collector, when its first request came.
  unsigned FirstRun = 0; ///< The number of the run that this was of.
  RequestSums Sum;
  /// Of requests that are wider than what is written and begin somewhere in
  /// the wider word.
  RequestSums Misaligned;
  /// Some of these begin elsewhere in the word for each lane: no instruction
  /// that is as wide loads or stores that.
  bool AreUneven = false;
  llvm::SmallBitVector Warps;      ///< That execute it.
  double Executions = 0;           ///< By all warps of a block.
  double MisalignedExecutions = 0; ///< Of requests in Misaligned.
  /// Executions by Request::OpenLoops, those that it does not leave.
  std::map<std::uint32_t, double> ByOpenLoops;
  std::uint32_t CutLoops = 0; ///< Likewise, of which turns were left out.
  /// Turns that stand for others and make it, up to LeastSampledTurns.
  std::set<std::int64_t> SampledTurns;
  RequestOrder InOrder;
  TurnSteps Turns;
  BaseName Base;
  RandomSums Random;
  /// What branches have written there; nothing: what Inst has.
  std::set<AccessFact> Written;
  bool IsMadeByOthersAlone = true;
  /// So many more different requests at random addresses are looked at: more
  /// than there are turns of most loops that are written out.
  unsigned DistinctLeft = 64;
  const char *WhyNotCounted = nullptr;
  std::set<Assumption> Assumptions;
  std::uint32_t AssumedBits = 0;
  std::string WhyUnknown;
  UnknownCause Cause = UnknownCause::NotModelled;
  Location CauseWhere;
  /// From here on there is no number.
  void setUnknown(UnknownCause Because, std::string Why) {
    WhyUnknown = std::move(Why);
    Cause = Because;
  }
  bool Truncated = false;
  unsigned LeftByLane = 0;  ///< As in CollectedAccess.
  unsigned StrideLanes = 0; ///< Of the request that Result.Stride is of.
  /// The different requests in shared memory that it is of, but for where they
  /// begin: their lanes, and what is constant and what the symbol adds.
  std::set<std::pair<LaneMask, std::array<LaneOffsets, 2>>> OfStride;
  double StrideFloor = 0; ///< What others cost, whatever the symbol is.
  /// By how much rows are longer than the symbol; empty: that differs, or is
  /// not known.
  std::optional<std::int64_t> RowsLonger;
  /// Costs differ from turn to turn or from block to block, of which each was
  /// taken to be as frequent.
  bool DiffersByTurn = false, DiffersByBlock = false;
  bool SomeBlocks = false; ///< And not all blocks come there.
  bool ManyBlocks = false; ///< Some request is none of Request::FewBlocks.

  std::vector<double> ByRun;
  bool IsMeanOfRun = false; ///< Some of ByRun differ by what is not known.

  /// In run number \p Run, and those of the warps that it stands for.
  void addToRuns(const Request &R, std::size_t Run, double Weight);
  /// \p BlockWeight blocks' warps make it.
  void count(const Request &R, double BlockWeight, std::size_t Run);
  /// What was added for a request since \p Before is one of a sequence.
  void addInOrder(const Request &R, const RequestSums &Before,
                  double BlockWeight, unsigned Run);

  /// Means over all that was added, for a block of so many warps.
  CollectedAccess finish(const LaunchShape &Shape, double WarpsOfBlock);

private:
  void finishExecutions(double Times, double WarpsOfBlock);
  void finishFrequencies(bool IsMisaligned, double WarpsOfBlock);
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_ACCESSTALLY_H
