//===- hardware/DependentIssue.cpp - Warps that hide a dependence ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hardware/Waves.h"

namespace cudalint {

/// Cycles from an arithmetic instruction to one that needs its result.
struct IssueRule {
  int Major;         ///< From this generation on.
  unsigned Cycles;   ///< Latency of a dependent instruction.
  unsigned PerIssue; ///< Cycles that a scheduler gives to one instruction.
};

// 1.x, 2.x: CUDA C programming guide 4.2, 5.2.3: about 22 cycles; one
//   instruction takes four cycles on 1.x and two on each half of 2.x; hence 6
//   and 22 warps. So the best practices guide: 192 threads on 1.x.
// 3.x: the guide of 7.5, 5.2.3: about 11 cycles, 44 warps.
// 5.x, 6.x: Volta tuning guide, "Instruction Scheduling": six cycles on Pascal;
//   Jia et al., Dissecting the NVIDIA Volta GPU Architecture via
//   Microbenchmarking (2018), table 4.1: six on Maxwell and Pascal too.
// From 7.0 on: CUDA C++ programming guide, "Multiprocessor Level": 4 cycles, 16
//   warps.
static constexpr IssueRule Rules[] = {
    {1, 22, 4}, {2, 22, 2}, {3, 11, 1}, {5, 6, 1}, {7, 4, 1}};

unsigned warpsToCoverDependentIssue(const Architecture &Arch) {
  IssueRule Rule = Rules[0];
  for (const IssueRule &R : Rules)
    if (R.Major <= Arch.CC.Major)
      Rule = R;
  return (Rule.Cycles * Arch.Partitions + Rule.PerIssue - 1) / Rule.PerIssue;
}

} // namespace cudalint
