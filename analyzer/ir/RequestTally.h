//===- analyzer/ir/RequestTally.h - Requests to accesses --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Adds up the requests of all warps of a block, per memory instruction, and
/// asks the hardware model what each costs.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_REQUESTTALLY_H
#define CUDA_LINT_ANALYZER_IR_REQUESTTALLY_H

#include "analyzer/ir/CollectedAccess.h"
#include "analyzer/ir/WarpInterpreter.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace cudalint {

class RequestTally {
public:
  RequestTally(const Architecture &Arch, const KernelStructure &Kernel,
               const LaunchShape &Shape, const SourceFacts &Facts);
  ~RequestTally();

  /// `A` holds the symbols of the request's address; `Weight` is how many
  /// blocks' requests it stands for. False: it is not known, or does not
  /// happen, since it is wider than what is written and not aligned.
  bool add(const LaneArithmetic &A, const Request &R, double Weight = 1);

  /// Tells of \p R, in all of these warps, before it is added for some of them
  /// that stand for the others.
  void addOfWarps(LaneArithmetic &A, const Request &R, unsigned First,
                  unsigned Last);

  /// Adds an access that is not reached in the turns that are run, and of
  /// which nothing else is known; nothing if some request of it was added.
  void addUnreached(const Request &R);

  /// Ends the run of a warp, and tells which turns of loops it added for
  /// others, too.
  void addOutcome(const WarpOutcome &Outcome, double BlockWeight);

  /// One access per instruction that some warp executed, in the order in
  /// which they were met.
  std::vector<CollectedAccess> finish();

  /// Requests from here on take the place of what was added of their access
  /// before; accesses without any keep that.
  void startAnew();

  /// Takes it for granted that the requests since startAnew() are of blocks
  /// that stand for all of the grid.
  void assumeSomeBlocks();

  /// Instructions of which some access is not known, as it is now.
  std::vector<const llvm::Instruction *> unknown() const;

  /// Instructions that cost something else in each turn or block, or perhaps,
  /// where turns and blocks are not equally frequent: in one of these loops, or
  /// where not all blocks come.
  std::vector<const llvm::Instruction *>
  uneven(const std::set<const llvm::Loop *> &BoundByBlock) const;

  /// Nothing is known any more of what these instructions access.
  void forget(const std::vector<const llvm::Instruction *> &Instructions,
              const std::string &Why);

private:
  struct Implementation;
  std::unique_ptr<Implementation> I;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_REQUESTTALLY_H
