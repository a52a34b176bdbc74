//===- tests/probe/FakeCupti.cpp - A CUPTI without a GPU ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A CUPTI that counts what FakeDriver launches, as the real one does it as far
/// as is known: one subscriber, and all counts 0 while kernel activity records
/// are on. FAKE_CUPTI_FAIL has functions fail: `cuptiSassMetricsEnable=35`, for
/// one GPU alone `cuptiSassMetricsEnable@1=35`.
///
//===----------------------------------------------------------------------===//

#include "tests/probe/FakeSampling.h"
#include "tests/unit/cubin/FakeCubin.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <cupti.h>
#include <cupti_pcsampling.h>
#include <cupti_profiler_target.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>
#include <elf.h>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

/// What FAKE_CUPTI_FAIL says of \p Name.
static CUptiResult failureOf(const std::string &Name) {
  const char *Text = std::getenv("FAKE_CUPTI_FAIL");
  std::string All = std::string(",") + (Text ? Text : "");
  std::size_t At = All.find("," + Name + "=");
  if (At == std::string::npos)
    return CUPTI_SUCCESS;
  return static_cast<CUptiResult>(
      std::atoi(All.c_str() + At + Name.size() + 2));
}

CUptiResult fake::failureOf(const std::string &Name, unsigned Device) {
  if (CUptiResult All = ::failureOf(Name))
    return All;
  return ::failureOf(Name + "@" + std::to_string(Device));
}

//===----------------------------------------------------------------------===//
// The code of the kernel
//===----------------------------------------------------------------------===//

/// The code that is loaded: one file, or as many as FAKE_MODULES says. All have
/// a kernel of the same name, as static kernels do, and the second has twice
/// the sectors of the first, and so on.
static const std::vector<std::string> &cubins() {
  static const std::vector<std::string> Built = [] {
    std::vector<std::string> Out;
    const char *Text = std::getenv("FAKE_MODULES");
    for (int I = 0, Number = Text ? std::atoi(Text) : 1; I != Number; ++I)
      Out.push_back(fake::makeCubin(
          fake::Kernel, I == 0 ? "stride.cu" : std::to_string(I) + "tride.cu",
          3));
    return Out;
  }();
  return Built;
}

/// The code of the waiter, which is loaded with the context, as ptxas makes it
/// of `while (!*Flag);` with a volatile flag.
static const std::string &waiterCubin() {
  static const std::string Built = [] {
    fake::ElfWriter Out;
    std::string Code;
    for (unsigned long long Word : {0x402007981ull, 0x1ea4000c1f5900ull,
                                    0xfffffffc00f48947ull, 0xfea000383ffffull})
      Code.append(reinterpret_cast<const char *>(&Word), sizeof Word);
    Out.add({std::string(".text.") + fake::nameOf(fake::Which::Waiter),
             SHT_PROGBITS, Code});
    return Out.write();
  }();
  return Built;
}

/// CUPTI's own number of all of them: it looks at few bytes of a file.
static constexpr std::uint32_t Crc = 0x1234;

namespace {
/// The counts of one launch: of the load and of the store.
struct Counter {
  const char *Name;
  std::uint64_t Load, Store;
};
} // namespace

static constexpr std::uint64_t Requests = fake::Blocks * fake::Threads / 32;

