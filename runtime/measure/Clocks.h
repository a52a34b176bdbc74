//===- runtime/measure/Clocks.h - How fast the GPU runs ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_MEASURE_CLOCKS_H
#define CUDA_LINT_RUNTIME_MEASURE_CLOCKS_H

#include <optional>

namespace cudalint {

/// The clock of the SMs in MHz as NVML has it at this moment, that of the
/// fastest GPU of the machine: one that has just worked. Times are no times of
/// a change where it was another before and after. Empty without NVML, which is
/// asked nothing but that.
std::optional<unsigned> fastestSmClock();

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_MEASURE_CLOCKS_H
