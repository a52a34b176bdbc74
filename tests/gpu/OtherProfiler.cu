//===- tests/gpu/OtherProfiler.cu - Programs that use CUPTI themselves ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program with a profiler of its own: `OtherProfiler KIND WHEN COUNT`, where
// WHEN is `early` or `late`: before or after the program's first CUDA call.
// Standard output has the sums of what its kernels computed; the error stream
// what its profiler got, or which call was refused.
//
//===----------------------------------------------------------------------===//

#include "GpuProgram.h"

#include <cstdio>
#include <cstdlib>
#include <cupti.h>
#include <cupti_pcsampling.h>
#include <dlfcn.h>
#include <map>
#include <string>
#include <vector>
#if __has_include(<cupti_range_profiler.h>)
#include <cupti_profiler_host.h>
#include <cupti_range_profiler.h>
#include <cupti_target.h>
#define HAS_RANGES
#endif

__global__ void stride(const float *In, float *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  float X = In[I];       // 4 sectors per request
  Out[2 * I] = X + 1.0f; // 8 sectors per request
}

/// Long enough to be sampled.
__global__ void longer(const float *In, float *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  float X = 0;
  for (int K = 0; K != 20000; ++K)
    X = X * 0.5f + In[(I + K) % Elements];
  Out[2 * I + 1] = X;
}

//===----------------------------------------------------------------------===//
// CUPTI
//===----------------------------------------------------------------------===//

static void *library() {
  static void *Handle = [] {
    for (const char *Name : {"libcupti.so.13", "libcupti.so.12", "libcupti.so"})
      if (void *Found = dlopen(Name, RTLD_NOW))
        return Found;
    std::fprintf(stderr, "there is no CUPTI\n");
    std::_Exit(95);
  }();
  return Handle;
}

/// The first call that failed: all others are left out.
static std::string Refused;

template <class F, class... Arguments>
static void call(const char *Name, Arguments... Given) {
  if (!Refused.empty())
    return;
  auto *Function = reinterpret_cast<F *>(dlsym(library(), Name));
  if (!Function) {
    Refused = std::string("no ") + Name;
    return;
  }
  if (int Error = Function(Given...))
    Refused = std::string(Name) + " " + std::to_string(Error);
}
#define CALL(NAME, ...) call<decltype(NAME)>(#NAME, __VA_ARGS__)

/// What a profiler of a kind does: before the launches, and after them.
struct Profiler {
  virtual ~Profiler() = default;
  virtual void begin() = 0;
  virtual void end() = 0;
  virtual std::string result() const = 0;
};

struct NoProfiler : Profiler {
  void begin() override {}
  void end() override {}
  std::string result() const override { return "nothing"; }
};

/// Records of kernels, as of a tracer.
struct Records : Profiler {
  static inline unsigned Kernels;

  static void CUPTIAPI wanted(uint8_t **Buffer, size_t *Size, size_t *Most) {
    *Size = 1 << 16;
    *Buffer = static_cast<uint8_t *>(std::aligned_alloc(8, *Size));
    *Most = 0;
  }
  static void CUPTIAPI full(CUcontext, uint32_t, uint8_t *Buffer, size_t,
                            size_t Valid) {
    auto *Next = reinterpret_cast<decltype(&cuptiActivityGetNextRecord)>(
        dlsym(library(), "cuptiActivityGetNextRecord"));
    CUpti_Activity *Record = nullptr;
    while (Valid && Next(Buffer, Valid, &Record) == CUPTI_SUCCESS)
      Kernels += Record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    std::free(Buffer);
  }
  void begin() override {
    CALL(cuptiActivityRegisterCallbacks, wanted, full);
    CALL(cuptiActivityEnable, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  }
  void end() override { CALL(cuptiActivityFlushAll, 1u); }
  std::string result() const override {
    return std::to_string(Kernels) + " kernels";
  }
};

/// A subscriber that sees every launch.
struct Calls : Profiler {
  static inline unsigned Launches;
  CUpti_SubscriberHandle Subscriber = nullptr;

