//===- analyzer/launch/LoopTurns.cpp - How often loops turn ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/LoopTurns.h"

#include "analyzer/frontend/IntegerConstants.h"
#include "analyzer/launch/EffectSummary.h"
#include "analyzer/launch/RuntimeCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include <cstdint>
#include <optional>

using namespace clang;

namespace cudalint {

bool isLoop(const Stmt &S) {
  return isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S);
}

/// Sums of a few of them are numbers, too.
static bool isSmall(std::int64_t N) {
  constexpr std::int64_t Large = std::int64_t(1) << 32;
  return -Large < N && N < Large;
}

/// Whether it is what it is initialised with wherever it is read.
static bool keepsItsValue(const VarDecl &V) {
  const auto *F = dyn_cast<FunctionDecl>(V.getDeclContext());
  return F && F->getBody() && !effectsOf(F->getBody()).Changed.contains(&V);
}

static const Stmt *bodyOfLoop(const Stmt &Loop) {
  if (const auto *For = dyn_cast<ForStmt>(&Loop))
    return For->getBody();
  if (const auto *While = dyn_cast<WhileStmt>(&Loop))
    return While->getBody();
  if (const auto *Do = dyn_cast<DoStmt>(&Loop))
    return Do->getBody();
  return cast<CXXForRangeStmt>(Loop).getBody();
}

/// Whether a turn that comes to its end leaves \p Loop, and none goes on
/// before.
static bool leavesAtEnd(const Stmt &Loop) {
  const Stmt *Body = bodyOfLoop(Loop);
  const auto *Block = dyn_cast<CompoundStmt>(Body);
  const Stmt *Last = !Block                ? Body
                     : Block->body_empty() ? nullptr
                                           : Block->body_back();
  if (!Last || !isa<BreakStmt, ReturnStmt>(Last))
    return false;
  bool GoesOn = false;
  forEachWithin(Body, [&](const Stmt &S, llvm::ArrayRef<const Stmt *> Around) {
    const bool IsOfInner =
        llvm::any_of(Around, [](const Stmt *Each) { return isLoop(*Each); });
    GoesOn |= isa<GotoStmt, IndirectGotoStmt>(S) ||
              (isa<ContinueStmt>(S) && !IsOfInner);
    return !GoesOn && !isa<LambdaExpr>(S);
  });
  return !GoesOn;
}

namespace {
/// What an expression does to a variable whose value it has: `i`, `--n`.
struct CounterStep {
  const VarDecl *Variable = nullptr; ///< Null: it is another expression.
  std::int64_t By = 0;
  bool IsBefore = false; ///< Its value is that behind the step.
};
} // namespace

static CounterStep counterStep(const ASTContext &Context, const Expr &E) {
  const Expr *Inner = E.IgnoreParenImpCasts();
  if (const auto *One = dyn_cast<UnaryOperator>(Inner);
      One && One->isIncrementDecrementOp())
    return {namedVariable(One->getSubExpr()), One->isIncrementOp() ? 1 : -1,
            One->isPrefix()};
  if (const auto *Sum = dyn_cast<CompoundAssignOperator>(Inner);
      Sum &&
      Sum->isAdditiveOp(Sum->getOpForCompoundAssignment(Sum->getOpcode())))
    if (const auto By = int64Constant(Context, *Sum->getRHS());
        By && isSmall(*By))
      return {namedVariable(Sum->getLHS()),
              Sum->getOpcode() == BO_AddAssign ? *By : -*By, true};
  return {namedVariable(Inner), 0, false};
}

/// How often its function names \p V for anything but to read it.
static unsigned changesOf(const VarDecl &V) {
  const auto *F = dyn_cast<FunctionDecl>(V.getDeclContext());
  unsigned Changes = 0;
  forEachWithin(F ? F->getBody() : nullptr,
                [&](const Stmt &S, llvm::ArrayRef<const Stmt *> Around) {
                  const auto *Named = dyn_cast<DeclRefExpr>(&S);
                  const auto *Read =
                      Around.empty()
                          ? nullptr
                          : dyn_cast<ImplicitCastExpr>(Around.back());
                  Changes +=
                      Named && Named->getDecl() == &V &&
                      (!Read || Read->getCastKind() != CK_LValueToRValue);
                  return true;
                });
  return Changes;
}

static bool isTrueFor(BinaryOperatorKind Test, std::int64_t A, std::int64_t B) {
  switch (Test) {
  case BO_LT:
    return A < B;
  case BO_LE:
    return A <= B;
  case BO_GT:
    return A > B;
  case BO_GE:
    return A >= B;
  case BO_NE:
    return A != B;
  default: // Another operator, of which nothing is known.
    return true;
  }
}

/// Whether the second test fails: `for (int i = 0; i < 1; ++i)`, or
/// `int n = 2; while (n-- > 1)`.
static bool countsOnce(const ASTContext &Context, const Stmt &Loop) {
  const auto *For = dyn_cast<ForStmt>(&Loop);
  const auto *While = dyn_cast<WhileStmt>(&Loop);
  const Expr *Condition = For     ? For->getCond()
                          : While ? While->getCond()
                                  : nullptr;
  if (!Condition)
    return false;
  const auto *Test = dyn_cast<BinaryOperator>(Condition->IgnoreParenImpCasts());
  const CounterStep InTest =
      counterStep(Context, Test ? *Test->getLHS() : *Condition);
  const CounterStep Between = For && For->getInc()
                                  ? counterStep(Context, *For->getInc())
                                  : CounterStep();
  const VarDecl *Counter = InTest.Variable;
  if (!Counter || !Counter->hasLocalStorage() ||
      (Between.Variable && Between.Variable != Counter))
    return false;
  // `int runs = 1; for (int i = 0; i < runs; ++i)`
  const VarDecl *Bound = Test ? namedVariable(Test->getRHS()) : nullptr;
  if (Bound && (!Bound->hasLocalStorage() || !Bound->getInit()))
    Bound = nullptr;
  if (!Counter->getInit())
    return false;
  const auto From = int64Constant(Context, *Counter->getInit());
  const auto To = !Test   ? std::optional<std::int64_t>(0)
                  : Bound ? int64Constant(Context, *Bound->getInit())
                          : int64Constant(Context, *Test->getRHS());
  if (!From || !To || !isSmall(*From))
    return false;
  const std::int64_t Second =
      *From + Between.By + InTest.By * (InTest.IsBefore ? 2 : 1);
  if (isTrueFor(Test ? Test->getOpcode() : BO_NE, Second, *To) ||
      (Second < 0 && Counter->getType()->isUnsignedIntegerType()))
    return false;
  // These look at much, and few loops come so far.
  if (Bound && !keepsItsValue(*Bound))
    return false;
  const auto *Start =
      For ? dyn_cast_or_null<DeclStmt>(For->getInit()) : nullptr;
  return Start && llvm::is_contained(Start->decls(), Counter)
             ? !effectsOf(For->getBody()).Changed.contains(Counter)
             : changesOf(*Counter) == 1;
}

bool turnsOnce(const ASTContext &Context, const Stmt &Loop) {
  if (leavesAtEnd(Loop))
    return true;
  const auto *Do = dyn_cast<DoStmt>(&Loop);
  if (!Do)
    return countsOnce(Context, Loop);
  bool Again = true;
  return !Do->getCond()->isValueDependent() &&
         Do->getCond()->EvaluateAsBooleanCondition(Again, Context) && !Again;
}

} // namespace cudalint
