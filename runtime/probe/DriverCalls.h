//===- runtime/probe/DriverCalls.h - What the program asks ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_DRIVERCALLS_H
#define CUDA_LINT_RUNTIME_PROBE_DRIVERCALLS_H

#include "runtime/probe/Probe.h"

namespace cudalint::probe {

/// Tells \p P of a call that the program makes of the driver, before it and
/// after it, by CUPTI's number and the parameters of it.
void onDriverCall(Probe &P, CUpti_CallbackId Id,
                  const CUpti_CallbackData &Data) noexcept;

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_DRIVERCALLS_H
