//===- runtime/probe/SassMetrics.h - Counts per instruction -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_SASSMETRICS_H
#define CUDA_LINT_RUNTIME_PROBE_SASSMETRICS_H

#include "runtime/probe/CuptiLibrary.h"
#include "runtime/probe/InstructionTable.h"
#include "runtime/probe/LockOrder.h"

#include <map>
#include <vector>

namespace cudalint::probe {

/// One count of one instruction since the last time.
struct InstructionCount {
  std::uint32_t Module;
  std::string Function;
  std::uint64_t Offset;
  Metric What;
  std::uint64_t Value;
};

/// CUPTI's SASS metrics: it patches the code of a kernel when it first runs.
///
/// What was found out with 13.0 on an H200 and is not in the manual:
///  - all 60 metrics fit into one pass, and kernels of graphs are counted too;
///  - while kernel activity records are on, every count is 0;
///  - the counts of a module are gone when its unload callback comes, so they
///    have to be read when cuModuleUnload is entered;
///  - a kernel whose module is loaded on another thread than the context was
///    made on is counted only if the driver call that loads it has a
///    subscriber;
///  - kernels of a graph are counted if counting was on when it was made, see
///    GraphTable;
///  - the configuration of a device stays through a reset. To unset and set it
///    again fails;
///  - reading while another thread launches deadlocks: see LaunchGate;
///  - a record names its module by what the callback answers that was
///    registered by cuptiRegisterComputeCrcCallback, as PC sampling does;
///  - in the callback of a context that cuCtxCreate makes it is too early to
///    set the configuration, but not at the load of its first module;
///  - to enable waits for nothing, but the first launch of each kernel after
///    that is patched, and waits for all kernels of the context. To patch all
///    code ahead leaves out what the driver has not loaded yet, and hangs when
///    it is loaded in a callback;
///  - to read and to disable wait for all kernels of the context;
///  - what is counted for each instruction costs most: 1.2 times as long for a
///    kernel that computes with the counts of memory alone, 47 times with all;
///  - counted by SM, a memory-bound kernel takes a third of the time, but six
///    counts of 100,000 are too many.
class SassMetrics {
public:
  /// \p Sparing: without what is counted for all instructions, where memory
  /// instructions have counts of their own.
  SassMetrics(const CuptiLibrary &Cupti, bool Sparing)
      : Cupti(Cupti), Sparing(Sparing) {}

  /// Configures \p Device unless it is, and counts in \p Context from now on.
  CUptiResult enable(CUcontext Context, unsigned Device);
  /// \p Dropped: the counts that nobody had read.
  CUptiResult disable(CUcontext Context, std::size_t &Dropped);

  /// Waits for the context's kernels and appends their counts, which start
  /// again from 0. EXPECTS: nobody launches meanwhile.
  CUptiResult read(CUcontext Context, std::vector<InstructionCount> &Out);

  /// What the devices can count, and the metrics that one of them lacks.
  MetricSet available() const;
  std::vector<Problem> problems() const;

private:
  struct Configuration {
    std::string Chip;
    MetricSet Wanted = {}, Available = {};
  };
  CUptiResult configure(unsigned Device);
  CUptiResult listMetrics(Configuration &C,
                          std::vector<CUpti_SassMetrics_Config> &Out);

  const CuptiLibrary &Cupti;
  const bool Sparing;
  mutable RankedMutex<LockRank::Metrics> Mutex; // guards all below
  std::map<unsigned, Configuration> Devices;
  std::map<std::uint64_t, Metric> Ids;
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_SASSMETRICS_H
