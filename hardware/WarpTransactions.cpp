//===- hardware/WarpTransactions.cpp - Sectors, lines and segments --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hardware/WarpTransactions.h"

#include "hardware/LaneSets.h"

#include <algorithm>
#include <array>

namespace cudalint {

namespace {

/// Which bytes of memory are touched, by 32-byte sector.
class SectorSet {
public:
  SectorSet(const WarpRequest &R, std::uint32_t Lanes) {
    forEachLane(Lanes, [&](unsigned L) { add(R.Address[L], R.BytesPerLane); });
  }

  unsigned sectors() const { return Sectors.size(); }
  unsigned bytes() const { return Bytes; }

private:
  void add(std::uint64_t Address, unsigned Length) {
    const unsigned Offset = Address % SectorBytes;
    if (Offset + Length > SectorBytes) {
      const unsigned Room = SectorBytes - Offset;
      add(Address + Room, Length - Room);
      Length = Room;
    }
    const unsigned Known = Sectors.size();
    const unsigned Index = Sectors.insert(Address / SectorBytes);
    if (Index == Known)
      Touched[Index] = 0;
    const auto Span = static_cast<std::uint32_t>(
        ((std::uint64_t(1) << Length) - 1) << Offset);
    const std::uint32_t New = Span & ~Touched[Index];
    Touched[Index] |= Span;
    Bytes += New == Span ? Length : std::popcount(New);
  }

  KeySet Sectors;
  std::uint32_t Touched[64];
  unsigned Bytes = 0;
};

} // namespace

/// What one group of lanes that is served together costs.
struct GroupTraffic {
  unsigned Transactions = 0;
  unsigned BytesMoved = 0;
};

// 1.0 and 1.1 (CUDA C Programming Guide 4.2, F.3.2.1): words of 4, 8 or 16
// bytes, lane k of the half-warp at word k of a segment of 64 bytes, 128 bytes
// or two times 128 bytes; lanes may be idle. Else one transaction of 32 bytes
// for each lane.
static GroupTraffic inOrderTraffic(const WarpRequest &R, std::uint32_t Lanes) {
  const unsigned Bytes = R.BytesPerLane;
  const unsigned Segment = Bytes == 4 ? 64 : 128;
  const unsigned FirstLane = std::countr_zero(Lanes);
  const std::uint64_t Base =
      R.Address[FirstLane] - std::uint64_t(FirstLane % 16) * Bytes;
  bool InOrder = Bytes >= 4 && Base % Segment == 0;
  std::uint32_t Segments = 0; // Bit 0 and, for 16-byte words, bit 1.
  forEachLane(Lanes, [&](unsigned L) {
    const unsigned Offset = L % 16 * Bytes;
    InOrder &= R.Address[L] == Base + Offset;
    Segments |= 1u << Offset / Segment;
  });
  if (InOrder) {
    const unsigned Count = std::popcount(Segments);
    return {Count, Count * Segment};
  }
  const unsigned Count = std::popcount(Lanes);
  return {Count, Count * 32};
}

// 1.2 and 1.3 (same guide, F.3.2.2): take the segment of the lowest lane that
// is not served, of 32 bytes for 1-byte words, 64 for 2-byte words and 128 for
// the others; serve every lane in it; halve it while one half is unused, down
// to 32 bytes.
static GroupTraffic segmentTraffic(const WarpRequest &R, std::uint32_t Lanes) {
  const unsigned Largest = R.BytesPerLane == 1   ? 32
                           : R.BytesPerLane == 2 ? 64
                                                 : 128;
  GroupTraffic T;
  while (Lanes != 0) {
    unsigned Size = Largest;
    const std::uint64_t Segment = R.Address[std::countr_zero(Lanes)] / Size;
    std::uint64_t Low = ~std::uint64_t(0), High = 0;
    forEachLane(Lanes, [&](unsigned L) {
      if (R.Address[L] / Size != Segment)
        return;
      Lanes &= ~(std::uint32_t(1) << L);
      Low = std::min(Low, R.Address[L]);
      High = std::max(High, R.Address[L] + R.BytesPerLane - 1);
    });
    while (Size > 32 && Low / (Size / 2) == High / (Size / 2))
      Size /= 2;
    ++T.Transactions;
    T.BytesMoved += Size;
  }
  return T;
}

// 2.x and 3.x (same guide, F.4.2 and F.5.2): lines of 128 bytes, which loads
// fill and of which stores send the touched sectors.
static GroupTraffic lineTraffic(const WarpRequest &R, std::uint32_t Lanes) {
  constexpr unsigned Line = 128;
  KeySet Lines;
  forEachLane(Lanes, [&](unsigned L) {
    Lines.insert(R.Address[L] / Line);
    Lines.insert((R.Address[L] + R.BytesPerLane - 1) / Line);
  });
  const unsigned Moved = R.Kind == RequestKind::Load
                             ? Lines.size() * Line
                             : SectorSet(R, Lanes).sectors() * SectorBytes;
  return {Lines.size(), Moved};
}

static GlobalTraffic groupedTraffic(const Architecture &Arch,
                                    const WarpRequest &R) {
  // Half-warps on 1.x; 128 bytes of lanes from 2.0 on.
  const bool Tesla = Arch.CC.Major == 1;
  const bool InOrder = Tesla && Arch.CC.Minor < 2;
  const unsigned Together = Tesla ? 16 : lanesTogether(R);
  GlobalTraffic T;
  for (unsigned First = 0; First < WarpSize; First += Together) {
    const std::uint32_t Lanes = R.ActiveMask & laneGroup(First, Together);
    if (Lanes == 0)
      continue;
    const GroupTraffic G = InOrder ? inOrderTraffic(R, Lanes)
                           : Tesla ? segmentTraffic(R, Lanes)
                                   : lineTraffic(R, Lanes);
    T.Transactions += G.Transactions;
    T.BytesMoved += G.BytesMoved;
    const unsigned Asked = std::popcount(Lanes) * R.BytesPerLane;
    T.Ideal += std::min(G.Transactions, divideUp(Asked, 128));
  }
  T.BytesUsed = SectorSet(R, R.ActiveMask).bytes();
  return T;
}

GlobalTraffic globalTraffic(const Architecture &Arch, const WarpRequest &R) {
  if (!hasWidth(R))
    return {};
  if (Arch.CC.Major < 5)
    return groupedTraffic(Arch, R);
  const SectorSet Touched(R, R.ActiveMask);
  const unsigned Asked = std::popcount(R.ActiveMask) * R.BytesPerLane;
  GlobalTraffic T;
  T.Transactions = Touched.sectors();
  T.Ideal = std::min(T.Transactions, divideUp(Asked, SectorBytes));
  T.BytesMoved = T.Transactions * SectorBytes;
  T.BytesUsed = Touched.bytes();
  return T;
}

unsigned globalPeriod(const Architecture &Arch) {
  return Arch.CC.Major >= 5 ? SectorBytes : 128;
}

unsigned constantRequests(const WarpRequest &R) {
  std::array<std::uint64_t, WarpSize> Seen;
  unsigned Count = 0;
  for (unsigned L = 0; L < WarpSize; ++L)
    if (R.ActiveMask >> L & 1)
      Seen[Count++] = R.Address[L];
  std::sort(Seen.begin(), Seen.begin() + Count);
  return static_cast<unsigned>(std::unique(Seen.begin(), Seen.begin() + Count) -
                               Seen.begin());
}

} // namespace cudalint
