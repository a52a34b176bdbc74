//===- runtime/probe/CuptiLibrary.h - CUPTI, loaded late --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_CUPTILIBRARY_H
#define CUDA_LINT_RUNTIME_PROBE_CUPTILIBRARY_H

#include "runtime/probe/Profile.h"

#include <cupti.h>
#include <cupti_pcsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>
#include <optional>
#include <string>

namespace cudalint::probe {

/// The functions of CUPTI that the probe calls.
#define CUDA_LINT_CUPTI_FUNCTIONS(X)                                           \
  X(cuptiActivityEnable)                                                       \
  X(cuptiActivityFlushAll)                                                     \
  X(cuptiActivityGetNextRecord)                                                \
  X(cuptiActivityGetNumDroppedRecords)                                         \
  X(cuptiActivityRegisterCallbacks)                                            \
  X(cuptiDeviceGetChipName)                                                    \
  X(cuptiEnableDomain)                                                         \
  X(cuptiGetCubinCrc)                                                          \
  X(cuptiGetDeviceId)                                                          \
  X(cuptiGetResultString)                                                      \
  X(cuptiProfilerInitialize)                                                   \
  X(cuptiRegisterComputeCrcCallback)                                           \
  X(cuptiSassMetricsDisable)                                                   \
  X(cuptiSassMetricsEnable)                                                    \
  X(cuptiSassMetricsFlushData)                                                 \
  X(cuptiSassMetricsGetDataProperties)                                         \
  X(cuptiSassMetricsGetMetrics)                                                \
  X(cuptiSassMetricsGetNumOfMetrics)                                           \
  X(cuptiSassMetricsSetConfig)                                                 \
  X(cuptiSubscribe)

/// Those that measure a launch as a whole, which only newer libraries have.
#define CUDA_LINT_CUPTI_RANGE_FUNCTIONS(X)                                     \
  X(cuptiProfilerGetCounterAvailability)                                       \
  X(cuptiProfilerHostConfigAddMetrics)                                         \
  X(cuptiProfilerHostDeinitialize)                                             \
  X(cuptiProfilerHostEvaluateToGpuValues)                                      \
  X(cuptiProfilerHostGetConfigImage)                                           \
  X(cuptiProfilerHostGetConfigImageSize)                                       \
  X(cuptiProfilerHostGetNumOfPasses)                                           \
  X(cuptiProfilerHostInitialize)                                               \
  X(cuptiRangeProfilerCounterDataImageInitialize)                              \
  X(cuptiRangeProfilerDecodeData)                                              \
  X(cuptiRangeProfilerDisable)                                                 \
  X(cuptiRangeProfilerEnable)                                                  \
  X(cuptiRangeProfilerGetCounterDataInfo)                                      \
  X(cuptiRangeProfilerGetCounterDataSize)                                      \
  X(cuptiRangeProfilerSetConfig)                                               \
  X(cuptiRangeProfilerStart)                                                   \
  X(cuptiRangeProfilerStop)

/// Those that sample PCs.
#define CUDA_LINT_CUPTI_SAMPLING_FUNCTIONS(X)                                  \
  X(cuptiPCSamplingDisable)                                                    \
  X(cuptiPCSamplingEnable)                                                     \
  X(cuptiPCSamplingGetConfigurationAttribute)                                  \
  X(cuptiPCSamplingGetData)                                                    \
  X(cuptiPCSamplingGetNumStallReasons)                                         \
  X(cuptiPCSamplingGetStallReasons)                                            \
  X(cuptiPCSamplingSetConfigurationAttribute)

/// The library is loaded by dlopen(), so that a program runs as always where
/// it is missing.
struct CuptiLibrary {
#define CUDA_LINT_MEMBER(Name) decltype(&::Name) Name = nullptr;
  CUDA_LINT_CUPTI_FUNCTIONS(CUDA_LINT_MEMBER)
  CUDA_LINT_CUPTI_RANGE_FUNCTIONS(CUDA_LINT_MEMBER)
  CUDA_LINT_CUPTI_SAMPLING_FUNCTIONS(CUDA_LINT_MEMBER)
#undef CUDA_LINT_MEMBER

  /// The first function of ranges that the library lacks; null: it has all.
  const char *MissingForRanges = nullptr;
  const char *MissingForSampling = nullptr; // the same of PC sampling

  /// Looks for the library at \p Path alone or, where that is empty: the one
  /// that the program has loaded, that of the loader's search path, and that
  /// of the toolkit. Returns why there is none.
  std::optional<Problem> load(const std::string &Path);

  /// \p Result in a problem's words: what CUPTI refused, why, and what helps.
  Problem problem(CUptiResult Result, const std::string &What) const;
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_CUPTILIBRARY_H
