//===- analyzer/ir/RequestCost.cpp - What a request costs -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/RequestCost.h"

#include "analyzer/ir/AccessMarkers.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

#include <algorithm>
#include <bit>

using namespace llvm;

namespace cudalint {

unsigned pieceOf(const Request &R) {
  if (R.As)
    return R.Bytes;
  unsigned Piece = std::min(std::bit_floor(std::max(R.Bytes, 1u)), 16u);
  // There are no wider loads from constant memory.
  if (R.Space == MemorySpace::Constant)
    Piece = std::min(Piece, 8u);
  if (std::optional<MarkedAccess> Marked = markedAccess(*R.Inst))
    Piece = std::min(Piece, Marked->Align);
  return Piece;
}

/// Seen in what nvcc 13.0 makes for each architecture: atomicAdd of 1 or its
/// like is ATOMS.POPC.INC on 8.0 to 12.1 and a plain ATOMS on 7.5. Before that
/// a plain one is assumed, which errs high. That lanes of one word cost one
/// access together is measured on 9.0 alone.
static bool countsLanes(const Architecture &Arch, const Request &R) {
  auto *RMW = dyn_cast<AtomicRMWInst>(R.Inst);
  if (!RMW || isResultUsed(*RMW) || R.Bytes != 4 ||
      R.Space != MemorySpace::Shared || Arch.CC < ComputeCapability{8, 0})
    return false;
  auto *Operand = dyn_cast<ConstantInt>(RMW->getValOperand());
  if (!Operand)
    return false;
  switch (RMW->getOperation()) {
  case AtomicRMWInst::Add:
    return Operand->isOne();
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::UIncWrap: // atomicInc that wraps where integers do.
    return Operand->isMinusOne();
  default:
    return false;
  }
}

RequestKind kindOf(const Architecture &Arch, const Request &R) {
  switch (R.Op) {
  case AccessOp::Load:
    return RequestKind::Load;
  case AccessOp::Store:
    return RequestKind::Store;
  case AccessOp::Atomic:
    break;
  }
  if (R.Atomic == AtomicForm::CompareAndSwap && R.Space == MemorySpace::Shared)
    return RequestKind::CompareAndSwap;
  return countsLanes(Arch, R) ? RequestKind::Increment : RequestKind::Atomic;
}

RequestCost costOf(const Architecture &Arch, const Request &R, unsigned Piece,
                   const LaneOffsets &O) {
  WarpRequest W;
  W.ActiveMask = R.Active;
  W.BytesPerLane = Piece;
  W.Kind = kindOf(Arch, R);
  // Any base will do that keeps offsets positive and the alignment.
  constexpr std::uint64_t Base = std::uint64_t(1) << 62;
  for (unsigned L = 0; L < WarpSize; ++L)
    W.Address[L] = Base + static_cast<std::uint64_t>(O[L]);
  RequestCost C;
  if (R.Space == MemorySpace::Shared) {
    // A matrix is fetched alone: 8 rows of 16 bytes, whose lanes are a group.
    constexpr LaneMask Row = 0xff;
    for (unsigned First = 0; First < WarpSize;
         First += R.IsMatrix ? 8 : WarpSize) {
      W.ActiveMask = R.IsMatrix ? R.Active & Row << First : R.Active;
      if (!W.ActiveMask)
        continue;
      SharedTraffic S = sharedTraffic(Arch, W);
      C.PerRequest += S.Wavefronts;
      C.Ideal += S.Ideal;
      C.Ways = std::max(C.Ways, S.Ways);
    }
  } else if (R.Space == MemorySpace::Constant) {
    C.PerRequest = constantRequests(W);
    C.Ideal = 1;
  } else {
    GlobalTraffic G = R.Space == MemorySpace::Local ? localTraffic(W)
                                                    : globalTraffic(Arch, W);
    C.PerRequest = G.Transactions;
    C.Ideal = G.Ideal;
    C.BytesUsed = G.BytesUsed;
  }
  return C;
}

} // namespace cudalint
