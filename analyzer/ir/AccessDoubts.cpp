//===- analyzer/ir/AccessDoubts.cpp - What code leaves open ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/AccessDoubts.h"

#include "analyzer/ir/CompiledMatching.h"

#include <algorithm>
#include <tuple>

namespace cudalint {

void assume(Access &A, const Assumption &What) {
  if (A.Trust == Certainty::Unknown)
    return;
  A.Trust = Certainty::Assumed;
  const auto At = std::ranges::lower_bound(A.Assumptions, What);
  if (At == A.Assumptions.end() || *At != What)
    A.Assumptions.insert(At, What);
}

void doubtCount(Access &A, const std::string &Why) {
  A.Executions.reset();
  A.WhyNotCounted = Why;
  assume(A, OwnInstructions);
}

static std::tuple<double, double, double> costOf(const Access &A) {
  const Traffic T = A.Predicted.value_or(Traffic());
  return {T.PerRequest, T.Ideal, T.Lanes};
}

bool costTheSame(const std::vector<CollectedAccess> &Found,
                 const std::vector<std::size_t> &Members) {
  const auto First = costOf(Found[Members.front()].Result);
  return std::ranges::all_of(
      Members, [&](std::size_t I) { return costOf(Found[I].Result) == First; });
}

std::size_t neededOutOfLoops(const CollectedAccess &A, const AccessPlan &Plan) {
  const WrittenAccess *W = Plan.written(*A.Inst, A.Part);
  return W && W->LoopDepth && !A.As->Hoisted ? W->Turns : 1;
}

} // namespace cudalint
