//===- tests/differential/RandomKernel.h - Draws kernels ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Draws kernels and launches of them at random. A kernel is a list of
/// accesses, branches and loops over integer expressions of the thread's
/// index, the block's, the sizes of both, parameters and loop counters.
///
/// Every loop counts its turns and stores, first thing in each turn, to
/// `mark[Turns]`: these stores tell both interpreters of the kernel apart in
/// which turn of which loop another access happened.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_DIFFERENTIAL_RANDOMKERNEL_H
#define CUDA_LINT_TESTS_DIFFERENTIAL_RANDOMKERNEL_H

#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace cudalint::differential {

/// Numbers that are the same on every machine for a seed (splitmix64).
class Random {
public:
  explicit Random(std::uint64_t Seed) : State(Seed) {}
  std::uint64_t next();
  /// 0 to N-1; N is at least 1.
  std::uint64_t below(std::uint64_t N) { return next() % N; }
  bool chance(unsigned Percent) { return below(100) < Percent; }
  template <typename T> T pick(std::initializer_list<T> From) {
    return From.begin()[below(From.size())];
  }

private:
  std::uint64_t State;
};

/// Loops of one kernel at most, numbered from 0.
inline constexpr unsigned MaxLoops = 6;

/// The loop whose turns `I` marks, if it is such a store.
std::optional<unsigned> markedLoop(const llvm::Instruction &I);

struct RandomKernel {
  std::unique_ptr<llvm::Module> M;
  llvm::Function *F = nullptr;
  std::array<std::int64_t, 3> Block = {32, 1, 1};
  /// Some index or condition depends on what was loaded from memory, or on what
  /// a float may have rounded.
  bool UsesLoaded = false;
};

RandomKernel drawKernel(llvm::LLVMContext &Context, std::uint64_t Seed);

/// What one warp of a launch is, and how much of it the evaluator is told.
struct RandomLaunch {
  std::array<std::int64_t, 3> Grid = {1, 1, 1};
  std::array<std::int64_t, 3> BlockIndex = {0, 0, 0};
  unsigned Warp = 0;
  /// By position; pointers are 0. Sign-extended from their width.
  std::vector<std::int64_t> Arguments;
  std::vector<bool> ArgumentKnown;
  std::array<bool, 3> GridKnown = {false, false, false};

  /// The evaluator is told all that there is to know.
  bool isKnown() const;
};

RandomLaunch drawLaunch(const llvm::Function &F,
                        const std::array<std::int64_t, 3> &Block, Random &R);

} // namespace cudalint::differential

#endif // CUDA_LINT_TESTS_DIFFERENTIAL_RANDOMKERNEL_H
