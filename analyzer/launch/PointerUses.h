//===- analyzer/launch/PointerUses.h - What is done with them ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_POINTERUSES_H
#define CUDA_LINT_ANALYZER_LAUNCH_POINTERUSES_H

#include "analyzer/frontend/UserFunctions.h"

#include <cstdint>
#include <map>
#include <vector>

namespace clang {
class ArraySubscriptExpr;
class CallExpr;
class DeclRefExpr;
class MemberExpr;
class RecordDecl;
} // namespace clang

namespace cudalint {

/// Where a pointer to structs is named, and for what.
struct PointerUse {
  enum class Kind : std::uint8_t {
    Other,    ///< Anything: another pointer may lead to the structs then.
    Field,    ///< The value of `p[i].x` is read, written, or changed at once.
    Argument, ///< Of a function of the user's.
    Memory,   ///< Memory is allocated for it, copied, or set to one byte.
    Same,     ///< It and With become one another's values.
    Neutral,  ///< It is freed, placed, or compared with null.
    SizeOf,   ///< `sizeof(*p)`
  };
  Kind What = Kind::Other;
  const clang::DeclRefExpr *Name = nullptr; ///< Null in its own declaration.
  const clang::ArraySubscriptExpr *Element = nullptr; ///< Of a field.
  const clang::MemberExpr *Field = nullptr;
  const clang::CallExpr *Call = nullptr; ///< Whose argument it is.
  unsigned Argument = 0;
  /// Of memory, one of these: how much of it there is, from its begin.
  const clang::Expr *Bytes = nullptr;
  const clang::Expr *Elements = nullptr;
  /// What its memory is copied to or from; null: nothing.
  const clang::VarDecl *With = nullptr;
};

/// All that the functions of a file do with pointers to structs, and where they
/// name each other. Of what the preprocessor left out, and of templates that
/// nothing instantiates, nothing is known.
struct PointerUses {
  explicit PointerUses(const UserFunctions &Functions);

  /// Of local variables and parameters, in the order of the source.
  std::map<const clang::VarDecl *, std::vector<PointerUse>> Variables;
  /// By the first declaration of the function that is called, or named.
  std::map<const clang::FunctionDecl *, std::vector<const clang::CallExpr *>>
      Calls;
  std::map<const clang::FunctionDecl *, std::vector<const clang::DeclRefExpr *>>
      Named;

private:
  void read(const clang::FunctionDecl &Function);
};

/// The struct, by its definition, that a pointer of that type leads to; null
/// where there is none, or what it leads to is volatile.
const clang::RecordDecl *structBehind(clang::QualType Pointer);

/// Whether \p E is `sizeof(P)` of \p Struct, by its definition, also as the
/// size of an expression.
bool isSizeOf(const clang::Expr &E, const clang::RecordDecl &Struct);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_POINTERUSES_H
