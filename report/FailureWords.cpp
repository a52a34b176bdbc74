//===- report/FailureWords.cpp - Why a launch fails, in words -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/OccupancyWords.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

/// The largest of 1 .. \p Most with which the launch does not fail as \p Why,
/// when \p Set puts it into the demand; 0 when there is none.
template <typename SetFunction>
static std::uint64_t largestThatRuns(const Architecture &Arch,
                                     BlockDemand Demand, LaunchFailure Why,
                                     std::uint64_t Most, SetFunction Set) {
  for (std::uint64_t Value = Most; Value != 0; --Value) {
    Set(Demand, Value);
    if (occupancy(Arch, Demand).Failure != Why)
      return Value;
  }
  return 0;
}

static std::string registersPerBlock(const Architecture &Arch,
                                     const BlockDemand &Demand,
                                     const Occupancy &Result) {
  constexpr LaunchFailure Why = LaunchFailure::RegistersPerBlock;
  std::uint64_t Registers = largestThatRuns(
      Arch, Demand, Why, Arch.RegistersPerThread,
      [](BlockDemand &D, std::uint64_t Value) { D.Registers = Value; });
  std::uint64_t Warps = largestThatRuns(
      Arch, Demand, Why, Arch.ThreadsPerBlock / 32,
      [](BlockDemand &D, std::uint64_t Value) { D.Threads = Value * 32; });
  std::string Text = fmt::format(
      "the launch fails with error 701 (cudaErrorLaunchOutOfResources): {} "
      "registers x {} as allocated are more than the {} that a block can have",
      Demand.Registers, countOf(Result.WarpsPerBlock, "warp"),
      Arch.RegistersPerBlock);
  if (Registers != 0)
    Text +=
        fmt::format("; at most {} (`__launch_bounds__({})` or "
                    "-maxrregcount={})",
                    countOf(Registers, "register"), Demand.Threads, Registers);
  if (Warps != 0)
    Text += fmt::format("{} at most {} threads", Registers ? ", or" : ";",
                        Warps * 32);
  return Text;
}

static std::string staticShared(const Architecture &Arch,
                                const BlockDemand &Demand) {
  std::string Text = fmt::format(
      "does not compile: {} of static shared memory are more than "
      "the {} that a block can declare",
      bytesInWords(Demand.StaticShared), bytesInWords(Arch.SharedPerBlock));
  if (Arch.SharedPerBlockOptIn == Arch.SharedPerBlock)
    return Text + "; use smaller arrays";
  return Text + fmt::format("; as dynamic shared memory {} are possible, after "
                            "cudaFuncSetAttribute with "
                            "cudaFuncAttributeMaxDynamicSharedMemorySize",
                            bytesInWords(Arch.SharedPerBlockOptIn));
}

static std::string sharedPerBlock(const Architecture &Arch,
                                  const BlockDemand &Demand) {
  // On 1.x the launch's own arguments take a part of it.
  std::uint64_t Most =
      Arch.SharedPerBlockOptIn - (Arch.CC.Major == 1 ? Arch.SharedReserved : 0);
  std::uint64_t Left = Most - std::min(Demand.StaticShared, Most);
  return fmt::format(
      "the launch fails with error 1 (cudaErrorInvalidValue): {} of shared "
      "memory are more than the {} that a block can have; at most {} of "
      "dynamic shared memory",
      bytesInWords(Demand.StaticShared + Demand.DynamicShared),
      bytesInWords(Most), bytesInWords(Left));
}

std::string optInInWords(const Architecture &Arch, const BlockDemand &Demand,
                         const Occupancy &Result) {
  const std::uint64_t Bytes = Demand.StaticShared + Demand.DynamicShared;
  if (Result.Failure != LaunchFailure::None || Demand.DynamicShared == 0 ||
      Bytes <= Arch.SharedPerBlock)
    return {};
  return fmt::format(
      "{} of shared memory are more than {}: the launch fails with error 1 "
      "(cudaErrorInvalidValue) unless cudaFuncSetAttribute(kernel, "
      "cudaFuncAttributeMaxDynamicSharedMemorySize, {}) comes before it",
      bytesInWords(Bytes), bytesInWords(Arch.SharedPerBlock),
      Demand.DynamicShared);
}

std::string failureInWords(const Architecture &Arch, const BlockDemand &Demand,
                           const Occupancy &Result) {
  switch (Result.Failure) {
  case LaunchFailure::None:
    return {};
  case LaunchFailure::NoThreads:
    return "the launch fails with error 9 (cudaErrorInvalidConfiguration): a "
           "block has at least 1 thread";
  case LaunchFailure::TooManyThreads:
    return fmt::format("the launch fails with error 9 "
                       "(cudaErrorInvalidConfiguration): {} threads are more "
                       "than the {} that a block can have; launch more and "
                       "smaller blocks",
                       Demand.Threads, Arch.ThreadsPerBlock);
  case LaunchFailure::RegistersPerThread:
    return fmt::format("no kernel for this GPU has {} registers a thread: {} "
                       "are the most, what does not fit goes to local memory",
                       Demand.Registers, Arch.RegistersPerThread);
  case LaunchFailure::RegistersPerBlock:
    return registersPerBlock(Arch, Demand, Result);
  case LaunchFailure::StaticShared:
    return staticShared(Arch, Demand);
  case LaunchFailure::SharedPerBlock:
    return sharedPerBlock(Arch, Demand);
  case LaunchFailure::Barriers:
    return fmt::format("does not compile: {} barriers are more than the 16 "
                       "that a block can have",
                       Demand.Barriers);
  }
  return {};
}

} // namespace cudalint
