//===- analyzer/launch/HostExpressions.h - Expressions ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What expressions of host code are worth, and which places they name, on the
/// path at hand and with their effects on memory. What code they run (calls,
/// constructors) is left to who runs it.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_HOSTEXPRESSIONS_H
#define CUDA_LINT_ANALYZER_LAUNCH_HOSTEXPRESSIONS_H

#include "analyzer/launch/HostMemory.h"

#include "clang/AST/ExprCXX.h"

namespace cudalint {

/// What is left of the time and of the stack.
class HostBudget {
public:
  /// A level of nesting and a step, as long as it lives. False when
  /// expressions, statements and calls together nest too deeply: the stack is
  /// finite.
  class Level {
  public:
    explicit Level(HostBudget &Budget) : Budget(Budget) {
      ++Budget.Depth;
      ++Budget.Steps;
    }
    Level(const Level &) = delete;
    ~Level() { --Budget.Depth; }
    explicit operator bool() const { return Budget.Depth <= MaxDepth; }

  private:
    HostBudget &Budget;
  };

  /// Each root gets some of it, however much the others took.
  void beginRoot();
  bool allowsCalls() const { return Steps <= StepLimit; }
  bool allowsTurns() const { return Steps <= TurnLimit; }

private:
  static constexpr unsigned MaxDepth = 1000;

  unsigned Depth = 0;
  std::uint64_t Steps = 0;     ///< Expressions and statements so far.
  std::uint64_t StepLimit = 0; ///< From which on calls are not followed.
  std::uint64_t TurnLimit = 0; ///< And loops not run turn by turn.
};

/// Runs the code that expressions lead to.
class CodeRunner {
public:
  virtual void run(const clang::Stmt *S) = 0;
  /// The address of what a call returns by reference.
  virtual Value call(const clang::CallExpr &E) = 0;
  virtual Value construct(const clang::CXXConstructExpr &E) = 0;
  virtual MaybePlace thisPlace() const = 0;
  /// False unless it is a lambda's body that runs, and the lambda has captured
  /// what is named; finds what the name means there.
  virtual bool findCaptured(const clang::ValueDecl &Named,
                            MaybePlace &Where) = 0;

protected:
  ~CodeRunner() = default;
};

class HostExpressions final : public ExpressionEvaluator {
public:
  HostExpressions(const clang::ASTContext &Context, HostMemory &Memory,
                  TypedValues &Values, HostBudget &Budget, CodeRunner &Runner)
      : Context(Context), Memory(Memory), Values(Values), Budget(Budget),
        Runner(Runner) {}

  Value evaluate(const clang::Expr *E) override;
  /// The object that a glvalue names, or a temporary of what `E` is worth.
  MaybePlace locate(const clang::Expr *E);
  /// The object that a pointer points to.
  MaybePlace locatePointee(const clang::Expr *E);
  /// The address of what a reference is bound to.
  Value bindReference(const clang::Expr *E);
  /// The same for one of type \p Type that is part of a value. Unlike a
  /// variable, that may get lost, and then all its referents may be meant.
  Value bindMember(const clang::Expr *E, clang::QualType Type);
  /// Both ways of a condition, joined; one, where it is known.
  Value branch(Value Condition, llvm::function_ref<Value()> Then,
               llvm::function_ref<Value()> Else);
  /// What is not understood: its parts are evaluated for what they launch, and
  /// objects that it could change are forgotten.
  Value evaluateUnhandled(const clang::Expr *E);

private:
  using Expr = clang::Expr;

  Value evaluateValue(const Expr *E);
  Value allocate(const clang::CXXNewExpr &E);
  Value evaluateLambda(const clang::LambdaExpr &E);
  static bool mayMeanTwo(const Expr *E);
  MaybePlace locateCast(const clang::CastExpr &Cast);
  MaybePlace locateMember(const clang::MemberExpr &Member);
  MaybePlace locateElement(const clang::ArraySubscriptExpr &Subscript);
  MaybePlace locateChoice(const clang::ConditionalOperator &Choice);

  // Operators (HostOperators.cpp).
  std::optional<Value> addressOfElement(const Expr &E);
  Value movePointer(clang::QualType Type, Value Pointer, Value By,
                    clang::QualType ByType, bool Backwards);
  Value evaluateUnary(const clang::UnaryOperator &E);
  Value evaluateBinary(const clang::BinaryOperator &E);
  Value evaluateLogical(const clang::BinaryOperator &E);
  Value compute(clang::BinaryOperatorKind Code, clang::QualType Type,
                Value Left, Value Right);
  MaybePlace assign(const clang::BinaryOperator &E);
  MaybePlace step(const clang::UnaryOperator &E, Value *Before);
  Value evaluateCast(const clang::CastExpr &E);
  Value evaluateInitList(const clang::InitListExpr &E);

  const clang::ASTContext &Context;
  HostMemory &Memory;
  TypedValues &Values;
  HostBudget &Budget;
  CodeRunner &Runner;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_HOSTEXPRESSIONS_H
