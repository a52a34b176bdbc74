//===- analyzer/launch/HostCalls.cpp - Calls in host code -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostEvaluator.h"
#include "analyzer/launch/LaunchCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cudalint {

/// Calls within calls that are followed.
static constexpr unsigned MaxFrames = 24;

static bool isArithmetic(QualType Type) {
  return Type.getNonReferenceType()->isArithmeticType() ||
         Type.getNonReferenceType()->isEnumeralType();
}

/// Of the headers' functions, those that compute are worth running.
static bool computesNumbers(const FunctionDecl &Callee) {
  return Callee.isConstexpr() ||
         llvm::all_of(Callee.parameters(), [](const ParmVarDecl *Parameter) {
           return isArithmetic(Parameter->getType());
         });
}

/// True unless a part of the record is copied by code of the user's.
static bool copiesPlainly(const CXXRecordDecl &Record, unsigned Depth = 0) {
  if (!Record.hasDefinition() || Depth > 8)
    return false;
  auto IsPlain = [&](QualType Type) {
    const auto *Part =
        QualType(Type->getBaseElementTypeUnsafe(), 0)->getAsCXXRecordDecl();
    if (!Part || isInSystemHeader(*Part))
      return true;
    if (!Part->hasDefinition())
      return false;
    return !Part->hasUserDeclaredCopyConstructor() &&
           !Part->hasUserDeclaredCopyAssignment() &&
           !Part->hasUserDeclaredMoveOperation() &&
           copiesPlainly(*Part, Depth + 1);
  };
  return llvm::all_of(Record.fields(),
                      [&](const FieldDecl *Field) {
                        return IsPlain(Field->getType());
                      }) &&
         llvm::all_of(Record.bases(), [&](const CXXBaseSpecifier &Base) {
           return IsPlain(Base.getType());
         });
}

bool HostEvaluator::canRun(const FunctionDecl &Callee) const {
  if (Callee.isDependentContext() || Callee.isInvalidDecl() ||
      Callee.hasAttr<CUDAGlobalAttr>() ||
      (Callee.hasAttr<CUDADeviceAttr>() && !Callee.hasAttr<CUDAHostAttr>()))
    return false;
  unsigned Frames = 0;
  for (const Frame *Each = Top; Each; Each = Each->Caller)
    if (++Frames > 2 * MaxFrames || Each->Function == &Callee)
      return false;
  if (isInSystemHeader(Callee)) {
    const auto *Constructor = dyn_cast<CXXConstructorDecl>(&Callee);
    return computesNumbers(Callee) &&
           !mayKeep(Constructor ? Constructor->getParent()
                                : Callee.getReturnType()->getAsCXXRecordDecl(),
                    &Callee, /*References=*/true);
  }
  const EffectSummary *Effects = Code.effectsOf(Callee);
  return !(Effects && Effects->TooDeep) && Budget.allowsCalls() &&
         Frames <= MaxFrames;
}

Value HostEvaluator::call(const CallExpr &E) {
  if (const auto *Kernel = dyn_cast<CUDAKernelCallExpr>(&E)) {
    Sinks.noteKernelCall(*Kernel);
    return Values.symbol("the result of a launch");
  }
  const FunctionDecl *Callee = E.getDirectCallee();
  if (LaunchCall Kind = launchCallOf(Callee); Kind != LaunchCall::None) {
    if (!Sinks.noteLaunchCall(E, Kind))
      Expressions.evaluateUnhandled(&E);
    return Values.symbol("the result of a launch");
  }
  if (!Callee) {
    Value Target = Memory.resolve(evaluate(E.getCallee()));
    Callee = Target->function();
    // Any of those that could be meant.
    if (!Callee)
      for (const FunctionDecl *Each : Code.AddressTaken)
        if (Each->getNumParams() == E.getNumArgs())
          Sinks.noteNotFollowed(*Each);
  }
  llvm::SmallVector<const Expr *, 8> Arguments(E.arguments());
  MaybePlace This;
  const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
  bool MayRun = !Method || !Method->isVirtual();
  if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&E);
      Operator && Method && !Method->isStatic()) {
    if ((Method->isCopyAssignmentOperator() ||
         Method->isMoveAssignmentOperator()) &&
        Method->isDefaulted() && copiesPlainly(*Method->getParent()))
      return assignObject(*Operator);
    if (Method->getParent()->isLambda()) {
      Value Lambda = Memory.resolve(evaluate(Arguments[0]));
      if (Lambda->Tag == ValueNode::Lambda)
        return callLambda(Lambda, *Method,
                          llvm::ArrayRef(Arguments).drop_front());
      // What it has captured is not known.
      MayRun = !Method->getParent()->capture_size();
    }
    This = locate(Arguments[0]);
    Arguments.erase(Arguments.begin());
  } else if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&E)) {
    const Expr *Object = Member->getImplicitObjectArgument();
    This = Object->getType()->isPointerType()
               ? Expressions.locatePointee(Object)
               : locate(Object);
  }
  if (Callee)
    if (std::optional<Value> Known = knownCall(E, *Callee))
      return *Known;
  if (Method)
    if (std::optional<Value> Known = vectorCall(E, *Method, Arguments, This))
      return *Known;
  const FunctionDecl *Definition = Callee ? Callee->getDefinition() : nullptr;
  if (Definition && Definition->getBody() && MayRun && canRun(*Definition))
    return callDefinition(*Definition, Arguments, This);
  if (Definition && (!Method || !Method->isVirtual()))
    Sinks.noteNotFollowed(*Definition);
  return callOpaque(E, Callee, Arguments, This);
}

