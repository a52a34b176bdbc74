//===- analyzer/frontend/Repairs.h - What only nvcc accepts -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Some code that nvcc accepts is an error to Clang, and no declaration of ours
/// helps. Such a file is parsed again from a text in memory in which the
/// offending tokens are replaced by others of the same length, so that every
/// place stays where it was. The user's files are never written.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_REPAIRS_H
#define CUDA_LINT_ANALYZER_FRONTEND_REPAIRS_H

#include "clang/Basic/SourceLocation.h"

#include <map>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class SourceManager;
} // namespace clang

namespace cudalint {

/// Behind so many, Clang gives up.
inline constexpr unsigned MostErrors = 1000;

/// One error of a parse, while its sources are still loaded.
struct Problem {
  unsigned Diagnostic;         ///< Clang's number of it.
  clang::SourceLocation Where; ///< In a file, never in a macro.
};

/// What the next parse of the same file is to do differently.
struct Repairs {
  /// File names, as Clang opened them, and the texts to use in their place.
  std::map<std::string, std::string> Sources;
  /// Kernels launch kernels, which nvcc does with -rdc=true only.
  bool Relocatable = false;
  /// __shared__ variables with constructors: nvcc warns and leaves them out.
  bool SharedConstructors = false;

  bool operator==(const Repairs &) const = default;
};

/// `Known`, and what can be done about `Problems`; equal to `Known` when that
/// is nothing.
Repairs findRepairs(const std::vector<Problem> &Problems,
                    const clang::SourceManager &Sources, const Repairs &Known);

/// Makes __shared__ again what a repair has disguised. To be called before
/// anybody looks at the tree.
void undisguise(clang::ASTContext &Context);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_REPAIRS_H
