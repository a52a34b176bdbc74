//===- hardware/RandomDraws.cpp - Means over independent draws ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hardware/RandomDraws.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

namespace cudalint {

/// Coefficients of x^0 to x^MostDraws.
using Series = std::array<double, MostDraws + 1>;

static double factorial(unsigned N) { return std::tgamma(N + 1.0); }

/// In how many ways \p Draws draws fall on \p Things things, all of them met,
/// that have no order: Stirling's numbers of the second kind.
static double stirling(unsigned Draws, unsigned Things) {
  using Rows = std::array<Series, MostDraws + 1>;
  static const Rows Table = [] {
    Rows T = {};
    T[0][0] = 1;
    for (unsigned N = 1; N <= MostDraws; ++N)
      for (unsigned D = 1; D <= N; ++D)
        T[N][D] = D * T[N - 1][D] + T[N - 1][D - 1];
    return T;
  }();
  return Table[Draws][Things];
}

static Series product(const Series &A, const Series &B, unsigned Degree) {
  Series Out = {};
  for (unsigned I = 0; I <= Degree; ++I)
    if (A[I] != 0)
      for (unsigned J = 0; I + J <= Degree; ++J)
        Out[I + J] += A[I] * B[J];
  return Out;
}

double expectedDistinct(double Things, unsigned Draws) {
  assert(Things >= 1);
  // 1 - (1 - 1/S)^n loses its digits where S is large.
  return Things == 1 ? Draws != 0
                     : -Things * std::expm1(Draws * std::log1p(-1 / Things));
}

std::vector<double> distinctDistribution(std::span<const double> Chance,
                                         unsigned Draws) {
  assert(Draws <= MostDraws);
  // By the number of different things: a series in the number of draws.
  std::vector<Series> Met(Draws + 1);
  Met[0][0] = 1;
  unsigned Things = 0;
  for (const double P : Chance) {
    Series One = {}; // e^(px) - 1
    for (unsigned J = 1; J <= Draws; ++J)
      One[J] = One[J - 1] * P / J + (J == 1 ? P : 0);
    Things += Things < Draws;
    for (unsigned D = Things; D > 0; --D) {
      const Series More = product(Met[D - 1], One, Draws);
      for (unsigned J = 0; J <= Draws; ++J)
        Met[D][J] += More[J];
    }
  }
  std::vector<double> Out(Draws + 1);
  for (unsigned D = 0; D <= Draws; ++D)
    Out[D] = Met[D][Draws] * factorial(Draws);
  return Out;
}

/// For each number of draws j that come to a bank of \p Words of all \p All
/// words: 1/j! times the chance that just these do, and that the bank then
/// takes no more than \p Most wavefronts.
static Series bankSeries(double Words, double All, unsigned Draws,
                         unsigned Most, EqualWords Equal) {
  Series Out = {};
  for (unsigned J = 0; J <= Draws; ++J) {
    if (Equal == EqualWords::InTurn) {
      if (J <= Most)
        Out[J] = std::pow(Words / All, J) / factorial(J);
      continue;
    }
    // Words * (Words - 1) * ... that are met, in order, and 1/All for each
    // draw, of which there are at least as many.
    double Falling = 1;
    for (unsigned D = 0; D <= std::min(J, Most) && Words - D + 1 > 0; ++D) {
      if (D)
        Falling *= (Words - D + 1) / All;
      Out[J] += Falling * stirling(J, D) * std::pow(All, -double(J - D));
    }
    Out[J] /= factorial(J);
  }
  return Out;
}

double expectedFullestBank(std::span<const double> Words, unsigned Draws,
                           EqualWords Equal) {
  assert(Draws <= MostDraws);
  double All = 0;
  for (const double W : Words)
    All += W;
  assert(All > 0);
  double Mean = 0;
  for (unsigned Most = 0; Most < Draws; ++Most) {
    Series Together = {1};
    double Last = -1;
    Series Each = {};
    for (const double W : Words) {
      if (W <= 0)
        continue;
      if (W != Last)
        Each = bankSeries(W, All, Draws, Most, Equal);
      Last = W;
      Together = product(Together, Each, Draws);
    }
    const double Beyond = 1 - Together[Draws] * factorial(Draws);
    if (Beyond < 1e-14)
      break;
    Mean += Beyond;
  }
  return Mean;
}

} // namespace cudalint
