//===- tests/probe/FakeDriver.cpp - A driver without a GPU ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/probe/FakeDriver.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <list>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <thread>

struct CUctx_st {
  unsigned Device = 0;
  std::atomic<bool> IsGone = false;
};

// The contexts of this thread. It has no destructor: see ProbeLaunches.cpp.
static thread_local struct {
  CUcontext Stack[16];
  unsigned Count = 0;
} Current;

struct CUgraph_st {
  std::list<fake::Launch> Kernels; // each is its node, and its function
};

struct CUgraphExec_st {
  std::vector<fake::Launch> Kernels;
};

namespace fake {

static std::atomic<Listener *> Hears;

void listen(Listener *To) { Hears = To; }
unsigned deviceOf(CUcontext Context) { return Context->Device; }

void init() {
  static bool Loaded = false;
  const char *Path = std::getenv("CUDA_INJECTION64_PATH");
  if (Loaded || !Path)
    return;
  Loaded = true;
  if (void *Library = ::dlopen(Path, RTLD_NOW | RTLD_LOCAL))
    if (void *Start = ::dlsym(Library, "InitializeInjection"))
      reinterpret_cast<int (*)()>(Start)();
}

CUcontext makeContext(unsigned Device) {
  // Programs leave contexts to the end, which is no leak.
  static std::mutex Mutex;
  static auto *All = new std::list<CUctx_st>;
  CUcontext Context = nullptr;
  {
    std::lock_guard<std::mutex> Lock(Mutex);
    Context = &All->emplace_back();
    Context->Device = Device;
  }
  if (Listener *L = Hears)
    L->contextMade(Context);
  return Context;
}

void destroyContext(CUcontext Context) {
  if (Listener *L = Hears)
    L->contextGone(Context);
  Context->IsGone = true;
}

void resetContext(CUcontext Context) {
  destroyContext(Context);
  Context->IsGone = false;
  if (Listener *L = Hears)
    L->contextMade(Context);
}

static std::mutex Running;
static std::set<CUcontext> Busy; // in which a kernel runs

const char *nameOf(Which Kernel) {
  switch (Kernel) {
  case Which::Stride:
    break;
  case Which::Waiter:
    return "_Z6waiterPVi";
  case Which::Huge:
    return "_Z4hugePf";
  }
  return fake::Kernel;
}

/// Tells CUPTI before and after \p Act.
template <class Tell, class Act> static void around(Tell Said, Act Done) {
  Listener *L = Hears;
  if (L)
    Said(*L, true);
  Done();
  if (L)
    Said(*L, false);
}

// One stream can be captured.
static CUgraph Captured;
static bool IsSpoilt; // somebody asked about a stream meanwhile
static std::mutex Capturing;

void launch(CUcontext Context, const Launch &What) {
  around([&](Listener &L, bool IsEnter) { L.launch(Context, What, IsEnter); },
         [&] {
           std::lock_guard<std::mutex> Lock(Capturing);
           if (Captured && What.Stream == captureStream())
             Captured->Kernels.push_back(What);
           else if (What.Kernel == Which::Waiter)
             startRunning(Context);
         });
}

CUfunction functionOf(const char *Name) {
  // Never destroyed: static objects of the program launch late.
  static std::mutex Mutex;
  static auto *All = new std::map<std::string, Launch>;
  std::lock_guard<std::mutex> Lock(Mutex);
  auto [Found, IsNew] = All->try_emplace(Name);
  if (IsNew)
    Found->second.Name = Found->first.c_str();
  return reinterpret_cast<CUfunction>(&Found->second);
}

CUstream streamOf(CUcontext Context) {
  return reinterpret_cast<CUstream>(Context);
}

void setBlockShape(CUcontext Context, unsigned Threads) {
  around([&](Listener &L,
             bool IsEnter) { L.setBlockShape(Context, Threads, IsEnter); },
         [] {});
}

void setSharedSize(CUcontext Context, unsigned Bytes) {
  around([&](Listener &L,
             bool IsEnter) { L.setSharedSize(Context, Bytes, IsEnter); },
         [] {});
}

void launchTogether(const std::vector<CUcontext> &Contexts,
                    const Launch &What) {
  around([&](Listener &L,
             bool IsEnter) { L.launchTogether(Contexts, What, IsEnter); },
         [] {});
}

void unload(CUcontext Context) {
  around([&](Listener &L, bool IsEnter) { L.unload(Context, false, IsEnter); },
         [] {});
}

static bool RefusesUnload = false;
bool refusesUnload() { return RefusesUnload; }

void unloadInVain(CUcontext Context) {
  RefusesUnload = true;
  unload(Context);
  RefusesUnload = false;
}

void reload(CUcontext Context) {
  around([&](Listener &L, bool IsEnter) { L.unload(Context, true, IsEnter); },
         [] {});
}

void beginCapture(CUcontext Context) {
  around([&](Listener &L, bool IsEnter) { L.capture(Context, true, IsEnter); },
         [] {
           // Programs leave graphs to the end, which is no leak.
           static auto *All = new std::list<CUgraph_st>;
           std::lock_guard<std::mutex> Lock(Capturing);
           Captured = &All->emplace_back();
           IsSpoilt = false;
         });
}

void destroyCaptureStream(CUcontext Context) {
  if (Listener *L = Hears)
    L->streamGone(Context, captureStream());
  std::lock_guard<std::mutex> Lock(Capturing);
  Captured = nullptr;
}

void disturbCapture() {
  std::lock_guard<std::mutex> Lock(Capturing);
  IsSpoilt |= Captured != nullptr;
}

CUgraph endCapture(CUcontext Context) {
  CUgraph Out = nullptr;
  around([&](Listener &L, bool IsEnter) { L.capture(Context, false, IsEnter); },
         [&] {
           std::lock_guard<std::mutex> Lock(Capturing);
           Out = IsSpoilt ? nullptr : Captured;
           Captured = nullptr;
         });
  return Out;
}

CUgraphExec instantiate(CUcontext Context, CUgraph Graph, bool Uploads) {
  CUgraphExec Executable = nullptr;
  around([&](Listener &L,
             bool) { L.graphMade(Context, Graph, Executable, Uploads); },
         [&] {
           Executable = new CUgraphExec_st{
               {Graph->Kernels.begin(), Graph->Kernels.end()}};
         });
  return Executable;
}

void uploadGraph(CUcontext Context, CUgraphExec Graph) {
  around([&](Listener &L,
             bool IsEnter) { L.uploadGraph(Context, Graph, IsEnter); },
         [] {});
}

void launchGraph(CUcontext Context, CUgraphExec Graph) {
  around([&](Listener &L,
             bool IsEnter) { L.launchGraph(Context, Graph, IsEnter); },
         [] {});
}

void destroyGraph(CUcontext Context, CUgraphExec Graph) {
  if (Listener *L = Hears)
    L->graphGone(Context, Graph);
  delete Graph;
}

const std::vector<Launch> &kernelsOf(CUgraphExec Graph) {
  return Graph->Kernels;
}

void startRunning(CUcontext Context) {
  std::lock_guard<std::mutex> Lock(Running);
  Busy.insert(Context);
}

void letWaiterEnd() {
  std::lock_guard<std::mutex> Lock(Running);
  Busy.clear();
}

bool isBusy(CUcontext Context) {
  std::lock_guard<std::mutex> Lock(Running);
  return Context ? Busy.contains(Context) : !Busy.empty();
}

void profile(bool Starts) {
  around([&](Listener &L, bool IsEnter) { L.profile(Starts, IsEnter); }, [] {});
}

void synchronize(CUcontext Context) {
  around([&](Listener &L, bool IsEnter) { L.synchronize(Context, IsEnter); },
         [] {});
}

} // namespace fake

