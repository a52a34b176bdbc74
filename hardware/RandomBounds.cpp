//===- hardware/RandomBounds.cpp - What any data costs --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Bounds of what a request costs at addresses from data. For each lane, where
/// it can be: an interval and a step. At least: as many points as it takes to
/// stab all intervals, and the lanes that are bound to one bank. At most: as
/// many lanes as can come to one bank, as many words or sectors as there are.
/// Lanes that share their numbers keep their distances: they are a group whose
/// own cost, at the best and the worst place, bounds both sides.
///
//===----------------------------------------------------------------------===//

#include "hardware/LaneSets.h"
#include "hardware/RandomRequest.h"

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <set>

namespace cudalint {

using Wide = __int128;
/// Farther from the rest, addresses may wrap: then nothing is said of where a
/// number leads.
static constexpr Wide Farthest = Wide(1) << 58;
/// Addresses that differ by this are in the same bank, and at the same place
/// in their sector.
static constexpr unsigned Period = 128;
/// More than any request costs.
static constexpr double Unbounded = 1e9;

namespace {

/// Addresses of one lane: Low + i * Step, up to High.
struct Reach {
  Wide Low = 0, High = 0;
  std::uint64_t Step = 0; ///< 0: there is but one.
  bool IsBounded = true;

  auto operator<=>(const Reach &) const = default;

  double count() const {
    return !IsBounded ? Unbounded
           : Step     ? static_cast<double>((High - Low) / Step + 1)
                      : 1;
  }
};

/// Lanes whose distances do not depend on the data.
struct RigidGroup {
  std::uint32_t Lanes = 0;
  std::uint64_t Step = 0; ///< By multiples of it they move.
};

class Bounds {
public:
  Bounds(const Architecture &Arch, const RandomRequest &R);
  CostBounds get() const;

private:
  const Architecture &Arch;
  const RandomRequest &R;
  std::array<Reach, WarpSize> Of;
  std::vector<RigidGroup> Groups;

  template <typename Function>
  void forEachLane(std::uint32_t Lanes, Function F) const {
    for (Lanes &= R.Known.ActiveMask; Lanes; Lanes &= Lanes - 1)
      F(static_cast<unsigned>(std::countr_zero(Lanes)));
  }
  /// Bounds of the cost of the lanes of each group of \p Lanes alone.
  template <typename Function>
  std::vector<CostBounds> ofGroups(std::uint32_t Lanes, Function CostOf) const;
  unsigned stab(std::uint32_t Lanes, unsigned Shift) const;
  CostBounds distinct(std::uint32_t Lanes, unsigned Shift) const;
  CostBounds fullestBank(std::uint32_t Lanes) const;
  CostBounds shared() const;
  double wordsInBank(const Reach &Each, unsigned Bank) const;
  std::uint32_t banksOf(unsigned Lane) const;

