//===- runtime/probe/Injection.h - What callbacks share ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_INJECTION_H
#define CUDA_LINT_RUNTIME_PROBE_INJECTION_H

#include "runtime/probe/CodeRange.h"

namespace cudalint::probe {

/// The range of the program that CUDA_LINT_PROBE_RANGE names. NVTX may ask
/// before the driver has loaded the probe.
CodeRange &chosenRange();

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_INJECTION_H
