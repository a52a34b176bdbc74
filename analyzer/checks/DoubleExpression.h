//===- analyzer/checks/DoubleExpression.h - Floats in double ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Finds the expressions that begin and end with floats and are computed in
/// double in between, and what makes them so. Errs towards silence: where a
/// variable or a cast says double, double is meant.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_CHECKS_DOUBLEEXPRESSION_H
#define CUDA_LINT_ANALYZER_CHECKS_DOUBLEEXPRESSION_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class CallExpr;
class Expr;
class FloatingLiteral;
class SourceLocation;
class SourceManager;
class Stmt;
} // namespace clang

namespace cudalint {

/// What an expression of type double is made of.
struct DoubleExpression {
  /// Values of type float that were converted, but for constants.
  std::vector<const clang::Expr *> Floats;
  /// Constants that are written as floats, and integers that are none:
  /// whoever writes `2.f * M_PI * k / n` means floats.
  bool HasFloatConstants = false, HasIntegers = false;
  bool Genuine = false; ///< Something is double because the user said so.
  std::vector<const clang::FloatingLiteral *> Literals; ///< Of type double.
  std::vector<const clang::CallExpr *> Calls; ///< Of double math functions.
};

/// What `S` computes in double although it begins and ends with floats, if
/// that is what it does: `S` is the place where the double value ends. Empty
/// where the compiler proves that float gives the same result.
std::optional<DoubleExpression> wastedDouble(const clang::ASTContext &Context,
                                             const clang::Stmt &S);

/// `pow(float, int)` of C++11: <cmath> that nvcc reads makes it the double
/// function, and Clang's own header for CUDA, which we read, a float one.
bool isDoublePow(const clang::ASTContext &Context, const clang::Expr &E);

/// The name of a math function of the system's headers that computes in
/// double; empty for everything else.
llvm::StringRef doubleFunction(const clang::ASTContext &Context,
                               const clang::CallExpr &Call);

/// The standard makes an int beside a float a double: the function is double
/// whatever its other arguments are. ldexp takes an int by design.
bool takesInteger(const clang::ASTContext &Context,
                  const clang::CallExpr &Call);

/// Whether it is in a macro with parameters: `MUL(x)` rather than `MUL`.
bool isOfFunctionMacro(const clang::SourceManager &Sources,
                       clang::SourceLocation Begin);

/// The macro whose definition holds the literal, or one around it that is a
/// constant as well, as the user sees it: of `MU0` with `PI` in it, `MU0`.
/// Empty: none does, it is written where it stands or is an argument.
std::string macroOf(const clang::ASTContext &Context,
                    clang::SourceLocation Begin, const DoubleExpression &Found);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_CHECKS_DOUBLEEXPRESSION_H
