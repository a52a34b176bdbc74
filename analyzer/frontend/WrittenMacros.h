//===- analyzer/frontend/WrittenMacros.h - What macros may say --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_WRITTENMACROS_H
#define CUDA_LINT_ANALYZER_FRONTEND_WRITTENMACROS_H

#include "llvm/ADT/StringRef.h"

#include <map>
#include <set>
#include <string>

namespace clang {
class ASTContext;
class SourceLocation;
} // namespace clang

namespace cudalint {

/// The macros that the user's files define, also where the preprocessor left
/// that out: another compiler, or another build, may read it.
class WrittenMacros {
public:
  explicit WrittenMacros(const clang::ASTContext &Context);

  /// Whether what a macro says may have \p Name in it, without being given it.
  bool mayName(llvm::StringRef Name) const;

  /// Whether \p Name is a macro that is the same number all over the program:
  /// it, and what it names, is defined once, here.
  bool isNumber(llvm::StringRef Name) const;

  /// What \p Name, which a file defines or undefines, has in it; null where it
  /// is none of these macros.
  const std::set<std::string, std::less<>> *namesIn(llvm::StringRef Name) const;

  /// Whether \p Name is defined or undefined more than once.
  bool isRedefined(llvm::StringRef Name) const;

  /// Whether the command line or the compiler defines \p Name.
  bool isGiven(llvm::StringRef Name) const { return Given.contains(Name); }

private:
  struct Macro {
    unsigned Changes = 0; ///< How often it is defined or undefined.
    bool IsUndefined = false;
    bool HasParameters = false;
    std::set<std::string, std::less<>> Names;
  };
  std::map<std::string, Macro, std::less<>> Macros;
  std::set<std::string, std::less<>> Named; ///< By any of them.
  std::set<std::string, std::less<>> Given;
  bool IsPasted = false; ///< A macro makes names of parts.
};

/// Whether \p Name is a word of the language for types of integers.
bool isIntegerWord(llvm::StringRef Name);

/// Whether \p Where, in the main file, is between `#if` and `#endif`.
bool isConditional(const clang::ASTContext &Context,
                   clang::SourceLocation Where);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_WRITTENMACROS_H
