//===- analyzer/checks/KernelModel.cpp - What is known of a kernel --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/KernelModel.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace cudalint {

static double waste(const Access &A) {
  return A.Predicted->Ideal > 0 ? A.Predicted->PerRequest / A.Predicted->Ideal
                                : 1;
}

std::vector<const Access *>
KernelModel::costliestPerPlace(MemorySpace Space) const {
  std::map<std::tuple<Location, AccessOp>, const Access *> Worst;
  std::vector<const Access *> InOrder;
  for (const Access &A : Accesses) {
    if (A.Space != Space || !A.Predicted)
      continue;
    const auto [At, New] = Worst.try_emplace({A.UserWhere, A.Op}, &A);
    if (New)
      InOrder.push_back(&A);
    else if (waste(A) > waste(*At->second))
      At->second = &A;
  }
  std::vector<const Access *> Result;
  for (const Access *A : InOrder) {
    A = Worst.at({A->UserWhere, A->Op});
    const auto Load = Worst.find({A->UserWhere, AccessOp::Load});
    if (A->Op == AccessOp::Store && Load != Worst.end() &&
        Load->second->Predicted->PerRequest == A->Predicted->PerRequest &&
        Load->second->Predicted->Ideal == A->Predicted->Ideal)
      continue;
    Result.push_back(A);
  }
  return Result;
}

bool KernelModel::hasSeveralShapes() const {
  return std::any_of(Accesses.begin(), Accesses.end(), [&](const Access &A) {
    return A.Block != Accesses.front().Block;
  });
}

std::int64_t bytesAsWritten(const Access &A) {
  const auto Bytes = static_cast<std::int64_t>(A.Source.Bytes);
  return Bytes != 0 && Bytes < A.Bytes ? Bytes : A.Bytes;
}

} // namespace cudalint
