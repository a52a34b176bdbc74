//===- analyzer/ir/PathSlots.h - What else a thread does --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a thread computes besides, for each time that it comes to a place: by
/// that one knows of what costs little that it is little. The shortest way of
/// the control flow through the place is taken, in issue slots (IssueSlots.h):
/// of the turn of the innermost loop around it; where it is known how often
/// that loop turns, of its part of a turn of the next; and so on. It is noted
/// before what is stored, and all that is computed for it, is dropped.
///
/// Errs low, as the way is the shortest one and a loop that is around the place
/// and turns nobody knows how often hides all that is outside of it; but loops
/// beside the place whose turns only the run knows are taken to turn a hundred
/// times where a parameter of the kernel decides, and twice where data or the
/// size of the grid does; those around other loops, once.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_PATHSLOTS_H
#define CUDA_LINT_ANALYZER_IR_PATHSLOTS_H

#include "report/Finding.h"

#include <string>
#include <vector>

namespace llvm {
class Function;
class Instruction;
} // namespace llvm

namespace cudalint {

struct PathSlots {
  double OfTurn = 0; ///< Of the innermost loop, or the kernel where none is.
  double InAll = 0;  ///< With what is outside; 0: not known.
};

/// What one line of a function computes in double, on each way to it.
struct DoubleWork {
  Location Where;         ///< Without a column.
  std::string Function;   ///< That it is written in: `sum`, without scopes.
  double Slots = 0;       ///< Issue slots of operations, at most.
  double Conversions = 0; ///< From float and to it.
  double PathSlots = 0;   ///< Of the whole way, as InAll; this included.
  bool IsOnce = false;    ///< It is in no loop.
};

void notePathSlots(llvm::Function &Kernel);

/// What is noted of an access; zeros: nothing.
PathSlots notedPathSlots(const llvm::Instruction &Access);

/// Of the whole kernel; 0: not known.
double notedPathSlots(const llvm::Function &Kernel);

/// In the order of the code; a line may be there several times.
std::vector<DoubleWork> notedDoubleWork(const llvm::Function &Kernel);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_PATHSLOTS_H
