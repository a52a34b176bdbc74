//===- kernels/trial/SassCounters.cpp - Counts of one launch --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "kernels/trial/SassCounters.h"

#include <array>
#include <cuda_runtime_api.h>
#include <cupti.h>
#include <cupti_profiler_target.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>
#include <fmt/format.h>

namespace cudalint {

/// A metric, and where its value goes.
struct CountedMetric {
  const char *Name;
  std::uint64_t Counts::*Member;
};

static constexpr std::array<CountedMetric, 5> Metrics = {{
    {"smsp__sass_sectors_mem_global", &Counts::Sectors},
    {"smsp__sass_sectors_mem_global_ideal", &Counts::IdealSectors},
    {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared", &Counts::Wavefronts},
    {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal",
     &Counts::IdealWavefronts},
    {"smsp__sass_sectors_mem_local", &Counts::LocalSectors},
}};

struct SassCounters::State {
  std::array<CUpti_SassMetrics_Config, Metrics.size()> Configs = {};
  CUpti_SubscriberHandle Subscriber = nullptr;
  int Device = 0;
  bool IsConfigured = false;
  bool IsEnabled = false;
  std::vector<CUpti_SassMetrics_Data> Records;
  std::vector<CUpti_SassMetrics_InstanceValue> Values;
};

static void CUPTIAPI ignore(void *, CUpti_CallbackDomain, CUpti_CallbackId,
                            const void *) noexcept {}

/// Empty when it worked.
static std::string explain(CUptiResult Result, const char *What) {
  if (Result == CUPTI_SUCCESS)
    return "";
  if (Result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)
    return fmt::format(
        "{}: the counters of this GPU are locked: run as root, or load the "
        "driver with NVreg_RestrictProfilingToAdminUsers=0",
        What);
  const char *Text = "unknown error";
  cuptiGetResultString(Result, &Text);
  return fmt::format("{}: {}", What, Text);
}

SassCounters::SassCounters() : S(std::make_unique<State>()) {
  if (cudaGetDevice(&S->Device) != cudaSuccess) {
    Error = "no CUDA device";
    return;
  }
  // CUPTI 13.0 without a subscriber has counts for the first read alone, and
  // says of every later one that it holds no records.
  Error = explain(cuptiSubscribe(&S->Subscriber, ignore, nullptr),
                  "subscribe to CUPTI");
  if (Error.empty())
    Error =
        explain(cuptiEnableDomain(1, S->Subscriber, CUPTI_CB_DOMAIN_RESOURCE),
                "watch modules");
  if (!Error.empty())
    return;
  CUpti_Profiler_Initialize_Params Initialize = {
      CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
  Error = explain(cuptiProfilerInitialize(&Initialize), "start CUPTI");
  if (!Error.empty())
    return;

  CUpti_Device_GetChipName_Params Chip = {
      CUpti_Device_GetChipName_Params_STRUCT_SIZE};
  Chip.deviceIndex = S->Device;
  Error =
      explain(cuptiDeviceGetChipName(&Chip), "ask for the name of the chip");
  if (!Error.empty())
    return;

  for (size_t I = 0; I < Metrics.size(); ++I) {
    CUpti_SassMetrics_GetProperties_Params Properties = {
        CUpti_SassMetrics_GetProperties_Params_STRUCT_SIZE};
    Properties.pChipName = Chip.pChipName;
    Properties.pMetricName = Metrics[I].Name;
    Error =
        explain(cuptiSassMetricsGetProperties(&Properties), Metrics[I].Name);
    if (!Error.empty())
      return;
    S->Configs[I].metricId = Properties.metric.metricId;
    S->Configs[I].outputGranularity = CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU;
  }

  CUpti_SassMetricsSetConfig_Params Config = {
      CUpti_SassMetricsSetConfig_Params_STRUCT_SIZE};
  Config.pConfigs = S->Configs.data();
  Config.numOfMetricConfig = S->Configs.size();
  Config.deviceIndex = S->Device;
  Error = explain(cuptiSassMetricsSetConfig(&Config), "choose the counters");
  if (!Error.empty())
    return;
  S->IsConfigured = true;

  CUpti_SassMetricsEnable_Params Enable = {
      CUpti_SassMetricsEnable_Params_STRUCT_SIZE};
  Enable.enableLazyPatching = 1;
  Error = explain(cuptiSassMetricsEnable(&Enable), "enable the counters");
  S->IsEnabled = Error.empty();
}

SassCounters::~SassCounters() {
  // Best effort: there is nobody to tell.
  if (S->IsEnabled) {
    CUpti_SassMetricsDisable_Params Disable = {
        CUpti_SassMetricsDisable_Params_STRUCT_SIZE};
    cuptiSassMetricsDisable(&Disable);
  }
  if (S->IsConfigured) {
    CUpti_SassMetricsUnsetConfig_Params Unset = {
        CUpti_SassMetricsUnsetConfig_Params_STRUCT_SIZE};
    Unset.deviceIndex = S->Device;
    cuptiSassMetricsUnsetConfig(&Unset);
  }
  if (S->Subscriber)
    cuptiUnsubscribe(S->Subscriber);
}

std::optional<Counts> SassCounters::take() {
  if (!Error.empty())
    return std::nullopt;
  cudaError_t Status = cudaDeviceSynchronize();
  if (Status != cudaSuccess) {
    Error = cudaGetErrorString(Status);
    return std::nullopt;
  }
  CUpti_SassMetricsGetDataProperties_Params Size = {
      CUpti_SassMetricsGetDataProperties_Params_STRUCT_SIZE};
  Error = explain(cuptiSassMetricsGetDataProperties(&Size), "ask for counts");
  if (!Error.empty())
    return std::nullopt;
  Counts Sum;
  const size_t Records = Size.numOfPatchedInstructionRecords;
  if (Records == 0 || Size.numOfInstances == 0)
    return Sum;

  S->Values.assign(Records * Size.numOfInstances, {});
  S->Records.assign(Records, {});
  for (size_t I = 0; I < Records; ++I) {
    S->Records[I].structSize = sizeof(CUpti_SassMetrics_Data);
    S->Records[I].pInstanceValues = &S->Values[I * Size.numOfInstances];
  }
  CUpti_SassMetricsFlushData_Params Flush = {
      CUpti_SassMetricsFlushData_Params_STRUCT_SIZE};
  Flush.numOfInstances = Size.numOfInstances;
  Flush.numOfPatchedInstructionRecords = Records;
  Flush.pMetricsData = S->Records.data();
  Error = explain(cuptiSassMetricsFlushData(&Flush), "read the counts");
  if (!Error.empty())
    return std::nullopt;

  for (const CUpti_SassMetrics_InstanceValue &V : S->Values)
    for (size_t I = 0; I < Metrics.size(); ++I)
      if (V.metricId == S->Configs[I].metricId)
        Sum.*Metrics[I].Member += V.value;
  return Sum;
}

} // namespace cudalint
