//===- report/EditedKernel.h - A kernel before and after --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_EDITEDKERNEL_H
#define CUDA_LINT_REPORT_EDITEDKERNEL_H

#include "report/Document.h"

namespace cudalint {

/// What became of \p Kernel, which is of \p Before, in \p After, the same file
/// with edits; null: nobody knows. A fix may give it other parameters, by which
/// its linkage name goes: then it is the one of the same plain name, where
/// there is one alone.
const KernelRecord *kernelAfter(const KernelRecord &Kernel,
                                const UnitRecord &Before,
                                const UnitRecord &After);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_EDITEDKERNEL_H
