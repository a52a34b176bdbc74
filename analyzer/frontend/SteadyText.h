//===- analyzer/frontend/SteadyText.h - What stays the same -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One parse reads one half of a program, for one GPU, under some macros. An
/// edit is for the text: what was found out holds for all who compile it only
/// where they all read the same.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_STEADYTEXT_H
#define CUDA_LINT_ANALYZER_FRONTEND_STEADYTEXT_H

#include "analyzer/frontend/WrittenMacros.h"

#include "clang/Basic/SourceLocation.h"

#include <map>
#include <set>
#include <string>

namespace clang {
class ASTContext;
class Decl;
class QualType;
class RecordDecl;
class Stmt;
} // namespace clang

namespace cudalint {

class SteadyText {
public:
  explicit SteadyText(const clang::ASTContext &Context);

  /// Whether the user's files ask which GPU they are compiled for, or whether
  /// for one: the host may then see other numbers than the device.
  bool asksForTarget() const { return AsksForTarget; }

  /// Whether it depends on macros which of the user's files are read at all.
  bool includesByCondition() const { return IncludesByCondition; }

  /// Whether a macro may write \p Name, without being given it.
  bool mayBeWrittenByMacro(llvm::StringRef Name) const {
    return Macros.mayName(Name);
  }

  /// Whether no user's file says \p Name between `#if` and `#endif`, nor
  /// defines it, as a macro, twice or with such names in it.
  bool isSteady(llvm::StringRef Name) const;

  /// Whether that holds for each name that \p Value is written with, and that
  /// the variables, constants and functions are declared with that it names.
  bool isSteady(const clang::Stmt &Value) const;

  /// Whether it holds for the names that are \p Written there.
  bool isSteady(clang::SourceRange Written) const;

  /// Whether it holds for the names of what stands from \p Begin up to `;`.
  bool isSteadyUpToSemicolon(clang::SourceLocation Begin) const;

private:
  void readNames(clang::FileID File);
  bool isSteady(const clang::Decl &Named) const;
  bool isSteady(clang::QualType Type) const;
  bool areSteady(const clang::RecordDecl &Record) const;
  bool areNumbersSteady(clang::SourceRange Written) const;

  const clang::ASTContext &Context;
  const WrittenMacros Macros;
  std::set<std::string, std::less<>> Conditional;
  bool AsksForTarget = false;
  bool IncludesByCondition = false;
  bool DefinesByCondition = false; ///< Types.
  /// By what they are; true while it is being found out.
  mutable std::map<const clang::Decl *, bool> Declared;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_STEADYTEXT_H
