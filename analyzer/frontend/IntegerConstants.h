//===- analyzer/frontend/IntegerConstants.h - Known integers ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What an integer expression is, where the source alone decides that.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_INTEGERCONSTANTS_H
#define CUDA_LINT_ANALYZER_FRONTEND_INTEGERCONSTANTS_H

#include <cstdint>
#include <optional>

namespace llvm {
class APSInt;
} // namespace llvm
namespace clang {
class ASTContext;
class Expr;
} // namespace clang

namespace cudalint {

/// The value of \p E as its type has it; nothing where it is no integer, has
/// effects or errors, or where a template's arguments decide it.
std::optional<llvm::APSInt> integerConstant(const clang::ASTContext &Context,
                                            const clang::Expr &E);

/// The same where 64 bits with a sign hold it.
std::optional<std::int64_t> int64Constant(const clang::ASTContext &Context,
                                          const clang::Expr &E);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_INTEGERCONSTANTS_H
