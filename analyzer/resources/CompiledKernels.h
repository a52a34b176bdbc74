//===- analyzer/resources/CompiledKernels.h - Code read back ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_RESOURCES_COMPILEDKERNELS_H
#define CUDA_LINT_ANALYZER_RESOURCES_COMPILEDKERNELS_H

#include "analyzer/resources/Resources.h"
#include "analyzer/resources/SafeNames.h"

#include <string_view>
#include <vector>

namespace cudalint {

/// The memory instructions of each kernel of \p Cubin, which nvcc made for
/// \p CC, with the user's names for files that \p Names tells. Empty where it
/// cannot be read or has no lines; a kernel with an opcode that is not known is
/// left out, since nobody knows what that accesses.
std::vector<KernelInstructions> readInstructions(std::string_view Cubin,
                                                 ComputeCapability CC,
                                                 const PrivateNames &Names);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_RESOURCES_COMPILEDKERNELS_H
