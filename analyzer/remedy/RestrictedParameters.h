//===- analyzer/remedy/RestrictedParameters.h - __restrict__ ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_REMEDY_RESTRICTEDPARAMETERS_H
#define CUDA_LINT_ANALYZER_REMEDY_RESTRICTEDPARAMETERS_H

#include "analyzer/model/KernelModel.h"
#include "report/Finding.h"

#include <optional>

namespace cudalint {

/// Whether each launch of \p K is known to pass pointers into allocations of
/// their own.
bool areApart(const KernelModel &K);

/// The edit that makes the pointers of \p K `__restrict__`. None unless they
/// are apart, and the kernel is known to come to these by their pointers alone
/// (restrictedPointers()). Where another file may launch it, too, that has to
/// hold there. Nor without the compiler's code: what it makes of the promise,
/// nothing else tells.
std::optional<Fix> withRestrict(const KernelModel &K);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_REMEDY_RESTRICTEDPARAMETERS_H
