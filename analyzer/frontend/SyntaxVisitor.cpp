//===- analyzer/frontend/SyntaxVisitor.cpp - Visitor of the tree ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/SyntaxVisitor.h"

#include "clang/Basic/Stack.h"

using namespace clang;

namespace cudalint {

bool SyntaxVisitor::TraverseStmt(Stmt *S) {
  bool GoesOn = true;
  // There is always more space, in a thread of its own: nothing to complain of.
  runWithSufficientStackSpace(
      [] {}, [&] { GoesOn = DynamicRecursiveASTVisitor::TraverseStmt(S); });
  return GoesOn;
}

} // namespace cudalint
