//===- analyzer/frontend/ExpressionText.h - What is written -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_EXPRESSIONTEXT_H
#define CUDA_LINT_ANALYZER_FRONTEND_EXPRESSIONTEXT_H

#include <compare>
#include <cstdint>
#include <optional>
#include <string>

namespace clang {
class ASTContext;
class Expr;
} // namespace clang

namespace cudalint {

/// A position at which text can be inserted; no file when it cannot.
struct EditPoint {
  std::string File;
  std::uint64_t Offset = 0; ///< Bytes from the start of the file.

  auto operator<=>(const EditPoint &) const = default;
};

/// A number as the user computes it, for an edit around it.
struct ExpressionText {
  EditPoint Begin;
  std::uint64_t End = 0; ///< The offset behind it, in the file of Begin.
  std::string Text;      ///< On one line, without comments.
  /// To compute it twice computes the same and changes nothing: it calls
  /// nothing and looks at no memory but variables of its function.
  bool IsRepeatable = false;
  /// A name, a number or a member: every operator takes all of it. No macro,
  /// which may stand for more.
  bool IsOperand = false;

  auto operator<=>(const ExpressionText &) const = default;
};

/// Of \p E; empty where that is no plain text of the user's: partly a macro's,
/// what a macro is given, which it may write twice, in a header of the system,
/// over several lines, or with a comment.
std::optional<ExpressionText> expressionText(const clang::ASTContext &Context,
                                             const clang::Expr &E);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_EXPRESSIONTEXT_H
