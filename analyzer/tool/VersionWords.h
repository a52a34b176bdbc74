//===- analyzer/tool/VersionWords.h - What --version says -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_VERSIONWORDS_H
#define CUDA_LINT_ANALYZER_TOOL_VERSIONWORDS_H

#include <cstddef>
#include <string>

namespace cudalint {

/// What a report of a fault needs, in lines:
///
///     cuda-lint 0.1.0
///     LLVM 22.1.8, 37 checks
///     CUDA toolkit 13.0 in /usr/local/cuda
///
/// LLVM is the library that is loaded, and not that of the build. The toolkit
/// is the one that \p CudaPath, or without it the environment, names; where
/// there is none, the line says where it was looked for.
std::string versionWords(std::size_t Checks, const std::string &CudaPath);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_VERSIONWORDS_H
