//===- tests/probe/FakeDevices.cpp - What the GPUs are --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tests/probe/FakeDriver.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

namespace fake {

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

unsigned gpus() { return static_cast<unsigned>(allGpus().size()); }

} // namespace fake

extern "C" {

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
  const char *Cluster = std::getenv("FAKE_CLUSTER");
  switch (Which) {
  case CU_FUNC_ATTRIBUTE_NUM_REGS:
    *Value = 18;
    break;
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
    *Value = Cluster ? std::atoi(Cluster) : 0;
    break;
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
  case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
    *Value = Cluster ? 1 : 0;
    break;
  default:
    *Value = 0;
  }
  return CUDA_SUCCESS;
}

// 30 clusters, whatever their size.
CUresult cuOccupancyMaxActiveClusters(int *Clusters, CUfunction,
                                      const CUlaunchConfig *) {
  *Clusters = 30;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *Count) {
  if (std::getenv("FAKE_NO_COUNT"))
    return CUDA_ERROR_UNKNOWN;
  *Count = static_cast<int>(fake::gpus());
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *Device) {
  *Device = 0;
  return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *Blocks, CUfunction,
                                                     int, std::size_t) {
  *Blocks = 16;
  return CUDA_SUCCESS;
}
}