static constexpr Counter Counters[] = {
    {"smsp__sass_inst_executed", Requests, Requests},
    {"smsp__sass_thread_inst_executed_pred_on", 32 * Requests, 32 * Requests},
    {"smsp__sass_inst_executed_op_global", Requests, Requests},
    {"smsp__sass_inst_executed_op_shared", 0, 0},
    {"smsp__sass_inst_executed_op_local", 0, 0},
    {"smsp__sass_inst_executed_op_ldgsts", 0, 0},
    {"smsp__sass_sectors_mem_global", 4 * Requests, 8 * Requests},
    {"smsp__sass_sectors_mem_global_ideal", 4 * Requests, 4 * Requests},
    {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared", 0, 0},
    {"smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal", 0, 0},
    {"smsp__sass_sectors_mem_local", 0, 0},
    {"smsp__sass_branch_targets_threads_divergent", 0, 0},
    {"smsp__sass_thread_inst_executed_op_global_pred_on", 32 * Requests,
     32 * Requests},
    {"smsp__sass_thread_inst_executed_op_shared_pred_on", 0, 0},
    {"smsp__sass_thread_inst_executed_op_ldgsts_pred_on", 0, 0},
    {"smsp__sass_inst_executed_op_ld", 0, 0},
    {"smsp__sass_inst_executed_op_st", 0, 0},
    {"smsp__sass_inst_executed_op_atom", 0, 0},
};

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

static void waitForKernels() {
  while (fake::isBusy())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

namespace {
struct State final : fake::Listener {
  std::mutex Mutex;
  CUpti_CallbackFunc Callback = nullptr;
  void *Data = nullptr;
  CUpti_BuffersCallbackRequestFunc WantBuffer = nullptr;
  CUpti_BuffersCallbackCompleteFunc BufferFull = nullptr;
  CUpti_ComputeCrcCallbackFunc NumberOf = nullptr;
  std::map<const std::string *, std::uint64_t> Numbers;
  bool TakesRecords = false;
  std::map<CUcontext, std::uint64_t> Launches; // counted and not yet read
  std::map<CUcontext, std::set<fake::Which>> Patched; // since it was enabled
  std::map<CUcontext, bool> Counts;
  // The device of each launch, and the number of its call.
  std::vector<std::pair<unsigned, std::uint32_t>> Records;

  void call(CUpti_CallbackDomain Domain, CUpti_CallbackId Id,
            const void *What) {
    CUpti_CallbackFunc To;
    {
      std::lock_guard<std::mutex> Lock(Mutex);
      To = Callback;
    }
    if (To)
      To(Data, Domain, Id, What);
  }

  void resource(CUcontext Context, CUpti_CallbackId Id) {
    CUpti_ResourceData Resource = {};
    Resource.context = Context;
    call(CUPTI_CB_DOMAIN_RESOURCE, Id, &Resource);
  }

  void modules(CUcontext Context, CUpti_CallbackId Id) {
    std::vector<const std::string *> All = {&waiterCubin()};
    for (const std::string &Bytes : cubins())
      All.push_back(&Bytes);
    for (const std::string *Each : All) {
      const std::string &Bytes = *Each;
      if (NumberOf && Id == CUPTI_CBID_RESOURCE_MODULE_LOADED)
        NumberOf(Bytes.data(), Bytes.size(), &Numbers[&Bytes]);
      CUpti_ModuleResourceData Module = {};
      Module.pCubin = Bytes.data();
      Module.cubinSize = Bytes.size();
      CUpti_ResourceData Resource = {};
      Resource.context = Context;
      Resource.resourceDescriptor = &Module;
      call(CUPTI_CB_DOMAIN_RESOURCE, Id, &Resource);
    }
  }

  void contextMade(CUcontext Context) override {
    resource(Context, CUPTI_CBID_RESOURCE_CONTEXT_CREATED);
    fake::contextIsReady(Context);
    modules(Context, CUPTI_CBID_RESOURCE_MODULE_LOADED);
  }

  void unload(CUcontext Context) override {
    driverCall(Context, CUPTI_DRIVER_TRACE_CBID_cuModuleUnload, true, nullptr);
    modules(Context, CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING);
    driverCall(Context, CUPTI_DRIVER_TRACE_CBID_cuModuleUnload, false, nullptr);
  }

  void contextGone(CUcontext Context) override {
    resource(Context, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
    modules(Context, CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING);
    std::lock_guard<std::mutex> Lock(Mutex);
    Launches.erase(Context);
    Counts.erase(Context);
  }

  /// Returns the number of the call.
  std::uint32_t driverCall(CUcontext Context, CUpti_CallbackId Id, bool IsEnter,
                           const void *Params,
                           const char *Name = fake::Kernel) {
    // The tool's own value stays from enter to exit.
    static thread_local std::uint64_t Correlation;
    static std::atomic<std::uint32_t> Calls = 0;
    static thread_local std::uint32_t Call;
    if (IsEnter)
      Call = ++Calls;
    CUresult Success = CUDA_SUCCESS;
    CUpti_CallbackData Data = {};
    Data.callbackSite = IsEnter ? CUPTI_API_ENTER : CUPTI_API_EXIT;
    Data.functionParams = Params;
    Data.functionReturnValue = &Success;
    Data.symbolName = Name;
    Data.context = Context;
    Data.correlationData = &Correlation;
    Data.correlationId = Call;
    call(CUPTI_CB_DOMAIN_DRIVER_API, Id, &Data);
    return Call;
  }

  void launch(CUcontext Context, fake::Which Kernel, unsigned Blocks,
              bool IsEnter) override {
    cuLaunchKernel_params Params = {};
    static char Handle;
    Params.f = reinterpret_cast<CUfunction>(&Handle);
    Params.gridDimX = Blocks;
    Params.blockDimX = fake::Threads;
    Params.gridDimY = Params.gridDimZ = 1;
    Params.blockDimY = Params.blockDimZ = 1;
    const std::uint32_t Call =
        driverCall(Context, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, IsEnter,
                   &Params, fake::nameOf(Kernel));
    if (!IsEnter)
      return;
    if (Kernel == fake::Which::Stride)
      fake::sampleLaunch(Context);
    bool IsFirst = false;
    {
      std::lock_guard<std::mutex> Lock(Mutex);
      if (TakesRecords)
        Records.emplace_back(fake::deviceOf(Context), Call);
      if (TakesRecords || !Counts[Context])
        return;
      Launches[Context] += Kernel == fake::Which::Stride;
      IsFirst = Patched[Context].insert(Kernel).second;
    }
    if (Kernel == fake::Which::Huge)
      std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    if (IsFirst)
      waitForKernels(); // to patch it
  }

  void profile(bool Starts, bool IsEnter) override {
    driverCall(nullptr,
               Starts ? CUPTI_DRIVER_TRACE_CBID_cuProfilerStart
                      : CUPTI_DRIVER_TRACE_CBID_cuProfilerStop,
               IsEnter, nullptr);
  }

  void synchronize(CUcontext Context, bool IsEnter) override {
    driverCall(Context, CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize, IsEnter,
               nullptr);
  }
};
} // namespace

static State &state() {
  // Not destroyed: static objects of the program launch after that.
  static State &Only = *new State;
  return Only;
}

//===----------------------------------------------------------------------===//
// The functions that the probe calls
//===----------------------------------------------------------------------===//

std::vector<std::uint64_t> fake::moduleNumbers() {
  std::vector<std::uint64_t> Out;
  std::lock_guard<std::mutex> Lock(state().Mutex);
  for (const std::string &Each : cubins()) {
    auto Number = state().Numbers.find(&Each);
    Out.push_back(Number == state().Numbers.end() ? Crc : Number->second);
  }
  return Out;
}

#define FAKE_FAILURE()                                                         \
  if (CUptiResult Result = failureOf(__func__))                                \
  return Result

extern "C" {

CUptiResult cuptiSubscribe(CUpti_SubscriberHandle *, CUpti_CallbackFunc To,
                           void *Data) {
  FAKE_FAILURE();
  std::lock_guard<std::mutex> Lock(state().Mutex);
  if (state().Callback)
    return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  state().Callback = To;
  state().Data = Data;
  fake::listen(&state());
  return CUPTI_SUCCESS;
}

CUptiResult cuptiEnableDomain(std::uint32_t, CUpti_SubscriberHandle,
                              CUpti_CallbackDomain) {
  FAKE_FAILURE();
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetResultString(CUptiResult Result, const char **Text) {
  static thread_local std::string Kept;
  Kept = "CUPTI_ERROR_" + std::to_string(Result);
  *Text = Kept.c_str();
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetDeviceId(CUcontext Context, std::uint32_t *Index) {
  FAKE_FAILURE();
  *Index = fake::deviceOf(Context);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiGetCubinCrc(CUpti_GetCubinCrcParams *P) {
  FAKE_FAILURE();
  P->cubinCrc = Crc;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiRegisterComputeCrcCallback(CUpti_ComputeCrcCallbackFunc Of) {
  FAKE_FAILURE();
  state().NumberOf = Of;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiProfilerInitialize(CUpti_Profiler_Initialize_Params *) {
  FAKE_FAILURE();
  return CUPTI_SUCCESS;
}

CUptiResult cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params *P) {
  if (CUptiResult Result =
          fake::failureOf(__func__, static_cast<unsigned>(P->deviceIndex)))
    return Result;
  P->pChipName = "GH100";
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiSassMetricsGetNumOfMetrics(CUpti_SassMetrics_GetNumOfMetrics_Params *P) {
  FAKE_FAILURE();
  P->numOfMetrics = std::size(Counters);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiSassMetricsGetMetrics(CUpti_SassMetrics_GetMetrics_Params *P) {
  FAKE_FAILURE();
  for (std::size_t I = 0; I != P->numOfMetrics; ++I)
    P->pMetricsList[I] = {I + 1, Counters[I].Name, ""};
  return CUPTI_SUCCESS;
}

CUptiResult cuptiSassMetricsSetConfig(CUpti_SassMetricsSetConfig_Params *P) {
  return fake::failureOf(__func__, P->deviceIndex);
}

CUptiResult cuptiSassMetricsEnable(CUpti_SassMetricsEnable_Params *P) {
  if (CUptiResult Result = fake::failureOf(__func__, fake::deviceOf(P->ctx)))
    return Result;
  std::lock_guard<std::mutex> Lock(state().Mutex);
  state().Counts[P->ctx] = true;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiSassMetricsDisable(CUpti_SassMetricsDisable_Params *P) {
  FAKE_FAILURE();
  waitForKernels();
  std::lock_guard<std::mutex> Lock(state().Mutex);
  state().Counts[P->ctx] = false;
  state().Patched[P->ctx].clear();
  if (state().Launches[P->ctx])
    P->numOfDroppedRecords = 1;
  state().Launches[P->ctx] = 0;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiSassMetricsGetDataProperties(
    CUpti_SassMetricsGetDataProperties_Params *P) {
  FAKE_FAILURE();
  waitForKernels();
  P->numOfInstances = 1;
  P->numOfPatchedInstructionRecords = 2 * std::size(Counters) * cubins().size();
  return CUPTI_SUCCESS;
}

CUptiResult cuptiSassMetricsFlushData(CUpti_SassMetricsFlushData_Params *P) {
  FAKE_FAILURE();
  std::lock_guard<std::mutex> Lock(state().Mutex);
  std::uint64_t Launches = std::exchange(state().Launches[P->ctx], 0);
  for (std::size_t I = 0; I != P->numOfPatchedInstructionRecords; ++I) {
    const Counter &Each = Counters[I / 2 % std::size(Counters)];
    std::size_t Module = I / 2 / std::size(Counters);
    CUpti_SassMetrics_Data &Out = P->pMetricsData[I];
    auto Number = state().Numbers.find(&cubins()[Module]);
    Out.cubinCrc = Number == state().Numbers.end()
                       ? Crc
                       : static_cast<std::uint32_t>(Number->second);
    Out.functionName = fake::Kernel;
    Out.pcOffset = I % 2 ? 16 : 0;
    std::uint64_t Value = Launches * (I % 2 ? Each.Store : Each.Load);
    if (Each.Name == std::string("smsp__sass_sectors_mem_global"))
      Value *= Module + 1;
    Out.pInstanceValues[0] = {I / 2 % std::size(Counters) + 1, Value};
  }
  return CUPTI_SUCCESS;
}

//===----------------------------------------------------------------------===//
// Records of activity
//===----------------------------------------------------------------------===//

CUptiResult
cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc Want,
                               CUpti_BuffersCallbackCompleteFunc Full) {
  FAKE_FAILURE();
  std::lock_guard<std::mutex> Lock(state().Mutex);
  state().WantBuffer = Want;
  state().BufferFull = Full;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind) {
  FAKE_FAILURE();
  std::lock_guard<std::mutex> Lock(state().Mutex);
  state().TakesRecords = true;
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityFlushAll(std::uint32_t) {
  FAKE_FAILURE();
  std::vector<std::pair<unsigned, std::uint32_t>> Launched;
  {
    std::lock_guard<std::mutex> Lock(state().Mutex);
    Launched.swap(state().Records);
  }
  for (const auto &[Device, Call] : Launched) {
    std::uint8_t *Buffer = nullptr;
    std::size_t Size = 0, Most = 0;
    state().WantBuffer(&Buffer, &Size, &Most);
    CUpti_ActivityKernel10 Record = {};
    if (!Buffer || Size < sizeof Record)
      return CUPTI_ERROR_OUT_OF_MEMORY;
    Record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    Record.deviceId = Device;
    Record.correlationId = Call;
    Record.name = fake::Kernel;
    Record.gridX = fake::Blocks;
    Record.blockX = fake::Threads;
    Record.gridY = Record.gridZ = Record.blockY = Record.blockZ = 1;
    Record.start = 1000;
    Record.end = 3000;
    std::memcpy(Buffer, &Record, sizeof Record);
    state().BufferFull(nullptr, 0, Buffer, Size, sizeof Record);
  }
  return CUPTI_SUCCESS;
}

/// As many as FAKE_DROPPED says.
CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, std::uint32_t,
                                              std::size_t *Dropped) {
  const char *Text = std::getenv("FAKE_DROPPED");
  *Dropped = static_cast<std::size_t>(Text ? std::atoi(Text) : 0);
  return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNextRecord(std::uint8_t *Buffer, std::size_t,
                                       CUpti_Activity **Record) {
  if (*Record)
    return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *Record = reinterpret_cast<CUpti_Activity *>(Buffer);
  return CUPTI_SUCCESS;
}
}
