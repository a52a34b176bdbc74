//===- hardware/LaneSets.h - What lanes touch, without the heap -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lanes of a warp as bits of a mask, and the set of things that one request
/// touches. For the files of the model of one request.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_HARDWARE_LANESETS_H
#define CUDA_LINT_HARDWARE_LANESETS_H

#include "hardware/WarpTransactions.h"

#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <iterator>

namespace cudalint {

inline unsigned divideUp(unsigned A, unsigned B) { return (A + B - 1) / B; }

/// Calls `F` with each lane whose bit is set, in ascending order.
template <typename Function> void forEachLane(std::uint32_t Lanes, Function F) {
  for (; Lanes != 0; Lanes &= Lanes - 1)
    F(static_cast<unsigned>(std::countr_zero(Lanes)));
}

/// Whether there are memory instructions of this width.
inline bool hasWidth(const WarpRequest &R) {
  return std::has_single_bit(R.BytesPerLane) && R.BytesPerLane <= 16;
}

/// Lanes whose elements make up 128 bytes, but a warp at most.
inline unsigned lanesTogether(const WarpRequest &R) {
  return R.BytesPerLane <= 4 ? 32 : R.BytesPerLane <= 8 ? 16 : 8;
}

/// The bits of `Count` lanes from `First` on.
inline std::uint32_t laneGroup(unsigned First, unsigned Count) {
  return (~std::uint32_t(0) >> (WarpSize - Count)) << First;
}

/// Whether phases can merge at all: in wide loads. Measured on 9.0; others
/// report it of 7.x.
inline bool mayMerge(const Architecture &Arch, const WarpRequest &R) {
  return Arch.CC.Major >= 7 && R.BytesPerLane >= 8 &&
         R.Kind == RequestKind::Load;
}

/// Distinct sectors, lines, or words of banks. One request touches at most 64
/// different things: 32 lanes, each perhaps across a boundary.
class KeySet {
public:
  /// The key's index, counted in the order of arrival. Most requests ascend
  /// with the lane, and then no key is ever hashed.
  unsigned insert(std::uint64_t Key) {
    if (Size == 0)
      return append(Key);
    if (Keys[Last] == Key)
      return Last;
    if (!Hashed && Key > Keys[Size - 1])
      return append(Key);
    if (!Hashed)
      hashAll();
    const unsigned At = find(Key);
    if (Slot[At] != Empty)
      return Last = Slot[At];
    Slot[At] = static_cast<std::uint8_t>(Size);
    return append(Key);
  }

  unsigned size() const { return Size; }

private:
  unsigned append(std::uint64_t Key) {
    assert(Size < std::size(Keys) && "more keys than a request can touch");
    Keys[Size] = Key;
    return Last = Size++;
  }

  /// The slot of the key, or the empty one where it belongs.
  unsigned find(std::uint64_t Key) const {
    unsigned At = (Key * 0x9e3779b97f4a7c15u) >> 57; // Fibonacci hashing.
    while (Slot[At] != Empty && Keys[Slot[At]] != Key)
      At = (At + 1) % std::size(Slot);
    return At;
  }

  void hashAll() {
    std::memset(Slot, Empty, sizeof(Slot));
    for (unsigned I = 0; I < Size; ++I)
      Slot[find(Keys[I])] = static_cast<std::uint8_t>(I);
    Hashed = true;
  }

  static constexpr std::uint8_t Empty = 0xff;
  std::uint64_t Keys[64];
  std::uint8_t Slot[128]; // Holds what Keys holds, once Hashed.
  unsigned Size = 0;
  unsigned Last = 0;
  bool Hashed = false;
};

} // namespace cudalint

#endif // CUDA_LINT_HARDWARE_LANESETS_H
