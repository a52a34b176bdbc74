//===- analyzer/ir/SharedRequests.cpp - Several accesses, one instruction -===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/SharedRequests.h"

#include <algorithm>

using namespace llvm;

namespace cudalint {

bool sameIn(LaneMask Lanes, const LaneValue &A, const LaneValue &B) {
  if ((A.Unknown | B.Unknown) & Lanes || A.Terms.size() != B.Terms.size())
    return false;
  for (unsigned L = 0; L < WarpSize; ++L) {
    if (!(Lanes >> L & 1))
      continue;
    if (A.Constant[L] != B.Constant[L])
      return false;
    for (std::size_t K = 0; K != A.Terms.size(); ++K)
      if (A.Terms[K].S != B.Terms[K].S ||
          A.Terms[K].Coefficient[L] != B.Terms[K].Coefficient[L])
        return false;
  }
  return true;
}

/// Adds \p Part to what waits, if one request can be both: other lanes, as of
/// branches of which each lane takes one, or the same addresses.
bool SharedRequests::join(const Request &Part, Pending &Waiting) {
  Request &Whole = Waiting.Whole;
  if (Waiting.By.empty() || Waiting.By.contains(Part.Inst) ||
      Whole.Space != Part.Space || Whole.Weight != Part.Weight ||
      Whole.Turn != Part.Turn)
    return false;
  const LaneMask Both = Whole.Active & Part.Active;
  if (Both && !sameIn(Both, Whole.Address, Part.Address))
    return false;
  const LaneMask Sure =
      (Whole.Active & ~Whole.Doubtful) | (Part.Active & ~Part.Doubtful);
  const std::uint32_t Assumes = Whole.Address.Assumes | Part.Address.Assumes;
  Whole.Address = A.blend(Part.Active, Part.Address, Whole.Address);
  Whole.Address.Assumes |= Assumes;
  Whole.Active |= Part.Active;
  Whole.IsSure |= Part.IsSure;
  Whole.OpenLoops |= Part.OpenLoops;
  Whole.Doubtful = (Whole.Doubtful | Part.Doubtful) & ~Sure;
  Whole.DataDriven = (Whole.DataDriven | Part.DataDriven) & ~Sure;
  Whole.Counted.reset(); // who counts is not who accesses
  Waiting.By.insert(Part.Inst);
  Joined.insert({Part.Inst, Part.Part});
  return true;
}

void SharedRequests::add(const Request &Part) {
  Pending &Waiting = ByPool[Part.As->Pool];
  if (join(Part, Waiting))
    return;
  // Data decides which of two addresses the one request has for each lane.
  Waiting.IsUnclear = Part.As->IsAlternative && !Waiting.By.empty() &&
                      !Waiting.By.contains(Part.Inst) &&
                      Waiting.Whole.Turn == Part.Turn &&
                      (Waiting.Whole.Doubtful & Part.Doubtful);
  if (!Waiting.By.empty())
    add(Waiting);
  Waiting = {.Whole = Part, .By = {Part.Inst}, .IsUnclear = Waiting.IsUnclear};
}

/// Whichever branch a lane takes, one instruction makes its access: what
/// decides about the branch decides nothing.
void SharedRequests::makeSure(Request &R) const {
  // One with a predicate may leave lanes out.
  if (R.Active != R.Before.Active ||
      std::ranges::any_of(Plan.pools()[R.As->Pool],
                          &MachineInstruction::Predicated))
    return;
  R.Doubtful &= R.Before.Doubtful;
  R.DataDriven &= R.Before.DataDriven;
  R.Counted.reset();
  R.IsSure |= R.Before.IsSure;
}

Request SharedRequests::ofAllBranches(Request Part) const {
  makeSure(Part);
  return Part;
}

void SharedRequests::add(Pending &Waiting) {
  Request &R = Waiting.Whole;
  if (R.As->IsAlternative && !Waiting.IsUnclear &&
      Waiting.By.size() == Plan.sharersOf(R.As->Pool))
    makeSure(R);
  if (R.As->IsAlternative && !Waiting.IsUnclear)
    if (const auto [Inst, Part] = Plan.ownerOf(R.As->Pool);
        Inst && (Inst != R.Inst || Waiting.By.size() > 1)) {
      R.Makers.assign(Waiting.By.begin(), Waiting.By.end());
      Joined.insert({R.Inst, R.Part});
      R.Inst = Inst;
      R.Part = Part;
      R.Piece = 0;
    }
  Add(R);
}

void SharedRequests::finish() {
  for (auto &[Pool, Waiting] : ByPool)
    add(Waiting);
  ByPool.clear();
}

std::vector<RemovedAccess> joinedInto(const std::vector<CollectedAccess> &Found,
                                      const JoinedAccesses &Joined,
                                      const AccessPlan &Plan) {
  JoinedAccesses Rest = Joined;
  for (const CollectedAccess &A : Found)
    Rest.erase({A.Inst, A.Part});
  std::vector<RemovedAccess> Result;
  for (auto [Inst, Part] : Rest)
    if (std::optional<RemovedAccess> Each = Plan.removed(
            *Inst, Part, "one instruction makes it with another access"))
      Result.push_back(std::move(*Each));
  std::ranges::stable_sort(Result, {}, &RemovedAccess::Where);
  return Result;
}

} // namespace cudalint
