//===- tests/unit/analyzer/ir/Evaluation.h - Kernels from text --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Evaluates the kernel in a piece of CUDA source, the way the tool does it,
/// and finds its accesses by a word in a comment on their line. None may get
/// lost on the way: the ledger of tests/identity is kept of each.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_UNIT_ANALYZER_IR_EVALUATION_H
#define CUDA_LINT_TESTS_UNIT_ANALYZER_IR_EVALUATION_H

#include "analyzer/ir/KernelEvaluator.h"
#include "analyzer/ir/KernelTraits.h"
#include "analyzer/ir/UnseenCode.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cudalint {

/// Another launch than one block of 256 threads of an unknown grid.
struct Setting {
  std::array<std::int64_t, 3> Block = {256, 1, 1};
  ComputeCapability CC = {9, 0};
  std::vector<std::optional<std::int64_t>> Arguments = {};
  Extent Grid = {};
  std::vector<PassedField> Fields = {};
  std::set<unsigned> Nulls = {};                  ///< By position.
  std::map<unsigned, std::uint64_t> Offsets = {}; ///< In bytes, by position.
  /// Positions of arguments that are powers of two.
  std::set<unsigned> Powers = {};
  /// Positions of arguments that are no round sizes.
  std::set<unsigned> NotRound = {};
  /// What arguments are at most, and what divides them, by position.
  std::map<unsigned, std::int64_t> Limits = {};
  std::map<unsigned, std::uint64_t> Multiples = {};
  /// Positions of arguments that are 0 or 1 in another launch.
  std::set<unsigned> SmallElsewhere = {};
  /// The block is a guess, of which nothing is known.
  bool IsGuess = false;
  bool HasSwappedRoles = false;
  /// As a compiler is expected to make it; else as it is written.
  bool Expected = false;
  /// What nvcc made of it, of the file `kernel.cu`: then as it made it.
  std::optional<std::vector<MachineInstruction>> Code = {};
};

class Evaluated {
public:
  KernelEvaluation Kernel;
  KernelTraits Traits;
  std::vector<UnseenCode> Unseen;
  std::vector<RemovedAccess> Removed; ///< By the plan.
  std::string Source;
  std::array<std::int64_t, 3> Block = {}; ///< With which it was evaluated.

  /// Accesses of that kind on the line that holds `Mark`; any line without.
  std::vector<Access> all(MemorySpace Space, AccessOp Op,
                          const std::string &Mark = {}) const;
  /// The only one of them; a failure, and an empty one, when it is not so.
  Access only(MemorySpace Space, AccessOp Op,
              const std::string &Mark = {}) const;

  Access globalLoad(const std::string &Mark = {}) const {
    return only(MemorySpace::Global, AccessOp::Load, Mark);
  }
  Access globalStore(const std::string &Mark = {}) const {
    return only(MemorySpace::Global, AccessOp::Store, Mark);
  }
  Access sharedLoad(const std::string &Mark = {}) const {
    return only(MemorySpace::Shared, AccessOp::Load, Mark);
  }
  Access sharedStore(const std::string &Mark = {}) const {
    return only(MemorySpace::Shared, AccessOp::Store, Mark);
  }
};

/// Evaluates the one kernel in `Source`, which must parse without errors.
Evaluated evaluate(const std::string &Source, const Setting &S = {});

/// What an access costs: transactions and what would be ideal. `Ways` is
/// compared where it is given.
struct Costs {
  double PerRequest = 0;
  double Ideal = 0;
  std::optional<unsigned> Ways = {};
  std::optional<double> Lanes = {};
};
testing::AssertionResult costs(const Access &A, const Costs &Expected);

/// One phrase for a message.
std::string toString(const Access &A);

} // namespace cudalint

#endif // CUDA_LINT_TESTS_UNIT_ANALYZER_IR_EVALUATION_H
