//===- analyzer/ir/AssumptionNames.h - What is taken for granted ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// In words, what LaneArithmetic and the interpreter take for granted as bits.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_ASSUMPTIONNAMES_H
#define CUDA_LINT_ANALYZER_IR_ASSUMPTIONNAMES_H

#include "analyzer/ir/KernelEvaluator.h"
#include "report/Assumption.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>

namespace cudalint {

/// Adds an assumption for each of the AssumedBits in \p Bits.
void nameAssumptions(std::uint32_t Bits, std::set<Assumption> &Out);

/// Whether \p Limit is among \p Assumptions, which are those of an access.
template <typename Range>
bool assumes(const Range &Assumptions, ModelLimit Limit) {
  return std::ranges::find(Assumptions, Limit, &Assumption::Limit) !=
         std::ranges::end(Assumptions);
}

/// `the block is 16 x 16 threads`, and why that is taken for granted.
Assumption blockAssumption(const LaunchShape &Shape);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_ASSUMPTIONNAMES_H
