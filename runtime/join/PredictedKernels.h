//===- runtime/join/PredictedKernels.h - Which kernel is meant --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_PREDICTEDKERNELS_H
#define CUDA_LINT_RUNTIME_JOIN_PREDICTEDKERNELS_H

#include "report/Document.h"
#include "runtime/join/Measurement.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace cudalint {

/// The records of all units that speak of one kernel.
struct PredictedKernel {
  std::string Name; ///< Linkage name.
  std::string Unit; ///< The file of the first unit that has it.
  std::vector<const KernelRecord *> Records; ///< At least one.
};

/// In the order of the document. Kernels of equal name are one, but for those
/// with internal linkage: each unit has its own.
std::vector<PredictedKernel> predictedKernels(const Document &Doc);

/// The kernels of \p Measured that \p Predicted may be, by their indices; \p
/// Names are the names of all of them. None: it did not run.
std::vector<std::size_t> ranAs(const PredictedKernel &Predicted,
                               const MeasuredGpu &Measured,
                               std::span<const std::string> Names);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_PREDICTEDKERNELS_H