  static void CUPTIAPI seen(void *, CUpti_CallbackDomain, CUpti_CallbackId,
                            const void *Data) {
    Launches += static_cast<const CUpti_CallbackData *>(Data)->callbackSite ==
                CUPTI_API_ENTER;
  }
  void begin() override {
    CALL(cuptiSubscribe, &Subscriber,
         reinterpret_cast<CUpti_CallbackFunc>(seen), nullptr);
    CALL(cuptiEnableCallback, 1u, Subscriber, CUPTI_CB_DOMAIN_RUNTIME_API,
         static_cast<CUpti_CallbackId>(
             CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000));
  }
  void end() override { CALL(cuptiUnsubscribe, Subscriber); }
  std::string result() const override {
    return std::to_string(Launches) + " calls";
  }
};

/// Both, as Kineto and Proton have them.
struct Tracer : Profiler {
  Calls First;
  Records Second;
  void begin() override {
    First.begin();
    Second.begin();
  }
  void end() override {
    Second.end();
    First.end();
  }
  std::string result() const override {
    return First.result() + ", " + Second.result();
  }
};

static CUcontext context() {
  CUcontext Out = nullptr;
  check(cudaFree(nullptr));
  cuCtxGetCurrent(&Out);
  return Out;
}

/// Where the warps stand.
struct Samples : Profiler {
  CUcontext Context = nullptr;
  std::vector<uint32_t> Indices;
  struct Buffer {
    std::vector<CUpti_PCSamplingPCData> Pcs;
    std::vector<CUpti_PCSamplingStallReason> Reasons;
    CUpti_PCSamplingData Data = {};
    void make(size_t Count, size_t Each) {
      Pcs.assign(Count, {});
      Reasons.assign(Count * Each, {});
      for (size_t I = 0; I != Count; ++I) {
        Pcs[I].size = sizeof Pcs[I];
        Pcs[I].stallReason = Reasons.data() + I * Each;
      }
      Data.size = sizeof Data;
      Data.collectNumPcs = Count;
      Data.pPcData = Pcs.data();
    }
  } Configured, Read;
  unsigned long long Number = 0;

  void begin() override {
    Context = context();
    CUpti_PCSamplingEnableParams Enable = {};
    Enable.size = CUpti_PCSamplingEnableParamsSize;
    Enable.ctx = Context;
    CALL(cuptiPCSamplingEnable, &Enable);
    size_t Count = 0;
    CUpti_PCSamplingGetNumStallReasonsParams HowMany = {};
    HowMany.size = CUpti_PCSamplingGetNumStallReasonsParamsSize;
    HowMany.ctx = Context;
    HowMany.numStallReasons = &Count;
    CALL(cuptiPCSamplingGetNumStallReasons, &HowMany);
    std::vector<char> Text(Count * CUPTI_STALL_REASON_STRING_SIZE);
    std::vector<char *> Words(Count);
    for (size_t I = 0; I != Count; ++I)
      Words[I] = Text.data() + I * CUPTI_STALL_REASON_STRING_SIZE;
    Indices.assign(Count, 0);
    CUpti_PCSamplingGetStallReasonsParams List = {};
    List.size = CUpti_PCSamplingGetStallReasonsParamsSize;
    List.ctx = Context;
    List.numStallReasons = Count;
    List.stallReasonIndex = Indices.data();
    List.stallReasons = Words.data();
    CALL(cuptiPCSamplingGetStallReasons, &List);
    Configured.make(4096, Count);
    Read.make(4096, Count);
    CUpti_PCSamplingConfigurationInfo Wanted[3] = {};
    Wanted[0].attributeType =
        CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE;
    Wanted[0].attributeData.collectionModeData.collectionMode =
        CUPTI_PC_SAMPLING_COLLECTION_MODE_CONTINUOUS;
    Wanted[1].attributeType =
        CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_STALL_REASON;
    Wanted[1].attributeData.stallReasonData.stallReasonCount = Count;
    Wanted[1].attributeData.stallReasonData.pStallReasonIndex = Indices.data();
    Wanted[2].attributeType =
        CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER;
    Wanted[2].attributeData.samplingDataBufferData.samplingDataBuffer =
        &Configured.Data;
    CUpti_PCSamplingConfigurationInfoParams P = {};
    P.size = CUpti_PCSamplingConfigurationInfoParamsSize;
    P.ctx = Context;
    P.numAttributes = 3;
    P.pPCSamplingConfigurationInfo = Wanted;
    CALL(cuptiPCSamplingSetConfigurationAttribute, &P);
  }
  void end() override {
    CUpti_PCSamplingGetDataParams Get = {};
    Get.size = CUpti_PCSamplingGetDataParamsSize;
    Get.ctx = Context;
    Get.pcSamplingData = &Read.Data;
    CALL(cuptiPCSamplingGetData, &Get);
    CUpti_PCSamplingDisableParams Disable = {};
    Disable.size = CUpti_PCSamplingDisableParamsSize;
    Disable.ctx = Context;
    CALL(cuptiPCSamplingDisable, &Disable);
    Number = Read.Data.totalSamples + Configured.Data.totalSamples;
  }
  std::string result() const override {
    return Number ? "samples" : "no samples";
  }
};

#ifdef HAS_RANGES
/// Each launch a range, by the units of the hardware.
struct Ranges : Profiler {
  static constexpr size_t Most = 64;
  const char *Metrics[1] = {"smsp__inst_executed.sum"};
  CUpti_Profiler_Host_Object *Host = nullptr;
  CUpti_RangeProfiler_Object *Target = nullptr;
  std::vector<uint8_t> Config, Data;
  std::string Values;

