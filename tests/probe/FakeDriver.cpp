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
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <list>
#include <mutex>
#include <string>

struct CUctx_st {
  unsigned Device;
};

namespace fake {

static std::atomic<Listener *> Hears;

void listen(Listener *To) { Hears = To; }
unsigned deviceOf(CUcontext Context) { return Context->Device; }

namespace {
struct Gpu {
  std::string Name;
  int Capability;
};
} // namespace

static const std::vector<Gpu> &allGpus() {
  static const std::vector<Gpu> All = [] {
    std::vector<Gpu> Out;
    const char *Text = std::getenv("FAKE_GPUS");
    std::string Rest = Text ? Text : "NVIDIA H200:90";
    while (!Rest.empty()) {
      std::size_t End = std::min(Rest.find(','), Rest.size());
      std::size_t Colon = Rest.find(':');
      Out.push_back({Rest.substr(0, Colon),
                     std::atoi(Rest.substr(Colon + 1, End).c_str())});
      Rest.erase(0, End + 1);
    }
    return Out;
  }();
  return All;
}

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

unsigned gpus() { return static_cast<unsigned>(allGpus().size()); }

CUcontext makeContext(unsigned Device) {
  // Programs leave contexts to the end, which is no leak.
  static std::mutex Mutex;
  static auto *All = new std::list<CUctx_st>;
  CUcontext Context = nullptr;
  {
    std::lock_guard<std::mutex> Lock(Mutex);
    Context = &All->emplace_back(CUctx_st{Device});
  }
  if (Listener *L = Hears)
    L->contextMade(Context);
  return Context;
}

void destroyContext(CUcontext Context) {
  if (Listener *L = Hears)
    L->contextGone(Context);
}

static std::atomic<bool> Busy = false;

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

void launch(CUcontext Context, Which Kernel, unsigned Blocks) {
  Listener *L = Hears;
  if (L)
    L->launch(Context, Kernel, Blocks, true);
  if (Kernel == Which::Waiter)
    Busy = true;
  if (L)
    L->launch(Context, Kernel, Blocks, false);
}

void launch(CUcontext Context) { launch(Context, Which::Stride); }

void letWaiterEnd() { Busy = false; }
bool isBusy() { return Busy; }

void profile(bool Starts) {
  Listener *L = Hears;
  if (!L)
    return;
  L->profile(Starts, true);
  L->profile(Starts, false);
}

void unload(CUcontext Context) {
  if (Listener *L = Hears)
    L->unload(Context);
}

void synchronize(CUcontext Context) {
  Listener *L = Hears;
  if (!L)
    return;
  L->synchronize(Context, true);
  L->synchronize(Context, false);
}

} // namespace fake

//===----------------------------------------------------------------------===//
// What the probe asks
//===----------------------------------------------------------------------===//

extern "C" {

CUresult cuStreamQuery(CUstream) {
  return fake::isBusy() ? CUDA_ERROR_NOT_READY : CUDA_SUCCESS;
}

/// What a kernel left behind: the number that FAKE_ERROR says.
CUresult cuCtxSynchronize() {
  const char *Text = std::getenv("FAKE_ERROR");
  return static_cast<CUresult>(Text ? std::atoi(Text) : 0);
}

CUresult cuGetErrorName(CUresult, const char **Name) {
  *Name = "CUDA_ERROR_ASSERT";
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *Name, int Length, CUdevice Device) {
  std::strncpy(Name,
               fake::allGpus()[static_cast<unsigned>(Device)].Name.c_str(),
               static_cast<std::size_t>(Length));
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid_v2(CUuuid *Uuid, CUdevice) {
  for (unsigned I = 0; I != sizeof Uuid->bytes; ++I)
    Uuid->bytes[I] = static_cast<char>(I);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *Value, CUdevice_attribute Which,
                              CUdevice Device) {
  int Capability = fake::allGpus()[static_cast<unsigned>(Device)].Capability;
  switch (Which) {
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
    *Value = Capability / 10;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
    *Value = Capability % 10;
    return CUDA_SUCCESS;
  case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
    *Value = 132;
    return CUDA_SUCCESS;
  default:
    return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult cuFuncGetAttribute(int *Value, CUfunction_attribute Which,
                            CUfunction) {
  *Value = Which == CU_FUNC_ATTRIBUTE_NUM_REGS ? 18 : 0;
  return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks, CUfunction,
                                                     int, std::size_t) {
  *Blocks = 16;
  return CUDA_SUCCESS;
}
}
