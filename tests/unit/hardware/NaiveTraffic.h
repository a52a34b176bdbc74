//===- tests/unit/hardware/NaiveTraffic.h - A second reading -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A second reading of the rules of every generation, byte by byte with sets,
/// and where a rule leaves a choice by trying all choices. Slow on purpose:
/// nothing here is shared with the code under test but the request itself.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_UNIT_HARDWARE_NAIVETRAFFIC_H
#define CUDA_LINT_TESTS_UNIT_HARDWARE_NAIVETRAFFIC_H

#include "hardware/WarpTransactions.h"

#include <functional>
#include <iterator>
#include <map>
#include <ostream>
#include <random>
#include <set>
#include <sstream>
#include <vector>

namespace cudalint::naive {

using Lanes = std::vector<unsigned>;
using Numbers = std::set<std::uint64_t>;

inline Lanes active(const WarpRequest &R, unsigned First = 0,
                    unsigned Count = 32) {
  Lanes L;
  for (unsigned I = First; I < First + Count && I < 32; ++I)
    if (R.ActiveMask & (1u << I))
      L.push_back(I);
  return L;
}

/// The numbers of the `Unit`-byte pieces of memory that the lanes touch.
inline Numbers touched(const WarpRequest &R, const Lanes &L, unsigned Unit) {
  Numbers Set;
  for (unsigned Lane : L)
    for (unsigned Byte = 0; Byte < R.BytesPerLane; ++Byte)
      Set.insert((R.Address[Lane] + Byte) / Unit);
  return Set;
}

struct Cost {
  unsigned Count = 0, Bytes = 0;
};

/// 5.0 and later: sectors of the whole warp.
inline Cost sectors(const WarpRequest &R) {
  const auto N = static_cast<unsigned>(touched(R, active(R), 32).size());
  return {N, 32 * N};
}

/// 2.x and 3.x: lines of each group of lanes that asks for up to 128 bytes.
inline Cost lines(const WarpRequest &R) {
  const unsigned Groups = R.BytesPerLane == 16  ? 4
                          : R.BytesPerLane == 8 ? 2
                                                : 1;
  Cost C;
  for (unsigned G = 0; G < Groups; ++G) {
    const Lanes L = active(R, G * 32 / Groups, 32 / Groups);
    C.Count += touched(R, L, 128).size();
    C.Bytes += R.Kind == RequestKind::Load ? 128 * touched(R, L, 128).size()
                                           : 32 * touched(R, L, 32).size();
  }
  return C;
}

/// 1.2 and 1.3: the segments of a half-warp, each shrunk to what is used.
inline Cost segments(const WarpRequest &R) {
  const std::map<unsigned, unsigned> Sizes = {
      {1, 32}, {2, 64}, {4, 128}, {8, 128}, {16, 128}};
  const unsigned Size = Sizes.at(R.BytesPerLane);
  Cost C;
  for (unsigned Half : {0u, 16u}) {
    std::map<std::uint64_t, Numbers> Sectors; // Of each segment.
    for (std::uint64_t Sector : touched(R, active(R, Half, 16), 32))
      Sectors[Sector * 32 / Size].insert(Sector % (Size / 32));
    for (const auto &[Segment, Used] : Sectors) {
      // Quarters 0..3 of 128 bytes: one quarter, one half, or all.
      const bool Half0 = *Used.begin() < 2, Half1 = *Used.rbegin() >= 2;
      C.Bytes += Used.size() == 1 ? 32 : Half0 && Half1 ? 128 : 64;
      ++C.Count;
    }
  }
  return C;
}

/// 1.0 and 1.1: try every aligned start that some lane could be at.
inline Cost inOrder(const WarpRequest &R) {
  const unsigned B = R.BytesPerLane;
  Cost C;
  for (unsigned Half : {0u, 16u}) {
    const Lanes L = active(R, Half, 16);
    if (L.empty())
      continue;
    bool Coalesced = false;
    for (unsigned Guess : L) {
      const std::uint64_t Start = R.Address[Guess] - (Guess - Half) * B;
      bool Fits = B >= 4 && Start % (B == 4 ? 64 : 128) == 0;
      for (unsigned Lane : L)
        Fits = Fits && R.Address[Lane] == Start + (Lane - Half) * B;
      Coalesced = Coalesced || Fits;
    }
    const unsigned Size = !Coalesced ? 32 : B == 4 ? 64 : 128;
    const unsigned N = Coalesced ? touched(R, L, Size).size()
                                 : static_cast<unsigned>(L.size());
    C.Count += N;
    C.Bytes += N * Size;
  }
  return C;
}

/// Most words that one bank must give to these lanes, where a bank gives one
/// `RowBytes`-row at a time.
inline unsigned ways(const WarpRequest &R, const Lanes &L, unsigned BankBytes,
                     unsigned Banks, unsigned RowBytes) {
  std::map<unsigned, Numbers> Rows;
  std::map<unsigned, unsigned> Visits;
  for (unsigned Lane : L)
    for (std::uint64_t Word : touched(R, {Lane}, BankBytes)) {
      Rows[Word % Banks].insert(Word * BankBytes / RowBytes);
      ++Visits[Word % Banks];
    }
  std::size_t Most = 0;
  for (const auto &[Bank, Set] : Rows)
    Most = std::max(Most,
                    R.Kind == RequestKind::Atomic ? Visits[Bank] : Set.size());
  return Most;
}

/// Fewest steps in which a half-warp of 1.x gets one word each: by search.
inline unsigned teslaSteps(const std::vector<std::uint64_t> &Words) {
  std::map<unsigned, unsigned> Known;
  std::function<unsigned(unsigned)> Solve = [&](unsigned Waiting) -> unsigned {
    if (Waiting == 0)
      return 0;
    if (auto It = Known.find(Waiting); It != Known.end())
      return It->second;
    unsigned Best = 99;
    Numbers Tried;
    for (unsigned Caller = 0; Caller < Words.size(); ++Caller) {
      if (!(Waiting & (1u << Caller)) || !Tried.insert(Words[Caller]).second)
        continue;
      unsigned Left = Waiting;
      for (unsigned I = 0; I < Words.size(); ++I)
        if (Words[I] == Words[Caller])
          Left &= ~(1u << I);
      // Every other bank serves one of its lanes: go through the choices.
      std::function<void(unsigned, unsigned)> Choose = [&](unsigned Bank,
                                                           unsigned Rest) {
        if (Bank == 16) {
          Best = std::min(Best, 1 + Solve(Rest));
          return;
        }
        Numbers Seen;
        for (unsigned I = 0; I < Words.size(); ++I)
          if (Bank != Words[Caller] % 16 && Rest & (1u << I) &&
              Words[I] % 16 == Bank && Seen.insert(Words[I]).second)
            Choose(Bank + 1, Rest & ~(1u << I));
        if (Seen.empty())
          Choose(Bank + 1, Rest);
      };
      Choose(0, Left);
    }
    return Known[Waiting] = Best;
  };
  return Solve((1u << Words.size()) - 1);
}

inline unsigned teslaWavefronts(const WarpRequest &R) {
  unsigned Sum = 0;
  for (unsigned Half : {0u, 16u})
    for (unsigned Piece = 0; Piece < std::max(1u, R.BytesPerLane / 4);
         ++Piece) {
      std::vector<std::uint64_t> Words;
      for (unsigned Lane : active(R, Half, 16))
        Words.push_back(R.Address[Lane] / 4 + Piece);
      Sum += teslaSteps(Words);
    }
  return Sum;
}

/// Single phases, added up, for 2.0 and later.
inline unsigned phases(const WarpRequest &R, unsigned Together,
                       unsigned BankBytes, unsigned RowBytes,
                       unsigned Extra = 0) {
  unsigned Sum = 0;
  for (unsigned First = 0; First < 32; First += Together)
    if (unsigned W =
            ways(R, active(R, First, Together), BankBytes, 32, RowBytes))
      Sum += W + Extra;
  return Sum;
}

/// Lanes whose partner at this distance is idle or at the same address.
inline bool pairsUp(const WarpRequest &R, unsigned Distance) {
  std::map<unsigned, Numbers> Addresses; // Of each pair.
  for (unsigned Lane : active(R))
    Addresses[Lane & ~Distance].insert(R.Address[Lane]);
  for (const auto &[Pair, Set] : Addresses)
    if (Set.size() > 1)
      return false;
  return true;
}

/// What counters report for a wide load from 7.0 on, told lane by lane.
inline unsigned reported(const WarpRequest &R) {
  const unsigned Pair = R.BytesPerLane == 8 ? 32 : 16;
  Numbers Addresses;
  for (unsigned Lane : active(R))
    Addresses.insert(R.Address[Lane]);
  if (Pair == 16 && Addresses.size() == 1)
    return active(R).size() <= 16 ? 1 : 2;
  unsigned Sum = 0;
  for (unsigned First = 0; First < 32; First += Pair) {
    WarpRequest Part = R;
    Part.ActiveMask = 0;
    for (unsigned Lane : active(R, First, Pair))
      Part.ActiveMask |= 1u << Lane;
    const Lanes L = active(Part);
    auto HasBothOrNeither = [&](unsigned Distance) {
      for (unsigned Lane : L)
        if ((Part.ActiveMask & 1u << (Lane ^ Distance)) == 0)
          return false;
      return true;
    };
    bool Merges = pairsUp(Part, 1) || pairsUp(Part, 2);
    if (Pair == 16 && First == 0 && !active(R, 31, 1).empty())
      Merges = (pairsUp(Part, 1) && HasBothOrNeither(1)) ||
               (pairsUp(Part, 2) && HasBothOrNeither(2));
    else if (Pair == 16 && First == 0)
      Merges = true;
    const bool IsFree = ways(Part, L, 4, 32, 128) <= 1;
    Sum += phases(Part, Merges && IsFree ? Pair : Pair / 2, 4, 128);
  }
  return Sum;
}

//===----------------------------------------------------------------------===//
// Requests at random
//===----------------------------------------------------------------------===//

/// Strides, tiles, swizzles, repeats and noise, with full and partial masks.
inline WarpRequest anyRequest(std::mt19937 &Random) {
  auto Below = [&](unsigned N) { return unsigned(Random() % N); };
  WarpRequest R;
  R.BytesPerLane = 1u << Below(5);
  if (Below(3) == 0)
    R.ActiveMask = Random() | 1u << Below(32);
  if (Below(4) == 0)
    R.Kind = RequestKind::Store;
  const unsigned Span = 1u << Below(12), Stride = Below(35),
                 Start = Below(2) ? 0 : Below(64), Shape = Below(6),
                 Drop = Below(3) ? 0 : Below(32);
  for (unsigned L = 0; L < 32; ++L) {
    const unsigned K = L & ~Drop;
    const unsigned Index = Shape == 0   ? Below(Span)
                           : Shape == 1 ? K ^ Start % 32
                           : Shape == 2 ? K % 8 * Stride + K / 8
                           : Shape == 3 ? 31 - K
                                        : K * Stride;
    R.Address[L] = 4096 + std::uint64_t(Start + Index) * R.BytesPerLane;
  }
  return R;
}

inline std::string describe(const WarpRequest &R) {
  std::ostringstream S;
  S << R.BytesPerLane << " B, kind " << unsigned(R.Kind) << ", mask "
    << std::hex << R.ActiveMask << std::dec << ":";
  for (std::uint64_t A : R.Address)
    S << ' ' << A;
  return S.str();
}

} // namespace cudalint::naive

#endif // CUDA_LINT_TESTS_UNIT_HARDWARE_NAIVETRAFFIC_H
