//===- report/WarpTotals.h - What a kernel does in all ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_WARPTOTALS_H
#define CUDA_LINT_REPORT_WARPTOTALS_H

#include "report/Document.h"

#include <optional>
#include <string>

namespace cudalint {

/// Floating-point operations for each byte of the sectors that global memory
/// moves, before any cache; empty where either is not known, or nothing moves.
std::optional<double> intensityOf(const WarpTotals &Totals);

/// The rows of `--summary`: each kernel of the document, each space, for one
/// warp, and for the launch where its grid is known; and its bounds. Empty
/// without kernels that access anything. No line is wider than \p Width
/// columns; 0 is unlimited.
std::string totalsTable(const Document &Doc, unsigned Width = 0);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_WARPTOTALS_H
