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
  // Lists of which these are made may have been full.
  Problem More = moreProblems(false);
  const bool WereBounded = std::erase_if(Problems, [&](const Problem &Each) {
                             More.IsLoss |=
                                 Each.Kind == More.Kind && Each.IsLoss;
                             return Each.Kind == More.Kind;
                           }) != 0;
  if (Problems.size() > MostProblems) {
    // The first of each kind of loss, then the rest.
    std::set<std::string> Kinds;
    std::stable_partition(
        Problems.begin(), Problems.end(), [&](const Problem &Each) {
          return Each.IsLoss && Kinds.insert(Each.Kind).second;
        });
    if (!WereBounded)
      More.Message =
          std::to_string(Problems.size() - MostProblems) + " " + More.Message;
    More.IsLoss |= Problems[MostProblems].IsLoss;
    Problems.resize(MostProblems);
  } else if (!WereBounded) {
    return;
  }
  Problems.push_back(std::move(More));
}

} // namespace cudalint::probe
