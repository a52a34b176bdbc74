//===- report/ExtentWords.h - Grids and blocks in words ------- -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_EXTENTWORDS_H
#define CUDA_LINT_REPORT_EXTENTWORDS_H

#include "report/Finding.h"
#include "report/LaunchRecord.h"

#include <string>

namespace cudalint {

/// `32x8`, `256`: without trailing dimensions of 1, which nobody writes.
/// Unknown ones are `?`.
std::string shape(const Extent &E);
std::string shape(const BlockShape &Block);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_EXTENTWORDS_H
