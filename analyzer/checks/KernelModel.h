//===- analyzer/checks/KernelModel.h - What is known of a kernel *- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a check looks at: accesses, launches and the limits of the target, all
/// as plain values.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_CHECKS_KERNELMODEL_H
#define CUDA_LINT_ANALYZER_CHECKS_KERNELMODEL_H

#include "analyzer/ir/Access.h"
#include "analyzer/launch/Launch.h"
#include "hardware/Architecture.h"

#include <cstdint>
#include <vector>

namespace cudalint {

struct KernelModel {
  KernelDeclaration Declaration;
  Target Gpu;
  /// Launches of this kernel, each shape once, in source order. May hold
  /// shapes with unknown parts. Empty when no launch was found.
  std::vector<Launch> Launches;
  /// Every static memory instruction under every block shape that was
  /// evaluated, in source order.
  std::vector<Access> Accesses;
  std::uint64_t StaticSharedBytes = 0;
  bool UsesDynamicShared = false;
  unsigned Barriers = 0; ///< Static barrier instructions.

  /// The accesses of one memory that have a number, one for each place in the
  /// user's code and operation: the costliest of the block shapes, call paths
  /// and instructions there. In source order. A store at the place and price
  /// of a load, as in `s[i] += x`, is left out: one remark is enough.
  std::vector<const Access *> costliestPerPlace(MemorySpace Space) const;

  /// True when accesses of more than one block shape were evaluated, so that
  /// a message must say which one it is about.
  bool hasSeveralShapes() const;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_CHECKS_KERNELMODEL_H
