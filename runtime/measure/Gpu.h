//===- runtime/measure/Gpu.h - The GPU of this machine ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_MEASURE_GPU_H
#define CUDA_LINT_RUNTIME_MEASURE_GPU_H

#include <optional>
#include <string>

namespace cudalint {

struct GpuHere {
  std::string Name;              ///< As its driver calls it.
  std::string ComputeCapability; ///< `9.0`
};

/// The first GPU that a program would see here; nothing without a driver or a
/// device. Loads the driver into this process.
std::optional<GpuHere> findGpu();

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_MEASURE_GPU_H
