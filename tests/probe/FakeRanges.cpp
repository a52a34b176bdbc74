//===- tests/probe/FakeRanges.cpp - Launches measured as a whole ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The range profiler, which an older CUPTI lacks: a library of its own, which
/// brings FakeCupti along. Each launch had half of all warps, moved 1000 bytes
/// of DRAM, and 64 sectors of L2, which is a quarter of what that can. Into a
/// pass fit two metrics of L1, or FAKE_MOST_METRICS of the others, 8 without
/// it; it lacks those of FAKE_NO_METRIC. FAKE_RANGES_LOST says how many ranges
/// of each reading are missing.
///
//===----------------------------------------------------------------------===//

#include "tests/probe/FakeState.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <list>
#include <utility>

struct CUpti_RangeProfiler_Object {
  CUcontext Context = nullptr;
  std::uint8_t *Image = nullptr;
  std::uint64_t LaunchesBefore = 0;
  std::size_t MostRanges = 0;
};

static std::uint64_t launchesIn(CUcontext Context) {
  std::lock_guard<std::mutex> Lock(fake::state().Mutex);
  return fake::state().Launched[Context];
}

/// Of the thread's last configuration.
static thread_local std::size_t Passes = 0;

/// An image of counters holds how many ranges there are.
static constexpr std::size_t ImageBytes = sizeof(std::uint64_t);

extern "C" {

CUptiResult cuptiProfilerGetCounterAvailability(
    CUpti_Profiler_GetCounterAvailability_Params *P) {
  P->counterAvailabilityImageSize = 1;
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiProfilerHostInitialize(CUpti_Profiler_Host_Initialize_Params *P) {
  static char Only;
  P->pHostObject = reinterpret_cast<CUpti_Profiler_Host_Object *>(&Only);
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiProfilerHostDeinitialize(CUpti_Profiler_Host_Deinitialize_Params *) {
  return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostConfigAddMetrics(
    CUpti_Profiler_Host_ConfigAddMetrics_Params *P) {
  const char *Lacks = std::getenv("FAKE_NO_METRIC");
  for (std::size_t I = 0; I != P->numMetrics; ++I)
    if (Lacks && std::strstr(P->ppMetricNames[I], Lacks))
      return CUPTI_ERROR_INVALID_METRIC_NAME;
  const char *Text = std::getenv("FAKE_MOST_METRICS");
  const std::size_t Most = std::strstr(P->ppMetricNames[0], "l1tex") ? 2
                           : Text ? static_cast<std::size_t>(std::atoi(Text))
                                  : 8;
  Passes = (P->numMetrics + Most - 1) / Most;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostGetConfigImageSize(
    CUpti_Profiler_Host_GetConfigImageSize_Params *P) {
  P->configImageSize = 1;
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiProfilerHostGetConfigImage(CUpti_Profiler_Host_GetConfigImage_Params *) {
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiProfilerHostGetNumOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params *P) {
  P->numOfPasses = Passes;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerHostEvaluateToGpuValues(
    CUpti_Profiler_Host_EvaluateToGpuValues_Params *P) {
  static const std::pair<const char *, double> Values[] = {
      {"sm__warps_active", 50},   {"dram__bytes.sum", 1000},
      {"dram__bytes_read", 900},  {"dram__bytes_write", 100},
      {"lts__t_sectors.sum", 64}, {"lts__t_sectors.avg.pct", 25},
      {"global_op_ld", 100},      {"global_op_st", 200},
      {"global_op_atom", 30},     {"global_op_red", 3},
      {"local_op_ld", 40},        {"local_op_st", 50},
      {"mem_shared_op_ld", 60},   {"mem_shared_op_st", 70},
      {"mem_shared_op_atom", 80}};
  for (std::size_t I = 0; I != P->numMetrics; ++I)
    for (const auto &[Name, Value] : Values)
      if (std::strstr(P->ppMetricNames[I], Name))
        P->pMetricValues[I] = Value;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerEnable(CUpti_RangeProfiler_Enable_Params *P) {
  // Programs leave contexts to the end, which is no leak.
  static auto *All = new std::list<CUpti_RangeProfiler_Object>;
  static std::mutex Mutex;
  std::lock_guard<std::mutex> Lock(Mutex);
  All->push_back({.Context = P->ctx});
  P->pRangeProfilerObject = &All->back();
  return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerDisable(CUpti_RangeProfiler_Disable_Params *) {
  return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerGetCounterDataSize(
    CUpti_RangeProfiler_GetCounterDataSize_Params *P) {
  P->counterDataSize = ImageBytes;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerCounterDataImageInitialize(
    CUpti_RangeProfiler_CounterDataImage_Initialize_Params *P) {
  std::memset(P->pCounterData, 0, ImageBytes);
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiRangeProfilerSetConfig(CUpti_RangeProfiler_SetConfig_Params *P) {
  P->pRangeProfilerObject->Image = P->pCounterDataImage;
  P->pRangeProfilerObject->MostRanges = P->maxRangesPerPass;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerStart(CUpti_RangeProfiler_Start_Params *P) {
  CUpti_RangeProfiler_Object &Its = *P->pRangeProfilerObject;
  Its.LaunchesBefore = launchesIn(Its.Context);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerStop(CUpti_RangeProfiler_Stop_Params *P) {
  fake::waitForKernels();
  CUpti_RangeProfiler_Object &Its = *P->pRangeProfilerObject;
  const char *Text = std::getenv("FAKE_RANGES_LOST");
  std::uint64_t Lost = Text ? static_cast<std::uint64_t>(std::atoi(Text)) : 0;
  // Those after the most are dropped.
  std::uint64_t Ranges = std::min<std::uint64_t>(
      launchesIn(Its.Context) - Its.LaunchesBefore, Its.MostRanges);
  Ranges -= std::min(Ranges, Lost);
  std::memcpy(Its.Image, &Ranges, ImageBytes);
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiRangeProfilerDecodeData(CUpti_RangeProfiler_DecodeData_Params *) {
  return CUPTI_SUCCESS;
}

CUptiResult cuptiRangeProfilerGetCounterDataInfo(
    CUpti_RangeProfiler_GetCounterDataInfo_Params *P) {
  std::uint64_t Ranges = 0;
  std::memcpy(&Ranges, P->pCounterDataImage, ImageBytes);
  P->numTotalRanges = Ranges;
  return CUPTI_SUCCESS;
}
}
