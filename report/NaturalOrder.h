//===- report/NaturalOrder.h - Numbers in names -----------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The order in which people expect names with numbers in them.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_NATURALORDER_H
#define CUDA_LINT_REPORT_NATURALORDER_H

#include "report/Finding.h"

#include <string_view>

namespace cudalint {

/// `k2.cu` before `k10.cu`: runs of digits compare as numbers.
bool isNaturallyLess(std::string_view A, std::string_view B);
bool isNaturallyLess(const Location &A, const Location &B);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_NATURALORDER_H
