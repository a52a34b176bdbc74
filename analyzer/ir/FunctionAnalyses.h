//===- analyzer/ir/FunctionAnalyses.h - LLVM's, of one function -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_FUNCTIONANALYSES_H
#define CUDA_LINT_ANALYZER_IR_FUNCTIONANALYSES_H

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"

namespace cudalint {

/// Scalar evolution and what it needs, for as long as one function is asked
/// about, which does not change meanwhile.
struct FunctionAnalyses {
  explicit FunctionAnalyses(llvm::Function &F)
      : LibraryImplementation(F.getParent()->getTargetTriple()),
        Library(LibraryImplementation), Assumptions(F), Dominators(F),
        Loops(Dominators), Scalars(F, Library, Assumptions, Dominators, Loops) {
  }

  llvm::TargetLibraryInfoImpl LibraryImplementation;
  llvm::TargetLibraryInfo Library;
  llvm::AssumptionCache Assumptions;
  llvm::DominatorTree Dominators;
  llvm::LoopInfo Loops;
  llvm::ScalarEvolution Scalars;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_FUNCTIONANALYSES_H
