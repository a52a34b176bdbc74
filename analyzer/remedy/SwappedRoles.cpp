//===- analyzer/remedy/SwappedRoles.cpp - threadIdx turned ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/remedy/SwappedRoles.h"

#include "analyzer/model/AccessWords.h"
#include "analyzer/model/Thresholds.h"

#include <algorithm>
#include <vector>

namespace cudalint {

namespace {
/// The accesses of one shape.
struct Side {
  std::vector<const Access *> Accesses;
  bool IsCounted = true;    ///< How often each is made is known.
  bool IsUnderstood = true; ///< What each costs is known.

  Side(const std::vector<Access> &All,
       const std::array<std::int64_t, 3> &Block) {
    for (const Access &A : All) {
      if (A.Block != Block ||
          (A.Space != MemorySpace::Global && A.Space != MemorySpace::Shared))
        continue;
      Accesses.push_back(&A);
      IsCounted &= A.Executions.has_value();
      IsUnderstood &= A.Predicted.has_value() && !A.Stride;
    }
  }

  double costIn(MemorySpace Space, bool Counted) const {
    double Sum = 0;
    for (const Access *A : Accesses)
      if (A->Space == Space)
        Sum +=
            A->Predicted->PerRequest *
            (Counted ? *A->Executions : std::max(1.0, A->Predicted->Requests));
    return Sum;
  }
};
} // namespace

static bool isEvaluated(const Side &Now, const Side &Then) {
  return Then.Accesses.size() == Now.Accesses.size() && !Now.Accesses.empty() &&
         Now.IsUnderstood && Then.IsUnderstood;
}

bool losesBySwap(const KernelModel &K,
                 const std::array<std::int64_t, 3> &Block) {
  return isEvaluated(Side(K.Accesses, Block), Side(K.Swapped, Block)) &&
         !effectOfSwap(K, Block);
}

std::optional<RemedyEffect>
effectOfSwap(const KernelModel &K, const std::array<std::int64_t, 3> &Block) {
  const Side Now(K.Accesses, Block), Then(K.Swapped, Block);
  if (!isEvaluated(Now, Then))
    return std::nullopt;
  const bool Counted = Now.IsCounted && Then.IsCounted;
  const double Before = Now.costIn(MemorySpace::Global, Counted);
  const double After = Then.costIn(MemorySpace::Global, Counted);
  if (After > Before / threshold::WorthItInAll ||
      Then.costIn(MemorySpace::Shared, Counted) >
          Now.costIn(MemorySpace::Shared, Counted) * 1.0001)
    return std::nullopt;
  return RemedyEffect{.Object = {},
                      .Unit =
                          std::string(globalUnit(*K.Gpu.Arch)) + "_per_warp",
                      .Before = Before,
                      .After = After,
                      .BlocksPerSMBefore = std::nullopt,
                      .BlocksPerSMAfter = std::nullopt};
}

const Access *afterSwap(const KernelModel &K, const Access &A) {
  const Access *Found = nullptr;
  for (const Access &B : K.Swapped) {
    if (B.UserWhere != A.UserWhere || B.Op != A.Op || B.Block != A.Block ||
        B.Variable != A.Variable)
      continue;
    if (Found)
      return nullptr;
    Found = &B;
  }
  return Found;
}

} // namespace cudalint
