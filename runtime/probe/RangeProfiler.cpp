//===- runtime/probe/RangeProfiler.cpp - Launches, each as a whole --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/RangeProfiler.h"

#include "runtime/probe/LockOrder.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace cudalint::probe {

// What Nsight Compute calls achieved occupancy, in per cent.
static constexpr const char *Occupancy =
    "sm__warps_active.avg.pct_of_peak_sustained_active";

static constexpr const char *L2Sectors = "lts__t_sectors.sum";
// In per cent, by a peak that NVIDIA knows and no table of ours.
static constexpr const char *L2Share =
    "lts__t_sectors.avg.pct_of_peak_sustained_elapsed";

// What is asked for beside occupancy, the best first, as the GPU has it. What
// adds up to the bytes of DRAM; some GPUs have none of their own:
static const std::vector<const char *> DramSets[] = {
    {"dram__bytes.sum"},
    {"dram__bytes_read.sum", "dram__bytes_write.sum"},
    {},
};
// And for each of these, so that L2 costs nobody his bytes of DRAM:
static const std::vector<const char *> L2Sets[] = {
    {L2Sectors, L2Share},
    {L2Sectors},
    {},
};

void RangeProfiler::close(Session &S) {
  if (S.Target) {
    CUpti_RangeProfiler_Disable_Params P = {
        CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE};
    P.pRangeProfilerObject = S.Target;
    Cupti.cuptiRangeProfilerDisable(&P);
  }
  if (S.Host) {
    CUpti_Profiler_Host_Deinitialize_Params P = {
        CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE};
    P.pHostObject = S.Host;
    Cupti.cuptiProfilerHostDeinitialize(&P);
  }
  S = {};
}

/// The configuration of the metrics of \p S, and how often a kernel would have
/// to run for them.
CUptiResult RangeProfiler::configure(Session &S, std::size_t &Passes) {
  CUpti_Profiler_Host_ConfigAddMetrics_Params Add = {
      CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE};
  Add.pHostObject = S.Host;
  Add.ppMetricNames = S.Metrics.data();
  Add.numMetrics = S.Metrics.size();
  if (auto Error = Cupti.cuptiProfilerHostConfigAddMetrics(&Add))
    return Error;
  CUpti_Profiler_Host_GetConfigImageSize_Params Size = {
      CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE};
  Size.pHostObject = S.Host;
  if (auto Error = Cupti.cuptiProfilerHostGetConfigImageSize(&Size))
    return Error;
  S.Config.assign(Size.configImageSize, 0);
  CUpti_Profiler_Host_GetConfigImage_Params Image = {
      CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE};
  Image.pHostObject = S.Host;
  Image.configImageSize = S.Config.size();
  Image.pConfigImage = S.Config.data();
  if (auto Error = Cupti.cuptiProfilerHostGetConfigImage(&Image))
    return Error;
  CUpti_Profiler_Host_GetNumOfPasses_Params Number = {
      CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE};
  Number.configImageSize = S.Config.size();
  Number.pConfigImage = S.Config.data();
  auto Error = Cupti.cuptiProfilerHostGetNumOfPasses(&Number);
  Passes = Number.numOfPasses;
  return Error;
}

CUptiResult RangeProfiler::begin(const char *Chip,
                                 std::vector<std::uint8_t> &Availability,
                                 Session &S) {
  CUpti_Profiler_Host_Initialize_Params Start = {
      CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE};
  Start.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  Start.pChipName = Chip;
  Start.pCounterAvailabilityImage = Availability.data();
  auto Error = Cupti.cuptiProfilerHostInitialize(&Start);
  S.Host = Start.pHostObject;
  return Error;
}

/// The first set of metrics that the GPU has and that fits into one pass.
CUptiResult RangeProfiler::choose(const char *Chip,
                                  std::vector<std::uint8_t> &Availability,
                                  Session &S) {
  if (WantsUnits)
    return setOfUnits(Chip, Availability, S);
  CUptiResult Last = CUPTI_ERROR_NOT_SUPPORTED;
  for (const std::vector<const char *> &Dram : DramSets)
    for (const std::vector<const char *> &L2 : L2Sets) {
      if (auto Error = begin(Chip, Availability, S))
        return Error;
      S.Metrics = {Occupancy};
      S.Metrics.insert(S.Metrics.end(), Dram.begin(), Dram.end());
      S.Metrics.insert(S.Metrics.end(), L2.begin(), L2.end());
      std::size_t Passes = 0;
      Last = configure(S, Passes);
      if (Last == CUPTI_SUCCESS && Passes == 1)
        return CUPTI_SUCCESS;
      if (Last == CUPTI_SUCCESS)
        Last = CUPTI_ERROR_NOT_SUPPORTED;
      close(S);
    }
  return Last;
}

