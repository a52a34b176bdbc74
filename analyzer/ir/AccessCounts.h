//===- analyzer/ir/AccessCounts.h - How often accesses happen ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Puts together how often the source makes accesses and how often their
/// instructions run, by the loops and blocks of the machine code: the two are
/// numbers of the same things, and where they differ, one of them is explained
/// or both are doubted.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_ACCESSCOUNTS_H
#define CUDA_LINT_ANALYZER_IR_ACCESSCOUNTS_H

#include "analyzer/ir/AccessPlan.h"
#include "analyzer/ir/CollectedAccess.h"

#include <map>
#include <vector>

namespace cudalint {

/// The accesses of one launch shape that have instructions, by their pools.
using Pools = std::map<unsigned, std::vector<std::size_t>>;

/// Sets Access::Executions of those of \p Found that \p Members names, and
/// InstructionExecutions of those of which that is clear.
void countByInstructions(std::vector<CollectedAccess> &Found,
                         const AccessPlan &Plan, const Pools &Members);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_ACCESSCOUNTS_H
