//===- analyzer/launch/BlockSizes.h - Where blocks are sized ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_BLOCKSIZES_H
#define CUDA_LINT_ANALYZER_LAUNCH_BLOCKSIZES_H

#include "analyzer/launch/HostCode.h"
#include "analyzer/launch/Launch.h"

#include <map>

namespace clang {
class ASTContext;
class CUDAKernelCallExpr;
} // namespace clang

namespace cudalint {

/// Of each launch `<<<...>>>`, how it is written with other blocks.
///
/// That is told where the size is one number, at the launch or in a variable
/// that nothing else reads; where the kernel has its body here and is proved to
/// do the same (blockDependence()); and where the grid makes up for it: it is
/// one number, too, or a formula of the size that covers what bounds the
/// kernel's threads, as `(n + size - 1) / size`.
class BlockSizes {
public:
  BlockSizes(const clang::ASTContext &Context, const UserFunctions &Functions,
             const HostCode &Code);

  /// Null where it is not told.
  const BlockSizeText *at(const clang::CallExpr &Site) const;

private:
  std::map<const clang::CallExpr *, BlockSizeText> Texts;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_BLOCKSIZES_H
