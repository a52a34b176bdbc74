//===- hardware/WarpTransactions.cpp - What one request costs -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hardware/WarpTransactions.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace cudalint {

//===----------------------------------------------------------------------===//
// Sets without the heap. One request touches at most 128 things: 32 lanes of
// at most 16 bytes, each perhaps across a boundary.
//===----------------------------------------------------------------------===//

namespace {

class KeySet {
public:
  KeySet() { std::memset(Slot, Empty, sizeof(Slot)); }

  /// The key's index, counted in the order of arrival.
  unsigned insert(std::uint64_t Key) {
    // Neighbouring lanes most often touch the same thing.
    if (Size != 0 && Keys[Last] == Key)
      return Last;
    unsigned At = (Key * 0x9e3779b97f4a7c15u) >> 56;
    for (; Slot[At] != Empty; At = (At + 1) % std::size(Slot))
      if (Keys[Slot[At]] == Key)
        return Last = Slot[At];
    assert(Size < std::size(Keys) && "more keys than a request can touch");
    Keys[Size] = Key;
    Slot[At] = static_cast<std::uint8_t>(Size);
    return Last = Size++;
  }

  unsigned size() const { return Size; }

private:
  static constexpr std::uint8_t Empty = 0xff;
  std::uint8_t Slot[256];
  std::uint64_t Keys[128];
  unsigned Size = 0;
  unsigned Last = 0;
};

/// Which bytes of memory are touched, by 32-byte sector.
class SectorSet {
public:
  void add(std::uint64_t Address, unsigned Bytes) {
    const unsigned Room = SectorBytes - Address % SectorBytes;
    if (Bytes > Room) {
      add(Address + Room, Bytes - Room);
      Bytes = Room;
    }
    const unsigned Index = Sectors.insert(Address / SectorBytes);
    if (Index == Known)
      Touched[Known++] = 0;
    const std::uint64_t Span = (std::uint64_t(1) << Bytes) - 1;
    Touched[Index] |= static_cast<std::uint32_t>(Span << Address % SectorBytes);
  }

  unsigned sectors() const { return Sectors.size(); }

  unsigned bytes() const {
    unsigned Sum = 0;
    for (unsigned I = 0; I < Known; ++I)
      Sum += std::popcount(Touched[I]);
    return Sum;
  }

private:
  KeySet Sectors;
  std::uint32_t Touched[128];
  unsigned Known = 0;
};

} // namespace

static unsigned divideUp(unsigned A, unsigned B) { return (A + B - 1) / B; }

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

GlobalTraffic globalTraffic(const Architecture &Arch, const WarpRequest &R) {
  (void)Arch;
  SectorSet Set;
  for (std::uint32_t Left = R.ActiveMask; Left != 0; Left &= Left - 1)
    Set.add(R.Address[std::countr_zero(Left)], R.BytesPerLane);
  GlobalTraffic T;
  T.Transactions = Set.sectors();
  T.BytesMoved = T.Transactions * SectorBytes;
  T.BytesUsed = Set.bytes();
  T.Ideal = divideUp(T.BytesUsed, SectorBytes);
  return T;
}

unsigned globalPeriod(const Architecture &Arch) {
  return Arch.CC.Major >= 5 ? SectorBytes : 128;
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

static unsigned lanesTogether(const WarpRequest &R) {
  return R.BytesPerLane <= 4 ? 32 : R.BytesPerLane <= 8 ? 16 : 8;
}

SharedTraffic sharedTraffic(const Architecture &Arch, const WarpRequest &R,
                            BankMode Mode) {
  (void)Arch;
  (void)Mode;
  SharedTraffic T;
  const unsigned Lanes = lanesTogether(R);
  for (unsigned First = 0; First < WarpSize; First += Lanes) {
    const std::uint32_t Group = (~0u >> (WarpSize - Lanes)) << First;
    KeySet Words;
    std::uint8_t InBank[32] = {};
    unsigned Ways = 0;
    for (std::uint32_t Left = R.ActiveMask & Group; Left != 0;
         Left &= Left - 1) {
      const std::uint64_t A = R.Address[std::countr_zero(Left)];
      const std::uint64_t End = (A + R.BytesPerLane - 1) / 4;
      for (std::uint64_t Word = A / 4; Word <= End; ++Word) {
        const unsigned Known = Words.size();
        if (Words.insert(Word) == Known)
          Ways = std::max<unsigned>(Ways, ++InBank[Word % 32]);
      }
    }
    T.Wavefronts += Ways;
    T.Ideal += Ways != 0;
    T.Ways = std::max(T.Ways, Ways);
  }
  return T;
}

std::vector<LaneBank> bankTable(const Architecture &Arch, const WarpRequest &R,
                                BankMode Mode) {
  (void)Arch;
  (void)Mode;
  std::vector<LaneBank> Table;
  const unsigned Lanes = lanesTogether(R);
  for (unsigned Lane = 0; Lane < WarpSize; ++Lane)
    if (R.ActiveMask >> Lane & 1) {
      const std::uint64_t Word = R.Address[Lane] / 4;
      Table.push_back({Lane, Lane / Lanes, unsigned(Word % 32), Word});
    }
  return Table;
}

} // namespace cudalint
