//===- analyzer/ir/InstructionShares.h - Whose instructions they are ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Accesses that were evaluated on one side, the instructions of the machine
/// code on the other: each access gets its own, and what is left of either is
/// told.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_INSTRUCTIONSHARES_H
#define CUDA_LINT_ANALYZER_IR_INSTRUCTIONSHARES_H

#include "analyzer/ir/AccessPlan.h"
#include "analyzer/ir/CollectedAccess.h"

#include <array>
#include <vector>

namespace cudalint {

/// Gives each access its share of the instructions that it has in common with
/// others, and leaves out what turns out to be part of another. What nobody
/// wrote is added, for \p Launched and other blocks of which some are known. In
/// source order.
std::vector<Access>
withInstructions(std::vector<CollectedAccess> Found, const AccessPlan &Plan,
                 const std::array<std::int64_t, 3> &Launched);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_INSTRUCTIONSHARES_H