  bool isInTurn() const {
    return R.Known.Kind == RequestKind::Atomic ||
           R.Known.Kind == RequestKind::CompareAndSwap;
  }
  /// Bytes of what lanes of one bank, or group of banks, fetch at once.
  unsigned unit() const { return std::max(4u, R.Known.BytesPerLane); }
  unsigned banks() const { return Period / unit(); }
};

} // namespace

static std::uint64_t magnitude(std::int64_t X) {
  return X < 0 ? ~static_cast<std::uint64_t>(X) + 1
               : static_cast<std::uint64_t>(X);
}

Bounds::Bounds(const Architecture &Arch, const RandomRequest &R)
    : Arch(Arch), R(R) {
  using Key = std::vector<std::pair<unsigned, std::int64_t>>;
  std::map<Key, RigidGroup> ByNumbers;
  forEachLane(~0u, [&](unsigned L) {
    Reach &Lane = Of[L];
    Lane.Low = Lane.High = R.Known.Address[L];
    Key Numbers;
    for (const RandomNumber &N : R.Numbers) {
      const std::int64_t Bytes = N.Values == 1 ? 0 : N.Bytes[L];
      Numbers.emplace_back(Bytes ? N.Draw[L] : 0, Bytes);
      if (!Bytes)
        continue;
      Lane.Step = std::gcd(Lane.Step, magnitude(Bytes));
      if (!N.Values || Wide(magnitude(Bytes)) * N.Values > Farthest) {
        Lane.IsBounded = false;
        continue;
      }
      const Wide Span = Wide(Bytes) * Wide(N.Values - 1);
      (Span < 0 ? Lane.Low : Lane.High) += Span;
    }
    RigidGroup &Group = ByNumbers[Numbers];
    Group.Lanes |= 1u << L;
    Group.Step = Lane.Step;
  });
  for (const auto &[Numbers, Group] : ByNumbers)
    Groups.push_back(Group);
}

template <typename Function>
std::vector<CostBounds> Bounds::ofGroups(std::uint32_t Lanes,
                                         Function CostOf) const {
  std::vector<CostBounds> Out;
  for (const RigidGroup &Group : Groups) {
    if (!(Group.Lanes & Lanes))
      continue;
    CostBounds B = {Unbounded, 0};
    const auto Step =
        static_cast<unsigned>(std::gcd<std::uint64_t>(Group.Step, Period));
    for (unsigned Shift = 0; Shift < Period; Shift += Step) {
      const double Cost = CostOf(Group.Lanes & Lanes, Shift);
      B.Least = std::min(B.Least, Cost);
      B.Most = std::max(B.Most, Cost);
      if (!Group.Step)
        break;
    }
    Out.push_back(B);
  }
  return Out;
}

/// The fewest words of 2^Shift bytes such that each lane can be in one of them.
unsigned Bounds::stab(std::uint32_t Lanes, unsigned Shift) const {
  std::vector<std::pair<Wide, Wide>> ByEnd;
  bool IsAny = false;
  forEachLane(Lanes, [&](unsigned L) {
    IsAny = true;
    if (Of[L].IsBounded)
      ByEnd.emplace_back(Of[L].High >> Shift, Of[L].Low >> Shift);
  });
  std::ranges::sort(ByEnd);
  unsigned Count = 0;
  Wide Last = 0;
  for (const auto &[High, Low] : ByEnd)
    if (!Count || Low > Last) {
      Last = High;
      ++Count;
    }
  return std::max<unsigned>(Count, IsAny);
}

/// Of the number of different words of 2^Shift bytes that the lanes touch.
CostBounds Bounds::distinct(std::uint32_t Lanes, unsigned Shift) const {
  CostBounds Out = {static_cast<double>(stab(Lanes, Shift)), 0};
  for (const CostBounds &Each :
       ofGroups(Lanes, [&](std::uint32_t Group, unsigned By) {
         std::set<std::uint64_t> Words;
         forEachLane(Group, [&](unsigned L) {
           Words.insert((R.Known.Address[L] + By) >> Shift);
         });
         return static_cast<double>(Words.size());
       })) {
    Out.Least = std::max(Out.Least, Each.Least);
    Out.Most += Each.Most;
  }
  double InReach = 0;
  std::set<Reach> Seen;
  forEachLane(Lanes, [&](unsigned L) {
    const Reach &Each = Of[L];
    if (Seen.insert(Each).second)
      InReach += Each.IsBounded
                     ? std::min(Each.count(),
                                static_cast<double>((Each.High >> Shift) -
                                                    (Each.Low >> Shift) + 1))
                     : Unbounded;
  });
  Wide Low = 0, High = 0;
  bool IsBounded = true, IsFirst = true;
  for (const Reach &Each : Seen) {
    IsBounded &= Each.IsBounded;
    Low = IsFirst ? Each.Low : std::min(Low, Each.Low);
    High = IsFirst ? Each.High : std::max(High, Each.High);
    IsFirst = false;
  }
  if (IsBounded && !IsFirst)
    InReach = std::min(
        InReach, static_cast<double>((High >> Shift) - (Low >> Shift) + 1));
  Out.Most = std::min(Out.Most, InReach);
  return Out;
}

//===----------------------------------------------------------------------===//
// Shared memory from 5.0 on
//===----------------------------------------------------------------------===//

/// Banks, or groups of them that a wide word fills, that a lane can come to.
std::uint32_t Bounds::banksOf(unsigned Lane) const {
  const Reach &Each = Of[Lane];
  std::uint64_t Address = Each.IsBounded ? static_cast<std::uint64_t>(Each.Low)
                                         : R.Known.Address[Lane];
  std::uint32_t Banks = 0;
  const double Count = std::min(Each.count(), double(Period));
  for (unsigned I = 0; I < Count; ++I, Address += Each.Step)
    Banks |= 1u << (Address / unit() % banks());
  return Banks;
}

/// Different words of that bank within reach.
double Bounds::wordsInBank(const Reach &Each, unsigned Bank) const {
  if (!Each.IsBounded)
    return Unbounded;
  const bool IsSparse = Each.Step % unit() == 0;
  const std::uint64_t Step = IsSparse ? Each.Step / unit() : 1;
  const Wide First = Each.Low / unit();
  const Wide Count = Step ? (Each.High / unit() - First) / Step + 1 : 1;
  const std::uint64_t Turn = banks() / std::gcd<std::uint64_t>(Step, banks());
  for (std::uint64_t I = 0; I < Turn && I < Count; ++I)
    if (static_cast<unsigned>((First + Wide(I) * Step) % banks()) == Bank)
      return static_cast<double>((Count - I + Turn - 1) / Turn);
  return 0;
}

/// Of the wavefronts of lanes that are served together.
CostBounds Bounds::fullestBank(std::uint32_t Lanes) const {
  Lanes &= R.Known.ActiveMask;
  if (!Lanes)
    return {};
  const bool InTurn = isInTurn();
  const auto Shift = static_cast<unsigned>(std::countr_zero(unit()));
  CostBounds Out = {1, 0};
  for (const CostBounds &Each :
       ofGroups(Lanes, [&](std::uint32_t Group, unsigned By) {
         std::array<std::multiset<std::uint64_t>, Period / 4> InBank;
         double Ways = 0;
         forEachLane(Group, [&](unsigned L) {
           const std::uint64_t Word = (R.Known.Address[L] + By) >> Shift;
           auto &Bank = InBank[Word % banks()];
           if (InTurn || !Bank.contains(Word))
             Bank.insert(Word);
           Ways = std::max(Ways, static_cast<double>(Bank.size()));
         });
         return Ways;
       })) {
    Out.Least = std::max(Out.Least, Each.Least);
    Out.Most += Each.Most;
  }
  std::array<std::uint32_t, WarpSize> BanksOf = {};
  std::uint32_t All = 0;
  forEachLane(Lanes, [&](unsigned L) { All |= BanksOf[L] = banksOf(L); });
  double Fullest = 0;
  for (unsigned Bank = 0; Bank < banks(); ++Bank) {
    std::uint32_t May = 0, Must = 0;
    std::set<Reach> Seen;
    double Words = 0;
    forEachLane(Lanes, [&](unsigned L) {
      if (!(BanksOf[L] >> Bank & 1))
        return;
      May |= 1u << L;
      if (std::has_single_bit(BanksOf[L]))
        Must |= 1u << L;
      if (Seen.insert(Of[L]).second)
        Words += wordsInBank(Of[L], Bank);
    });
    const double Can = std::popcount(May);
    Fullest = std::max(Fullest, InTurn ? Can : std::min(Can, Words));
    Out.Least = std::max<double>(Out.Least, InTurn ? std::popcount(Must)
                                                   : stab(Must, Shift));
  }
  Out.Most = std::min(Out.Most, Fullest);
  // So many must share so few banks.
  const auto Banks = static_cast<unsigned>(std::popcount(All));
  const auto Needed =
      InTurn ? static_cast<unsigned>(std::popcount(Lanes)) : stab(Lanes, Shift);
  Out.Least = std::max(Out.Least, double((Needed + Banks - 1) / Banks));
  return Out;
}

CostBounds Bounds::shared() const {
  const WarpRequest &W = R.Known;
  const unsigned Together = lanesTogether(W);
  const bool MayMerge = mayMerge(Arch, W);
  const unsigned Step = MayMerge ? 2 * Together : Together;
  CostBounds Out;
  for (unsigned First = 0; First < WarpSize; First += Step) {
    CostBounds Both;
    bool MayBeOne = MayMerge;
    for (unsigned Phase = First; Phase < First + Step; Phase += Together) {
      const CostBounds Each = fullestBank(laneGroup(Phase, Together));
      MayBeOne &= Each.Least <= 1;
      Both.Least += Each.Least;
      Both.Most += Each.Most;
    }
    Out.Least += MayBeOne ? std::min(Both.Least, 1.0) : Both.Least;
    Out.Most += Both.Most;
  }
  // One address in 16-byte loads: 16 lanes at a time, whichever they are.
  if (MayMerge && W.BytesPerLane == 16 && stab(~0u, 4) == 1)
    Out.Least =
        std::min<double>(Out.Least, (std::popcount(W.ActiveMask) + 15) / 16);
  const double Times = W.Kind == RequestKind::CompareAndSwap ? 2 : 1;
  return {Out.Least * Times, Out.Most * Times};
}

CostBounds Bounds::get() const {
  constexpr unsigned SectorShift = 5;
  static_assert(SectorBytes == 1u << SectorShift);
  if (!R.Known.ActiveMask)
    return {};
  if (R.Memory == RequestMemory::Local) {
    // The words of eight lanes are a sector, of other eight another.
    CostBounds Out;
    const double Words = std::max(1u, R.Known.BytesPerLane / 4);
    for (unsigned First = 0; First < WarpSize; First += 8) {
      if (!(R.Known.ActiveMask >> First & 0xff))
        continue;
      const CostBounds Each = distinct(std::uint32_t(0xff) << First, 2);
      Out.Least += Words * Each.Least;
      Out.Most += Words * Each.Most;
    }
    return Out;
  }
  if (R.Memory == RequestMemory::Constant)
    return distinct(~0u, 0);
  if (Arch.CC.Major >= 5)
    return R.Memory == RequestMemory::Shared ? shared()
                                             : distinct(~0u, SectorShift);
  // Before, lanes are served one after the other at worst, and half-warps or
  // more together at best.
  CostBounds Out = {1, 0};
  forEachLane(~0u, [&](unsigned L) {
    WarpRequest One = R.Known;
    One.ActiveMask = 1u << L;
    Out.Most += costIn(R.Memory, Arch, One).Cost;
  });
  return Out;
}

CostBounds costBounds(const Architecture &Arch, const RandomRequest &R) {
  return Bounds(Arch, R).get();
}

} // namespace cudalint
