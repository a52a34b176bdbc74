//===- analyzer/frontend/CompilerFiles.h - Inputs and output ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_COMPILERFILES_H
#define CUDA_LINT_ANALYZER_FRONTEND_COMPILERFILES_H

#include <span>
#include <string>
#include <vector>

namespace cudalint {

/// What a command line of nvcc or Clang reads and writes, as written there.
struct CompilerFiles {
  std::vector<std::string> Inputs;  ///< Sources, objects and libraries.
  std::vector<std::string> Sources; ///< Those of them that are CUDA.
  /// Of each source, the file that is written.
  std::vector<std::string> Outputs;
  /// The same where that holds machine code; where it does not, as with -ptx,
  /// an empty name.
  std::vector<std::string> Objects;
  /// The code is not compiled, as with -E, -M, --version: there is no more to
  /// it. As it is written; empty: it is.
  std::string OtherStep;
};

/// Files of arguments are not read: expandArgumentFiles() does.
CompilerFiles compilerFiles(std::span<const std::string> Arguments);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_COMPILERFILES_H