Value HostEvaluator::assignObject(const CXXOperatorCallExpr &E) {
  Value New = evaluate(E.getArg(1));
  MaybePlace To = locate(E.getArg(0));
  Memory.store(To, E.getArg(0)->getType(), New);
  return To && To->Exact ? Values.address(*To) : Values.unknown(&E);
}

std::vector<Value>
HostEvaluator::evaluateArguments(const FunctionDecl &Callee,
                                 llvm::ArrayRef<const Expr *> Arguments) {
  std::vector<Value> Given;
  for (unsigned I = 0; I < Arguments.size(); ++I) {
    bool ByReference = I < Callee.getNumParams() &&
                       Callee.getParamDecl(I)->getType()->isReferenceType();
    Given.push_back(ByReference ? Expressions.bindReference(Arguments[I])
                                : evaluate(Arguments[I]));
  }
  return Given;
}

void HostEvaluator::bindParameters(const FunctionDecl &Callee,
                                   llvm::ArrayRef<Value> Arguments) {
  for (unsigned I = 0; I < Callee.getNumParams(); ++I) {
    const ParmVarDecl *Parameter = Callee.getParamDecl(I);
    if (I < Arguments.size())
      Memory.declare(*Parameter, Arguments[I]);
    else
      Memory.declareUnknown(*Parameter);
  }
}

Value HostEvaluator::callDefinition(const FunctionDecl &Callee,
                                    llvm::ArrayRef<const Expr *> Arguments,
                                    MaybePlace This) {
  const std::vector<Value> Given = evaluateArguments(Callee, Arguments);
  bindParameters(Callee, Given);
  Value Result = runBody(Callee, This);
  return Code.losesPartOf(Callee) ? forgetLost(Callee, Given, This) : Result;
}

/// Forgets what a function may have done of which some is lost; its result.
Value HostEvaluator::forgetLost(const FunctionDecl &Callee,
                                llvm::ArrayRef<Value> Given,
                                const MaybePlace &This) {
  const std::string Name =
      "'" + Callee.getNameAsString() + "', some of which has errors";
  for (Value Each : Given)
    Memory.forgetReachable(Each, Name);
  if (This)
    Memory.forget(*This, Name);
  return Values.symbol("the result of " + Name);
}

Value HostEvaluator::runBody(const FunctionDecl &Callee, MaybePlace This,
                             Value Lambda) {
  Frame Own;
  Own.Function = &Callee;
  Own.This = std::move(This);
  Own.Lambda = Lambda;
  Own.Caller = Top;
  if (const EffectSummary *Effects =
          Lambda ? &Memory.effectsIn(Callee.getBody()) : Code.effectsOf(Callee);
      Effects && Effects->JumpsBack)
    Own.JumpsBack = Effects;
  std::vector<JumpTarget *> OuterTargets = std::move(Targets);
  Targets.clear();
  Top = &Own;
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(&Callee))
    initializeMembers(*Constructor);
  run(Callee.getBody());
  Top = Own.Caller;
  Targets = std::move(OuterTargets);

  const std::string Name = "'" + Callee.getNameAsString() + "'";
  Value Result = Values.symbol("the result of " + Name);
  for (Exit &Each : Own.Returns) {
    if (!Memory.isLive()) {
      Memory.exchange(std::move(Each.State));
      Result = Each.Result;
      continue;
    }
    // The reference that it returns may lead to either.
    if (Callee.getReturnType()->isReferenceType() && Result != Each.Result &&
        !Callee.getReturnType()->getPointeeType().isConstQualified())
      for (Value Way : {Result, Each.Result})
        if (Way->Tag == ValueNode::Address)
          Memory.escape(Way->place().Object);
    Value Which = Values.symbol("which way " + Name + " returns");
    Result = Values.choose(Which, Result, Each.Result);
    Memory.join(std::move(Each.State), Which);
  }
  return Result;
}

/// True for what the lambda has captured by copy.
static bool hasCopy(Value Lambda, PartKey Key) {
  return llvm::any_of(
      static_cast<const LambdaExpr *>(Lambda->Entity)->captures(),
      [&](const LambdaCapture &Each) {
        return Each.capturesVariable() && Each.getCaptureKind() == LCK_ByCopy &&
               fieldKey(Each.getCapturedVar()->getCanonicalDecl()) == Key;
      });
}

