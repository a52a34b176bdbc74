//===- analyzer/ir/AtomicTargets.cpp - Atomics on one address -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/AtomicTargets.h"

#include "analyzer/ir/AccessMarkers.h"
#include "analyzer/ir/AccessPlan.h"
#include "analyzer/ir/SymbolIdentity.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Instructions.h"

#include <bit>

using namespace llvm;

namespace cudalint {

/// Who takes part, and that indices do not wrap, changes no address.
static constexpr std::uint32_t Harmless =
    AssumesNoWrap | AssumesAllLanes | AssumesBlockLanes | AssumesMeeting;

/// Whether all lanes of the request have one address.
static bool isOneForLanes(const Request &R) {
  const LaneValue &V = R.Address;
  return R.Active && V.isUniformIn(R.Active) && !(V.Unknown & R.Active) &&
         !(V.Assumes & ~Harmless) && !R.DataDriven &&
         R.Space == MemorySpace::Global;
}

/// What is equal for requests at one and the same address for all lanes, in
/// whichever warp and block; empty where that is not known.
static std::vector<std::int64_t> addressOf(const LaneArithmetic &A,
                                           const Request &R) {
  std::vector<std::int64_t> Key;
  const LaneValue &V = R.Address;
  if (!isOneForLanes(R))
    return Key;
  const auto First = static_cast<unsigned>(std::countr_zero(R.Active));
  // Symbols have other numbers, and another order, in other warps.
  std::vector<std::vector<std::int64_t>> Terms;
  for (const Term &T : V.Terms) {
    if (!T.Coefficient[First])
      continue;
    if (A.info(T.S).ByBlock || !addIdentity(A, T.S, Terms.emplace_back()))
      return Key;
    Terms.back().push_back(T.Coefficient[First]);
  }
  llvm::sort(Terms);
  Key.push_back(V.Constant[First]);
  for (const auto &Each : Terms)
    append_range(Key, Each);
  return Key;
}

void AtomicTargets::add(const LaneArithmetic &A, const Request &R) {
  std::vector<std::int64_t> Key = addressOf(A, R);
  const auto [It, IsNew] = At.try_emplace(R.Inst);
  Seen &Known = It->second;
  Known.IsOneForLanes &= isOneForLanes(R);
  if (IsNew)
    Known.Address = std::move(Key);
  else if (Known.Address != Key)
    Known.Address.clear();
}

/// Of a value for each lane, shuffles can make one for all of them.
static bool isReduction(AtomicRMWInst::BinOp Op) {
  switch (Op) {
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
  case AtomicRMWInst::FAdd:
  case AtomicRMWInst::FSub:
  case AtomicRMWInst::FMax:
  case AtomicRMWInst::FMin:
    return true;
  default:
    return false;
  }
}

std::optional<CommonTarget>
AtomicTargets::targetOf(const Instruction &I) const {
  auto *RMW = dyn_cast<AtomicRMWInst>(&I);
  const auto Found = At.find(&I);
  if (!RMW || Found == At.end() || !Found->second.IsOneForLanes ||
      !isReduction(RMW->getOperation()) || isResultUsed(*RMW))
    return std::nullopt;
  // Of 64 bits, nvcc counts the lanes where all of them add the same.
  const Type *T = RMW->getType();
  const bool IsAddedUp =
      (T->isIntegerTy(32) && isOneForAllLanes(*RMW->getPointerOperand())) ||
      (T->isIntegerTy(64) && isOneForAllLanes(*RMW->getPointerOperand()) &&
       isOneForAllLanes(*RMW->getValOperand()));
  return CommonTarget{.IsOfGrid = !Found->second.Address.empty(),
                      .IsAddedUp = IsAddedUp,
                      .Blocks = std::nullopt};
}

} // namespace cudalint
