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
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_CONSTANTTABLES_H
#define CUDA_LINT_ANALYZER_FRONTEND_CONSTANTTABLES_H

namespace clang {
class ASTContext;
class CodeGenerator;
} // namespace clang

namespace llvm {
class Module;
} // namespace llvm

namespace cudalint {

/// Makes device variables of all whose only `__constant__` Clang has added. To
/// be called before code is generated.
void placeTables(clang::ASTContext &AST);

/// Makes ordinary constants of the copies of such variables in \p Module, which
/// \p Generator has made.
void nameTables(llvm::Module &Module, clang::CodeGenerator &Generator);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_CONSTANTTABLES_H
