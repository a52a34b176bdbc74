//===- tests/unit/analyzer/frontend/SyntaxVisitorTests.cpp - Tests --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/SyntaxVisitor.h"

#include "tests/mock/MockCuda.h"
#include "tests/unit/analyzer/frontend/Parsing.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include <gtest/gtest.h>

namespace cudalint::test::SyntaxVisitorTests {

namespace {
class AdditionCounter : public SyntaxVisitor {
public:
  explicit AdditionCounter(int Last) : Last(Last) {}

  int Count = 0;

  bool VisitBinaryOperator(clang::BinaryOperator *E) override {
    Count += E->getOpcode() == clang::BO_Add;
    return Count != Last;
  }

private:
  int Last; ///< Nothing is visited beyond.
};
} // namespace

/// Of a sum in host code, nested as often.
static int countAdditions(int Additions, int Last) {
  std::string Code = "int sum(int n) { return n";
  for (int I = 0; I != Additions; ++I)
    Code += " + n";
  AdditionCounter Counter(Last);
  llvm::LLVMContext Context;
  parseFile("input.cu",
            {{.StandInHeader = mockCuda()}, {}, {{"input.cu", Code + "; }\n"}}},
            Context, [&](clang::ASTContext &AST, auto &) {
              const clang::SourceManager &Sources = AST.getSourceManager();
              for (clang::Decl *D : AST.getTranslationUnitDecl()->decls())
                if (Sources.isInMainFile(D->getLocation()))
                  Counter.TraverseDecl(D);
            });
  return Counter.Count;
}

TEST(SyntaxVisitor, GoesDeeperThanAStack) {
  EXPECT_EQ(countAdditions(50000, /*Last=*/-1), 50000);
}

TEST(SyntaxVisitor, StopsInTheDepths) {
  EXPECT_EQ(countAdditions(50000, /*Last=*/40000), 40000);
}

} // namespace cudalint::test::SyntaxVisitorTests
