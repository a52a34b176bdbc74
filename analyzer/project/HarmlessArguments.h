//===- analyzer/project/HarmlessArguments.h - Nothing runs ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A database of compile commands comes with a repository, which may be
/// anybody's. Its arguments decide how code is parsed, and nothing else: none
/// of them makes a compiler load or run something, or write a file.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PROJECT_HARMLESSARGUMENTS_H
#define CUDA_LINT_ANALYZER_PROJECT_HARMLESSARGUMENTS_H

#include <functional>
#include <string>
#include <vector>

namespace cudalint {

struct DroppedArguments {
  /// Of no consequence for a parse, or not known: of -Xlinker, -MJ.
  std::vector<std::string> Needless;
  /// They would make a compiler load or run something.
  std::vector<std::string> Refused;
};

/// Takes out of \p Arguments, those of nvcc or Clang, what is not known to be
/// harmless, also of what -Xcompiler hands on. A host compiler, of -ccbin,
/// stays if it is a plain name, or if \p IsTrusted says so of its path.
DroppedArguments
keepHarmless(std::vector<std::string> &Arguments,
             const std::function<bool(const std::string &)> &IsTrusted);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PROJECT_HARMLESSARGUMENTS_H
