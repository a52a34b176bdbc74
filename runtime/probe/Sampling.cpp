//===- runtime/probe/Sampling.cpp - Which launches are counted ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/Sampling.h"

#include <algorithm>
#include <cmath>

namespace cudalint::probe {

Budget::Duration Budget::allowed(Duration Elapsed) const {
  double Own =
      static_cast<double>(std::max(Elapsed - Spent, Duration()).count());
  // A share without bound is none of a number of 64 bits.
  double Most = std::min(Own * Share, 9e18);
  return std::max(Least, Duration(static_cast<Duration::rep>(Most)));
}

bool Budget::holds(Duration Cost, Duration Elapsed, double Part) const {
  double Most = static_cast<double>(allowed(Elapsed).count()) * Part;
  return static_cast<double>((Spent + Cost).count()) <= Most;
}

void Samples::add(std::uint64_t Number, double Amount) {
  ++Count;
  double Off = Amount - Mean;
  Mean += Off / static_cast<double>(Count);
  Squares += Off * (Amount - Mean);
  // Behind the first few, each gap is a share of what came before. The odd one
  // more is for programs in which every second launch is of another kind.
  std::uint64_t Gap = isSettled() ? Number * 3 : Number / 2;
  Next = Number + 1 + Gap + Count % 2;
}

bool Samples::isSettled() const {
  if (Count < 3)
    return false;
  double N = static_cast<double>(Count);
  return std::sqrt(Squares / (N - 1) / N) <= 0.01 * Mean;
}

} // namespace cudalint::probe
