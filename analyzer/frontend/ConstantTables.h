//===- analyzer/frontend/ConstantTables.h - Where tables lie ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// nvcc puts a `constexpr` array, one that is `static const` in a kernel, and a
/// `__device__ const` one into global memory, and loads what is not indexed by
/// constants with LDG. Clang takes them to be `__constant__`, and loads from
/// copies without names.
///
/// What a `__constant__` variable is defined with, host code may replace before
/// a kernel runs.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_CONSTANTTABLES_H
#define CUDA_LINT_ANALYZER_FRONTEND_CONSTANTTABLES_H

#include <set>

namespace clang {
class ASTContext;
class CodeGenerator;
class Decl;
} // namespace clang

namespace llvm {
class Module;
} // namespace llvm

namespace cudalint {

class AstEdits;

/// Makes device variables of all whose only `__constant__` Clang has added, for
/// as long as \p Edits lasts.
void placeTables(clang::ASTContext &AST, AstEdits &Edits);

/// Makes ordinary constants of the copies of such variables in \p Module, which
/// \p Generator has made.
void nameTables(llvm::Module &Module, clang::CodeGenerator &Generator);

/// The `__constant__` variables that functions for the host alone name, as for
/// cudaMemcpyToSymbol.
std::set<const clang::Decl *> constantsOfHost(clang::ASTContext &AST);

/// Takes from those of them that are in \p Module what they are defined with.
void forgetContents(const std::set<const clang::Decl *> &Constants,
                    llvm::Module &Module, clang::CodeGenerator &Generator);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_CONSTANTTABLES_H
