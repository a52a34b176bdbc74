//===- analyzer/ir/WarpGroups.h - Warps that are run at once ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs all warps of a block, as few times as possible: most warps do the same
/// at addresses that a constant tells apart. One run with the number of the
/// warp as a symbol stands for them; its requests are given on for each warp
/// whose addresses are not a multiple of 256 bytes from those of one before.
/// Those that more than that tells apart are run once more. What is reported is
/// the same as if each warp was run by itself.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_WARPGROUPS_H
#define CUDA_LINT_ANALYZER_IR_WARPGROUPS_H

#include "analyzer/ir/WarpInterpreter.h"

#include <vector>

namespace cudalint {

/// Takes what one warp does.
class WarpSink {
public:
  virtual ~WarpSink() = default;
  virtual void add(const Request &R) = 0;
  /// The same before, once for all warps from \p First to \p Last, to the sink
  /// of the first; if they are several, their number is in the address.
  virtual void addOfWarps(const Request & /*R*/, unsigned /*First*/,
                          unsigned /*Last*/) {}
  /// Requests with the same number may be looked at together, as parts of one
  /// instruction; 0: it meets those of its own access alone.
  virtual unsigned companyOf(const Request &) const { return 0; }
  virtual void finish(const WarpOutcome &) {}
};

class WarpGroups {
public:
  explicit WarpGroups(unsigned Warps = 1) : Groups{{0, Warps - 1}} {}

  using SinkMaker = std::function<std::unique_ptr<WarpSink>(LaneArithmetic &)>;
  /// Runs the warps in their order, each with a sink of its own, which
  /// `MakeSink` makes. The symbols of the addresses are those of the arithmetic
  /// that it is given.
  void run(const KernelStructure &Kernel, const LaunchShape &Shape,
           std::size_t Work, const SinkMaker &MakeSink);

private:
  using Group = LaneArithmetic::WarpRange;
  /// As the first run needed them, in order. What tells warps of one block
  /// apart need not do so in the next.
  std::vector<Group> Groups;
  bool HasRun = false;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_WARPGROUPS_H
