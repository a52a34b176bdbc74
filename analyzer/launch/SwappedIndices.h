//===- analyzer/launch/SwappedIndices.h - threadIdx turned ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_SWAPPEDINDICES_H
#define CUDA_LINT_ANALYZER_LAUNCH_SWAPPEDINDICES_H

#include "report/Finding.h"

#include <vector>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace cudalint {

/// The edits by which \p Kernel reads threadIdx.y where it says threadIdx.x,
/// and the reverse.
///
/// In square blocks each pair of indices is there as before, in another lane:
/// all is computed, stored and waited for as it was, unless it matters which
/// lanes are in a warp: forEachLaneStatement(). So there are none where that
/// may be; where a function that it calls names threadIdx itself; nor where the
/// indices are written by a macro, in a header of the system, in a template, or
/// taken as a whole.
std::vector<Edit> swappedIndices(const clang::FunctionDecl &Kernel);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_SWAPPEDINDICES_H
