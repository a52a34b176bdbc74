//===- analyzer/ir/BitFunctions.h - Integer intrinsics ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What integer intrinsics and functions of libdevice give for known operands,
/// one lane at a time. No LLVM but its strings.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_BITFUNCTIONS_H
#define CUDA_LINT_ANALYZER_IR_BITFUNCTIONS_H

#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>

namespace cudalint {

using BitOperands = std::array<std::uint64_t, 3>;

struct BitFunction {
  unsigned Operands = 1;
  /// Operands as unsigned numbers, and the bits of the first of them, 1 to 64.
  /// More bits than the result has are to be ignored.
  std::uint64_t (*Compute)(const BitOperands &X, unsigned Bits) = nullptr;
};

/// By the name of an intrinsic, `llvm.ctpop.i32`, or of a function of
/// libdevice, `__nv_ffs`; null for what is not known.
const BitFunction *findBitFunction(llvm::StringRef Name);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_BITFUNCTIONS_H
