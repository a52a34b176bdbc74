//===- analyzer/remedy/AccessGroups.cpp - Shared lines --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/remedy/AccessGroups.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace cudalint {

/// What a lane of an H100 may take piece by piece at no cost, in bytes, as
/// docs/validation/remedies-h200.md has it: more is 1.4 times as slow and up to
/// 15 times. Loads come out of L1; stores go on to L2 one by one, unless they
/// follow each other with no turn of a loop in between.
static constexpr double AbsorbedLoads = 48, AbsorbedStores = 12;

bool AccessGroup::isAbsorbed() const {
  if (Members.front()->Op == AccessOp::Load)
    return isWhole() && BytesOfLane <= AbsorbedLoads;
  return isWhole() && !AreTurns && BytesOfLane <= AbsorbedStores;
}

static void set(AccessGroup &G, const MeanTraffic &T) {
  const RequestSample &S = G.Members.front()->Samples.front();
  G.UsedShare = T.BytesMoved > 0 ? T.BytesUsed / T.BytesMoved : 1;
  const int Lanes = std::popcount(S.ActiveMask);
  G.BytesOfLane = Lanes ? T.BytesUsed / Lanes : 0;
  // A lane that walks along a row of its own comes to all of it.
  const LanePattern P = lanePattern(S);
  if (P.Kind == LanePattern::Strided || P.Kind == LanePattern::Rows)
    G.BytesOfLane =
        std::max(G.BytesOfLane, static_cast<double>(std::abs(P.Stride)));
}

static void setUse(AccessGroup &G) {
  set(G, unionTraffic(G.Members));
  const Access &A = *G.Members.front();
  if (G.Members.size() > 1 || A.Op == AccessOp::Atomic || A.LoopDepth == 0)
    return;
  const MeanTraffic Turns = unionOfTurns(A);
  if (Turns.BytesUsed <= G.UsedShare * Turns.BytesMoved)
    return;
  set(G, Turns);
  G.AreTurns = true;
}

AccessGroups::AccessGroups(const KernelModel &Kernel) {
  for (const Access &A : Kernel.Accesses)
    if (A.Space == MemorySpace::Global && A.GroupKey != 0 && !A.Samples.empty())
      Groups[{A.GroupKey, A.Op, A.Block}].Members.push_back(&A);
  // Once for all: generated code has thousands of accesses in one.
  for (auto &[Key, G] : Groups)
    setUse(G);
}

const AccessGroup &AccessGroups::of(const Access &A) {
  const auto Known = Groups.find({A.GroupKey, A.Op, A.Block});
  if (Known != Groups.end())
    return Known->second;
  AccessGroup &G = Alone[&A];
  if (G.Members.empty()) {
    G.Members.push_back(&A);
    setUse(G);
  }
  return G;
}

} // namespace cudalint
