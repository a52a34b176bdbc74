//===- runtime/tool/Confirm.h - The command confirm -------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_TOOL_CONFIRM_H
#define CUDA_LINT_RUNTIME_TOOL_CONFIRM_H

#include "runtime/tool/Options.h"

namespace cudalint {

/// Runs the programs or reads their profiles, joins, reports. Returns the exit
/// code. A program that failed is reported with what was measured of it; the
/// code is then 3, which wins over 1.
int confirm(const Options &Run);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_TOOL_CONFIRM_H
