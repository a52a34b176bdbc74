//===- runtime/probe/ProblemList.cpp - What went wrong so far -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/ProblemList.h"

#include <algorithm>

namespace cudalint::probe {

void ProblemList::add(Problem P) noexcept {
  std::lock_guard Lock(Mutex);
  if (std::ranges::find(Problems, P) != Problems.end())
    return;
  if (Problems.size() < MostProblems) {
    Problems.push_back(std::move(P));
  } else if (P.IsLoss) {
    const auto Note = std::ranges::find(Problems, false, &Problem::IsLoss);
    if (Note != Problems.end())
      *Note = std::move(P);
  }
}

std::vector<Problem> ProblemList::all() const {
  std::lock_guard Lock(Mutex);
  return Problems;
}

} // namespace cudalint::probe
