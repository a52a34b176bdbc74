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
#include "tests/probe/FakeState.h"

#include <cstdlib>
#include <cstring>
#include <cupti.h>
#include <cupti_pcsampling.h>
#include <cupti_profiler_target.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>

using fake::cubins;
using fake::state;
using fake::waitForKernels;

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

/// All but the first FAKE_LOST_RECORDS.
CUptiResult cuptiActivityFlushAll(std::uint32_t) {
  FAKE_FAILURE();
  std::vector<fake::Cupti::LaunchRecord> Launched;
  {
    std::lock_guard<std::mutex> Lock(state().Mutex);
    Launched.swap(state().Records);
  }
  const char *Lost = std::getenv("FAKE_LOST_RECORDS");
  Launched.erase(Launched.begin(),
                 Launched.begin() + (Lost ? std::atoi(Lost) : 0));
  // As many as fit in.
  for (std::size_t Next = 0; Next != Launched.size();) {
    std::uint8_t *Buffer = nullptr;
    std::size_t Size = 0, Most = 0, Used = 0;
    state().WantBuffer(&Buffer, &Size, &Most);
    if (!Buffer || Size < sizeof(CUpti_ActivityKernel10))
      return CUPTI_ERROR_OUT_OF_MEMORY;
    for (; Next != Launched.size() &&
           Used + sizeof(CUpti_ActivityKernel10) <= Size;
         ++Next) {
      CUpti_ActivityKernel10 Record = {};
      Record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
      Record.deviceId = Launched[Next].Device;
      Record.correlationId = Launched[Next].Call;
      Record.name = Launched[Next].Name;
      Record.gridX = fake::Blocks;
      Record.blockX = fake::Threads;
      Record.gridY = Record.gridZ = Record.blockY = Record.blockZ = 1;
      Record.start = 1000;
      Record.end = 3000;
      std::memcpy(Buffer + Used, &Record, sizeof Record);
      Used += sizeof Record;
    }
    state().BufferFull(nullptr, 0, Buffer, Size, Used);
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

CUptiResult cuptiActivityGetNextRecord(std::uint8_t *Buffer,
                                       std::size_t ValidBytes,
                                       CUpti_Activity **Record) {
  auto *Next = *Record ? reinterpret_cast<std::uint8_t *>(*Record) +
                             sizeof(CUpti_ActivityKernel10)
                       : Buffer;
  if (Next == Buffer + ValidBytes)
    return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *Record = reinterpret_cast<CUpti_Activity *>(Next);
  return CUPTI_SUCCESS;
}
}
