//===- analyzer/ir/LongCode.h - What generators write -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Keeps the time of LLVM's passes linear in the length of a kernel. Some of
/// them look at all users of a value, or at all accesses of a block, for each
/// of them: what a person writes is never long enough for that to matter, what
/// a program writes is.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_LONGCODE_H
#define CUDA_LINT_ANALYZER_IR_LONGCODE_H

#include "llvm/IR/PassManager.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace cudalint {

/// Gives each 128 uses of an integer that has more than 256 a copy of their
/// own. For each sign extension InstCombine collects the users of the values
/// that it is computed from.
struct CopyCrowdedValues : llvm::PassInfoMixin<CopyCrowdedValues> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &);
};

/// Puts the values back in place of their copies.
struct DropCopies : llvm::PassInfoMixin<DropCopies> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &);
};

/// LLVM's global value numbering, which for a value looks through the places
/// that hold it already and climbs the dominator tree for each: too slow where
/// there are thousands of blocks. There, the values of dominating blocks only.
struct NumberValues : llvm::PassInfoMixin<NumberValues> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &);
};

/// Empties each kernel that makes more than so many accesses of
/// memory, variables and parameters apart: the passes and the evaluation would
/// take minutes and gigabytes.
struct LeaveOutLongKernels : llvm::PassInfoMixin<LeaveOutLongKernels> {
  explicit LeaveOutLongKernels(std::size_t MostAccesses)
      : MostAccesses(MostAccesses) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);

private:
  std::size_t MostAccesses;
};

/// How many accesses the kernel made that the pass emptied; else nothing.
std::optional<std::uint64_t> accessesLeftOut(const llvm::Function &Kernel);

/// Removes the function that copies were made with, once all are dropped.
void dropCopyFunctions(llvm::Module &M);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_LONGCODE_H
