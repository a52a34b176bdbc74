//===- analyzer/tool/LibraryStack.h - Stack of CUDA's functions -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_LIBRARYSTACK_H
#define CUDA_LINT_ANALYZER_TOOL_LIBRARYSTACK_H

#include "analyzer/checks/KernelModel.h"

namespace llvm {
class Function;
} // namespace llvm

namespace cudalint {

/// What the functions of CUDA's libraries that \p Kernel calls put on the
/// stack of a thread. \p Kernel was canonicalised: its own functions are
/// inlined, those of the libraries are calls.
LibraryStack libraryStackOf(const llvm::Function &Kernel);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_LIBRARYSTACK_H
