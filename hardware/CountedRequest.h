//===- hardware/CountedRequest.h - Requests that count lanes ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What one request of a warp costs where lanes say yes or no, as data decides,
/// and the address of each depends on how many others say yes: a stream
/// compaction, `if (p) out[base + rank] = x`. Those that take part are side by
/// side, however many they are, so that the least and the most are met; the
/// mean is that over all ways to say yes or no, each equally likely, of which
/// some lane says yes if only those take part that do.
///
///   CountedRequest R;                                // out[base + rank] = x
///   R.Known.Kind = RequestKind::Store;
///   R.Voters = 0xffffffff;
///   R.OnlyYes = true;
///   R.Bytes = 4;
///   for (unsigned L = 0; L < WarpSize; ++L)
///     R.Counted[L] = (1u << L) - 1;                  // the lanes below
///   countedCost(Arch, R)     // Mean 2.43, Least 1, Most 4, IfEqual 4
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_HARDWARE_COUNTEDREQUEST_H
#define CUDA_LINT_HARDWARE_COUNTEDREQUEST_H

#include "hardware/RandomRequest.h"

#include <array>
#include <compare>
#include <cstdint>
#include <optional>

namespace cudalint {

struct CountedRequest {
  /// Its lanes, and their addresses without what the count adds. Where only
  /// those take part that say yes: those that may.
  WarpRequest Known;
  RequestMemory Memory = RequestMemory::Global;
  std::uint32_t Voters = 0; ///< Lanes that say yes or no.
  /// Of each lane: whom it counts, if they say yes.
  std::array<std::uint32_t, WarpSize> Counted = {};
  std::int64_t Bytes = 0; ///< That each of these adds to the address.
  bool OnlyYes = false;   ///< Those that say no take no part.
};

struct CountedCost : RandomCost {
  double Lanes = 0; ///< That take part, a mean.
};

/// IfEqual is the mean over both ways to agree, or what is left of them. Empty
/// where what is known does not put the addresses side by side: lanes that
/// differ in more than the count, or that do not count those before them, or
/// behind them, one more or less each; and in memory that is neither global nor
/// shared.
std::optional<CountedCost> countedCost(const Architecture &Arch,
                                       const CountedRequest &R);

} // namespace cudalint

#endif // CUDA_LINT_HARDWARE_COUNTEDREQUEST_H
