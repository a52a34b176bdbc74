//===- hardware/CountedRequest.cpp - Requests that count lanes ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hardware/CountedRequest.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <vector>

namespace cudalint {

namespace {

/// Lanes in the order in which they count more and more of the voters.
struct Order {
  std::vector<unsigned> Lanes;
  std::vector<unsigned> Counts; ///< Of each of them, if all say yes.
};

class Counting {
public:
  Counting(const Architecture &Arch, const CountedRequest &R)
      : Arch(Arch), R(R) {}

  std::optional<CountedCost> cost();

private:
  const Architecture &Arch;
  const CountedRequest &R;
  Order By;

  std::uint32_t active() const { return R.Known.ActiveMask; }
  bool isOneAddress() const;
  bool findOrder();
  bool isDecidedByWords() const;
  RequestCosts costOf(unsigned First, unsigned Last, unsigned Lanes) const;
  void addAll(CountedCost &Out) const;
  double mostByParts() const;
  void draw(CountedCost &Out) const;

  /// Lanes at one word take turns.
  bool isInTurn() const {
    return R.Known.Kind == RequestKind::Atomic ||
           R.Known.Kind == RequestKind::CompareAndSwap;
  }
};

} // namespace

/// Whether nothing but the count makes lanes differ.
bool Counting::isOneAddress() const {
  const auto First = static_cast<unsigned>(std::countr_zero(active()));
  for (unsigned L = First; L < WarpSize; ++L)
    if (active() >> L & 1 && R.Known.Address[L] != R.Known.Address[First])
      return false;
  return true;
}

/// False where counts do not grow by one from lane to lane, or from lane to
/// lane backwards.
bool Counting::findOrder() {
  auto Of = [&](unsigned L) { return R.Counted[L] & R.Voters; };
  for (unsigned L = 0; L < WarpSize; ++L)
    if (active() >> L & 1)
      By.Lanes.push_back(L);
  if (std::popcount(Of(By.Lanes.front())) > std::popcount(Of(By.Lanes.back())))
    std::ranges::reverse(By.Lanes);
  std::uint32_t Before = Of(By.Lanes.front());
  for (const unsigned L : By.Lanes) {
    const std::uint32_t Now = Of(L);
    if ((Before & ~Now) || std::popcount(Now & ~Before) > 1)
      return false;
    By.Counts.push_back(static_cast<unsigned>(std::popcount(Now)));
    Before = Now;
  }
  if (!R.OnlyYes)
    return true;
  // Those that say yes count all of them that come before; and themselves, or
  // not.
  if (active() != R.Voters)
    return false;
  std::uint32_t Behind = 0;
  const bool CountsItself = Of(By.Lanes.front()) != 0;
  for (const unsigned L : By.Lanes) {
    const std::uint32_t Through = Behind | 1u << L;
    if (Of(L) != (CountsItself ? Through : Behind))
      return false;
    Behind = Through;
  }
  return true;
}

/// Whether it does not matter which lanes access which words, nor how many one
/// word.
bool Counting::isDecidedByWords() const {
  if (Arch.CC.Major < 5)
    return false;
  if (R.Memory == RequestMemory::Global)
    return true;
  // Wide elements are served by parts of a warp.
  return R.Known.BytesPerLane <= 4 && (R.OnlyYes || !isInTurn());
}

/// Of \p Lanes lanes that count from \p First to \p Last.
RequestCosts Counting::costOf(unsigned First, unsigned Last,
                              unsigned Lanes) const {
  WarpRequest W = R.Known;
  const std::uint64_t Base =
      W.Address[static_cast<unsigned>(std::countr_zero(active()))];
  W.ActiveMask = Lanes == WarpSize ? ~0u : (1u << Lanes) - 1;
  // Hostile factors wrap, as addresses do.
  for (unsigned L = 0; L < Lanes; ++L)
    W.Address[L] = Base + static_cast<std::uint64_t>(R.Bytes) *
                              std::min<std::uint64_t>(First + L, Last);
  return costIn(R.Memory, Arch, W);
}

/// At index k: the chance that k of \p Voters say yes.
static std::vector<double> chances(unsigned Voters) {
  std::vector<double> P = {1};
  for (unsigned V = 0; V < Voters; ++V) {
    P.push_back(0);
    for (std::size_t K = P.size() - 1; K > 0; --K)
      P[K] = (P[K] + P[K - 1]) / 2;
    P[0] /= 2;
  }
  return P;
}

/// The mean over how many say yes.
void Counting::addAll(CountedCost &Out) const {
  Out.IsExact = true;
  auto Add = [&](double Chance, const RequestCosts &Each, double Lanes) {
    Out.Mean += Chance * Each.Cost;
    Out.Ideal += Chance * Each.Ideal;
    Out.Lanes += Chance * Lanes;
    Out.Least = std::min(Out.Least, Each.Cost);
    Out.Most = std::max(Out.Most, Each.Cost);
  };
  const auto Lanes = static_cast<unsigned>(By.Lanes.size());
  if (R.OnlyYes) {
    const unsigned First = By.Counts.front();
    const std::vector<double> P = chances(Lanes);
    for (unsigned Yes = 1; Yes <= Lanes; ++Yes)
      Add(P[Yes] / (1 - P[0]), costOf(First, First + Yes - 1, Yes), Yes);
    Out.IfEqual = costOf(First, First + Lanes - 1, Lanes).Cost;
    return;
  }
  const unsigned Before = By.Counts.front(),
                 Between = By.Counts.back() - Before;
  const std::vector<double> First = chances(Before), More = chances(Between);
  for (unsigned F = 0; F <= Before; ++F)
    for (unsigned M = 0; M <= Between; ++M)
      Add(First[F] * More[M], costOf(F, F + M, Lanes), Lanes);
  Out.IfEqual = (costOf(0, 0, Lanes).Cost +
                 costOf(Before, Before + Between, Lanes).Cost) /
                2;
}

/// What a request in shared memory costs at most, if its lanes are served part
/// by part: those of a part count on from one number.
double Counting::mostByParts() const {
  if (Arch.CC.Major < 5 || R.Memory != RequestMemory::Shared ||
      (isInTurn() && !R.OnlyYes))
    return INFINITY;
  const unsigned Part = R.Known.BytesPerLane <= 4   ? WarpSize
                        : R.Known.BytesPerLane <= 8 ? WarpSize / 2
                                                    : WarpSize / 4;
  double Most = 0;
  for (unsigned First = 0; First <= WarpSize; ++First)
    for (unsigned Lanes = 1; Lanes <= Part; ++Lanes)
      Most = std::max(Most, costOf(First, First + Lanes - 1, Lanes).Cost);
  return Most * WarpSize / Part;
}

/// The mean of a fixed sequence of draws.
void Counting::draw(CountedCost &Out) const {
  constexpr unsigned Tries = 4096;
  std::mt19937 Generator(1);
  double Squares = 0;
  unsigned Done = 0;
  auto Request = [&](std::uint32_t Yes) {
    WarpRequest W = R.Known;
    if (R.OnlyYes)
      W.ActiveMask &= Yes;
    for (unsigned L = 0; L < WarpSize; ++L)
      W.Address[L] += static_cast<std::uint64_t>(R.Bytes) *
                      static_cast<unsigned>(std::popcount(R.Counted[L] & Yes));
    return W;
  };
  for (unsigned Try = 0; Try < Tries; ++Try) {
    const WarpRequest W =
        Request(static_cast<std::uint32_t>(Generator()) & R.Voters);
    if (!W.ActiveMask)
      continue;
    const RequestCosts Each = costIn(R.Memory, Arch, W);
    ++Done;
    Out.Mean += Each.Cost;
    Out.Ideal += Each.Ideal;
    Out.Lanes += std::popcount(W.ActiveMask);
    Squares += Each.Cost * Each.Cost;
  }
  const double Number = std::max(Done, 2u);
  const double Variance =
      std::max(0.0, (Squares - Out.Mean * Out.Mean / Number) / (Number - 1));
  Out.StandardError = std::sqrt(Variance / Number);
  Out.Mean /= Number;
  Out.Ideal /= Number;
  Out.Lanes /= Number;
  const double AllYes = costIn(R.Memory, Arch, Request(R.Voters)).Cost;
  Out.IfEqual = R.OnlyYes
                    ? AllYes
                    : (AllYes + costIn(R.Memory, Arch, Request(0)).Cost) / 2;
  // A lane alone, and all of them one after the other.
  WarpRequest One = R.Known;
  One.ActiveMask &= ~One.ActiveMask + 1;
  const double OfOne = costIn(R.Memory, Arch, One).Cost;
  Out.Least = OfOne;
  Out.Most =
      std::min(OfOne * static_cast<double>(By.Lanes.size()), mostByParts());
}

std::optional<CountedCost> Counting::cost() {
  if (!active() || !R.Voters || !R.Bytes || !isOneAddress() || !findOrder())
    return std::nullopt;
  if (R.Memory != RequestMemory::Global && R.Memory != RequestMemory::Shared)
    return std::nullopt;
  CountedCost Out;
  Out.Least = INFINITY;
  if (isDecidedByWords())
    addAll(Out);
  else
    draw(Out);
  // Rounding aside.
  Out.Mean = std::clamp(Out.Mean, Out.Least, Out.Most);
  return Out;
}

std::optional<CountedCost> countedCost(const Architecture &Arch,
                                       const CountedRequest &R) {
  return Counting(Arch, R).cost();
}

} // namespace cudalint
