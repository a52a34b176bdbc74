//===- analyzer/ir/LibraryStack.h - Stack of CUDA's functions ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_LIBRARYSTACK_H
#define CUDA_LINT_ANALYZER_IR_LIBRARYSTACK_H

#include <cstdint>

namespace llvm {
class Function;
} // namespace llvm

namespace cudalint {

/// Local memory that functions of CUDA's libraries take in a kernel: bytes per
/// thread. They may lie over each other, so there are two bounds.
struct LibraryStack {
  std::uint64_t Most = 0;
  std::uint64_t Least = 0;
};

/// What the functions of CUDA's libraries that \p Kernel calls put on the
/// stack of a thread. \p Kernel was canonicalised: its own functions are
/// inlined, those of the libraries are calls.
LibraryStack libraryStackOf(const llvm::Function &Kernel);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_LIBRARYSTACK_H
