//===- analyzer/launch/OptIns.h - Opt-in to shared memory -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_OPTINS_H
#define CUDA_LINT_ANALYZER_LAUNCH_OPTINS_H

#include "analyzer/launch/HostSinks.h"
#include "analyzer/launch/Launch.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace cudalint {

/// What the program does about the limit of dynamic shared memory: all calls
/// that are in the code, and those that the evaluator came by.
class OptIns {
public:
  OptIns(const clang::ASTContext &Context, const HostCode &Code,
         const std::vector<OptInVisit> &Visits)
      : Context(Context), Code(Code), Visits(Visits) {}

  /// True when some call raises the limit of `Kernel`.
  bool has(const clang::FunctionDecl &Kernel) const;

  /// The kernels for which some call raises the limit; null for one that cannot
  /// be told.
  llvm::SmallPtrSet<const clang::FunctionDecl *, 4> kernels() const;

  /// What the calls make of the limit of `Kernel`, as seen from the launch.
  /// Empty where there is none, or not all of them are known.
  std::optional<SharedMemoryRaise> raiseOf(const clang::FunctionDecl &Kernel,
                                           const LaunchVisit &Launch) const;

private:
  bool isLater(const OptInVisit &OptIn, const LaunchVisit &Launch) const;

  const clang::ASTContext &Context;
  const HostCode &Code;
  const std::vector<OptInVisit> &Visits;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_OPTINS_H
