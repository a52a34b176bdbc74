//===- analyzer/resources/ClangPtx.h - Clang's code for ptxas ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_RESOURCES_CLANGPTX_H
#define CUDA_LINT_ANALYZER_RESOURCES_CLANGPTX_H

#include <optional>
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace cudalint {

/// The architecture that \p Module was parsed for, `sm_90`; empty when none of
/// its functions says so.
std::string architectureOf(const llvm::Module &Module);

/// Compiles a copy of the device code \p Module as Clang does at -O3, with the
/// functions of \p Libdevice, a file of bitcode. Empty, with the reason in
/// \p Error, when that cannot be done.
std::optional<std::string> emitPtx(const llvm::Module &Module,
                                   const std::string &Libdevice,
                                   std::string &Error);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_RESOURCES_CLANGPTX_H
