//===- runtime/measure/Clocks.cpp - How fast the GPU runs -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/measure/Clocks.h"

#include <algorithm>
#include <dlfcn.h>
#include <type_traits>

namespace cudalint {

namespace {
/// Of NVML, as nvml.h has it, which need not be here.
struct Nvml {
  using Device = void *;
  int (*Init)() = nullptr;
  int (*Count)(unsigned *) = nullptr;
  int (*Handle)(unsigned, Device *) = nullptr;
  int (*ClockInfo)(Device, int, unsigned *) = nullptr;
  bool IsReady = false;

  Nvml() {
    // Comes with the driver; never closed, as it is asked again.
    void *Library = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!Library)
      return;
    const auto find = [&](auto &Function, const char *Name) {
      Function = reinterpret_cast<std::remove_reference_t<decltype(Function)>>(
          ::dlsym(Library, Name));
      return Function != nullptr;
    };
    IsReady = find(Init, "nvmlInit_v2") &&
              find(Count, "nvmlDeviceGetCount_v2") &&
              find(Handle, "nvmlDeviceGetHandleByIndex_v2") &&
              find(ClockInfo, "nvmlDeviceGetClockInfo") && Init() == 0;
  }
};
} // namespace

std::optional<unsigned> fastestSmClock() {
  static constexpr int SmClock = 1; // NVML_CLOCK_SM
  static const Nvml Library;
  unsigned Count = 0;
  if (!Library.IsReady || Library.Count(&Count) != 0)
    return std::nullopt;
  std::optional<unsigned> Result;
  for (unsigned I = 0; I != Count; ++I) {
    Nvml::Device Device = nullptr;
    unsigned Clock = 0;
    if (Library.Handle(I, &Device) == 0 &&
        Library.ClockInfo(Device, SmClock, &Clock) == 0)
      Result = std::max(Result.value_or(0), Clock);
  }
  return Result;
}

} // namespace cudalint
