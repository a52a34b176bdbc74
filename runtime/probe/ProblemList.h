//===- runtime/probe/ProblemList.h - What went wrong so far -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_PROBLEMLIST_H
#define CUDA_LINT_RUNTIME_PROBE_PROBLEMLIST_H

#include "runtime/probe/LockOrder.h"
#include "runtime/probe/Profile.h"

#include <vector>

namespace cudalint::probe {

/// Problems of any thread, each once and no more than MostProblems. Its lock is
/// the last, so that all may add to it, whatever they hold.
class ProblemList {
public:
  /// Where no more fit in, a loss takes the place of a note, or of a loss of
  /// which there are several of its kind: what is missing must be said.
  void add(Problem P) noexcept;

  /// With one more where some are left out: see moreProblems().
  std::vector<Problem> all() const;

private:
  mutable RankedMutex<LockRank::Problems> Mutex;
  std::vector<Problem> Problems;
  bool HasMore = false, HasMoreLosses = false; // that are left out
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_PROBLEMLIST_H
