//===- analyzer/frontend/CastAlignment.h - What a cast promises -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `*(float4 *)(s + 4 * i)` is one access of 16 bytes to nvcc, for a `float4`
/// is aligned to 16. Clang's code generator goes by the declaration that it
/// sees through the cast, an array of `float` say, and so splits the access.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_CASTALIGNMENT_H
#define CUDA_LINT_ANALYZER_FRONTEND_CASTALIGNMENT_H

namespace clang {
class ASTContext;
} // namespace clang

namespace cudalint {

class AstEdits;

/// Has code generation take what an explicit cast yields to be aligned as its
/// type is, for as long as \p Edits lasts. Members of packed structs keep their
/// alignment unless they are cast.
void trustCasts(clang::ASTContext &AST, AstEdits &Edits);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_CASTALIGNMENT_H