//===----------------------------------------------------------------------===//
// What the probe asks
//===----------------------------------------------------------------------===//

extern "C" {

CUresult cuStreamIsCapturing(CUstream Stream, CUstreamCaptureStatus *Status) {
  std::lock_guard<std::mutex> Lock(fake::Capturing);
  *Status = fake::Captured && Stream == fake::captureStream()
                ? CU_STREAM_CAPTURE_STATUS_ACTIVE
                : CU_STREAM_CAPTURE_STATUS_NONE;
  return CUDA_SUCCESS;
}

CUresult cuGraphGetNodes(CUgraph Graph, CUgraphNode *Nodes,
                         std::size_t *Count) {
  std::size_t I = 0;
  for (fake::Launch &Each : Graph->Kernels) {
    if (Nodes && I < *Count)
      Nodes[I] = reinterpret_cast<CUgraphNode>(&Each);
    ++I;
  }
  *Count = I;
  return CUDA_SUCCESS;
}

CUresult cuGraphNodeGetType(CUgraphNode, CUgraphNodeType *Type) {
  *Type = CU_GRAPH_NODE_TYPE_KERNEL;
  return CUDA_SUCCESS;
}

CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode Node,
                                       CUDA_KERNEL_NODE_PARAMS *Out) {
  *Out = {};
  Out->func = reinterpret_cast<CUfunction>(Node);
  Out->gridDimX = reinterpret_cast<fake::Launch *>(Node)->Blocks;
  Out->blockDimX = fake::Threads;
  Out->gridDimY = Out->gridDimZ = Out->blockDimY = Out->blockDimZ = 1;
  return CUDA_SUCCESS;
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode, CUgraph *) {
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuFuncGetName(const char **Name, CUfunction Function) {
  *Name = reinterpret_cast<fake::Launch *>(Function)->name();
  return CUDA_SUCCESS;
}

CUresult cuKernelGetName(const char **, CUkernel) {
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuStreamQuery(CUstream) {
  std::lock_guard<std::mutex> Lock(fake::Capturing);
  fake::IsSpoilt |= fake::Captured != nullptr;
  CUcontext Context =
      Current.Count ? Current.Stack[Current.Count - 1] : nullptr;
  return fake::isBusy(Context) ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}

/// Nobody may use a context that is gone: the real driver may crash.
static void expectAlive(CUcontext Context) {
  if (!Context->IsGone)
    return;
  std::fputs("a context is used that is gone\n", stderr);
  std::_Exit(92);
}

CUresult cuCtxPushCurrent_v2(CUcontext Context) {
  expectAlive(Context);
  Current.Stack[Current.Count++] = Context;
  return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent_v2(CUcontext *Context) {
  *Context = Current.Stack[--Current.Count];
  return CUDA_SUCCESS;
}

/// What a kernel left behind: the number that FAKE_ERROR says, after FAKE_RUNS
/// milliseconds.
CUresult cuCtxSynchronize() {
  const char *Runs = std::getenv("FAKE_RUNS");
  std::this_thread::sleep_for(
      std::chrono::milliseconds(Runs ? std::atoi(Runs) : 0));
  if (Current.Count)
    expectAlive(Current.Stack[Current.Count - 1]);
  const char *Text = std::getenv("FAKE_ERROR");
  return static_cast<CUresult>(Text ? std::atoi(Text) : 0);
}

CUresult cuGetErrorName(CUresult, const char **Name) {
  *Name = "CUDA_ERROR_ASSERT";
  return CUDA_SUCCESS;
}

CUresult cuFuncLoad(CUfunction) {
  {
    std::lock_guard<std::mutex> Lock(fake::Capturing);
    fake::IsSpoilt |= fake::Captured != nullptr;
  }
  const char *How = std::getenv("FAKE_LAZY");
  if (How && std::strcmp(How, "refused") == 0)
    return CUDA_ERROR_NOT_SUPPORTED;
  if (Current.Count == 0)
    return CUDA_ERROR_INVALID_CONTEXT;
  fake::Listener *L = fake::Hears;
  if (L && How && std::strcmp(How, "nested") == 0)
    L->load(Current.Stack[Current.Count - 1], /*InCallback=*/true);
  return CUDA_SUCCESS;
}

CUresult cuFuncGetModule(CUmodule *Module, CUfunction) {
  *Module = fake::module();
  return CUDA_SUCCESS;
}

CUresult cuStreamGetCtx(CUstream Stream, CUcontext *Context) {
  *Context = reinterpret_cast<CUcontext>(Stream);
  return CUDA_SUCCESS;
}
}
