//===- runtime/probe/Sampling.h - Which launches are counted ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A kernel that is counted takes up to hundreds of times as long. So a few
/// launches of each kernel and shape are counted, spread over the run, as long
/// as that costs no more than the user allows. Pure: no clock, no GPU.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_SAMPLING_H
#define CUDA_LINT_RUNTIME_PROBE_SAMPLING_H

#include <chrono>
#include <cstdint>

namespace cudalint::probe {

/// How much longer a program may take because it is measured.
class Budget {
public:
  using Duration = std::chrono::nanoseconds;
  /// This much is always allowed.
  static constexpr Duration Least = std::chrono::seconds(1);

  /// \p Share of the time that the program takes by itself.
  explicit Budget(double Share) : Share(Share) {}

  /// What may have been spent when the program has run for \p Elapsed, with
  /// what was spent.
  Duration allowed(Duration Elapsed) const;
  /// Whether \p Cost fits into \p Part, 0 .. 1, of what is allowed.
  bool holds(Duration Cost, Duration Elapsed, double Part) const;
  void spend(Duration Cost) { Spent += Cost; }

private:
  double Share;
  Duration Spent = {};
};

/// Which launches of one kernel and shape are counted, by their numbers from 0:
/// the first, a few soon after, and then ever fewer; still fewer once the mean
/// is known.
class Samples {
public:
  bool isDue(std::uint64_t Number) const { return Number >= Next; }
  /// The launch of that number was counted, and had \p Amount of traffic.
  void add(std::uint64_t Number, double Amount);

  std::uint64_t count() const { return Count; }
  /// The mean is known to 1 %: by its standard error.
  bool isSettled() const;

private:
  std::uint64_t Next = 0, Count = 0;
  double Mean = 0, Squares = 0; // of the differences from the mean
};

/// Which shapes of a kernel are counted, by their numbers from 0: the first
/// few, and then ever fewer.
class ShapeSamples {
public:
  bool isDue(std::uint64_t Number) const { return Number >= Next; }
  void add(std::uint64_t Number) { Next = Number + 1 + Number / 4; }

private:
  std::uint64_t Next = 0;
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_SAMPLING_H
