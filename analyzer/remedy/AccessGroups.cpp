//===- analyzer/remedy/AccessGroups.cpp - Shared lines --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/remedy/AccessGroups.h"

namespace cudalint {

static void setUsedShare(AccessGroup &G) {
  const MeanTraffic T = unionTraffic(G.Members);
  G.UsedShare = T.BytesMoved > 0 ? T.BytesUsed / T.BytesMoved : 1;
}

AccessGroups::AccessGroups(const KernelModel &Kernel) {
  for (const Access &A : Kernel.Accesses)
    if (A.Space == MemorySpace::Global && A.GroupKey != 0 && !A.Samples.empty())
      Groups[{A.GroupKey, A.Op, A.Block}].Members.push_back(&A);
  // Once for all: generated code has thousands of accesses in one.
  for (auto &[Key, G] : Groups)
    setUsedShare(G);
}

const AccessGroup &AccessGroups::of(const Access &A) {
  const auto Known = Groups.find({A.GroupKey, A.Op, A.Block});
  if (Known != Groups.end())
    return Known->second;
  AccessGroup &G = Alone[&A];
  if (G.Members.empty()) {
    G.Members.push_back(&A);
    setUsedShare(G);
  }
  return G;
}

} // namespace cudalint
