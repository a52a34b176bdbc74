//===- analyzer/frontend/SyntaxVisitor.h - Visitor of the tree --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What every visitor of the syntax tree derives from. Clang's
/// RecursiveASTVisitor would have each of them compiled with all kinds of
/// nodes, ten seconds and more for a file.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_SYNTAXVISITOR_H
#define CUDA_LINT_ANALYZER_FRONTEND_SYNTAXVISITOR_H

#include "clang/AST/DynamicRecursiveASTVisitor.h"

namespace cudalint {

/// Clang's visitor, which goes as deep as a tree is: a sum of 50,000 numbers is
/// nested as often, and needs more than one stack.
class SyntaxVisitor : public clang::DynamicRecursiveASTVisitor {
public:
  SyntaxVisitor() {
    // All that is asked is what was written, never a type behind it.
    ShouldWalkTypesOfTypeLocs = false;
  }

  bool TraverseStmt(clang::Stmt *S) override;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_SYNTAXVISITOR_H
