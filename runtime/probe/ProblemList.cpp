//===- runtime/probe/ProblemList.cpp - What went wrong so far -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/ProblemList.h"

#include <algorithm>
#include <set>

namespace cudalint::probe {

/// A problem in whose place a loss of \p Kind may stand; null: none.
static Problem *lessThanLoss(std::vector<Problem> &Problems,
                             const std::string &Kind) {
  const auto Note = std::ranges::find(Problems, false, &Problem::IsLoss);
  if (Note != Problems.end())
    return &*Note;
  std::set<std::string> Kinds = {Kind};
  Problem *Out = nullptr;
  for (Problem &Each : Problems) {
    if (Each.Kind == Kind)
      return nullptr;
    if (!Kinds.insert(Each.Kind).second)
      Out = &Each;
  }
  return Out;
}

void ProblemList::add(Problem P) noexcept {
  std::lock_guard Lock(Mutex);
  if (std::ranges::find(Problems, P) != Problems.end())
    return;
  if (Problems.size() < MostProblems) {
    Problems.push_back(std::move(P));
    return;
  }
  Problem *Less = P.IsLoss ? lessThanLoss(Problems, P.Kind) : nullptr;
  if (Less)
    std::swap(*Less, P);
  HasMore = true;
  HasMoreLosses |= P.IsLoss;
}

std::vector<Problem> ProblemList::all() const {
  std::lock_guard Lock(Mutex);
  std::vector<Problem> Out = Problems;
  if (HasMore)
    Out.push_back(moreProblems(HasMoreLosses));
  return Out;
}

} // namespace cudalint::probe
