//===- analyzer/ir/BranchSides.h - Code that a branch chooses ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Branches by the number of a thread between pieces of code that meet again.
/// What the pieces compute is dropped before a kernel is evaluated, and then
/// perhaps the branch: so it is counted before, and noted in a mark in front of
/// the branch, which is kept.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_BRANCHSIDES_H
#define CUDA_LINT_ANALYZER_IR_BRANCHSIDES_H

#include <optional>
#include <vector>

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace cudalint {

/// Instructions that count, of a side: a shorter one may well be predicated,
/// and costs about as much as the branch.
inline constexpr double LeastOfSide = 12;

/// Marks branches of which two sides or more are long, each at the end of its
/// block. Left out are those that loaded data decides, those that leave a loop,
/// and those with barriers, or what else lanes do together, on a side.
void markBranchSides(llvm::Function &Kernel);

/// What a mark says.
struct MarkedSides {
  const llvm::Value *Side = nullptr; ///< The number of a lane's side.
  /// Of each side, that a lane on it comes to in any case: about so many, as
  /// issueSlotsOf() counts; of loops of which it is not known how often they
  /// turn, one turn.
  std::vector<double> Instructions;
  bool IsAtLeast = false; ///< There are such loops.
  /// How often the branch is come to for each run of the kernel, and the
  /// instructions of that, all sides among them: by the same measure.
  double Times = 1, OfKernel = 1;
};

/// Nothing if \p I is no mark.
std::optional<MarkedSides> markedSides(const llvm::Instruction &I);

/// The mark of the branch at the end of \p B; nothing without one.
std::optional<MarkedSides> markedSidesAt(const llvm::BasicBlock &B);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_BRANCHSIDES_H
