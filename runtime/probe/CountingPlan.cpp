//===- runtime/probe/CountingPlan.cpp - Which launch is due ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/CountingPlan.h"

#include <algorithm>

namespace cudalint::probe {

using namespace std::chrono_literals;

// To patch a kernel takes up to this long, however long it runs: at most 1.9 ms
// were seen, docs/validation/overhead-h200.md.
static constexpr auto PatchTime = 3ms;

// To patch a byte of code and to read its counts: 98 MB of NCCL, which its
// kernels call through pointers, took 8.1 and 5.5 s on an H200. Less than that,
// so that the estimate keeps nothing from being counted that could be.
static constexpr std::chrono::nanoseconds PatchTimeOfByte{100};

// Fewer threads do not fill a GPU: their kernel takes no less time for that.
// Chosen: 32 SMs of 2048.
static constexpr std::uint64_t FewThreads = 65536;

// Of what is allowed, the rest is left for kernels that were never counted.
// Chosen.
static constexpr double PartOfKnownKernels = 0.5;

// No cubin has more.
static constexpr std::size_t MostCodeBytes = std::size_t{1} << 40;

/// By which the cost of a kernel grows.
static double sizeOf(std::uint64_t Threads) {
  return static_cast<double>(std::max(Threads, FewThreads));
}

bool CountingPlan::isDue(LaunchTable::Kernel &K, LaunchTable::Row *R,
                         std::uint64_t Threads, Duration Elapsed) {
  if (Launches)
    return K.Measured < *Launches;
  if (!Samples)
    return true;
  if (!R || !R->Sampling.isDue(R->Count))
    return false;
  bool IsFirst = K.Measured == 0;
  if (!IsFirst && !R->Sampling.count() && !K.Sampling.isDue(R->Number))
    return false;
  Duration Cost = SwitchCost + K.Closing;
  if (IsFirst)
    Cost += PatchTimeOfByte *
            static_cast<Duration::rep>(std::min(K.CodeBytes, MostCodeBytes));
  Cost += Duration(static_cast<Duration::rep>(
      std::min(K.CostOfThread * sizeOf(Threads), 9e17)));
  if (Spending.holds(Cost, Elapsed, IsFirst ? 1 : PartOfKnownKernels))
    return true;
  K.Why =
      Cost > Spending.allowed(Elapsed) ? Uncounted::Cost : Uncounted::Overhead;
  return false;
}

void CountingPlan::counted(LaunchTable::Kernel &K, LaunchTable::Row *R,
                           std::uint64_t Threads, const CountedLaunch &Its) {
  K.Closing = Its.Closing;
  // A launch may return when its kernel has ended.
  auto Cost = std::max<Duration>(Its.Ran - PatchTime, 0ns);
  K.CostOfThread = static_cast<double>(Cost.count()) / sizeOf(Threads);
  if (!R || !R->Count || !Its.Launches)
    return;
  if (!R->Sampling.count())
    K.Sampling.add(R->Number);
  // Other threads may have launched meanwhile.
  R->Sampling.add(R->Count - 1,
                  Its.Traffic / static_cast<double>(Its.Launches));
}

void CountingPlan::foundBusy(LaunchTable::Kernel &K, Duration Waited,
                             Duration Elapsed) {
  K.Why = Uncounted::Busy;
  // Not again until what was lost here is little.
  NextTry = Elapsed + 20 * Waited;
  spend(Waited);
}

} // namespace cudalint::probe
