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

/// The check that the one called `Name` yields to; empty for none.
static std::string_view yieldsTo(std::span<const Check *const> Checks,
                                 std::string_view Name) {
  for (const Check *Each : Checks)
    if (Each->info().Name == Name)
      return Each->info().YieldsTo;
  return {};
}

void dropRepeated(std::vector<Finding> &Findings,
                  std::span<const Check *const> Checks) {
  const auto tellsMore = [&](const Finding &Other, const Finding &F) {
    if (!isSameLaunch(F, Other))
      return false;
    return (Other.Check == yieldsTo(Checks, F.Check) &&
            F.Level != Severity::Error) ||
           (F.Check == yieldsTo(Checks, Other.Check) &&
            Other.Level == Severity::Error);
  };
  std::vector<Finding> Kept;
  for (const Finding &F : Findings)
    if (std::ranges::none_of(Findings, [&](const Finding &Other) {
          return tellsMore(Other, F);
        }))
      Kept.push_back(F);
  Findings = std::move(Kept);
}

} // namespace cudalint
