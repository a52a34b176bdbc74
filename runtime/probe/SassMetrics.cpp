//===- runtime/probe/SassMetrics.cpp - Counts per instruction -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/SassMetrics.h"

namespace cudalint::probe {

static constexpr Metric OfMemory[] = {
    Metric::GlobalLanes,  Metric::SharedLanes,   Metric::AsyncCopyLanes,
    Metric::GenericLoads, Metric::GenericStores, Metric::GenericAtomics};
static constexpr Metric OfAll[] = {Metric::Instructions, Metric::Lanes,
                                   Metric::DivergentThreads};

/// What to count on a chip that counts \p Known.
static MetricSet choose(const MetricSet &Known, bool Sparing) {
  for (Metric M : OfMemory)
    Sparing &= Known[static_cast<std::size_t>(M)];
  MetricSet Out;
  Out.fill(true);
  for (Metric M : OfMemory)
    Out[static_cast<std::size_t>(M)] = Sparing;
  for (Metric M : OfAll)
    Out[static_cast<std::size_t>(M)] = !Sparing;
  return Out;
}

CUptiResult
SassMetrics::listMetrics(Configuration &C,
                         std::vector<CUpti_SassMetrics_Config> &Out) {
  CUpti_SassMetrics_GetNumOfMetrics_Params Number = {
      CUpti_SassMetrics_GetNumOfMetrics_Params_STRUCT_SIZE};
  Number.pChipName = C.Chip.c_str();
  if (auto Error = Cupti.cuptiSassMetricsGetNumOfMetrics(&Number))
    return Error;
  std::vector<CUpti_SassMetrics_MetricDetails> Details(Number.numOfMetrics);
  CUpti_SassMetrics_GetMetrics_Params List = {
      CUpti_SassMetrics_GetMetrics_Params_STRUCT_SIZE};
  List.pChipName = C.Chip.c_str();
  List.numOfMetrics = Details.size();
  List.pMetricsList = Details.data();
  if (auto Error = Cupti.cuptiSassMetricsGetMetrics(&List))
    return Error;
  MetricSet Known = {};
  std::array<std::uint64_t, MetricCount> IdOf = {};
  for (const CUpti_SassMetrics_MetricDetails &Each : Details)
    for (std::size_t I = 0; I != MetricCount; ++I)
      if (Each.pMetricName &&
          Each.pMetricName == std::string(metricName(static_cast<Metric>(I)))) {
        Known[I] = true;
        IdOf[I] = Each.metricId;
      }
  C.Wanted = choose(Known, Sparing);
  for (std::size_t I = 0; I != MetricCount; ++I) {
    C.Available[I] = C.Wanted[I] && Known[I];
    if (!C.Available[I])
      continue;
    Ids[IdOf[I]] = static_cast<Metric>(I);
    CUpti_SassMetrics_Config Config = {};
    Config.metricId = IdOf[I];
    Config.outputGranularity = CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU;
    Out.push_back(Config);
  }
  return CUPTI_SUCCESS;
}

CUptiResult SassMetrics::configure(unsigned Device) {
  std::lock_guard Lock(Mutex);
  if (Devices.contains(Device))
    return CUPTI_SUCCESS;
  if (Devices.empty()) {
    CUpti_Profiler_Initialize_Params Start = {
        CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
    if (auto Error = Cupti.cuptiProfilerInitialize(&Start))
      return Error;
  }
  CUpti_Device_GetChipName_Params Name = {
      CUpti_Device_GetChipName_Params_STRUCT_SIZE};
  Name.deviceIndex = Device;
  if (auto Error = Cupti.cuptiDeviceGetChipName(&Name))
    return Error;
  Configuration C;
  C.Chip = Name.pChipName ? Name.pChipName : "";
  std::vector<CUpti_SassMetrics_Config> Wanted;
  if (auto Error = listMetrics(C, Wanted))
    return Error;
  if (Wanted.empty())
    return CUPTI_ERROR_NOT_SUPPORTED;
  CUpti_SassMetricsSetConfig_Params Set = {
      CUpti_SassMetricsSetConfig_Params_STRUCT_SIZE};
  Set.numOfMetricConfig = Wanted.size();
  Set.pConfigs = Wanted.data();
  Set.deviceIndex = Device;
  if (auto Error = Cupti.cuptiSassMetricsSetConfig(&Set))
    return Error;
  Devices.emplace(Device, C);
  return CUPTI_SUCCESS;
}

CUptiResult SassMetrics::enable(CUcontext Context, unsigned Device) {
  expectNoTableLock();
  if (auto Error = configure(Device))
    return Error;
  CUpti_SassMetricsEnable_Params P = {
      CUpti_SassMetricsEnable_Params_STRUCT_SIZE};
  P.ctx = Context;
  P.enableLazyPatching = 1;
  return Cupti.cuptiSassMetricsEnable(&P);
}

CUptiResult SassMetrics::disable(CUcontext Context, std::size_t &Dropped) {
  expectNoTableLock();
  CUpti_SassMetricsDisable_Params P = {
      CUpti_SassMetricsDisable_Params_STRUCT_SIZE};
  P.ctx = Context;
  CUptiResult Result = Cupti.cuptiSassMetricsDisable(&P);
  Dropped = P.numOfDroppedRecords;
  return Result;
}

CUptiResult SassMetrics::read(CUcontext Context,
                              std::vector<InstructionCount> &Out) {
  expectNoTableLock();
  CUpti_SassMetricsGetDataProperties_Params Size = {
      CUpti_SassMetricsGetDataProperties_Params_STRUCT_SIZE};
  Size.ctx = Context;
  if (auto Error = Cupti.cuptiSassMetricsGetDataProperties(&Size))
    return Error;
  std::size_t Records = Size.numOfPatchedInstructionRecords;
  std::size_t Instances = Size.numOfInstances;
  if (!Records || !Instances)
    return CUPTI_SUCCESS;

  std::vector<CUpti_SassMetrics_InstanceValue> Values(Records * Instances);
  std::vector<CUpti_SassMetrics_Data> Data(Records);
  for (std::size_t I = 0; I != Records; ++I) {
    Data[I] = {};
    Data[I].structSize = sizeof(CUpti_SassMetrics_Data);
    Data[I].pInstanceValues = &Values[I * Instances];
  }
  CUpti_SassMetricsFlushData_Params Flush = {
      CUpti_SassMetricsFlushData_Params_STRUCT_SIZE};
  Flush.ctx = Context;
  Flush.numOfPatchedInstructionRecords = Records;
  Flush.numOfInstances = Instances;
  Flush.pMetricsData = Data.data();
  if (auto Error = Cupti.cuptiSassMetricsFlushData(&Flush))
    return Error;

  std::lock_guard Lock(Mutex);
  Out.reserve(Out.size() + Records);
  // A record is one metric of one instruction.
  for (const CUpti_SassMetrics_Data &Each : Data)
    for (std::size_t I = 0; I != Instances; ++I) {
      const CUpti_SassMetrics_InstanceValue &Value = Each.pInstanceValues[I];
      auto Id = Ids.find(Value.metricId);
      if (Id != Ids.end() && Each.functionName)
        Out.push_back({Each.cubinCrc, Each.functionName, Each.pcOffset,
                       Id->second, Value.value});
    }
  return CUPTI_SUCCESS;
}

MetricSet SassMetrics::available() const {
  std::lock_guard Lock(Mutex);
  MetricSet Out;
  Out.fill(!Devices.empty());
  for (const auto &[Index, C] : Devices)
    for (std::size_t I = 0; I != MetricCount; ++I)
      Out[I] = Out[I] && C.Available[I];
  return Out;
}

std::vector<Problem> SassMetrics::problems() const {
  std::lock_guard Lock(Mutex);
  std::vector<Problem> Out;
  for (const auto &[Index, C] : Devices)
    for (std::size_t I = 0; I != MetricCount; ++I)
      if (auto M = static_cast<Metric>(I);
          // GPUs before sm_90 cannot make bulk copies.
          C.Wanted[I] && !C.Available[I] && M != Metric::BulkCopies)
        Out.push_back({"metric-missing",
                       C.Chip + " does not count " + metricName(M) +
                           ": what depends on it is null; a newer CUPTI may "
                           "know it"});
  return Out;
}

} // namespace cudalint::probe
