//===- hardware/UnknownTarget.h - GPUs we do not know -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_HARDWARE_UNKNOWNTARGET_H
#define CUDA_LINT_HARDWARE_UNKNOWNTARGET_H

#include <string>
#include <string_view>

namespace cudalint {

/// What to use in place of \p Name, which parseTarget() does not know, for the
/// end of a message: "did you mean gtx-1080-ti, ...?", or for an architecture
/// that exists, why it has no figures here and which is nearest.
std::string adviceOnTarget(std::string_view Name);

} // namespace cudalint

#endif // CUDA_LINT_HARDWARE_UNKNOWNTARGET_H
