//===- analyzer/launch/DeviceProperties.cpp - Of the target ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/DeviceProperties.h"

namespace cudalint {

// Fields and numbers are those of driver_types.h.
std::vector<DeviceProperty> devicePropertiesOf(const Target &Gpu) {
  const Architecture &Arch = *Gpu.Arch;
  auto number = [](std::uint64_t Size) {
    return static_cast<std::int64_t>(Size);
  };
  std::vector<DeviceProperty> Result = {
      {"maxThreadsPerBlock", std::nullopt, 1, Arch.ThreadsPerBlock},
      {"maxThreadsDim", 0, 2, Arch.BlockX},
      {"maxThreadsDim", 1, 3, Arch.BlockY},
      {"maxThreadsDim", 2, 4, Arch.BlockZ},
      {"maxGridSize", 0, 5, number(Arch.GridX)},
      {"maxGridSize", 1, 6, number(Arch.GridY)},
      {"maxGridSize", 2, 7, number(Arch.GridZ)},
      {"sharedMemPerBlock", std::nullopt, 8, Arch.SharedPerBlock},
      {"warpSize", std::nullopt, 10, 32},
      {"regsPerBlock", std::nullopt, 12, Arch.RegistersPerBlock},
      {"maxThreadsPerMultiProcessor", std::nullopt, 39, Arch.ThreadsPerSM},
      {"major", std::nullopt, 75, Arch.CC.Major},
      {"minor", std::nullopt, 76, Arch.CC.Minor},
      {"sharedMemPerMultiprocessor", std::nullopt, 81, Arch.SharedPerSM},
      {"regsPerMultiprocessor", std::nullopt, 82, Arch.RegistersPerSM},
      {"sharedMemPerBlockOptin", std::nullopt, 97, Arch.SharedPerBlockOptIn},
      {"maxBlocksPerMultiProcessor", std::nullopt, 106, Arch.BlocksPerSM},
      {"reservedSharedMemPerBlock", std::nullopt, 111, Arch.SharedReserved},
  };
  if (Gpu.SMs)
    Result.push_back({"multiProcessorCount", std::nullopt, 16, *Gpu.SMs});
  return Result;
}

} // namespace cudalint
