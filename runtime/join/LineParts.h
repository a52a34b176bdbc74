//===- runtime/join/LineParts.h - The parts of a line -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_LINEPARTS_H
#define CUDA_LINT_RUNTIME_JOIN_LINEPARTS_H

#include "runtime/join/Verdict.h"

#include <span>

namespace cudalint {

/// A verdict on a part of a line.
struct PartVerdict {
  LineVerdict V;
  unsigned Bytes = 0;
  std::uint64_t Offset = 0; ///< Of its first instruction.
  bool IsOne = false;       ///< One access, one instruction.
};

/// Sets Kind, Rule and Why of \p Out to what its parts, at least one, make of
/// it, and what is predicted per request to the mean of theirs, each as often
/// as it ran.
void composeParts(std::span<const PartVerdict> Parts, LineVerdict &Out);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_LINEPARTS_H
