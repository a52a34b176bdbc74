//===- tests/probe/FakeState.cpp - What the fake CUPTI knows --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/probe/FakeState.h"

#include "tests/probe/FakeSampling.h"
#include "tests/unit/cubin/FakeCubin.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <elf.h>
#include <thread>

namespace fake {

//===----------------------------------------------------------------------===//
// The code of the kernels
//===----------------------------------------------------------------------===//

const std::vector<std::string> &cubins() {
  // Not destroyed: threads may load and unload while the program ends.
  static const auto &Built = *new std::vector<std::string>([] {
    std::vector<std::string> Out;
    const char *Text = std::getenv("FAKE_MODULES");
    for (int I = 0, Number = Text ? std::atoi(Text) : 1; I != Number; ++I)
      Out.push_back(makeCubin(
          Kernel, I == 0 ? "stride.cu" : std::to_string(I) + "tride.cu", 3));
    return Out;
  }());
  return Built;
}

/// The code of the waiter, which is loaded with the context, as ptxas makes it
/// of a loop of `ld.acquire.gpu`.
static const std::string &waiterCubin() {
  static const auto &Built = *new std::string([] {
    ElfWriter Out;
    std::string Code;
    for (unsigned long long Word : {0x402007981ull, 0x1ea4000c1ef900ull,
                                    0xfffffffc00f48947ull, 0xfea000383ffffull})
      Code.append(reinterpret_cast<const char *>(&Word), sizeof Word);
    Out.add(
        {std::string(".text.") + nameOf(Which::Waiter), SHT_PROGBITS, Code});
    return Out.write();
  }());
  return Built;
}

//===----------------------------------------------------------------------===//
// Callbacks
//===----------------------------------------------------------------------===//

void waitForKernels() {
  while (isBusy())
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

Cupti &state() {
  // Not destroyed: static objects of the program launch after that.
  static Cupti &Only = *new Cupti;
  return Only;
}

void Cupti::call(CUpti_CallbackDomain Domain, CUpti_CallbackId Id,
                 const void *What) {
  CUpti_CallbackFunc To;
  {
    std::lock_guard<std::mutex> Lock(Mutex);
    To = Callback;
  }
  if (To)
    To(Data, Domain, Id, What);
}

void Cupti::resource(CUcontext Context, CUpti_CallbackId Id, void *What) {
  CUpti_ResourceData Resource = {};
  Resource.context = Context;
  Resource.resourceDescriptor = What;
  call(CUPTI_CB_DOMAIN_RESOURCE, Id, &Resource);
}

void Cupti::modules(CUcontext Context, CUpti_CallbackId Id) {
  std::vector<const std::string *> All = {&waiterCubin()};
  for (const std::string &Bytes : cubins())
    All.push_back(&Bytes);
  for (const std::string *Each : All) {
    const std::string &Bytes = *Each;
    if (NumberOf && Id == CUPTI_CBID_RESOURCE_MODULE_LOADED) {
      std::uint64_t Number = 0;
      NumberOf(Bytes.data(), Bytes.size(), &Number);
      std::lock_guard<std::mutex> Lock(Mutex);
      Numbers[&Bytes] = Number;
    }
    CUpti_ModuleResourceData Module = {};
    Module.pCubin = Bytes.data();
    Module.cubinSize = Bytes.size();
    resource(Context, Id, &Module);
  }
}

void Cupti::contextMade(CUcontext Context) {
  resource(Context, CUPTI_CBID_RESOURCE_CONTEXT_CREATED);
  contextIsReady(Context);
  if (!std::getenv("FAKE_LAZY"))
    load(Context, /*InCallback=*/false);
}

void Cupti::load(CUcontext Context, bool InCallback) {
  {
    std::lock_guard<std::mutex> Lock(Mutex);
    if (!Loaded.insert(Context).second)
      return;
    if (InCallback && Counts[Context])
      NeverPatched.insert(Context);
  }
  modules(Context, CUPTI_CBID_RESOURCE_MODULE_LOADED);
}

void Cupti::contextGone(CUcontext Context) {
  resource(Context, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
  modules(Context, CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING);
  std::lock_guard<std::mutex> Lock(Mutex);
  Launches.erase(Context);
  Counts.erase(Context);
  Patched.erase(Context);
  Loaded.erase(Context);
  NeverPatched.erase(Context);
}

/// Returns the number of the call.
std::uint32_t Cupti::driverCall(CUcontext Context, CUpti_CallbackId Id,
                                bool IsEnter, const void *Params,
                                const char *Name, CUresult Result) {
  // The tool's own value stays from enter to exit.
  static thread_local std::uint64_t Correlation;
  static std::atomic<std::uint32_t> Calls = 0;
  static thread_local std::uint32_t Call;
  if (IsEnter)
    Call = ++Calls;
  CUpti_CallbackData Out = {};
  Out.callbackSite = IsEnter ? CUPTI_API_ENTER : CUPTI_API_EXIT;
  Out.functionParams = Params;
  Out.functionReturnValue = &Result;
  Out.symbolName = Name;
  Out.context = Context;
  Out.correlationData = &Correlation;
  Out.correlationId = Call;
  call(CUPTI_CB_DOMAIN_DRIVER_API, Id, &Out);
  return Call;
}

/// What happens when the call is entered.
void Cupti::run(CUcontext Context, const Launch &What, std::uint32_t Call) {
  load(Context, /*InCallback=*/false);
  if (What.Kernel == Which::Stride && !What.Name)
    sampleLaunch(Context);
  // The name that stays: the program may free its own.
  const char *Name =
      reinterpret_cast<const Launch *>(functionOf(What.name()))->name();
  bool IsFirst = false;
  {
    std::lock_guard<std::mutex> Lock(Mutex);
    ++Launched[Context];
    if (TakesRecords)
      Records.push_back({deviceOf(Context), Call, Name});
    if (TakesRecords || !Counts[Context] || NeverPatched.contains(Context))
      return;
    Launches[Context] += What.Kernel == Which::Stride && !What.Name;
    IsFirst = Patched[Context].insert(What.Kernel).second;
  }
  if (What.Kernel == Which::Huge)
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  if (IsFirst)
    waitForKernels(); // to patch it
}

static CUresult resultOf(const Launch &What) {
  return What.Fails ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

void Cupti::launch(CUcontext Context, const Launch &What, bool IsEnter) {
  CUfunction Function = functionOf(What.name());
  std::uint32_t Call = 0;
  auto Tell = [&](CUpti_CallbackId Id, const void *Params) {
    Call =
        driverCall(Context, Id, IsEnter, Params, What.name(), resultOf(What));
  };
  switch (What.Call) {
  case By::Kernel: {
    cuLaunchKernel_params Params = {};
    Params.f = Function;
    Params.gridDimX = What.Blocks;
    Params.blockDimX = Threads;
    Params.gridDimY = Params.gridDimZ = 1;
    Params.blockDimY = Params.blockDimZ = 1;
    Params.hStream = What.Stream;
    Tell(CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, &Params);
    break;
  }
  case By::Launch: {
    cuLaunch_params Params = {Function};
    Tell(CUPTI_DRIVER_TRACE_CBID_cuLaunch, &Params);
    break;
  }
  case By::Grid: {
    cuLaunchGrid_params Params = {Function, static_cast<int>(What.Blocks), 2};
    Tell(CUPTI_DRIVER_TRACE_CBID_cuLaunchGrid, &Params);
    break;
  }
  case By::GridAsync: {
    cuLaunchGridAsync_params Params = {Function, static_cast<int>(What.Blocks),
                                       2, What.Stream};
    Tell(CUPTI_DRIVER_TRACE_CBID_cuLaunchGridAsync, &Params);
    break;
  }
  }
  if (IsEnter && !What.Fails && What.Stream != captureStream())
    run(Context, What, Call);
}

void Cupti::launchTogether(const std::vector<CUcontext> &Contexts,
                           const Launch &What, bool IsEnter) {
  std::vector<CUDA_LAUNCH_PARAMS> List;
  for (CUcontext Each : Contexts)
    List.push_back({.function = functionOf(What.name()),
                    .gridDimX = What.Blocks,
                    .gridDimY = 1,
                    .gridDimZ = 1,
                    .blockDimX = Threads,
                    .blockDimY = 1,
                    .blockDimZ = 1,
                    .hStream = streamOf(Each)});
  cuLaunchCooperativeKernelMultiDevice_params Params = {};
  Params.launchParamsList = List.data();
  // As a program that is wrong may say.
  Params.numDevices = What.Fails ? 1u << 30 : unsigned(List.size());
  const std::uint32_t Call =
      driverCall(Contexts.front(),
                 CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernelMultiDevice,
                 IsEnter, &Params, nullptr, resultOf(What));
  if (!IsEnter || What.Fails)
    return;
  // The first runs until the last is there: who waits for it meanwhile, to
  // patch another, waits for ever.
  for (CUcontext Each : Contexts) {
    run(Each, What, Call);
    startRunning(Each);
  }
  letWaiterEnd();
}

void Cupti::setBlockShape(CUcontext Context, unsigned Its, bool IsEnter) {
  cuFuncSetBlockShape_params Params = {functionOf(Kernel),
                                       static_cast<int>(Its), 1, 1};
  driverCall(Context, CUPTI_DRIVER_TRACE_CBID_cuFuncSetBlockShape, IsEnter,
             &Params);
}

void Cupti::setSharedSize(CUcontext Context, unsigned Bytes, bool IsEnter) {
  cuFuncSetSharedSize_params Params = {functionOf(Kernel), Bytes};
  driverCall(Context, CUPTI_DRIVER_TRACE_CBID_cuFuncSetSharedSize, IsEnter,
             &Params);
}

void Cupti::profile(bool Starts, bool IsEnter) {
  driverCall(nullptr,
             Starts ? CUPTI_DRIVER_TRACE_CBID_cuProfilerStart
                    : CUPTI_DRIVER_TRACE_CBID_cuProfilerStop,
             IsEnter, nullptr);
}

void Cupti::synchronize(CUcontext Context, bool IsEnter) {
  driverCall(Context, CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize, IsEnter,
             nullptr);
}

void Cupti::unload(CUcontext Context, bool ThenLoads, bool IsEnter) {
  cuModuleUnload_params Params = {module()};
  const bool IsRefused = refusesUnload();
  driverCall(Context, CUPTI_DRIVER_TRACE_CBID_cuModuleUnload, IsEnter, &Params,
             nullptr, IsRefused ? CUDA_ERROR_INVALID_HANDLE : CUDA_SUCCESS);
  if (IsRefused)
    return;
  if (!IsEnter) {
    if (ThenLoads)
      modules(Context, CUPTI_CBID_RESOURCE_MODULE_LOADED);
    return;
  }
  {
    // What nobody has read is gone before the module is.
    std::lock_guard<std::mutex> Lock(Mutex);
    Launches[Context] = 0;
    Patched[Context].clear();
  }
  modules(Context, CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING);
}

void Cupti::capture(CUcontext Context, bool Begins, bool IsEnter) {
  cuStreamBeginCapture_v2_params Begin = {captureStream(),
                                          CU_STREAM_CAPTURE_MODE_RELAXED};
  cuStreamEndCapture_params End = {captureStream(), nullptr};
  if (Begins)
    driverCall(Context, CUPTI_DRIVER_TRACE_CBID_cuStreamBeginCapture_v2,
               IsEnter, &Begin);
  else
    driverCall(Context, CUPTI_DRIVER_TRACE_CBID_cuStreamEndCapture, IsEnter,
               &End);
}

void Cupti::streamGone(CUcontext Context, CUstream Stream) {
  CUpti_ResourceData Resource = {};
  Resource.context = Context;
  Resource.resourceHandle.stream = Stream;
  call(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_STREAM_DESTROY_STARTING,
       &Resource);
}

void Cupti::graphMade(CUcontext Context, CUgraph Graph, CUgraphExec Executable,
                      bool Uploads) {
  if (Executable) {
    CUpti_GraphData What = {};
    What.graph = Graph;
    What.graphExec = Executable;
    resource(Context, CUPTI_CBID_RESOURCE_GRAPHEXEC_CREATED, &What);
    std::lock_guard<std::mutex> Lock(Mutex);
    CountedGraphs[Executable] = Counts[Context];
    if (Uploads)
      UploadedGraphs.insert(Executable);
  }
  CUDA_GRAPH_INSTANTIATE_PARAMS How = {};
  How.flags = Uploads ? CUDA_GRAPH_INSTANTIATE_FLAG_UPLOAD : 0;
  cuGraphInstantiateWithParams_params Params = {&Executable, Graph, &How};
  driverCall(Context, CUPTI_DRIVER_TRACE_CBID_cuGraphInstantiateWithParams,
             /*IsEnter=*/!Executable, &Params);
}

void Cupti::uploadGraph(CUcontext Context, CUgraphExec Graph, bool IsEnter) {
  cuGraphUpload_params Params = {Graph, nullptr};
  driverCall(Context, CUPTI_DRIVER_TRACE_CBID_cuGraphUpload, IsEnter, &Params);
  std::lock_guard<std::mutex> Lock(Mutex);
  UploadedGraphs.insert(Graph);
}

void Cupti::graphGone(CUcontext Context, CUgraphExec Executable) {
  CUpti_GraphData What = {};
  What.graphExec = Executable;
  resource(Context, CUPTI_CBID_RESOURCE_GRAPHEXEC_DESTROY_STARTING, &What);
  std::lock_guard<std::mutex> Lock(Mutex);
  CountedGraphs.erase(Executable);
  UploadedGraphs.erase(Executable);
}

void Cupti::launchGraph(CUcontext Context, CUgraphExec Graph, bool IsEnter) {
  cuGraphLaunch_params Params = {};
  Params.hGraph = Graph;
  driverCall(Context, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, IsEnter, &Params);
  if (!IsEnter)
    return;
  std::lock_guard<std::mutex> Lock(Mutex);
  // A GPU leaves kernels of it out, or they access what they must not.
  if (Counts[Context] != CountedGraphs[Graph])
    std::_Exit(92);
  if (TakesRecords || !Counts[Context] || UploadedGraphs.contains(Graph))
    return;
  for (const Launch &Each : kernelsOf(Graph))
    Launches[Context] += Each.Kernel == Which::Stride && !Each.Name;
}

} // namespace fake
