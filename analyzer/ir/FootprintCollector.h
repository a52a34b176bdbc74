//===- analyzer/ir/FootprintCollector.h - Bytes of a block ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which bytes of global memory the warps of one block access together, each
/// counted once: against the bytes that they ask for, how often a block uses
/// again what it has brought. A figure stands only where every access of every
/// warp is known, and how far it is from the others of its array is a number.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_FOOTPRINTCOLLECTOR_H
#define CUDA_LINT_ANALYZER_IR_FOOTPRINTCOLLECTOR_H

#include "analyzer/ir/AccessPlan.h"
#include "analyzer/ir/ByteRanges.h"
#include "analyzer/ir/WarpInterpreter.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <deque>

namespace cudalint {

class FootprintCollector {
public:
  FootprintCollector(const KernelStructure &Kernel, const SourceFacts &Facts,
                     const AccessPlan &Plan)
      : Kernel(Kernel), Facts(Facts), Plan(Plan) {}

  /// Of all warps from \p First to \p Last, whose number is in the address if
  /// they are several. \p A holds its symbols. What is not in global memory is
  /// left alone.
  void add(LaneArithmetic &A, const Request &R, unsigned First, unsigned Last);
  /// Ends the run of a warp: the next one has symbols of its own.
  void endWarp(const WarpOutcome &Outcome);
  /// All warps of a block have run, which stands for so many. \p IsReached:
  /// some request of the instruction was added.
  void endBlock(double Weight,
                llvm::function_ref<bool(const llvm::Instruction *)> IsReached);

  /// Forgets all blocks.
  void startAnew();

  /// Whether all is known of the blocks that have ended.
  bool isKnown() const {
    return Loads.WhyNotKnown.empty() && Stores.WhyNotKnown.empty();
  }

  /// A mean over these blocks, without what lanes ask for.
  BlockFootprint finish() const;

private:
  /// Equal for symbols that have the same value in each warp, and for what is
  /// made of such.
  using Key = std::vector<std::int64_t>;
  struct Array {
    Key Identity;
    std::string Name;
    bool IsVariable = false; ///< Of the program: no pointer leads into another.
    Key Base;                ///< The part that is no number; of this block.
    ByteRanges Ranges;       ///< Of this block, behind the base.
    double Bytes = 0, Sectors = 0; ///< Of all blocks that have ended.
  };
  /// Loads, or stores and atomics.
  struct Side {
    std::deque<Array> Arrays;
    std::string WhyNotKnown, WhyNoSectors;
    std::set<Assumption> Aligned; ///< What sectors take for granted.
    /// Of the warp that is being run: what its symbols stand for.
    struct Seen {
      llvm::SmallVector<std::pair<Symbol, std::int64_t>, 4> Terms;
      Array *Of;
    };
    std::vector<Seen> Bases;
    std::size_t Held = 0; ///< Ranges, of all arrays.
  };

  const KernelStructure &Kernel;
  const SourceFacts &Facts;
  const AccessPlan &Plan;
  Side Loads, Stores;
  double Blocks = 0;
  std::uint32_t Assumes = 0;
  std::set<const llvm::Loop *> CutShort, Sampled; ///< In this block.

  Side &sideOf(AccessOp Op) { return Op == AccessOp::Load ? Loads : Stores; }
  void add(Side &To, LaneArithmetic &A, const Request &R, unsigned First,
           unsigned Last);
  /// Part of a request: \p Bytes of each lane, as far into what is written.
  struct Piece {
    unsigned Bytes, Offset;
  };
  /// A request again, each \p Bytes behind the one before.
  struct Moves {
    std::int64_t Start, Bytes, Times;
  };
  void addMoved(Side &To, LaneArithmetic &A, const Request &R,
                const Moves &OfWarps);
  bool add(ByteRanges &To, const Request &R, Piece P, Moves By);
  Array *arrayOf(Side &To, const LaneArithmetic &A, const Request &R);
  Array *makeArray(Side &To, const LaneArithmetic &A, const Request &R,
                   const Side::Seen &Terms);
  void fail(Side &Of, const llvm::Instruction &Inst, const std::string &Why);
  void leaveOut(const llvm::Loop &L, const char *Why,
                llvm::function_ref<bool(const llvm::Instruction *)> IsReached);
  void endBlock(Side &Of, double Weight);
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_FOOTPRINTCOLLECTOR_H
