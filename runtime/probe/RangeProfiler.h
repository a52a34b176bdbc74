//===- runtime/probe/RangeProfiler.h - Launches, each as a whole *- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_RANGEPROFILER_H
#define CUDA_LINT_RUNTIME_PROBE_RANGEPROFILER_H

#include "runtime/probe/CuptiLibrary.h"
#include "runtime/probe/Launches.h"
#include "runtime/probe/Settings.h"

#include <atomic>
#include <map>
#include <vector>

namespace cudalint::probe {

/// CUPTI's range profiler, with a range for each kernel: CUPTI then waits for
/// a kernel before it returns from its launch. Only metrics that fit into one
/// pass are asked for, so that no kernel runs twice. No flush of the caches
/// is asked for; whether CUPTI flushes them is not known.
///
/// EXPECTS of all functions: nobody launches meanwhile, and CUPTI has its
/// functions of ranges.
class RangeProfiler {
public:
  /// CUPTI drops the launches after so many, so they are read then. It keeps
  /// 1.44 MB of the host's memory for each (13.0, H200: 354 MB in all with 32,
  /// 1044 MB with 512), and reading every 32 launches costs no time beside the
  /// 14 ms that a launch takes.
  static constexpr std::size_t MostRanges = 32;

  RangeProfiler(const CuptiLibrary &Cupti, const Settings &S)
      : Cupti(Cupti), WantsUnits(S.Collect == CollectKind::Units),
        Part(S.Part) {}

  /// The next launches in \p Context are measured.
  CUptiResult start(CUcontext Context, unsigned Device);

  /// They are no longer. Appends the figures of those since start(), in the
  /// order of their launches.
  CUptiResult stop(CUcontext Context, std::vector<RangeFigures> &Out);

  /// Before a context is destroyed.
  void forget(CUcontext Context);

  /// Whether what was started in \p Context counts L2 and its share of the
  /// peak.
  bool countsL2(CUcontext Context) const;

  /// How many runs count all UnitMetrics, each what fits into a pass beside
  /// what stands before it; 0: nobody asked, or nothing was started yet.
  unsigned parts() const { return Parts; }

private:
  struct Session {
    CUpti_Profiler_Host_Object *Host = nullptr;
    CUpti_RangeProfiler_Object *Target = nullptr;
    std::vector<const char *> Metrics;
    std::size_t FirstUnit = 0; // of UnitMetrics, the first of Metrics
    std::vector<std::uint8_t> Config;
    std::vector<std::uint8_t> Data;
  };
  CUptiResult open(CUcontext Context, unsigned Device, Session &S);
  CUptiResult choose(const char *Chip, std::vector<std::uint8_t> &Availability,
                     Session &S);
  CUptiResult mostUnits(const char *Chip,
                        std::vector<std::uint8_t> &Availability,
                        std::size_t First, Session &Best);
  CUptiResult setOfUnits(const char *Chip,
                         std::vector<std::uint8_t> &Availability, Session &S);
  CUptiResult begin(const char *Chip, std::vector<std::uint8_t> &Availability,
                    Session &S);
  CUptiResult configure(Session &S, std::size_t &Passes);
  CUptiResult evaluate(Session &S, std::vector<RangeFigures> &Out);
  void close(Session &S);

  RangeFigures figuresOf(const Session &S,
                         const std::vector<double> &Values) const;

  const CuptiLibrary &Cupti;
  const bool WantsUnits;
  const unsigned Part;
  std::atomic<unsigned> Parts = 0;
  std::map<CUcontext, Session> Sessions;
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_RANGEPROFILER_H