bool HostEvaluator::findCaptured(const ValueDecl &Named, MaybePlace &Where) {
  const PartKey Key = fieldKey(Named.getCanonicalDecl());
  if (!Top || !Top->Lambda || !llvm::is_contained(Top->Lambda->Keys, Key))
    return false;
  Where = Place{Top->Lambda, {Key}, true};
  if (!hasCopy(Top->Lambda, Key))
    Where = Memory.pointee(Memory.read(*Where, ""));
  return true;
}

Value HostEvaluator::runLambda(Value Lambda, const CXXMethodDecl &Operator,
                               llvm::ArrayRef<Value> Arguments) {
  MaybePlace This;
  ValueFactory::Parts Captures;
  for (unsigned I = 0; I < Lambda->Keys.size(); ++I) {
    const PartKey Key = Lambda->Keys[I];
    Value Captured = Lambda->Operands[I];
    if (isIndex(Key))
      This = Captured->place();
    else if (Operator.isConst() || !hasCopy(Lambda, Key))
      Captures.emplace_back(Key, Captured);
    else // A mutable lambda changes its copies from call to call.
      Captures.emplace_back(Key, Values.symbol("a lambda's copy"));
  }
  Memory.set(Lambda, Values.aggregate(std::move(Captures),
                                      Values.symbol("what a lambda captures")));
  if (!Operator.isConst()) // Then, what forgets the variables means the copies.
    Memory.escape(Lambda);
  bindParameters(Operator, Arguments);
  Value Result = runBody(Operator, This, Lambda);
  if (Code.losesPartOf(Operator))
    Result = forgetLost(Operator, Arguments, This);
  Memory.drop(Lambda);
  return Result;
}

Value HostEvaluator::callLambda(Value Lambda, const CXXMethodDecl &Operator,
                                llvm::ArrayRef<const Expr *> Arguments) {
  std::vector<Value> Given = evaluateArguments(Operator, Arguments);
  if (Operator.getBody() && canRun(Operator))
    return runLambda(Lambda, Operator, Given);
  for (Value Each : Given)
    Memory.forgetReachable(Each, "a lambda");
  Memory.forgetOutOfSight("a lambda");
  return Values.symbol("the result of a lambda");
}

void HostEvaluator::initializeMembers(const CXXConstructorDecl &Constructor) {
  for (const CXXCtorInitializer *Each : Constructor.inits()) {
    const Expr *Init = Each->getInit();
    MaybePlace Where = Top->This;
    if (const FieldDecl *Field = Each->getMember()) {
      if (Where)
        Where->Path.push_back(fieldKey(Field->getCanonicalDecl()));
      Value New = Field->getType()->isReferenceType()
                      ? Expressions.bindMember(Init, Field->getType())
                      : evaluate(Init);
      if (Where && !Field->getParent()->isUnion() && !Field->isBitField())
        Memory.store(Where, Field->getType(), New);
      continue;
    }
    Value New = evaluate(Init);
    if (!Where)
      continue;
    if (Each->isDelegatingInitializer())
      Memory.store(Where, {}, New);
    // Fields of bases are kept beside the object's own.
    else if (New->Tag == ValueNode::Aggregate)
      for (unsigned I = 0; I < New->Keys.size(); ++I) {
        Place Part = *Where;
        Part.Path.push_back(New->Keys[I]);
        Memory.store(Part, {}, New->Operands[I]);
      }
  }
}

Value HostEvaluator::construct(const CXXConstructExpr &E) {
  const CXXConstructorDecl *Constructor = E.getConstructor();
  llvm::SmallVector<const Expr *, 4> Arguments(E.arguments());
  if (Constructor->isCopyOrMoveConstructor() && !Arguments.empty() &&
      (Constructor->isTrivial() || (Constructor->isDefaulted() &&
                                    copiesPlainly(*Constructor->getParent()))))
    return evaluate(Arguments[0]);
  Value Raw = E.requiresZeroInitialization()
                  ? Values.zero(E.getType())
                  : Values.symbol("an object that is not initialised");
  if (Constructor->isDefaultConstructor() && Constructor->isTrivial())
    return Raw;
  if (std::optional<Value> Vector = constructVector(E))
    return *Vector;
  const FunctionDecl *Definition = Constructor->getDefinition();
  if (!E.getType()->isRecordType() && Arguments.empty()) {
    // An array: its elements' constructors are not followed.
    if (Definition)
      Memory.distrustChangesOf(*Definition);
    return Raw;
  }
  if (!E.getType()->isRecordType() || !Definition || !Definition->getBody() ||
      !canRun(*Definition))
    return callOpaque(E, Constructor, Arguments, std::nullopt);
  Memory.set(&E, Raw);
  callDefinition(*Definition, Arguments, Place{&E, {}, true});
  Value Result = Memory.contents(&E);
  Memory.drop(&E);
  return Result;
}

} // namespace cudalint
