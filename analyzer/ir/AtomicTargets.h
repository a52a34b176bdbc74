//===- analyzer/ir/AtomicTargets.h - Atomics on one address -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Finds atomics of global memory that all lanes, warps and blocks make at one
/// address. It errs towards fewer: where data decides who takes part, or only
/// the run knows that two addresses are one, it is none of them.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_ATOMICTARGETS_H
#define CUDA_LINT_ANALYZER_IR_ATOMICTARGETS_H

#include "analyzer/ir/Access.h"
#include "analyzer/ir/WarpInterpreter.h"

#include "llvm/ADT/DenseMap.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace cudalint {

class AtomicTargets {
public:
  /// \p A holds the symbols of the request's address, of which the number of
  /// the warp is one where it stands for several.
  void add(const LaneArithmetic &A, const Request &R);

  /// Without what is to be known of the grid.
  std::optional<CommonTarget> targetOf(const llvm::Instruction &I) const;

private:
  struct Seen {
    /// Each request has one address for all its lanes.
    bool IsOneForLanes = true;
    /// Equal for equal addresses; empty: they are not one for all requests, or
    /// nobody knows.
    std::vector<std::int64_t> Address;
  };
  llvm::DenseMap<const llvm::Instruction *, Seen> At;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_ATOMICTARGETS_H
