//===- tests/differential/Reduction.h - Smaller kernels --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Makes a kernel with a mismatch as small as it gets: branches go one way,
/// operands become constants, and what nobody needs any more goes.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_DIFFERENTIAL_REDUCTION_H
#define CUDA_LINT_TESTS_DIFFERENTIAL_REDUCTION_H

#include "RandomKernel.h"

#include <functional>

namespace cudalint::differential {

RandomKernel copyOf(const RandomKernel &Kernel);

/// The smallest kernel found for which `Fails`; it does for `Kernel`.
RandomKernel reduce(const RandomKernel &Kernel,
                    const std::function<bool(const RandomKernel &)> &Fails);

} // namespace cudalint::differential

#endif // CUDA_LINT_TESTS_DIFFERENTIAL_REDUCTION_H
