//===- analyzer/launch/GridQuotient.h - Grids rounded down ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_GRIDQUOTIENT_H
#define CUDA_LINT_ANALYZER_LAUNCH_GRIDQUOTIENT_H

namespace clang {
class CUDAKernelCallExpr;
} // namespace clang

namespace cudalint {

/// Whether size number \p Dimension of the grid is written as a quotient of
/// integers that rounds down, `n / 256` or `ceil(n / 256)`, there or where a
/// variable begins that is only read. False of `(n + 255) / 256`.
bool isRoundedDown(const clang::CUDAKernelCallExpr &Launch, unsigned Dimension);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_GRIDQUOTIENT_H
