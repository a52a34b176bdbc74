//===- hardware/RandomRequest.h - Requests at random addresses --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What one request of a warp costs whose addresses are partly data: the mean
/// if each number of the data is drawn independently, all of its values equally
/// likely; and what it costs at least and at most, whatever the data is.
///
/// `hist[data[i] & 255]`, an atomicAdd of 1 on shared memory: 32 lanes draw one
/// of 256 words each, 8 words of every bank.
///
///   RandomRequest R;
///   R.Memory = RequestMemory::Shared;
///   R.Known.Kind = RequestKind::Increment;
///   R.Numbers.push_back(RandomNumber::ofEachLane(4, 256));
///   randomCost(Arch, R)     // Mean 3.15, Least 1, Most 8, IfEqual 1
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_HARDWARE_RANDOMREQUEST_H
#define CUDA_LINT_HARDWARE_RANDOMREQUEST_H

#include "hardware/WarpTransactions.h"

#include <array>
#include <compare>
#include <cstdint>
#include <vector>

namespace cudalint {

/// A number from the data, and what it adds to the addresses.
struct RandomNumber {
  std::array<std::int64_t, WarpSize> Bytes = {}; ///< For each unit of it.
  /// It is from 0 to below this; 0: nothing says how large it is, or whether it
  /// is negative, and lanes are taken to draw different ones.
  std::uint64_t Values = 0;
  /// Lanes with the same entry have the same number.
  std::array<std::uint8_t, WarpSize> Draw = {};

  static RandomNumber ofEachLane(std::int64_t Bytes, std::uint64_t Values);
  static RandomNumber ofTheWarp(std::int64_t Bytes, std::uint64_t Values);

  auto operator<=>(const RandomNumber &) const = default;
};

enum class RequestMemory : std::uint8_t { Global, Shared, Local, Constant };

/// EXPECTS: what WarpRequest does of its addresses, for every value of the
/// numbers.
struct RandomRequest {
  WarpRequest Known; ///< Addresses without what the numbers add.
  RequestMemory Memory = RequestMemory::Global;
  std::vector<RandomNumber> Numbers;
};

/// Of one request: sectors, wavefronts, or different addresses.
struct RandomCost {
  double Mean = 0;
  double Ideal = 0; ///< Mean of what as many lanes would need side by side.
  /// Of Mean, where it is that of a fixed sequence of draws, the same in every
  /// run; 0 where it is computed.
  double StandardError = 0;
  bool IsExact = false; ///< Mean is computed.
  /// Bounds that no data exceeds. They are met where all lanes draw of the same
  /// values; else they may lie somewhat beyond what is possible.
  double Least = 0, Most = 0;
  double IfEqual = 0; ///< The mean if all lanes have the same numbers.
};

/// Takes up to 12 ms, and mostly less than 2, on one core of a server of 2023:
/// callers may want to remember it.
RandomCost randomCost(const Architecture &Arch, const RandomRequest &R);

/// Least and Most of the same.
struct CostBounds {
  double Least = 0, Most = 0;
};
CostBounds costBounds(const Architecture &Arch, const RandomRequest &R);

/// The request with these numbers, one for each lane of each of R.Numbers.
WarpRequest
withNumbers(const RandomRequest &R,
            const std::vector<std::array<std::uint64_t, WarpSize>> &Numbers);

/// What one request costs in \p Memory, and its ideal.
struct RequestCosts {
  double Cost = 0, Ideal = 0;
};
RequestCosts costIn(RequestMemory Memory, const Architecture &Arch,
                    const WarpRequest &R);

} // namespace cudalint

#endif // CUDA_LINT_HARDWARE_RANDOMREQUEST_H