/// The most metrics of units from \p First on that fit into one pass; none
/// where the GPU lacks that one.
CUptiResult RangeProfiler::mostUnits(const char *Chip,
                                     std::vector<std::uint8_t> &Availability,
                                     std::size_t First, Session &Best) {
  for (std::size_t End = First + 1; End <= UnitMetrics.size(); ++End) {
    Session Longer;
    Longer.FirstUnit = First;
    if (auto Error = begin(Chip, Availability, Longer)) {
      close(Best);
      return Error;
    }
    for (std::size_t I = First; I != End; ++I)
      Longer.Metrics.push_back(UnitMetrics[I].Name);
    std::size_t Passes = 0;
    if (configure(Longer, Passes) != CUPTI_SUCCESS || Passes != 1) {
      close(Longer);
      return CUPTI_SUCCESS;
    }
    close(Best);
    Best = std::move(Longer);
  }
  return CUPTI_SUCCESS;
}

/// Goes over all sets that fit into a pass, and stays with that of this run.
CUptiResult RangeProfiler::setOfUnits(const char *Chip,
                                      std::vector<std::uint8_t> &Availability,
                                      Session &S) {
  unsigned Sets = 0;
  for (std::size_t First = 0; First < UnitMetrics.size();) {
    Session Each;
    if (auto Error = mostUnits(Chip, Availability, First, Each)) {
      close(S);
      return Error;
    }
    First += std::max<std::size_t>(Each.Metrics.size(), 1);
    if (Each.Metrics.empty())
      continue;
    if (Sets++ == Part)
      S = std::move(Each);
    else
      close(Each);
  }
  Parts = Sets;
  return S.Metrics.empty() ? CUPTI_ERROR_NOT_SUPPORTED : CUPTI_SUCCESS;
}

