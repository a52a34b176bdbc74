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
#include <iterator>
#include <optional>

namespace cudalint {

static unsigned divideUp(unsigned A, unsigned B) { return (A + B - 1) / B; }

/// Calls `F` with each lane whose bit is set, in ascending order.
template <typename Function>
static void forEachLane(std::uint32_t Lanes, Function F) {
  for (; Lanes != 0; Lanes &= Lanes - 1)
    F(static_cast<unsigned>(std::countr_zero(Lanes)));
}

/// Whether there are memory instructions of this width.
static bool hasWidth(const WarpRequest &R) {
  return std::has_single_bit(R.BytesPerLane) && R.BytesPerLane <= 16;
}

/// Lanes whose elements make up 128 bytes, but a warp at most.
static unsigned lanesTogether(const WarpRequest &R) {
  return R.BytesPerLane <= 4 ? 32 : R.BytesPerLane <= 8 ? 16 : 8;
}

/// The bits of `Count` lanes from `First` on.
static std::uint32_t laneGroup(unsigned First, unsigned Count) {
  return (~std::uint32_t(0) >> (WarpSize - Count)) << First;
}

//===----------------------------------------------------------------------===//
// Sets without the heap. One request touches at most 64 different things: 32
// lanes, each perhaps across a boundary.
//===----------------------------------------------------------------------===//

namespace {

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

//===----------------------------------------------------------------------===//
// Global memory
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

/// Where bytes lie and which lanes are served together. Two words of a bank
/// are served at once when they are in the same row.
struct BankRule {
  unsigned Together;  ///< Lanes of a phase.
  unsigned Banks;     ///< A power of two.
  unsigned BankShift; ///< Bank width is 2^BankShift bytes.
  unsigned RowShift;  ///< A row is 2^RowShift bytes.
};

// Guide 4.2, F.3.3 (1.x), F.4.3 (2.x), F.5.3 (3.x), and 13.0 for the others.
static BankRule bankRule(const Architecture &Arch, const WarpRequest &R,
                         BankMode Mode) {
  switch (Arch.CC.Major) {
  case 1:
    return {16, 16, 2, 6};
  case 3: {
    // A bank gives 8 bytes a clock, in either mode a row of 256 bytes. What
    // 16-byte words do is not documented: half-warps fill a row.
    const unsigned Together = R.BytesPerLane <= 8 ? 32 : 16;
    return {Together, 32, Mode == BankMode::EightByte ? 3u : 2u, 8};
  }
  default:
    return {lanesTogether(R), 32, 2, 7};
  }
}

/// Distinct words in the fullest bank, for lanes that are served together.
static unsigned countWays(const WarpRequest &R, std::uint32_t Lanes,
                          const BankRule &Rule) {
  // Elements wider than a bank lie across a group of banks, all of them alike,
  // as elements are aligned: it is enough to look at the groups.
  const unsigned Width = std::bit_width(R.BytesPerLane) - 1;
  const unsigned GroupShift = std::max(Rule.BankShift, Width);
  const unsigned Groups = Rule.Banks >> (GroupShift - Rule.BankShift);
  const bool EachLane =
      R.Kind == RequestKind::Atomic || R.Kind == RequestKind::CompareAndSwap;
  std::uint64_t FirstRow[32];
  std::uint32_t Used = 0;
  std::uint8_t More[32];        // Beyond the first row.
  std::optional<KeySet> Others; // Made at the first conflict: most have none.
  unsigned Ways = Lanes != 0;
  forEachLane(Lanes, [&](unsigned L) {
    const unsigned Group = (R.Address[L] >> GroupShift) & (Groups - 1);
    const std::uint64_t Row = R.Address[L] >> Rule.RowShift;
    if ((Used >> Group & 1) == 0) {
      Used |= std::uint32_t(1) << Group;
      FirstRow[Group] = Row;
      More[Group] = 0;
      return;
    }
    if (!EachLane) {
      if (FirstRow[Group] == Row)
        return;
      if (!Others)
        Others.emplace();
      const unsigned Known = Others->size();
      if (Others->insert(Row * Groups + Group) != Known)
        return;
    }
    Ways = std::max(Ways, 1u + ++More[Group]);
  });
  return Ways;
}

/// Steps of a half-warp on 1.x for one 4-byte piece of each lane's element. In
/// a step every bank serves one lane, but one word, the broadcast word, is
/// served to all lanes that want it. Which word is unspecified: we return what
/// the best choices give.
static unsigned countTeslaSteps(const WarpRequest &R, std::uint32_t Lanes,
                                unsigned Piece) {
  struct Word {
    std::uint64_t Index;
    unsigned Wanted;
  };
  std::array<Word, 16> Words; // At most one a lane.
  unsigned Size = 0;
  unsigned InBank[16] = {};
  forEachLane(Lanes, [&](unsigned L) {
    const std::uint64_t Index = R.Address[L] / 4 + Piece;
    ++InBank[Index % 16];
    Word *End = Words.data() + Size;
    Word *It = std::find_if(Words.data(), End,
                            [&](const Word &W) { return W.Index == Index; });
    if (It == End)
      Words[Size++] = {Index, 0};
    ++It->Wanted;
  });
  std::sort(Words.data(), Words.data() + Size,
            [](const Word &A, const Word &B) { return A.Wanted > B.Wanted; });

  // With `Steps` steps of which bank b is given k broadcasts, the other lanes
  // of the bank must fit in Steps - k steps. Every broadcast takes a step.
  for (unsigned Steps = 1;; ++Steps) {
    unsigned Broadcasts = 0;
    for (unsigned Bank = 0; Bank < 16; ++Bank) {
      unsigned Left = InBank[Bank], Given = 0;
      for (unsigned I = 0; I < Size && Left + Given > Steps; ++I)
        if (Words[I].Index % 16 == Bank) {
          Left -= Words[I].Wanted;
          ++Given;
        }
      Broadcasts += Left + Given > Steps ? Steps + 1 : Given;
    }
    if (Broadcasts <= Steps)
      return Steps;
  }
}

/// Whether every active lane of `Lanes` finds lane n^Distance idle or at its
/// own address.
static bool pairsUp(const WarpRequest &R, std::uint32_t Lanes,
                    unsigned Distance) {
  const std::uint32_t Active = R.ActiveMask & Lanes;
  for (std::uint32_t Left = Active; Left != 0; Left &= Left - 1) {
    const unsigned Lane = std::countr_zero(Left), Other = Lane ^ Distance;
    if (Active >> Other & 1 && R.Address[Lane] != R.Address[Other])
      return false;
  }
  return true;
}

/// Whether phases can merge at all: in wide loads. Measured on 9.0; others
/// report it of 7.x.
static bool mayMerge(const Architecture &Arch, const WarpRequest &R) {
  return Arch.CC.Major >= 7 && R.BytesPerLane >= 8 &&
         R.Kind == RequestKind::Load;
}

/// Whether the hardware serves two phases as one: where the lanes of the whole
/// warp pair up, also in 16-byte loads.
static bool mergesPhases(const Architecture &Arch, const WarpRequest &R) {
  return mayMerge(Arch, R) && (pairsUp(R, ~0u, 1) || pairsUp(R, ~0u, 2));
}

/// Whether counters report the two phases of these 32 or 16 lanes as one, if
/// together they are free of conflicts. As the hardware in 8-byte loads. In
/// 16-byte loads each half of the warp is asked on its own, and the first half
/// in another way: it merges when lane 31 is idle, and otherwise only if its
/// lanes pair up with both of a pair active, or neither. No reason is known;
/// it is what all requests that kernels/shared-wide draws show on 9.0.
static bool isReportedMerged(const WarpRequest &R, std::uint32_t Lanes) {
  const bool IsFirstHalf = Lanes == 0xffff;
  if (IsFirstHalf && R.ActiveMask >> 31 == 0)
    return true;
  for (unsigned Distance : {1u, 2u}) {
    const std::uint32_t Low = Distance == 1 ? 0x55555555 : 0x33333333;
    const std::uint32_t OneOfTwo =
        (R.ActiveMask ^ R.ActiveMask >> Distance) & Low & Lanes;
    if (pairsUp(R, Lanes, Distance) && (!IsFirstHalf || OneOfTwo == 0))
      return true;
  }
  return false;
}

/// Whether all active lanes are at one address.
static bool isBroadcast(const WarpRequest &R) {
  const unsigned First = std::countr_zero(R.ActiveMask);
  bool IsOne = true;
  forEachLane(R.ActiveMask,
              [&](unsigned L) { IsOne &= R.Address[L] == R.Address[First]; });
  return IsOne;
}

/// What counters report for a wide load. `Rule.Together` lanes are a phase.
static void countReported(const WarpRequest &R, const BankRule &Rule,
                          SharedTraffic &T) {
  // One address in 16-byte loads: 16 lanes at a time, whichever they are.
  if (R.BytesPerLane == 16 && isBroadcast(R)) {
    T.Wavefronts = divideUp(std::popcount(R.ActiveMask), 16);
    T.Ways = 1;
    return;
  }
  for (unsigned First = 0; First < WarpSize; First += 2 * Rule.Together) {
    const std::uint32_t Both = laneGroup(First, 2 * Rule.Together);
    if (isReportedMerged(R, Both) &&
        countWays(R, R.ActiveMask & Both, Rule) == 1) {
      ++T.Wavefronts;
      T.Ways = std::max(T.Ways, 1u);
      continue;
    }
    for (unsigned Half : {First, First + Rule.Together}) {
      const unsigned Own =
          countWays(R, R.ActiveMask & laneGroup(Half, Rule.Together), Rule);
      T.Wavefronts += Own;
      T.Ways = std::max(T.Ways, Own);
    }
  }
}

static SharedTraffic teslaSharedTraffic(const WarpRequest &R) {
  // Wide elements become several requests, one for each 4-byte piece.
  const unsigned Pieces = divideUp(R.BytesPerLane, 4);
  SharedTraffic T;
  for (unsigned First = 0; First < WarpSize; First += 16) {
    const std::uint32_t Lanes = R.ActiveMask & laneGroup(First, 16);
    for (unsigned Piece = 0; Lanes != 0 && Piece < Pieces; ++Piece) {
      const unsigned Steps = countTeslaSteps(R, Lanes, Piece);
      T.Wavefronts += Steps;
      T.Ways = std::max(T.Ways, Steps);
      ++T.Ideal;
    }
  }
  T.Served = T.Wavefronts;
  return T;
}

SharedTraffic sharedTraffic(const Architecture &Arch, const WarpRequest &R,
                            BankMode Mode) {
  if (!hasWidth(R))
    return {};
  if (Arch.CC.Major == 1)
    return teslaSharedTraffic(R);

  const BankRule Rule = bankRule(Arch, R, Mode);
  // On 2.x a 16-byte phase costs one more than its conflicts (F.4.3).
  const unsigned Extra = Arch.CC.Major == 2 && R.BytesPerLane == 16 ? 1 : 0;
  const unsigned Step =
      mergesPhases(Arch, R) ? 2 * Rule.Together : Rule.Together;
  SharedTraffic T;
  unsigned Phases = 0;
  for (unsigned First = 0; First < WarpSize; First += Step) {
    const std::uint32_t Lanes = R.ActiveMask & laneGroup(First, Step);
    if (Lanes == 0)
      continue;
    const unsigned Ways = countWays(R, Lanes, Rule);
    T.Served += Ways + Extra;
    T.Ways = std::max(T.Ways, Ways);
    Phases += 1 + Extra;
  }
  T.Wavefronts = T.Served;
  if (R.ActiveMask != 0 && mayMerge(Arch, R)) {
    T.Wavefronts = T.Ways = 0;
    countReported(R, Rule, T);
  }
  const unsigned Asked = std::popcount(R.ActiveMask) * R.BytesPerLane;
  T.Ideal =
      Arch.CC.Major < 5 ? Phases : std::min(T.Wavefronts, divideUp(Asked, 128));
  // What is compared and what is stored come one after the other: twice what an
  // atomic with one operand costs, on 9.0, in all points of kernels/atomic.
  if (R.Kind == RequestKind::CompareAndSwap && Arch.CC.Major >= 5) {
    T.Wavefronts *= 2;
    T.Served *= 2;
    T.Ideal *= 2;
  }
  return T;
}

std::vector<LaneBank> bankTable(const Architecture &Arch, const WarpRequest &R,
                                BankMode Mode) {
  const BankRule Rule = bankRule(Arch, R, Mode);
  std::vector<LaneBank> Table;
  if (!hasWidth(R))
    return Table;
  forEachLane(R.ActiveMask, [&](unsigned Lane) {
    const std::uint64_t Word = R.Address[Lane] >> Rule.BankShift;
    Table.push_back({Lane, Lane / Rule.Together,
                     static_cast<unsigned>(Word % Rule.Banks), Word});
  });
  return Table;
}

} // namespace cudalint
