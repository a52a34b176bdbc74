//===- analyzer/launch/HostLambdas.cpp - Lambdas in host code -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostEvaluator.h"

#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace cudalint {

/// Captures by copy go with the value; the key 1 stands for `this`. In the
/// body, a captured variable is named by its own declaration.
Value HostEvaluator::evaluateLambda(const LambdaExpr &E) {
  std::vector<PartKey> Keys;
  std::vector<Value> Captures;
  auto Init = E.capture_init_begin();
  for (const LambdaCapture &Capture : E.captures()) {
    const Expr *CaptureInit = *Init++;
    if (Capture.capturesThis()) {
      if (!Top || !Top->This)
        continue;
      Keys.push_back(indexKey(0));
      Captures.push_back(Values.address(*Top->This));
      continue;
    }
    const auto *Variable = Capture.capturesVariable()
                               ? dyn_cast<VarDecl>(Capture.getCapturedVar())
                               : nullptr;
    if (!Variable || !CaptureInit)
      continue;
    Variable = Variable->getCanonicalDecl();
    if (Capture.getCaptureKind() == LCK_ByCopy) {
      Keys.push_back(fieldKey(Variable));
      Captures.push_back(evaluate(CaptureInit));
    } else if (MaybePlace Referent = locate(CaptureInit)) {
      State.Escaped.insert(Referent->Object);
      if (Variable->isInitCapture()) {
        Variables[Variable] = Variable;
        State.Objects[Variable] = Values.address(*Referent);
      }
    }
  }
  return Values.lambda(&E, std::move(Keys), std::move(Captures));
}

/// Runs the body with the captured copies in place of the variables.
Value HostEvaluator::runLambda(Value Lambda, const CXXMethodDecl &Operator,
                               llvm::ArrayRef<Value> Arguments) {
  MaybePlace This;
  std::vector<std::pair<const void *, Value>> Outer;
  for (unsigned I = 0; I < Lambda->Keys.size(); ++I) {
    if (isIndex(Lambda->Keys[I])) {
      This = Lambda->Operands[I]->place();
      continue;
    }
    const auto *Variable = reinterpret_cast<const VarDecl *>(Lambda->Keys[I]);
    auto Found = State.Objects.find(Variable);
    Outer.emplace_back(Variable,
                       Found == State.Objects.end() ? nullptr : Found->second);
    Variables[Variable] = Variable;
    // A mutable lambda changes its copies from call to call.
    State.Objects[Variable] = Operator.isConst()
                                  ? Lambda->Operands[I]
                                  : Values.symbol(nameOf(Variable));
  }
  bindParameters(Operator, Arguments);
  Value Result = runBody(Operator, std::move(This));
  for (auto [Variable, Contents] : Outer) {
    if (Contents)
      State.Objects[Variable] = Contents;
    else
      State.Objects.erase(Variable);
  }
  return Result;
}

Value HostEvaluator::callLambda(Value Lambda, const CXXMethodDecl &Operator,
                                llvm::ArrayRef<const Expr *> Arguments) {
  std::vector<Value> Given = evaluateArguments(Operator, Arguments);
  if (Operator.getBody() && canRun(Operator))
    return runLambda(Lambda, Operator, Given);
  for (Value Each : Given)
    forgetReachable(Each, "a lambda");
  forgetOutOfSight("a lambda");
  return Values.symbol("the result of a lambda");
}

/// Something out of sight has the lambda and may call it, at any time: run it
/// for its launches, with nothing known of what may have changed by then.
void HostEvaluator::runEscapedLambda(Value Lambda) {
  const auto &E = *static_cast<const LambdaExpr *>(Lambda->Entity);
  const CXXMethodDecl *Operator = E.getCallOperator();
  const EffectSummary &Effects = effectsIn(E.getBody());
  if (Operator && Operator->getBody() && canRun(*Operator)) {
    HostState Before = State;
    for (const LambdaCapture &Capture : E.captures()) {
      const auto *Variable = Capture.capturesVariable()
                                 ? dyn_cast<VarDecl>(Capture.getCapturedVar())
                                 : nullptr;
      if (Variable && Capture.getCaptureKind() == LCK_ByRef &&
          (Code.Changed.contains(Variable->getCanonicalDecl()) ||
           Variable->getType()->isReferenceType()))
        forgetVariable(*Variable, "which may change before the lambda runs");
    }
    for (unsigned I = 0; I < Lambda->Keys.size(); ++I)
      if (isIndex(Lambda->Keys[I]))
        forget(Lambda->Operands[I]->place(), "other code before the lambda");
    forgetOutOfSight("other code before the lambda");
    runLambda(Lambda, *Operator, {});
    State = std::move(Before);
  }
  for (const VarDecl *Each : Effects.Changed)
    forgetVariable(*Each, "set by a lambda");
  forgetOutOfSight("a lambda");
}

} // namespace cudalint
