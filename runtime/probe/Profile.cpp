//===- runtime/probe/Profile.cpp - What a profile holds -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/Profile.h"

#include <algorithm>

namespace cudalint::probe {

void boundProblems(std::vector<Problem> &Problems) {
  std::sort(Problems.begin(), Problems.end(),
            [](const Problem &A, const Problem &B) {
              return A.IsLoss != B.IsLoss ? A.IsLoss : A < B;
            });
  Problems.erase(std::unique(Problems.begin(), Problems.end()), Problems.end());
  if (Problems.size() <= MostProblems)
    return;
  Problem More = {"more-problems",
                  std::to_string(Problems.size() - MostProblems) +
                      " more are not listed",
                  Problems[MostProblems].IsLoss};
  Problems.resize(MostProblems);
  Problems.push_back(std::move(More));
}

} // namespace cudalint::probe
