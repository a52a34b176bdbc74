//===- analyzer/launch/FieldArrayText.h - How they are written --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_FIELDARRAYTEXT_H
#define CUDA_LINT_ANALYZER_LAUNCH_FIELDARRAYTEXT_H

#include "report/Finding.h"

#include "clang/Basic/SourceLocation.h"

#include <set>
#include <string>
#include <vector>

namespace clang {
class ArraySubscriptExpr;
class ASTContext;
class CXXRecordDecl;
class DeclRefExpr;
class MemberExpr;
class ParmVarDecl;
class SourceManager;
} // namespace clang

namespace cudalint {

/// Edits by which pointers to a struct become arrays of its fields, as in
/// FieldArrays.h. What adds one is false where no plain text of the main file
/// says what is to be changed.
class FieldArrayText {
public:
  FieldArrayText(const clang::ASTContext &Context,
                 const clang::CXXRecordDecl &Struct);

  /// `P *p` becomes `PArrays p`.
  bool addParameter(const clang::ParmVarDecl &Parameter);

  /// `p[i].x` becomes `p.x[i]`, and where \p p is memory of so many
  /// \p Elements, `PArrays(p, n).x[i]`.
  bool addField(const clang::DeclRefExpr &Name,
                const clang::ArraySubscriptExpr &Element,
                const clang::MemberExpr &Field, const std::string &Elements);

  /// `p` becomes `PArrays(p, n)`.
  bool addArrays(const clang::DeclRefExpr &Name, const std::string &Elements);

  /// All of them, and what declares PArrays; empty where that cannot be.
  std::vector<Edit> edits() const;

private:
  bool insert(clang::SourceLocation Where, std::string Text);
  bool replace(clang::SourceLocation Begin, clang::SourceLocation End,
               std::string Text);
  clang::SourceLocation behind(clang::SourceLocation Token) const;
  std::string declaration() const;

  const clang::ASTContext &Context;
  const clang::SourceManager &Sources;
  const clang::CXXRecordDecl &Struct;
  std::string Of;     ///< The struct's name.
  std::string Arrays; ///< The name of its arrays.
  std::set<Edit> Edits;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_FIELDARRAYTEXT_H
