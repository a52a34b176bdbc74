//===- analyzer/ir/AccessDoubts.h - What code leaves open -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the machine code has casts doubt on what the source says of an access:
/// that it happens as often, that the instruction is its own. A doubt is told
/// as an assumption, and a number of which too little is left is taken back.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_ACCESSDOUBTS_H
#define CUDA_LINT_ANALYZER_IR_ACCESSDOUBTS_H

#include "analyzer/ir/AccessPlan.h"
#include "analyzer/ir/CollectedAccess.h"

#include <string>
#include <vector>

namespace cudalint {

/// Its cost takes that for granted, if it is known.
void assume(Access &A, const Assumption &What);

/// The compiled code does not happen as often as the source says: then it may
/// be something else's, too.
void doubtCount(Access &A, const std::string &Why);

/// Whether all \p Members of \p Found, at least one, cost the same.
bool costTheSame(const std::vector<CollectedAccess> &Found,
                 const std::vector<std::size_t> &Members);

inline bool isInNoLoop(const MachineInstruction &I) { return I.Loops.empty(); }

/// The instructions of an access where they are in no loop: one, or one for
/// each of its turns. 0: not known.
std::size_t neededOutOfLoops(const CollectedAccess &A, const AccessPlan &Plan);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_ACCESSDOUBTS_H
