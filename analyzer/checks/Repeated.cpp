//===- analyzer/checks/Repeated.cpp - One remark for one thing ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Repeated.h"

#include <algorithm>

namespace cudalint {

/// Launches of several sizes may stand in one place: the warps tell them apart.
static bool isSameLaunch(const Finding &A, const Finding &B) {
  return A.Where == B.Where && A.Kernel == B.Kernel && A.Predicted &&
         B.Predicted && A.Predicted->Value == B.Predicted->Value;
}

void dropRepeated(std::vector<Finding> &Findings) {
  std::vector<Finding> Kept;
  for (const Finding &F : Findings) {
    const bool IsLow = F.Check == "low-occupancy";
    if (!IsLow && F.Check != "register-cliff") {
      Kept.push_back(F);
      continue;
    }
    const bool IsRepeated =
        std::ranges::any_of(Findings, [&](const Finding &Other) {
          if (!isSameLaunch(F, Other))
            return false;
          return IsLow ? Other.Check == "register-cliff" &&
                             F.Level != Severity::Error
                       : Other.Check == "low-occupancy" &&
                             Other.Level == Severity::Error;
        });
    if (!IsRepeated)
      Kept.push_back(F);
  }
  Findings = std::move(Kept);
}

} // namespace cudalint
