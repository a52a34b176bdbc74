//===- runtime/probe/Injection.cpp - Where the driver calls us ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The CUDA driver loads the library that CUDA_INJECTION64_PATH names and calls
/// InitializeInjection when a program first uses CUDA. Everything else comes as
/// callbacks of CUPTI, which have no place for state but one pointer.
///
//===----------------------------------------------------------------------===//

#include "runtime/probe/Injection.h"

#include "runtime/probe/Probe.h"

#include <atomic>
#include <cstdlib>
#include <new>
#include <pthread.h>

namespace cudalint::probe {

// For the end of the process and for activity records, whose callbacks have no
// pointer of ours. Set once, and never destroyed: callbacks come until the end.
static Probe *TheProbe;

// The child of a fork cannot use CUDA, but its calls are told. It has copies of
// the tables and of the locks, some of which nobody opens, and the name of the
// parent's file.
static std::atomic<bool> IsForked;

// What the probe itself asks of the driver is no event of the program.
static thread_local bool Inside;

namespace {
struct InsideProbe {
  InsideProbe() { Inside = true; }
  InsideProbe(const InsideProbe &) = delete;
  InsideProbe &operator=(const InsideProbe &) = delete;
  ~InsideProbe() { Inside = Before; }
  bool Before = Inside;
};
} // namespace

CodeRange &chosenRange() {
  // Never destroyed, as the probe.
  static auto *Range = [] {
    const char *Name = std::getenv("CUDA_LINT_PROBE_RANGE");
    return new CodeRange(Name ? Name : "");
  }();
  return *Range;
}

static void onResource(Probe &P, CUpti_CallbackId Id,
                       const CUpti_ResourceData &Data) noexcept {
  switch (Id) {
  case CUPTI_CBID_RESOURCE_CONTEXT_CREATED:
    return P.contextCreated(Data.context);
  case CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING:
    return P.contextDestroyed(Data.context);
  case CUPTI_CBID_RESOURCE_STREAM_CREATED:
    return P.streamCreated(Data.context, Data.resourceHandle.stream);
  case CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING:
    return P.streamDestroyed(Data.context, Data.resourceHandle.stream);
  case CUPTI_CBID_RESOURCE_MODULE_LOADED:
  case CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING: {
    auto *Module =
        static_cast<const CUpti_ModuleResourceData *>(Data.resourceDescriptor);
    std::string_view Cubin;
    if (Module->pCubin)
      Cubin = {Module->pCubin, Module->cubinSize};
    if (Id == CUPTI_CBID_RESOURCE_MODULE_LOADED)
      return P.moduleLoaded(Data.context, Cubin);
    return P.moduleUnloaded(Cubin);
  }
  case CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED:
  case CUPTI_CBID_RESOURCE_GRAPHEXEC_DESTROY_STARTING: {
    auto *Graph = static_cast<const CUpti_GraphData *>(Data.resourceDescriptor);
    if (Id == CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED)
      return P.graphCreated(Data.context, Graph->graph, Graph->graphExec);
    return P.graphDestroyed(Graph->graphExec);
  }
  default:
    return;
  }
}

/// Null is the stream of the thread in the calls that end in _ptsz.
static CUstream streamOf(CUpti_CallbackId Id, CUstream Stream) {
  switch (Id) {
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
  case CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz:
  case CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize_ptsz:
    return Stream ? Stream : CU_STREAM_PER_THREAD;
  default:
    return Stream;
  }
}

static std::array<unsigned, 3> clusterOf(const CUlaunchConfig &Config) {
  for (unsigned I = 0; Config.attrs && I != Config.numAttrs; ++I)
    if (const CUlaunchAttribute &Each = Config.attrs[I];
        Each.id == CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
      return {Each.value.clusterDim.x, Each.value.clusterDim.y,
              Each.value.clusterDim.z};
  return {0, 0, 0};
}

/// The calls that end with `params` of the same fields.
template <class Params> static LaunchShape shapeOf(const Params &P) {
  return {.Function = P.f,
          .Grid = {P.gridDimX, P.gridDimY, P.gridDimZ},
          .Block = {P.blockDimX, P.blockDimY, P.blockDimZ},
          .DynamicSharedBytes = P.sharedMemBytes};
}

static void onLaunchBegin(Probe &P, CUpti_CallbackId Id,
                          const CUpti_CallbackData &Data) noexcept {
  switch (Id) {
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz: {
    auto &Call =
        *static_cast<const cuLaunchKernel_params *>(Data.functionParams);
    return P.launching(Data.context, Data.symbolName, shapeOf(Call),
                       streamOf(Id, Call.hStream), Data.correlationId);
  }
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz: {
    auto &Call = *static_cast<const cuLaunchCooperativeKernel_params *>(
        Data.functionParams);
    return P.launching(Data.context, Data.symbolName, shapeOf(Call),
                       streamOf(Id, Call.hStream), Data.correlationId);
  }
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
  case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz: {
    auto &Call =
        *static_cast<const cuLaunchKernelEx_params *>(Data.functionParams);
    if (!Call.config)
      return;
    const CUlaunchConfig &C = *Call.config;
    return P.launching(Data.context, Data.symbolName,
                       {.Function = Call.f,
                        .Grid = {C.gridDimX, C.gridDimY, C.gridDimZ},
                        .Block = {C.blockDimX, C.blockDimY, C.blockDimZ},
                        .DynamicSharedBytes = C.sharedMemBytes,
                        .Cluster = clusterOf(C)},
                       streamOf(Id, C.hStream), Data.correlationId);
  }
  case CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch:
  case CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz: {
    auto &Call =
        *static_cast<const cuGraphLaunch_params *>(Data.functionParams);
    return P.graphLaunching(Data.context, Call.hGraph,
                            streamOf(Id, Call.hStream), Data.correlationId);
  }
  default:
    return;
  }
}

static constexpr CUpti_CallbackId LaunchCalls[] = {
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz,
};

/// With these go counts.
static constexpr CUpti_CallbackId UnloadCalls[] = {
    CUPTI_DRIVER_TRACE_CBID_cuModuleUnload,
    CUPTI_DRIVER_TRACE_CBID_cuLibraryUnload,
};

static constexpr CUpti_CallbackId StreamEnds[] = {
    CUPTI_DRIVER_TRACE_CBID_cuStreamDestroy,
    CUPTI_DRIVER_TRACE_CBID_cuStreamDestroy_v2,
};

/// Between them, calls that wait are forbidden to the program and to us.
static constexpr CUpti_CallbackId CaptureBegins[] = {
    CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture,
    CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2,
    CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph,
    CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCaptureToGraph_ptsz,
};
static constexpr CUpti_CallbackId CaptureEnds[] = {
    CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture,
    CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture_ptsz,
};

/// These wait for the whole context, or for one stream.
static constexpr CUpti_CallbackId WaitCalls[] = {
    CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize,
    CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize_v2,
    CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize,
    CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2,
};

static std::optional<CUstream>
waitedFor(CUpti_CallbackId Id, const CUpti_CallbackData &Data) noexcept {
  switch (Id) {
  case CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize:
  case CUPTI_DRIVER_TRACE_CBID_cuStreamSynchronize_ptsz:
    return streamOf(
        Id, static_cast<const cuStreamSynchronize_params *>(Data.functionParams)
                ->hStream);
  case CUPTI_DRIVER_TRACE_CBID_cuMemcpyDtoH_v2:
    return nullptr; // the default stream
  default:
    return std::nullopt;
  }
}

template <std::size_t N>
static bool isOneOf(const CUpti_CallbackId (&Calls)[N], CUpti_CallbackId Id) {
  for (CUpti_CallbackId Each : Calls)
    if (Each == Id)
      return true;
  return false;
}

static void onDriverCall(Probe &P, CUpti_CallbackId Id,
                         const CUpti_CallbackData &Data) noexcept {
  bool Entering = Data.callbackSite == CUPTI_API_ENTER;
  bool Succeeded =
      !Entering && Data.functionReturnValue &&
      *static_cast<const CUresult *>(Data.functionReturnValue) == CUDA_SUCCESS;
  if (isOneOf(LaunchCalls, Id)) {
    if (Entering)
      onLaunchBegin(P, Id, Data);
    else
      P.launched(Succeeded);
  } else if (Id == CUPTI_DRIVER_TRACE_CBID_cuProfilerStart) {
    if (Entering)
      chosenRange().profilerStarted();
  } else if (Id == CUPTI_DRIVER_TRACE_CBID_cuProfilerStop) {
    if (Entering)
      chosenRange().profilerStopped();
  } else if (isOneOf(UnloadCalls, Id)) {
    if (Entering)
      P.unloading();
  } else if (isOneOf(StreamEnds, Id)) {
    // Both have this one parameter.
    if (Entering)
      P.streamEnding(
          Data.context,
          static_cast<const cuStreamDestroy_v2_params *>(Data.functionParams)
              ->hStream);
    else
      P.streamEnded();
  } else if (isOneOf(CaptureBegins, Id)) {
    if (Entering)
      P.captureBeginning();
    else if (!Succeeded)
      P.captureEnded();
  } else if (isOneOf(CaptureEnds, Id)) {
    // Also one that failed: it is over.
    if (!Entering)
      P.captureEnded();
  } else if (isOneOf(WaitCalls, Id) && Data.correlationData) {
    if (Entering)
      *Data.correlationData = P.launches();
    else if (Succeeded)
      P.synchronized(Data.context, waitedFor(Id, Data), *Data.correlationData);
  }
}

static void CUPTIAPI onCallback(void *State, CUpti_CallbackDomain Domain,
                                CUpti_CallbackId Id, const void *Data) {
  // To ask about a kernel can load its module, which is one of the program's.
  if (IsForked || (Inside && Domain == CUPTI_CB_DOMAIN_DRIVER_API))
    return;
  InsideProbe Guard;
  Probe &P = *static_cast<Probe *>(State);
  if (Domain == CUPTI_CB_DOMAIN_RESOURCE)
    onResource(P, Id, *static_cast<const CUpti_ResourceData *>(Data));
  else if (Domain == CUPTI_CB_DOMAIN_DRIVER_API)
    onDriverCall(P, Id, *static_cast<const CUpti_CallbackData *>(Data));
}

static constexpr std::size_t BufferBytes = 1 << 20;

static void CUPTIAPI onBufferWanted(std::uint8_t **Buffer, std::size_t *Size,
                                    std::size_t *MostRecords) {
  *Buffer = static_cast<std::uint8_t *>(std::aligned_alloc(8, BufferBytes));
  *Size = *Buffer ? BufferBytes : 0;
  *MostRecords = 0; // as many as fit
}

static unsigned positive(std::int32_t Value) {
  return Value > 0 ? static_cast<unsigned>(Value) : 0;
}

static void CUPTIAPI onBufferFull(CUcontext Context, std::uint32_t Stream,
                                  std::uint8_t *Buffer, std::size_t,
                                  std::size_t ValidBytes) {
  std::size_t Dropped = 0;
  if (TheProbe->cupti().cuptiActivityGetNumDroppedRecords(
          Context, Stream, &Dropped) == CUPTI_SUCCESS &&
      Dropped)
    TheProbe->addProblem(
        loss("times-dropped",
             "CUPTI had no room for the times of some launches, which are "
             "missing; measure a shorter run"));
  CUpti_Activity *Record = nullptr;
  while (ValidBytes && TheProbe->cupti().cuptiActivityGetNextRecord(
                           Buffer, ValidBytes, &Record) == CUPTI_SUCCESS) {
    if (Record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL &&
        Record->kind != CUPTI_ACTIVITY_KIND_KERNEL)
      continue;
    // Newer records only add to the end of this one.
    auto &K = *reinterpret_cast<const CUpti_ActivityKernel10 *>(Record);
    if (!K.name || K.end <= K.start)
      continue;
    TheProbe->ran({K.name,
                   K.deviceId,
                   {positive(K.gridX), positive(K.gridY), positive(K.gridZ)},
                   {positive(K.blockX), positive(K.blockY), positive(K.blockZ)},
                   positive(K.dynamicSharedMemory)},
                  K.end - K.start, K.correlationId);
  }
  std::free(Buffer);
}

static void onEnd(EndKind How) noexcept {
  InsideProbe Guard;
  TheProbe->finish(How);
}

static void CUPTIAPI onModuleNumberWanted(const void *Cubin, std::size_t Size,
                                          std::uint64_t *Number) {
  *Number = TheProbe->moduleNumber({static_cast<const char *>(Cubin), Size});
}

static bool subscribe(Probe &P) {
  CuptiLibrary &Cupti = P.cupti();
  CUpti_SubscriberHandle Subscriber = nullptr;
  CUptiResult Result = Cupti.cuptiSubscribe(&Subscriber, onCallback, &P);
  // Where this fails, CUPTI's own numbers do for most programs.
  if (Result == CUPTI_SUCCESS)
    Cupti.cuptiRegisterComputeCrcCallback(onModuleNumberWanted);
  if (Result == CUPTI_SUCCESS)
    Result = Cupti.cuptiEnableDomain(1, Subscriber, CUPTI_CB_DOMAIN_RESOURCE);
  // All calls, though few are looked at: CUPTI patches a kernel on another
  // thread than that of the context only if the call that loads it has a
  // subscriber.
  if (Result == CUPTI_SUCCESS)
    Result = Cupti.cuptiEnableDomain(1, Subscriber, CUPTI_CB_DOMAIN_DRIVER_API);
  if (Result == CUPTI_SUCCESS)
    Result = Cupti.cuptiActivityRegisterCallbacks(onBufferWanted, onBufferFull);
  if (Result == CUPTI_SUCCESS)
    return true;
  P.addProblem(Cupti.problem(Result, "nothing can be measured"));
  return false;
}

static void start() {
  auto *S = new Settings;
  readSettings([](const char *Name) { return std::getenv(Name); }, *S);
  if (S->Folder.empty())
    return;
  TheProbe = new Probe(*S);
  InsideProbe Guard;
  if (TheProbe->load() && subscribe(*TheProbe) &&
      S->Collect == CollectKind::Time)
    TheProbe->collectTimes();
  ::pthread_atfork(nullptr, nullptr, [] { IsForked = true; });
  actBeforeEnd(onEnd, 10);
}

} // namespace cudalint::probe

/// What the driver calls. Returns 1, whatever happened: the program goes on.
extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  // A second call changes nothing.
  static bool Started = false;
  if (!Started) {
    Started = true;
    cudalint::probe::start();
  }
  return 1;
}
