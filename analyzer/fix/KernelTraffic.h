//===- analyzer/fix/KernelTraffic.h - What kernels then move ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FIX_KERNELTRAFFIC_H
#define CUDA_LINT_ANALYZER_FIX_KERNELTRAFFIC_H

#include "report/Document.h"

#include <string>
#include <vector>

namespace cudalint {

/// What of the traffic of a warp rises from \p Before to \p After, two analyses
/// of one kernel: `more is moved then: 'f': 2 -> 64 shared wavefronts per
/// warp`; or empty. Where blocks have other sizes then, as many threads are
/// compared.
std::string moreTraffic(const KernelRecord &Before, const KernelRecord &After);

/// What falls: `'f': 1056 -> 64 shared wavefronts per warp`, of each shape and
/// space.
std::vector<std::string> lessTraffic(const KernelRecord &Before,
                                     const KernelRecord &After);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FIX_KERNELTRAFFIC_H
