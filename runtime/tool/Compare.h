//===- runtime/tool/Compare.h - confirm --compare ---------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_TOOL_COMPARE_H
#define CUDA_LINT_RUNTIME_TOOL_COMPARE_H

#include "runtime/tool/Options.h"

namespace cudalint {

/// Runs both programs in turns, or reads what was saved of them, and reports
/// what changed. Returns the exit code.
int compare(const Options &Run);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_TOOL_COMPARE_H
