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

#include "runtime/probe/DriverCalls.h"

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
