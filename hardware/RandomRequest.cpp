//===- hardware/RandomRequest.cpp - Requests at random addresses ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hardware/RandomRequest.h"

#include "hardware/LaneSets.h"
#include "hardware/RandomDraws.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>

namespace cudalint {

/// Requests that are drawn where nothing is computed: until the error of their
/// mean is less than so much of it. The fullest of 32 banks varies by 0.7
/// around 3.5 for 32 lanes, by 2.3 around 6.7 for 8 groups of 4 that take
/// turns.
static constexpr double MostError = 0.005;
static constexpr unsigned LeastTries = 1024, MostTries = 8192;
/// Values of a number of which nothing says how many: far more than lanes.
static constexpr std::uint64_t ManyValues = 1 << 22;
/// Pairs of a value and a lane that are looked at one by one.
static constexpr std::uint64_t MostPairs = 1 << 17;

RandomNumber RandomNumber::ofEachLane(std::int64_t Bytes,
                                      std::uint64_t Values) {
  RandomNumber N = ofTheWarp(Bytes, Values);
  std::iota(N.Draw.begin(), N.Draw.end(), std::uint8_t(0));
  return N;
}

RandomNumber RandomNumber::ofTheWarp(std::int64_t Bytes, std::uint64_t Values) {
  RandomNumber N;
  N.Bytes.fill(Bytes);
  N.Values = Values;
  return N;
}

RequestCosts costIn(RequestMemory Memory, const Architecture &Arch,
                    const WarpRequest &R) {
  if (Memory == RequestMemory::Shared) {
    const SharedTraffic S = sharedTraffic(Arch, R);
    return {double(S.Wavefronts), double(S.Ideal)};
  }
  if (Memory == RequestMemory::Constant)
    return {double(constantRequests(R)), R.ActiveMask ? 1.0 : 0.0};
  const GlobalTraffic G =
      Memory == RequestMemory::Local ? localTraffic(R) : globalTraffic(Arch, R);
  return {double(G.Transactions), double(G.Ideal)};
}

WarpRequest
withNumbers(const RandomRequest &R,
            const std::vector<std::array<std::uint64_t, WarpSize>> &Numbers) {
  WarpRequest W = R.Known;
  // Hostile factors wrap, as addresses do.
  for (std::size_t K = 0; K < R.Numbers.size(); ++K)
    for (unsigned L = 0; L < WarpSize; ++L)
      W.Address[L] +=
          static_cast<std::uint64_t>(R.Numbers[K].Bytes[L]) * Numbers[K][L];
  return W;
}

//===----------------------------------------------------------------------===//
// Draws
//===----------------------------------------------------------------------===//

/// Below \p Values, which is not 0; the same on every platform, as the
/// distributions of the standard library are not.
static std::uint64_t draw(std::mt19937 &Generator, std::uint64_t Values) {
  return (std::uint64_t(Generator()) * Values) >> 32;
}

static std::uint64_t valuesOf(const RandomNumber &N) {
  return N.Values ? std::min(N.Values, ManyValues) : ManyValues;
}

static void simulate(const Architecture &Arch, const RandomRequest &R,
                     RandomCost &Out) {
  std::mt19937 Generator(1);
  std::vector<std::array<std::uint64_t, WarpSize>> Numbers(R.Numbers.size());
  double Sum = 0, Squares = 0, Ideal = 0;
  for (unsigned Tries = 1; Tries <= MostTries; ++Tries) {
    for (std::size_t K = 0; K < Numbers.size(); ++K) {
      std::array<std::uint64_t, 256> Drawn;
      for (unsigned L = 0; L < WarpSize; ++L)
        Drawn[L] = draw(Generator, valuesOf(R.Numbers[K]));
      for (unsigned L = 0; L < WarpSize; ++L)
        Numbers[K][L] = Drawn[R.Numbers[K].Draw[L] % WarpSize];
    }
    const RequestCosts Each = costIn(R.Memory, Arch, withNumbers(R, Numbers));
    Sum += Each.Cost;
    Squares += Each.Cost * Each.Cost;
    Ideal += Each.Ideal;
    if (Tries % LeastTries)
      continue;
    Out.Mean = Sum / Tries;
    Out.Ideal = Ideal / Tries;
    const double Variance =
        std::max(0.0, (Squares - Sum * Out.Mean) / (Tries - 1));
    Out.StandardError = std::sqrt(Variance / Tries);
    if (Out.StandardError < MostError * Out.Mean)
      break;
  }
}

/// The mean over values that all lanes have alike: how the request lies in
/// sectors and banks repeats within 128 bytes.
static double costIfEqual(const Architecture &Arch, const RandomRequest &R) {
  std::uint64_t Turns = 1;
  for (const RandomNumber &N : R.Numbers)
    Turns = std::max(Turns, std::min<std::uint64_t>(valuesOf(N), 32));
  double Sum = 0;
  std::vector<std::array<std::uint64_t, WarpSize>> Numbers(R.Numbers.size());
  for (std::uint64_t Turn = 0; Turn < Turns; ++Turn) {
    for (std::size_t K = 0; K < Numbers.size(); ++K)
      Numbers[K].fill(Turn * (2 * K + 1) % valuesOf(R.Numbers[K]));
    Sum += costIn(R.Memory, Arch, withNumbers(R, Numbers)).Cost;
  }
  return Sum / static_cast<double>(Turns);
}

//===----------------------------------------------------------------------===//
// Exact means
//===----------------------------------------------------------------------===//

namespace {
/// Words or sectors of which each draw takes one, equally likely unless
/// `Chance` says how likely each is.
struct Urn {
  double Things = 0; ///< Infinite: no two draws are the same.
  std::vector<double> Chance;
};
} // namespace

static double meanDistinct(const Urn &U, unsigned Draws) {
  if (U.Chance.empty())
    return std::isinf(U.Things) ? Draws : expectedDistinct(U.Things, Draws);
  double Sum = 0;
  for (const double P : U.Chance)
    Sum += -std::expm1(Draws * std::log1p(-P));
  return Sum;
}

/// What a draw of \p Number takes, in words of 2^Shift bytes, if it is added to
/// \p Address.
static Urn urnOf(std::uint64_t Address, std::int64_t Bytes,
                 std::uint64_t Values, unsigned Shift) {
  const std::uint64_t Word = std::uint64_t(1) << Shift;
  const std::uint64_t Step = Bytes < 0 ? 0 - static_cast<std::uint64_t>(Bytes)
                                       : static_cast<std::uint64_t>(Bytes);
  if (!Values)
    return {INFINITY, {}};
  if (Step >= Word)
    return {double(Values), {}};
  // From its low end, a contiguous stretch.
  if (Bytes < 0)
    Address -= Step * (Values - 1);
  if (Values > MostPairs)
    return {double(Values) * double(Step) / double(Word), {}};
  Urn U;
  for (std::uint64_t N = 0, Last = 0; N < Values; ++N) {
    const std::uint64_t At = (Address + N * Step) >> Shift;
    if (U.Chance.empty() || At != Last)
      U.Chance.push_back(0);
    Last = At;
    U.Chance.back() += 1 / double(Values);
  }
  if (std::ranges::all_of(U.Chance, [&](double P) { return P == U.Chance[0]; }))
    return {double(U.Chance.size()), {}};
  return U;
}

/// The one number of the request, if it adds the same to what is otherwise one
/// address in all lanes, and how many draws of it are made. Lanes of one draw
/// are then at one address.
static std::optional<unsigned> drawsOfOneUrn(const RandomRequest &R,
                                             std::uint32_t Lanes) {
  Lanes &= R.Known.ActiveMask;
  if (R.Numbers.size() != 1 || !R.Known.ActiveMask)
    return std::nullopt;
  const RandomNumber &N = R.Numbers[0];
  const auto First =
      static_cast<unsigned>(std::countr_zero(R.Known.ActiveMask));
  if (!N.Bytes[First])
    return std::nullopt;
  std::uint64_t Seen = 0;
  for (unsigned L = 0; L < WarpSize; ++L) {
    if (!(R.Known.ActiveMask >> L & 1))
      continue;
    if (N.Bytes[L] != N.Bytes[First] ||
        R.Known.Address[L] != R.Known.Address[First])
      return std::nullopt;
    if (Lanes >> L & 1)
      Seen |= std::uint64_t(1) << N.Draw[L] % WarpSize;
  }
  return static_cast<unsigned>(std::popcount(Seen));
}

/// Of different words of 2^Shift bytes that the lanes take.
static std::optional<RandomCost> distinctWords(const RandomRequest &R,
                                               std::uint32_t Lanes,
                                               unsigned Shift, double Ideal) {
  const std::optional<unsigned> Draws = drawsOfOneUrn(R, Lanes);
  if (!Draws)
    return std::nullopt;
  const auto First =
      static_cast<unsigned>(std::countr_zero(R.Known.ActiveMask));
  const RandomNumber &N = R.Numbers[0];
  Urn U = urnOf(R.Known.Address[First], N.Bytes[First], N.Values, Shift);
  RandomCost Out{.Mean = meanDistinct(U, *Draws), .Ideal = Ideal};
  // With many sectors, as few as that are never met.
  constexpr double Few = 256;
  const double Things = U.Chance.empty() ? U.Things : double(U.Chance.size());
  if (Things > Few) {
    Out.Ideal = std::min<double>(Ideal, *Draws);
    return Out;
  }
  if (U.Chance.empty())
    U.Chance.assign(static_cast<std::size_t>(Things), 1 / Things);
  const std::vector<double> P = distinctDistribution(U.Chance, *Draws);
  Out.Ideal = 0;
  for (unsigned D = 0; D < P.size(); ++D)
    Out.Ideal += P[D] * std::min<double>(D, Ideal);
  return Out;
}

/// Sectors of lanes that draw independently, each around an address of its own:
/// a mean is linear in the sectors, whatever else lanes meet.
static std::optional<RandomCost> sectorsByLane(const RandomRequest &R,
                                               double Ideal) {
  if (R.Numbers.size() != 1)
    return std::nullopt;
  const RandomNumber &N = R.Numbers[0];
  std::uint32_t Drawn = 0;
  std::uint64_t Pairs = 0;
  // Sectors that a lane can be in, with the chance that it is in another.
  std::vector<std::pair<std::uint64_t, double>> Missed;
  for (unsigned L = 0; L < WarpSize; ++L) {
    if (!(R.Known.ActiveMask >> L & 1))
      continue;
    if (Drawn >> N.Draw[L] % WarpSize & 1 || !N.Values || N.Values > MostPairs)
      return std::nullopt;
    Drawn |= 1u << N.Draw[L] % WarpSize;
    Pairs += N.Values;
    if (Pairs > MostPairs)
      return std::nullopt;
    // Values in turn come to each sector once.
    std::uint64_t In = 0, Last = 0;
    auto Leave = [&] {
      if (In)
        Missed.emplace_back(Last, 1 - double(In) / double(N.Values));
      In = 0;
    };
    for (std::uint64_t V = 0; V < N.Values; ++V, ++In) {
      const std::uint64_t Sector =
          (R.Known.Address[L] + static_cast<std::uint64_t>(N.Bytes[L]) * V) /
          SectorBytes;
      if (Sector != Last)
        Leave();
      Last = Sector;
    }
    Leave();
  }
  std::ranges::sort(Missed, {}, &std::pair<std::uint64_t, double>::first);
  RandomCost Out{.Ideal = Ideal};
  for (auto At = Missed.begin(); At != Missed.end();) {
    double Chance = 1;
    for (const std::uint64_t Sector = At->first;
         At != Missed.end() && At->first == Sector; ++At)
      Chance *= At->second;
    Out.Mean += 1 - Chance;
  }
  return Out;
}

/// What shared memory takes from 5.0 on, where lanes draw from the same words.
static std::optional<RandomCost> fullestBanks(const Architecture &Arch,
                                              const RandomRequest &R) {
  const WarpRequest &W = R.Known;
  if (!drawsOfOneUrn(R, ~0u))
    return std::nullopt;
  const RandomNumber &N = R.Numbers[0];
  const auto First = static_cast<unsigned>(std::countr_zero(W.ActiveMask));
  const bool IsInTurn =
      W.Kind == RequestKind::Atomic || W.Kind == RequestKind::CompareAndSwap;
  const unsigned Active = static_cast<unsigned>(std::popcount(W.ActiveMask));
  // Lanes that share a number and take turns are no independent draws.
  if (IsInTurn && drawsOfOneUrn(R, ~0u) != Active)
    return std::nullopt;
  // Phases of wide loads merge where lanes pair up: 8 of 32 values do so with
  // a chance of 32^-8.
  if (mayMerge(Arch, W) && ((N.Values && N.Values < 32) || Active != WarpSize ||
                            drawsOfOneUrn(R, ~0u) != WarpSize))
    return std::nullopt;
  const unsigned Unit = std::max(4u, W.BytesPerLane), Banks = 128 / Unit;
  const std::uint64_t Bytes =
      N.Bytes[First] < 0 ? 0 - static_cast<std::uint64_t>(N.Bytes[First])
                         : static_cast<std::uint64_t>(N.Bytes[First]);
  std::uint64_t Words = N.Values, Step = Bytes / Unit;
  if (Bytes % Unit != 0) {
    // Several values to a word: each word must have as many.
    const std::uint64_t Low = N.Bytes[First] < 0 && N.Values
                                  ? W.Address[First] - Bytes * (N.Values - 1)
                                  : W.Address[First];
    if (Unit % Bytes != 0 || (N.Values && Low % Unit != 0) ||
        N.Values % (Unit / Bytes) != 0)
      return std::nullopt;
    Words = N.Values / (Unit / Bytes);
    Step = 1;
  }
  const std::uint64_t Used = Banks / std::gcd<std::uint64_t>(Step, Banks);
  std::vector<double> InBank;
  for (std::uint64_t B = 0; B < Used; ++B)
    InBank.push_back(!N.Values   ? 1
                     : B < Words ? double((Words - B + Used - 1) / Used)
                                 : 0);
  // An array of which nothing is known is so large that no two lanes meet.
  const EqualWords Equal =
      IsInTurn || !N.Values ? EqualWords::InTurn : EqualWords::Together;
  const unsigned Together = lanesTogether(W);
  RandomCost Out;
  std::map<unsigned, double> Known;
  for (unsigned From = 0; From < WarpSize; From += Together) {
    const unsigned Draws = *drawsOfOneUrn(R, laneGroup(From, Together));
    if (!Draws)
      continue;
    auto [It, IsNew] = Known.try_emplace(Draws, 0);
    if (IsNew)
      It->second = expectedFullestBank(InBank, Draws, Equal);
    Out.Mean += It->second;
  }
  Out.Ideal = (Active * W.BytesPerLane + 127) / 128;
  if (W.Kind == RequestKind::CompareAndSwap) {
    Out.Mean *= 2;
    Out.Ideal *= 2;
  }
  return Out;
}

static std::optional<RandomCost>
computed(const Architecture &Arch, const RandomRequest &R, CostBounds Bounds) {
  const auto Active = static_cast<unsigned>(std::popcount(R.Known.ActiveMask));
  if (R.Memory == RequestMemory::Local) {
    const double Words = std::max(1u, R.Known.BytesPerLane / 4);
    RandomCost Out{.Ideal = std::ceil(Active * Words * 4 / SectorBytes)};
    for (unsigned First = 0; First < WarpSize; First += 8) {
      if (!(R.Known.ActiveMask >> First & 0xff))
        continue;
      const auto Each =
          distinctWords(R, std::uint32_t(0xff) << First, 2, Out.Ideal);
      if (!Each)
        return std::nullopt;
      Out.Mean += Words * Each->Mean;
    }
    return Out;
  }
  if (R.Memory == RequestMemory::Constant)
    return distinctWords(R, ~0u, 0, 1);
  if (Arch.CC.Major < 5)
    return std::nullopt;
  if (R.Memory == RequestMemory::Shared)
    return fullestBanks(Arch, R);
  const double Ideal =
      (Active * R.Known.BytesPerLane + SectorBytes - 1) / SectorBytes;
  if (const auto One = distinctWords(R, ~0u, 5, Ideal))
    return One;
  return Bounds.Least >= Ideal ? sectorsByLane(R, Ideal) : std::nullopt;
}

RandomCost randomCost(const Architecture &Arch, const RandomRequest &R) {
  const CostBounds Bounds = costBounds(Arch, R);
  RandomCost Out;
  if (const auto Exact = computed(Arch, R, Bounds)) {
    Out = *Exact;
    Out.IsExact = true;
  } else {
    simulate(Arch, R, Out);
    Out.IsExact = Bounds.Least == Bounds.Most;
  }
  Out.Least = Bounds.Least;
  Out.Most = Bounds.Most;
  // Rounding aside.
  Out.Mean = std::clamp(Out.Mean, Out.Least, Out.Most);
  Out.IfEqual = costIfEqual(Arch, R);
  return Out;
}

} // namespace cudalint
