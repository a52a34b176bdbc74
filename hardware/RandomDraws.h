//===- hardware/RandomDraws.h - Means over independent draws ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What lanes meet whose numbers are drawn independently: the classical
/// occupancy problem of balls and boxes (W. Feller, An Introduction to
/// Probability Theory and Its Applications, volume I, chapters II.5 and IV.2;
/// its generating functions: P. Flajolet and R. Sedgewick, Analytic
/// Combinatorics, II.3). Exact but for the rounding of doubles: all terms are
/// positive, so that nothing cancels.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_HARDWARE_RANDOMDRAWS_H
#define CUDA_LINT_HARDWARE_RANDOMDRAWS_H

#include <span>
#include <vector>

namespace cudalint {

/// Draws of one request at most: one for each lane.
inline constexpr unsigned MostDraws = 32;

/// How many different things \p Draws draws meet on average, of \p Things that
/// are equally likely: S (1 - (1 - 1/S)^n). EXPECTS: Things >= 1.
double expectedDistinct(double Things, unsigned Draws);

/// At index d, the chance that \p Draws draws meet exactly d different things.
/// \p Chance: how likely each is, with the sum 1.
///
///   n! [x^n y^d] prod over s of (1 + y (e^(p_s x) - 1))
///
/// EXPECTS: Draws <= MostDraws.
std::vector<double> distinctDistribution(std::span<const double> Chance,
                                         unsigned Draws);

/// Whether draws of one word are served together, as those of a load, or take
/// turns, as those of an atomic.
enum class EqualWords { Together, InTurn };

/// How many wavefronts the fullest bank takes on average, if \p Draws draws
/// are made of all words, each equally likely, and \p Words[b] of them lie in
/// bank b. With W their sum, the mean is the sum over k >= 0 of
/// 1 - P(no bank takes more than k), and that chance is
///
///   together: n! [x^n] prod over b of sum over d <= k of
///                 C(w_b, d) (e^(x/W) - 1)^d
///   in turn:  n! [x^n] prod over b of sum over j <= k of (x w_b/W)^j / j!
///
/// EXPECTS: Draws <= MostDraws, and some word. About 0.2 ms.
double expectedFullestBank(std::span<const double> Words, unsigned Draws,
                           EqualWords Equal);

} // namespace cudalint

#endif // CUDA_LINT_HARDWARE_RANDOMDRAWS_H
