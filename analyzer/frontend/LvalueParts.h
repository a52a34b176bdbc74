//===- analyzer/frontend/LvalueParts.h - Parts of an lvalue --- -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_LVALUEPARTS_H
#define CUDA_LINT_ANALYZER_FRONTEND_LVALUEPARTS_H

#include "llvm/ADT/SmallVector.h"

namespace clang {
class Expr;
class ValueDecl;
} // namespace clang

namespace cudalint {

/// What \p E, without parentheses and implicit casts, subscripts, takes a
/// member of or follows; null where it is none of these.
const clang::Expr *innerOperand(const clang::Expr *E);

/// The expression that a chain of subscripts, members and dereferences starts
/// from.
const clang::Expr *baseOfLvalue(const clang::Expr *E);

/// Whether `Part` is what `LValue` subscripts, takes a member of or follows:
/// `p` of `p[i].x`, but not `i`.
bool isBaseOf(const clang::Expr *Part, const clang::Expr *LValue);

/// The variable or field whose declared array the accessed element belongs to,
/// or the pointer that is subscripted; null where another pointer stands
/// between them.
const clang::ValueDecl *accessedArray(const clang::Expr *E);

/// Where nvcc 13.0 says that \p LValue, an element, is accessed: at the last
/// operand of its index. Invalid for what is none.
clang::SourceLocation placeOfIndex(const clang::Expr *LValue);

/// Of the chain that ends at \p Base, the subscripts that follow it at once,
/// the last one first. Whatever type is seen at the address of an element, it
/// is at that element.
llvm::SmallVector<const clang::Expr *, 4>
lastSubscripts(const clang::Expr *E, const clang::Expr *Base);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_LVALUEPARTS_H
