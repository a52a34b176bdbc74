//===- runtime/probe/Launches.h - Launches, by kernel and shape -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_LAUNCHES_H
#define CUDA_LINT_RUNTIME_PROBE_LAUNCHES_H

#include "runtime/probe/Profile.h"
#include "runtime/probe/Sampling.h"
#include "runtime/probe/UnitMetrics.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace cudalint::probe {

/// Times of any number of launches in bounded memory: all up to 4096, then
/// every second, every fourth, and so on. The least and the greatest are exact,
/// the median is that of what was kept.
class Durations {
public:
  void add(std::uint64_t Nanoseconds);
  std::uint64_t count() const { return Count; }

  /// With at most 64 samples, evenly from the first to the last.
  DurationSummary summary() const;

private:
  std::uint64_t Count = 0, Stride = 1;
  std::uint64_t Min = 0, Max = 0;
  std::vector<std::uint64_t> Kept;
};

/// What one launch did; absent where the GPU does not count it.
struct RangeFigures {
  std::optional<double> Occupancy; // achieved, 0 .. 1
  std::optional<double> DramBytes; // read and written
  std::optional<double> L2Sectors; // of all kinds
  std::optional<double> L2Share;   // of its peak while the kernel ran, 0 .. 1
  UnitAmounts Units;
};

/// Launches that were measured as a whole, each for itself.
struct RangeSums {
  std::uint64_t Launches = 0;
  double Occupancy = 0; // sum of 0 .. 1
  // Sums; absent where a launch had none.
  std::optional<double> DramBytes, L2Sectors, L2Share;
  UnitTotals Units;

  void add(const RangeFigures &Launch);
};

/// What was launched, and how often. Its size is bounded: launches of ever new
/// shapes are counted for their kernel alone once there are too many.
class LaunchTable {
public:
  struct Kernel {
    std::string Name;
    std::uint64_t Launches = 0; // those that are asked for
    std::uint64_t Skipped = 0;  // by the user's wish
    std::uint64_t Measured = 0;
    std::uint64_t Ranged = 0; // measured as a whole, read or not yet
    bool Wanted = true;       // by the user's filter
    // Threads of all launches, and of those that were counted.
    std::uint64_t Threads = 0, MeasuredThreads = 0;
    // Of these, what was not read yet, or never can be.
    std::uint64_t Unread = 0, UnreadThreads = 0;
    // Activity records that are sure to come, and those that came, of graphs
    // among them.
    std::uint64_t RecordsOwed = 0, Records = 0;
    std::uint64_t Shapes = 0;
    ShapeSamples Sampling;
    double CostOfThread = 0;       // ns to count it; 0: not known
    Budget::Duration Closing = {}; // to read its counts and to patch it no more
    std::size_t CodeBytes = 0;     // that are patched; 0: not known
    std::optional<bool> MayWait;   // for others; absent: its code is not known
    unsigned EndedAlone = 0; // launches that ended with nothing launched since
    unsigned Watched = 0;    // how often that was waited for
    // Why the last launch that was due ran without counters, of none that is
    // counted.
    Uncounted Why = Uncounted::No;
  };
  struct Row {
    std::optional<LaunchResources> Resources; // once they are known
    std::uint64_t Count = 0;
    std::uint64_t Ranged = 0; // as that of the kernel
    bool IsKnown = false;
    std::uint64_t Number = 0; // among the shapes of the kernel
    Samples Sampling;
    Durations Times;
    RangeSums Ranges;
  };

  /// References and pointers stay valid.
  Kernel &kernel(const KernelKey &Key) { return Kernels[Key]; }
  const Kernel *find(const KernelKey &Key) const;
  Kernel *find(const KernelKey &Key) {
    return const_cast<Kernel *>(std::as_const(*this).find(Key));
  }
  /// Null when the table is full and has no such row.
  Row *row(const LaunchKey &Key);

  /// Adds kernels, launches and problems to \p Out.
  void summarize(Profile &Out) const;

private:
  std::map<KernelKey, Kernel> Kernels;
  std::map<LaunchKey, Row> Rows;
  bool IsOverfull = false; // Some launch has no row.
};

/// Where a launch of a kernel is booked. The pointers stay valid; what they
/// point to is the book's alone.
struct LaunchTarget {
  LaunchTable::Kernel *Kernel = nullptr;
  LaunchTable::Row *Row = nullptr; // may be absent
  std::uint64_t Threads = 0;
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_LAUNCHES_H
