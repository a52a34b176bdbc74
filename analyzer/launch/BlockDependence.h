//===- analyzer/launch/BlockDependence.h - Threads cut to blocks *- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_BLOCKDEPENDENCE_H
#define CUDA_LINT_ANALYZER_LAUNCH_BLOCKDEPENDENCE_H

namespace clang {
class Expr;
class FunctionDecl;
} // namespace clang

namespace cudalint {

/// How far what a kernel does hangs by how its threads are cut into blocks.
struct BlockDependence {
  /// It does the same wherever as many threads run in all: of itself, a thread
  /// knows its number in the whole grid, `blockIdx.x * blockDim.x +
  /// threadIdx.x`, and how many there are, `gridDim.x * blockDim.x`; it has
  /// nothing in common with its warp (forEachLaneStatement()) nor its block: no
  /// shared memory and no barrier.
  bool OnlyOnTotal = false;
  /// With that: threads whose number is at least this do nothing, and none asks
  /// how many there are. So more of them change nothing. A constant or a
  /// parameter that is not assigned to, of 32 bits or more. Null: there is no
  /// such bound.
  const clang::Expr *Bound = nullptr;
};

/// Of the definition of a kernel in a device-side AST.
BlockDependence blockDependence(const clang::FunctionDecl &Kernel);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_BLOCKDEPENDENCE_H