CUptiResult RangeProfiler::open(CUcontext Context, unsigned Device,
                                Session &S) {
  CUpti_Profiler_Initialize_Params Start = {
      CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
  if (auto Error = Cupti.cuptiProfilerInitialize(&Start))
    return Error;
  CUpti_Device_GetChipName_Params Name = {
      CUpti_Device_GetChipName_Params_STRUCT_SIZE};
  Name.deviceIndex = Device;
  if (auto Error = Cupti.cuptiDeviceGetChipName(&Name))
    return Error;
  CUpti_Profiler_GetCounterAvailability_Params Available = {
      CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE};
  Available.ctx = Context;
  if (auto Error = Cupti.cuptiProfilerGetCounterAvailability(&Available))
    return Error;
  std::vector<std::uint8_t> Availability(
      Available.counterAvailabilityImageSize);
  Available.pCounterAvailabilityImage = Availability.data();
  if (auto Error = Cupti.cuptiProfilerGetCounterAvailability(&Available))
    return Error;
  if (auto Error = choose(Name.pChipName, Availability, S))
    return Error;

  CUpti_RangeProfiler_Enable_Params Enable = {
      CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE};
  Enable.ctx = Context;
  if (auto Error = Cupti.cuptiRangeProfilerEnable(&Enable))
    return Error;
  S.Target = Enable.pRangeProfilerObject;
  CUpti_RangeProfiler_GetCounterDataSize_Params Size = {
      CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE};
  Size.pRangeProfilerObject = S.Target;
  Size.pMetricNames = S.Metrics.data();
  Size.numMetrics = S.Metrics.size();
  Size.maxNumOfRanges = MostRanges;
  Size.maxNumRangeTreeNodes = MostRanges;
  if (auto Error = Cupti.cuptiRangeProfilerGetCounterDataSize(&Size))
    return Error;
  S.Data.assign(Size.counterDataSize, 0);
  return CUPTI_SUCCESS;
}

CUptiResult RangeProfiler::start(CUcontext Context, unsigned Device) {
  expectNoTableLock();
  Session &S = Sessions[Context];
  if (!S.Target)
    if (auto Error = open(Context, Device, S)) {
      forget(Context);
      return Error;
    }
  CUpti_RangeProfiler_CounterDataImage_Initialize_Params Empty = {
      CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE};
  Empty.pRangeProfilerObject = S.Target;
  Empty.counterDataSize = S.Data.size();
  Empty.pCounterData = S.Data.data();
  if (auto Error = Cupti.cuptiRangeProfilerCounterDataImageInitialize(&Empty))
    return Error;
  CUpti_RangeProfiler_SetConfig_Params Set = {
      CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE};
  Set.pRangeProfilerObject = S.Target;
  Set.configSize = S.Config.size();
  Set.pConfig = S.Config.data();
  Set.counterDataImageSize = S.Data.size();
  Set.pCounterDataImage = S.Data.data();
  Set.range = CUPTI_AutoRange;
  Set.replayMode = CUPTI_KernelReplay;
  Set.maxRangesPerPass = MostRanges;
  Set.numNestingLevels = 1;
  Set.minNestingLevel = 1;
  if (auto Error = Cupti.cuptiRangeProfilerSetConfig(&Set))
    return Error;
  CUpti_RangeProfiler_Start_Params Start = {
      CUpti_RangeProfiler_Start_Params_STRUCT_SIZE};
  Start.pRangeProfilerObject = S.Target;
  return Cupti.cuptiRangeProfilerStart(&Start);
}

RangeFigures RangeProfiler::figuresOf(const Session &S,
                                      const std::vector<double> &Values) const {
  auto known = [](double Value) -> std::optional<double> {
    return std::isfinite(Value) && Value >= 0 ? std::optional(Value)
                                              : std::nullopt;
  };
  RangeFigures Out;
  if (WantsUnits) {
    for (std::size_t I = 0; I != Values.size(); ++I)
      Out.Units[S.FirstUnit + I] = known(Values[I]);
    return Out;
  }
  auto share = [&](double PerCent) -> std::optional<double> {
    const std::optional<double> Known = known(PerCent);
    return Known ? std::optional(*Known / 100) : std::nullopt;
  };
  std::optional<double> Bytes;
  for (std::size_t M = 0; M != Values.size(); ++M) {
    const std::string_view Name = S.Metrics[M];
    if (Name == Occupancy)
      Out.Occupancy = share(Values[M]);
    else if (Name == L2Sectors)
      Out.L2Sectors = known(Values[M]);
    else if (Name == L2Share)
      Out.L2Share = share(Values[M]);
    else
      Bytes = Bytes.value_or(0) + Values[M];
  }
  if (Bytes)
    Out.DramBytes = known(*Bytes);
  return Out;
}

bool RangeProfiler::countsL2(CUcontext Context) const {
  const auto Found = Sessions.find(Context);
  return Found != Sessions.end() &&
         std::ranges::any_of(Found->second.Metrics, [](std::string_view Name) {
           return Name == L2Share;
         });
}

CUptiResult RangeProfiler::evaluate(Session &S,
                                    std::vector<RangeFigures> &Out) {
  CUpti_RangeProfiler_GetCounterDataInfo_Params Info = {
      CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE};
  Info.pCounterDataImage = S.Data.data();
  Info.counterDataImageSize = S.Data.size();
  if (auto Error = Cupti.cuptiRangeProfilerGetCounterDataInfo(&Info))
    return Error;
  std::vector<double> Values(S.Metrics.size());
  CUpti_Profiler_Host_EvaluateToGpuValues_Params Evaluate = {
      CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE};
  Evaluate.pHostObject = S.Host;
  Evaluate.pCounterDataImage = S.Data.data();
  Evaluate.counterDataImageSize = S.Data.size();
  Evaluate.ppMetricNames = S.Metrics.data();
  Evaluate.numMetrics = S.Metrics.size();
  Evaluate.pMetricValues = Values.data();
  for (std::size_t I = 0; I != Info.numTotalRanges; ++I) {
    Evaluate.rangeIndex = I;
    if (auto Error = Cupti.cuptiProfilerHostEvaluateToGpuValues(&Evaluate))
      return Error;
    Out.push_back(figuresOf(S, Values));
  }
  return CUPTI_SUCCESS;
}

CUptiResult RangeProfiler::stop(CUcontext Context,
                                std::vector<RangeFigures> &Out) {
  expectNoTableLock();
  auto Found = Sessions.find(Context);
  if (Found == Sessions.end())
    return CUPTI_ERROR_INVALID_CONTEXT;
  Session &S = Found->second;
  CUpti_RangeProfiler_Stop_Params Stop = {
      CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE};
  Stop.pRangeProfilerObject = S.Target;
  if (auto Error = Cupti.cuptiRangeProfilerStop(&Stop))
    return Error;
  CUpti_RangeProfiler_DecodeData_Params Decode = {
      CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE};
  Decode.pRangeProfilerObject = S.Target;
  if (auto Error = Cupti.cuptiRangeProfilerDecodeData(&Decode))
    return Error;
  return evaluate(S, Out);
}

void RangeProfiler::forget(CUcontext Context) {
  expectNoTableLock();
  auto Found = Sessions.find(Context);
  if (Found == Sessions.end())
    return;
  close(Found->second);
  Sessions.erase(Found);
}

} // namespace cudalint::probe
