//===- analyzer/ir/SharedRace.h - A store and a load ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_SHAREDRACE_H
#define CUDA_LINT_ANALYZER_IR_SHAREDRACE_H

#include "analyzer/ir/Access.h"

namespace cudalint {

/// Threads of two warps that access one word of shared memory, of which one
/// stores, with no barrier in between: which comes first, nobody knows.
struct SharedRace {
  Access Store, Load; ///< Where they are, and what is written there.
  unsigned Storing = 0, Loading = 0; ///< Threads, as in DivergentBarrier.
  /// Threads meet so on the way from the one to the other; and on the way from
  /// one turn of a loop around both to the next. Each asks for a barrier.
  bool OnTheWay = false, BetweenTurns = false;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_SHAREDRACE_H
