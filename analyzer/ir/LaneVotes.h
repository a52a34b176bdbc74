//===- analyzer/ir/LaneVotes.h - What lanes say of themselves ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lanes say yes or no, as data decides, and count those that say yes:
///
///   unsigned mask = __ballot_sync(~0u, p);
///   int rank = __popc(mask & lanes_below);
///
/// What each says is a symbol that is 0 or 1, and what lane L counts is the sum
/// of those of the lanes that it counts: a polynomial as any other. So are sums
/// that lanes make of 0 and 1 with shuffles. If those that say yes then access
/// `out[rank]`, they access neighbours, whatever the data is.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_LANEVOTES_H
#define CUDA_LINT_ANALYZER_IR_LANEVOTES_H

#include "analyzer/ir/LaneValue.h"

#include <array>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace llvm {
class DataLayout;
class Instruction;
class Value;
} // namespace llvm

namespace cudalint {

class ValueEvaluator;

/// Which of the lanes that were there data has picked, on the way to a place.
struct LaneChoice {
  /// The same number stands for the same lanes. 0: data has picked none.
  unsigned Set = 0;
  /// Some lanes, and perhaps not the same as those of the same number.
  static constexpr unsigned Mixed = ~0u;
  /// They are those lanes of `Of`, and of the set `From`, for which this is
  /// `Wanted`; null: several conditions decided.
  const llvm::Value *By = nullptr;
  bool Wanted = false;
  unsigned From = 0;
  LaneMask Of = 0;

  bool isOneSet() const { return Set != Mixed; }
  /// Lanes that come by two ways.
  void add(const LaneChoice &Other) {
    if (Set != Other.Set)
      *this = {.Set = Mixed};
  }
};

struct LaneVote {
  /// What lanes say of themselves; null: that they are there.
  const llvm::Value *Predicate = nullptr;
  bool Wanted = true; ///< What of it is a yes.
  /// The instruction that tells.
  const llvm::Instruction *Told = nullptr;
  LaneMask Lanes = 0; ///< That say something.
  unsigned Set = 0;   ///< As in LaneChoice, of these.
  /// One of each lane: what it says. Empty until someone counts.
  std::vector<Symbol> Says = {};
};

/// The votes of one warp's run.
class LaneVotes {
public:
  explicit LaneVotes(LaneArithmetic &A) : A(A) {}

  /// \p Mask stands for the lanes that say yes, one bit for each.
  void addMask(Symbol Mask, LaneVote Vote);
  /// What each lane says, as a number of \p Bits bits; empty: these were too
  /// many votes.
  std::optional<LaneValue> numbers(LaneVote Vote, unsigned Bits);
  bool isMask(Symbol S) const { return Masks.contains(S); }
  /// How many of those that \p Of has for each lane say yes. EXPECTS:
  /// isMask(Mask).
  std::optional<LaneValue>
  count(Symbol Mask, const std::array<LaneMask, WarpSize> &Of, unsigned Bits);

  /// The one vote that lanes count in \p V; null: none, or several.
  const LaneVote *countedIn(const LaneValue &V) const;
  /// Whether there is some.
  bool isCount(const LaneValue &V) const;

private:
  LaneArithmetic &A;
  std::vector<LaneVote> Votes; ///< SymbolInfo::Vote is an index, from 1.
  std::map<Symbol, unsigned> Masks;
  /// Of a run: each takes 32 symbols.
  static constexpr std::size_t MostCounted = 512, MostVotes = 1 << 16;
  std::size_t Counted = 0;

  bool name(LaneVote &Vote, unsigned Number);
};

/// The count that an address has in it.
struct CountedLanes {
  std::vector<Symbol> Says; ///< Of each lane; only those of Lanes matter.
  LaneMask Lanes = 0;       ///< That say yes or no.
  bool OnlyYes = false;     ///< Those that say no do not access.
  const llvm::Value *Predicate = nullptr; ///< As in LaneVote.
};

/// What lanes count in the address \p Address of \p Pointer, which the lanes
/// \p Active access at \p At, picked as \p Chosen says. Null: nothing, or who
/// of those that say yes or no accesses is not known, or something else in the
/// address depends on what they say, too.
std::shared_ptr<const CountedLanes>
countedLanes(const llvm::Value &Pointer, const llvm::Instruction &At,
             const LaneValue &Address, LaneMask Active,
             const LaneChoice &Chosen, ValueEvaluator &Values);

/// Whether data decides the truth value \p Condition, rather than a bound that
/// most warps do not meet, in some of the lanes \p Active.
bool isByData(const llvm::Value &Condition, LaneMask Active,
              const llvm::Instruction &At, ValueEvaluator &Values);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_LANEVOTES_H
