//===- report/SummaryTable.h - A table of kernels ---------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the compiler gave each kernel and how each launch fills an SM, as a
/// table of 80 columns. What is not known is `?`.
///
///   kernel   line regs shared block blk/SM warps limiter   waves
///   spin       12   48      0   641      1    21 registers  1.04
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_SUMMARYTABLE_H
#define CUDA_LINT_REPORT_SUMMARYTABLE_H

#include "report/Document.h"

#include <span>
#include <string>

namespace cudalint {

/// One table for each target; empty when there are no kernels.
std::string summaryTable(std::span<const Document> Documents);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_SUMMARYTABLE_H
