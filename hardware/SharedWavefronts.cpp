//===- hardware/SharedWavefronts.cpp - Banks, phases and their conflicts --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hardware/LaneSets.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

namespace cudalint {

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

unsigned idealWavefronts(const Architecture &Arch, unsigned BytesPerLane) {
  WarpRequest SideBySide;
  SideBySide.BytesPerLane = BytesPerLane;
  for (unsigned Lane = 0; Lane != WarpSize; ++Lane)
    SideBySide.Address[Lane] = std::uint64_t{Lane} * BytesPerLane;
  return sharedTraffic(Arch, SideBySide).Ideal;
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
