//===- analyzer/frontend/UserFunctions.h - The user's functions -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The functions of a translation unit that the user wrote: everything outside
/// system headers, with the instantiations of the user's templates.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_USERFUNCTIONS_H
#define CUDA_LINT_ANALYZER_FRONTEND_USERFUNCTIONS_H

#include <functional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class CXXRecordDecl;
class Decl;
class Expr;
class FunctionDecl;
class FunctionTemplateDecl;
class NamedDecl;
class QualType;
class RecordDecl;
class SourceLocation;
class Stmt;
class ValueDecl;
class VarDecl;
} // namespace clang

namespace cudalint {

struct UserFunctions {
  /// Definitions that are not dependent: plain functions, methods and
  /// instantiations, each once, in the order of the source.
  std::vector<const clang::FunctionDecl *> Definitions;
  /// One declaration of each function, those without a body here included.
  std::vector<const clang::FunctionDecl *> Declarations;
  /// Function templates that have a definition.
  std::vector<const clang::FunctionTemplateDecl *> Templates;
  /// Variables of namespaces and classes; none of a template.
  std::vector<const clang::VarDecl *> Variables;
};

/// Walks declarations only, and none of a system header: the cost does not
/// grow with the CUDA headers' bodies.
UserFunctions collectUserFunctions(const clang::ASTContext &Context);
/// Of a class within a function, which no walk over declarations meets.
UserFunctions collectUserFunctions(const clang::CXXRecordDecl &Class);

/// Calls `Visit` for `Root` and everything below it, lambdas' bodies included.
/// Needs no stack however deep the statement is; `Root` may be null. What has
/// no type, in declarations that are errors, is left out, not what is below it.
void forEachStatement(const clang::Stmt *Root,
                      const std::function<void(const clang::Stmt &)> &Visit);

/// `E` without the parentheses and the casts around it that change nothing.
const clang::Expr *withoutNoOpCasts(const clang::Expr *E);

/// The function that `E` names directly, through casts and `&`; or null.
const clang::FunctionDecl *namedFunction(const clang::Expr *E);

/// The member, variable, parameter or function that `E` itself names, or null.
const clang::ValueDecl *namedObject(const clang::Expr *E);

/// The record that a pointer leads to or that an array is made of. Of the
/// `R **` that is cast to `void **`, it is none: no `R` is touched.
const clang::RecordDecl *recordOf(clang::QualType Type);

/// The class of an object, or of what pointers, references and arrays of such
/// lead to; by its first declaration, or null.
const clang::CXXRecordDecl *classOf(clang::QualType Type);

/// Whether it is in a system header (the toolkit's among them), or expanded
/// there. What a macro of one makes in the user's code is the user's.
bool isInSystemHeader(const clang::ASTContext &Context,
                      clang::SourceLocation Where);
bool isInSystemHeader(const clang::Decl &D);

/// `ns::S::func`: the qualified name, without arguments of templates.
std::string plainName(const clang::NamedDecl &D);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_USERFUNCTIONS_H
