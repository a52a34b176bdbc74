//===- analyzer/model/LaunchTime.h - Launches that end soon -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_MODEL_LAUNCHTIME_H
#define CUDA_LINT_ANALYZER_MODEL_LAUNCHTIME_H

#include "analyzer/model/KernelModel.h"

#include <optional>

namespace cudalint {

/// About how many clocks of an SM a launch takes whose blocks each have an SM
/// of their own: what bounds the kernel, and each access that its warps wait
/// for, one after the other. Loads of several turns wait together, and caches
/// answer sooner; loads that wait for one another, or for barriers, take
/// longer. Empty where it is not known how often something happens, or where it
/// divides.
std::optional<double> clocksOfOneBlockEach(const KernelModel &K,
                                           const Launch &L);

/// Whether that is about what it takes to launch a kernel: to do it on more
/// SMs would gain nothing that one could see. False where it is not known.
bool isShort(const KernelModel &K, const Launch &L);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_MODEL_LAUNCHTIME_H