  void begin() override {
    CUcontext Context = context();
    CUpti_Profiler_Initialize_Params Start = {
        CUpti_Profiler_Initialize_Params_STRUCT_SIZE};
    CALL(cuptiProfilerInitialize, &Start);
    CUpti_Device_GetChipName_Params Name = {
        CUpti_Device_GetChipName_Params_STRUCT_SIZE};
    CALL(cuptiDeviceGetChipName, &Name);
    CUpti_Profiler_GetCounterAvailability_Params Available = {
        CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE};
    Available.ctx = Context;
    CALL(cuptiProfilerGetCounterAvailability, &Available);
    std::vector<uint8_t> Image(Available.counterAvailabilityImageSize);
    Available.pCounterAvailabilityImage = Image.data();
    CALL(cuptiProfilerGetCounterAvailability, &Available);
    CUpti_Profiler_Host_Initialize_Params Begin = {
        CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE};
    Begin.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    Begin.pChipName = Name.pChipName;
    Begin.pCounterAvailabilityImage = Image.data();
    CALL(cuptiProfilerHostInitialize, &Begin);
    Host = Begin.pHostObject;
    CUpti_Profiler_Host_ConfigAddMetrics_Params Add = {
        CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE};
    Add.pHostObject = Host;
    Add.ppMetricNames = Metrics;
    Add.numMetrics = 1;
    CALL(cuptiProfilerHostConfigAddMetrics, &Add);
    CUpti_Profiler_Host_GetConfigImageSize_Params Size = {
        CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE};
    Size.pHostObject = Host;
    CALL(cuptiProfilerHostGetConfigImageSize, &Size);
    Config.assign(Size.configImageSize, 0);
    CUpti_Profiler_Host_GetConfigImage_Params Get = {
        CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE};
    Get.pHostObject = Host;
    Get.configImageSize = Config.size();
    Get.pConfigImage = Config.data();
    CALL(cuptiProfilerHostGetConfigImage, &Get);
    CUpti_RangeProfiler_Enable_Params Enable = {
        CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE};
    Enable.ctx = Context;
    CALL(cuptiRangeProfilerEnable, &Enable);
    Target = Enable.pRangeProfilerObject;
    CUpti_RangeProfiler_GetCounterDataSize_Params Bytes = {
        CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE};
    Bytes.pRangeProfilerObject = Target;
    Bytes.pMetricNames = Metrics;
    Bytes.numMetrics = 1;
    Bytes.maxNumOfRanges = Bytes.maxNumRangeTreeNodes = Most;
    CALL(cuptiRangeProfilerGetCounterDataSize, &Bytes);
    Data.assign(Bytes.counterDataSize, 0);
    CUpti_RangeProfiler_CounterDataImage_Initialize_Params Empty = {
        CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE};
    Empty.pRangeProfilerObject = Target;
    Empty.counterDataSize = Data.size();
    Empty.pCounterData = Data.data();
    CALL(cuptiRangeProfilerCounterDataImageInitialize, &Empty);
    CUpti_RangeProfiler_SetConfig_Params Set = {
        CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE};
    Set.pRangeProfilerObject = Target;
    Set.configSize = Config.size();
    Set.pConfig = Config.data();
    Set.counterDataImageSize = Data.size();
    Set.pCounterDataImage = Data.data();
    Set.range = CUPTI_AutoRange;
    Set.replayMode = CUPTI_KernelReplay;
    Set.maxRangesPerPass = Most;
    Set.numNestingLevels = Set.minNestingLevel = 1;
    CALL(cuptiRangeProfilerSetConfig, &Set);
    CUpti_RangeProfiler_Start_Params Go = {
        CUpti_RangeProfiler_Start_Params_STRUCT_SIZE};
    Go.pRangeProfilerObject = Target;
    CALL(cuptiRangeProfilerStart, &Go);
  }
  void end() override {
    CUpti_RangeProfiler_Stop_Params Stop = {
        CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE};
    Stop.pRangeProfilerObject = Target;
    CALL(cuptiRangeProfilerStop, &Stop);
    CUpti_RangeProfiler_DecodeData_Params Decode = {
        CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE};
    Decode.pRangeProfilerObject = Target;
    CALL(cuptiRangeProfilerDecodeData, &Decode);
    CUpti_RangeProfiler_GetCounterDataInfo_Params Info = {
        CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE};
    Info.pCounterDataImage = Data.data();
    Info.counterDataImageSize = Data.size();
    CALL(cuptiRangeProfilerGetCounterDataInfo, &Info);
    for (size_t I = 0; Refused.empty() && I != Info.numTotalRanges; ++I) {
      double Value = 0;
      CUpti_Profiler_Host_EvaluateToGpuValues_Params Evaluate = {
          CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE};
      Evaluate.pHostObject = Host;
      Evaluate.pCounterDataImage = Data.data();
      Evaluate.counterDataImageSize = Data.size();
      Evaluate.ppMetricNames = Metrics;
      Evaluate.numMetrics = 1;
      Evaluate.rangeIndex = I;
      Evaluate.pMetricValues = &Value;
      CALL(cuptiProfilerHostEvaluateToGpuValues, &Evaluate);
      Values += " " + std::to_string(static_cast<long long>(Value));
    }
    CUpti_RangeProfiler_Disable_Params Disable = {
        CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE};
    Disable.pRangeProfilerObject = Target;
    CALL(cuptiRangeProfilerDisable, &Disable);
  }
  std::string result() const override { return "instructions" + Values; }
};
#else
using Ranges = NoProfiler;
#endif

template <class Kind> static Profiler *make() { return new Kind; }

int main(int Argc, char **Argv) {
  static const std::map<std::string, Profiler *(*)()> Kinds = {
      {"none", make<NoProfiler>}, {"records", make<Records>},
      {"calls", make<Calls>},     {"tracer", make<Tracer>},
      {"samples", make<Samples>}, {"ranges", make<Ranges>}};
  const auto Found = Kinds.find(Argc > 1 ? Argv[1] : "none");
  if (Found == Kinds.end())
    return 2;
  const bool IsLate = Argc > 2 && std::string(Argv[2]) == "late";
  const int Count = Argc > 3 ? std::atoi(Argv[3]) : 3;
  Profiler *Its = Found->second();
  if (!IsLate)
    Its->begin();
  float *In = nullptr, *Out = nullptr;
  std::vector<float> Host(2 * Elements, 1.0f);
  check(cudaMalloc(&In, Elements * sizeof(float)));
  check(cudaMalloc(&Out, 2 * Elements * sizeof(float)));
  check(cudaMemcpy(In, Host.data(), Elements * sizeof(float),
                   cudaMemcpyHostToDevice));
  if (IsLate)
    Its->begin();
  for (int I = 0; I != Count; ++I) {
    stride<<<Blocks, Threads>>>(In, Out);
    longer<<<Blocks, Threads>>>(In, Out);
  }
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  Its->end();
  // The program goes on without its profiler.
  stride<<<Blocks, Threads>>>(In, Out);
  check(cudaMemcpy(Host.data(), Out, Host.size() * sizeof(float),
                   cudaMemcpyDeviceToHost));
  double Sum = 0;
  for (float X : Host)
    Sum += X;
  std::printf("sum %.3f\n", Sum);
  std::fprintf(stderr, "%s: %s\n", Refused.empty() ? "got" : "refused",
               Refused.empty() ? Its->result().c_str() : Refused.c_str());
  return 0;
}
