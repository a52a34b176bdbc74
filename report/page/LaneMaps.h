//===- report/page/LaneMaps.h - What lanes touch ----------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A request as a picture, so that one sees why it costs what it costs.
///
/// Shared memory: a column for each bank; in a column the words that its lanes
/// want, one above the other, each with the first lane that wants it. A request
/// takes as many wavefronts as its highest column has words:
///
///   bank  0  1  2  3            0  1  2  3
///        [0]                   [0][1][2][3]
///        [1]
///        [2]
///        [3]
///
/// Global memory: a box for each sector that is moved, the bytes that lanes ask
/// for filled, and above it these lanes.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_PAGE_LANEMAPS_H
#define CUDA_LINT_REPORT_PAGE_LANEMAPS_H

#include "report/Document.h"
#include "report/page/Symbols.h"

#include <string>

namespace cudalint {

/// The request of \p F as pictures, and what becomes of it; empty where it has
/// none, or the model does not know \p Target.
std::string laneMaps(const Finding &F, const TargetRecord &Target,
                     Symbols &Known);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_PAGE_LANEMAPS_H
