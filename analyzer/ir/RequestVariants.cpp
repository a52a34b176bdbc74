//===- analyzer/ir/RequestVariants.cpp - Addresses of a request -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/RequestVariants.h"

#include "analyzer/ir/FittingBlock.h"

#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/NVPTXAddrSpace.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>

using namespace llvm;

namespace cudalint {

/// In shared memory the hardware has integer atomics of 32 bits, and swaps of
/// 64; the others are made of loops whose turns depend on how lanes meet.
static bool isCompareAndSwapLoop(const Request &R) {
  return R.Op == AccessOp::Atomic && R.Space == MemorySpace::Shared &&
         (R.Bytes < 4 || R.Atomic == AtomicForm::FloatingPoint ||
          (R.Bytes > 4 && R.Atomic == AtomicForm::Arithmetic));
}

AddressVariants variantsOf(const LaneArithmetic &A, const Request &R,
                           const Architecture &Arch, unsigned Piece) {
  // Of what is wider than what is written, it is asked whether it is aligned.
  const unsigned Width = R.As && R.As->IsWider ? 1 : alignedBytes(Piece);
  AddressVariants V;
  if (R.InCluster) {
    V.WhyUnknown = "shared memory of the cluster may be another block's";
    V.Cause = UnknownCause::OtherBlock;
    return V;
  }
  if (isCompareAndSwapLoop(R)) {
    V.WhyUnknown = "the atomic is a loop that compares and swaps";
    V.Cause = UnknownCause::AtomicLoop;
    return V;
  }
  if (R.Space == MemorySpace::Shared && R.Op == AccessOp::Atomic &&
      R.Bytes > 4) {
    V.WhyUnknown = "swaps of 8 bytes in shared memory are not modelled";
    V.Cause = UnknownCause::NotModelled;
    return V;
  }
  switch (R.Space) {
  case MemorySpace::Shared:
    return sharedVariants(A, R.Address, R.Active);
  case MemorySpace::Local:
    return globalVariants(A, R.Address, R.Active, 4);
  case MemorySpace::Constant:
    return constantVariants(A, R.Address, R.Active);
  default:
    return globalVariants(A, R.Address, R.Active, globalPeriod(Arch),
                          /*Round=*/true, Width, R.Held.get());
  }
}

bool costTheSame(const Architecture &Arch, const Request &R, unsigned Piece,
                 const AddressVariants &V) {
  auto Costs = [&](const LaneOffsets &Offsets) {
    const RequestCost C = costOf(Arch, R, Piece, Offsets);
    return std::pair(C.PerRequest, C.Ideal);
  };
  const auto First = Costs(V.Offsets.front());
  return std::ranges::all_of(
      V.Offsets, [&](const LaneOffsets &Each) { return Costs(Each) == First; });
}

std::vector<double> costsByStride(const Architecture &Arch,
                                  const LaneArithmetic &A, const Request &R,
                                  unsigned Piece, const StrideSymbol &S) {
  const bool Shared = R.Space == MemorySpace::Shared;
  // Of 32 banks of 4 bytes, or of 16 for each half of a warp before 2.0, none
  // holds more words of an array than that, whatever the pitch is.
  const int Parts = Arch.CC.Major >= 2 ? 1 : 2;
  const std::optional<std::int64_t> Bytes = sharedArrayBytes(A, R);
  const double Most = Bytes && Piece <= 4
                          ? Parts * std::ceil(*Bytes / (128.0 / Parts))
                          : WarpSize;
  // So many further, all lanes are in the same banks again.
  constexpr std::int64_t BytesOfBanks = 128, Words = 32;
  const std::int64_t Period =
      std::max(Words, BytesOfBanks / std::gcd(S.BytesPerUnit, BytesOfBanks));
  const auto costWith = [&](const LaneOffsets &Offsets) {
    const double Cost = costOf(Arch, R, Piece, Offsets).PerRequest;
    return Shared ? std::min(Cost, Most) : Cost;
  };
  std::vector<double> Costs;
  std::vector<std::size_t> Faulty;
  double Dearest = 0;
  for (std::int64_t V = 0; V != (Shared ? Period : 33); ++V) {
    const LaneOffsets Offsets =
        withStride(R.Address, S, Shared && V == 0 ? Period : V);
    Costs.push_back(costWith(Offsets));
    // Lanes with parts of one word are not so any more when they are further
    // apart: no rule is true of all strides.
    if (Shared && Piece < 4 &&
        Costs.back() != costWith(withStride(R.Address, S, V + Period)))
      return {};
    if (areApartByMultiples(Offsets, R.Active, alignedBytes(Piece)))
      Dearest = std::max(Dearest, Costs.back());
    else
      Faulty.push_back(Costs.size() - 1);
  }
  if (Faulty.size() < Costs.size())
    for (const std::size_t Each : Faulty)
      Costs[Each] = Dearest;
  return Costs;
}

bool isConstantVariable(const LaneArithmetic &A, const Value *Pointer,
                        const Request &R) {
  while (auto *Cast = dyn_cast<AddrSpaceCastOperator>(Pointer))
    Pointer = Cast->getPointerOperand();
  if (Pointer->getType()->isPointerTy() &&
      Pointer->getType()->getPointerAddressSpace() ==
          NVPTXAS::ADDRESS_SPACE_CONST)
    return true;
  return std::ranges::any_of(R.Address.Terms, [&](const Term &T) {
    auto *Origin = static_cast<const Value *>(A.info(T.S).Origin);
    return Origin && isa<GlobalVariable>(Origin);
  });
}

bool holdsForAnyLanes(
    const Request &R,
    const std::function<RequestCost(const Request &)> &CostOf) {
  constexpr double Bad = 1.3;
  auto IsBad = [&](LaneMask Mask) {
    Request Part = R;
    Part.Active &= Mask;
    if (!Part.Active)
      return std::optional<bool>();
    RequestCost C = CostOf(Part);
    return std::optional(C.PerRequest >= Bad * C.Ideal);
  };
  bool All = *IsBad(AllLanes);
  for (LaneMask Mask : {0x55555555u, 0x11111111u, 0x6d2b94c3u})
    if (IsBad(Mask).value_or(All) != All)
      return false;
  return true;
}

/// Bytes in words as wide as the request, where it begins.
static std::int64_t placeInWord(std::int64_t Offset, const Request &R) {
  return Offset & (static_cast<std::int64_t>(std::bit_floor(R.Bytes)) - 1);
}

bool areUneven(const LaneOffsets &Offsets, const Request &R) {
  std::optional<std::int64_t> One;
  for (unsigned L = 0; L < WarpSize; ++L)
    if (R.Active >> L & 1) {
      const std::int64_t In = placeInWord(Offsets[L], R);
      if (One.value_or(In) != In)
        return true;
      One = In;
    }
  return false;
}

bool alignDown(LaneOffsets &Offsets, const Request &R) {
  bool Moved = false;
  for (unsigned L = 0; L < WarpSize; ++L)
    if (R.Active >> L & 1) {
      const std::int64_t In = placeInWord(Offsets[L], R);
      Offsets[L] -= In;
      Moved |= In != 0;
    }
  return Moved;
}

} // namespace cudalint
