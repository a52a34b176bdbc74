//===- runtime/measure/Gpu.cpp - The GPU of this machine ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/measure/Gpu.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace cudalint {

// Of the driver API, as cuda.h has them, which need not be here.
using Init = int (*)(unsigned);
using DeviceGet = int (*)(int *, int);
using DeviceGetName = int (*)(char *, int, int);
using DeviceGetAttribute = int (*)(int *, int, int);
static constexpr int MajorAttribute = 75, MinorAttribute = 76;

template <typename Function>
static Function symbol(void *Driver, const char *Name) {
  return reinterpret_cast<Function>(::dlsym(Driver, Name));
}

std::optional<GpuHere> findGpu() {
  // Never closed: the driver does not like it.
  void *Driver = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!Driver)
    return std::nullopt;
  auto *const init = symbol<Init>(Driver, "cuInit");
  auto *const get = symbol<DeviceGet>(Driver, "cuDeviceGet");
  auto *const name = symbol<DeviceGetName>(Driver, "cuDeviceGetName");
  auto *const attribute =
      symbol<DeviceGetAttribute>(Driver, "cuDeviceGetAttribute");
  int Device = 0, Major = 0, Minor = 0;
  char Name[256] = {};
  if (!init || !get || !name || !attribute || init(0) != 0 ||
      get(&Device, 0) != 0 || name(Name, sizeof(Name) - 1, Device) != 0 ||
      attribute(&Major, MajorAttribute, Device) != 0 ||
      attribute(&Minor, MinorAttribute, Device) != 0)
    return std::nullopt;
  return GpuHere{.Name = Name,
                 .ComputeCapability = fmt::format("{}.{}", Major, Minor)};
}

} // namespace cudalint
