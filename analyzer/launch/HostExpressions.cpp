//===- analyzer/launch/HostExpressions.cpp - Expressions of host code -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostExpressions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"

using namespace clang;

namespace cudalint {

/// Steps of evaluation for a translation unit, one or two microseconds each,
/// and for each further root when they are used up.
static constexpr std::uint64_t MaxSteps = 150'000;
static constexpr std::uint64_t MoreSteps = 8'000;

void HostBudget::beginRoot() {
  Depth = 0;
  StepLimit = std::max(MaxSteps, Steps + MoreSteps);
  TurnLimit = StepLimit - StepLimit / 2;
  if (Steps > TurnLimit)
    TurnLimit = 0;
}

/// What `E` stands for: the code that it repeats, or is no more than a note on.
static const Expr *meantBy(const Expr *E) {
  while (true) {
    E = E->IgnoreParens();
    const Expr *Meant = nullptr;
    if (const auto *Cleanups = dyn_cast<ExprWithCleanups>(E))
      Meant = Cleanups->getSubExpr();
    else if (const auto *Parameter = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
      Meant = Parameter->getReplacement();
    else if (const auto *Argument = dyn_cast<CXXDefaultArgExpr>(E))
      Meant = Argument->getExpr();
    else if (const auto *Initial = dyn_cast<CXXDefaultInitExpr>(E))
      Meant = Initial->getExpr();
    else if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(E))
      Meant = Opaque->getSourceExpr();
    if (!Meant)
      return E;
    E = Meant;
  }
}

Value HostExpressions::evaluate(const Expr *E) {
  const HostBudget::Level Level(Budget);
  if (!Level) {
    Memory.forgetEverything();
    return Values.symbol("code that is nested too deeply");
  }
  E = meantBy(E);
  if (E->isTypeDependent() || E->isValueDependent() || E->containsErrors())
    return evaluateUnhandled(E);
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E))
    return branch(
        evaluate(Choice->getCond()),
        [&] { return evaluate(Choice->getTrueExpr()); },
        [&] { return evaluate(Choice->getFalseExpr()); });
  if (!E->isGLValue())
    return evaluateValue(E);
  if (const auto *Reference = dyn_cast<DeclRefExpr>(E))
    if (const auto *Function = dyn_cast<FunctionDecl>(Reference->getDecl()))
      return Values.function(Function);
  if (const auto *Dereference = dyn_cast<UnaryOperator>(E);
      Dereference && Dereference->getOpcode() == UO_Deref &&
      E->getType()->isFunctionType())
    return evaluate(Dereference->getSubExpr());
  if (const auto *Cast = dyn_cast<CastExpr>(E);
      Cast && E->getType()->isFunctionType())
    return evaluate(Cast->getSubExpr());
  return Memory.load(locate(E), E);
}

Value HostExpressions::evaluateValue(const Expr *E) {
  switch (E->getStmtClass()) {
  case Stmt::IntegerLiteralClass:
  case Stmt::CharacterLiteralClass:
  case Stmt::FloatingLiteralClass:
  case Stmt::CXXBoolLiteralExprClass:
  case Stmt::UnaryExprOrTypeTraitExprClass:
  case Stmt::SizeOfPackExprClass:
  case Stmt::TypeTraitExprClass:
  case Stmt::OffsetOfExprClass:
  case Stmt::CXXNoexceptExprClass:
    return Values.constant(E);
  case Stmt::CXXNullPtrLiteralExprClass:
  case Stmt::GNUNullExprClass:
  case Stmt::ImplicitValueInitExprClass:
  case Stmt::CXXScalarValueInitExprClass:
    return Values.zero(E->getType());
  case Stmt::ConstantExprClass:
    return cast<ConstantExpr>(E)->hasAPValueResult()
               ? Values.constant(E)
               : evaluate(cast<ConstantExpr>(E)->getSubExpr());
  case Stmt::DeclRefExprClass:
    return isa<EnumConstantDecl>(cast<DeclRefExpr>(E)->getDecl())
               ? Values.constant(E)
               : Values.unknown(E);
  case Stmt::CXXBindTemporaryExprClass: {
    Value Temporary = evaluate(cast<CXXBindTemporaryExpr>(E)->getSubExpr());
    Memory.distrustDestructor(E->getType(), Temporary);
    return Temporary;
  }
  case Stmt::CXXDeleteExprClass: {
    QualType Type = cast<CXXDeleteExpr>(E)->getDestroyedType();
    Value Pointer = evaluate(cast<CXXDeleteExpr>(E)->getArgument());
    MaybePlace Where = Memory.pointee(Pointer);
    Memory.distrustDestructor(
        Type, Where && Where->Exact ? Memory.contents(Where->Object) : Pointer);
    return Values.unknown(E);
  }
  case Stmt::CXXStdInitializerListExprClass:
    return evaluate(cast<CXXStdInitializerListExpr>(E)->getSubExpr());
  case Stmt::CXXRewrittenBinaryOperatorClass:
    return evaluate(cast<CXXRewrittenBinaryOperator>(E)->getSemanticForm());
  case Stmt::CXXThisExprClass:
    if (MaybePlace This = Runner.thisPlace()) {
      Memory.escape(This->Object);
      return Values.address(*This);
    }
    return Values.symbol("'this'");
  case Stmt::UnaryOperatorClass:
    return evaluateUnary(*cast<UnaryOperator>(E));
  case Stmt::BinaryOperatorClass:
  case Stmt::CompoundAssignOperatorClass:
    return evaluateBinary(*cast<BinaryOperator>(E));
  case Stmt::InitListExprClass:
    return evaluateInitList(*cast<InitListExpr>(E));
  case Stmt::LambdaExprClass:
    return evaluateLambda(*cast<LambdaExpr>(E));
  case Stmt::CXXConstructExprClass:
  case Stmt::CXXTemporaryObjectExprClass:
    return Runner.construct(*cast<CXXConstructExpr>(E));
  case Stmt::CXXNewExprClass:
    return allocate(*cast<CXXNewExpr>(E));
  case Stmt::CXXThrowExprClass:
    Memory.setLive(false);
    return Values.unknown(E);
  case Stmt::StmtExprClass:
    Runner.run(cast<StmtExpr>(E)->getSubStmt());
    return Values.unknown(E);
  default:
    if (const auto *Cast = dyn_cast<CastExpr>(E))
      return evaluateCast(*Cast);
    if (const auto *Call = dyn_cast<CallExpr>(E))
      return Runner.call(*Call);
    return evaluateUnhandled(E);
  }
}

Value HostExpressions::evaluateUnhandled(const Expr *E) {
  for (const Stmt *Child : E->children()) {
    const auto *Part = dyn_cast_or_null<Expr>(Child);
    if (!Part)
      continue;
    if (!Part->isGLValue() || Part->isTypeDependent()) {
      Memory.forgetReachable(evaluate(Part), "code that cannot be read");
      continue;
    }
    if (MaybePlace Where = locate(Part);
        Where && !Part->getType().isConstQualified()) {
      Memory.escape(Where->Object);
      Memory.forget(*Where, "code that cannot be read");
    }
  }
  return Values.unknown(E);
}

Value HostExpressions::branch(Value Condition, llvm::function_ref<Value()> Then,
                              llvm::function_ref<Value()> Else) {
  Condition = Memory.resolve(Condition);
  if (Condition->isNumber())
    return Condition->isZero() ? Else() : Then();
  HostState Before = Memory.state();
  Memory.learn(Condition, true);
  Value IfTrue = Then();
  HostState AfterTrue = Memory.exchange(std::move(Before));
  Memory.learn(Condition, false);
  Value IfFalse = Else();
  HostState AfterFalse = Memory.exchange(std::move(AfterTrue));
  Value Result = !Memory.isLive()   ? IfFalse
                 : !AfterFalse.Live ? IfTrue
                                    : Values.choose(Condition, IfTrue, IfFalse);
  Memory.join(std::move(AfterFalse), Condition);
  return Result;
}

/// The object of a `new` is named by the expression, so only the first one on
/// a path can be followed.
Value HostExpressions::allocate(const CXXNewExpr &E) {
  for (const Expr *Argument : E.placement_arguments())
    Memory.forgetReachable(evaluate(Argument), "a new object in its place");
  const Expr *Init = E.getInitializer();
  if (E.isArray() || E.getNumPlacementArgs() || Memory.has(&E)) {
    if (Init)
      evaluate(Init);
    return Values.unknown(&E);
  }
  Value Contents = Init ? evaluate(Init)
                        : Values.symbol("an object that is not initialised");
  Memory.set(&E, Contents);
  Memory.escape(&E);
  return Values.address({&E, {}, true});
}

static bool leadsSomewhere(Value V) {
  return V->Tag == ValueNode::Address ||
         (V->Tag == ValueNode::Operation && V->Code == Operator::Choose &&
          (leadsSomewhere(V->Operands[1]) || leadsSomewhere(V->Operands[2])));
}

/// Whether it is the value that a library function refers to that only
/// computes, `std::min(n, 128)`, and nothing that could be changed there.
static bool isComputed(Value Result, const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  return Callee && isInSystemHeader(*Callee) &&
         Call.getType().isConstQualified() &&
         Call.getType()->isArithmeticType() &&
         Result->Tag == ValueNode::Operation && !leadsSomewhere(Result);
}

MaybePlace HostExpressions::locate(const Expr *E) {
  const HostBudget::Level Level(Budget);
  if (!Level) {
    Memory.forgetEverything();
    return std::nullopt;
  }
  E = meantBy(E);
  if (E->isTypeDependent() || E->containsErrors()) {
    evaluateUnhandled(E);
    return std::nullopt;
  }
  if (const auto *Reference = dyn_cast<DeclRefExpr>(E)) {
    if (MaybePlace Where; Runner.findCaptured(*Reference->getDecl(), Where))
      return Where;
    if (const auto *Binding = dyn_cast<BindingDecl>(Reference->getDecl()))
      return locate(Binding->getBinding());
    const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl());
    return Variable ? Memory.placeOf(*Variable) : std::nullopt;
  }
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return locateMember(*Member);
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
    return locateElement(*Subscript);
  if (const auto *Cast = dyn_cast<CastExpr>(E); Cast && E->isGLValue())
    return locateCast(*Cast);
  if (const auto *Unary = dyn_cast<UnaryOperator>(E); Unary && E->isGLValue()) {
    if (Unary->getOpcode() == UO_Deref)
      return locatePointee(Unary->getSubExpr());
    if (Unary->isIncrementDecrementOp())
      return step(*Unary, nullptr);
    return locate(Unary->getSubExpr());
  }
  if (const auto *Binary = dyn_cast<BinaryOperator>(E);
      Binary && E->isGLValue()) {
    if (Binary->isAssignmentOp())
      return assign(*Binary);
    if (Binary->isPtrMemOp()) {
      evaluateUnhandled(E);
      return std::nullopt;
    }
    evaluate(Binary->getLHS()); // of a comma
    return locate(Binary->getRHS());
  }
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E);
      Choice && E->isGLValue())
    return locateChoice(*Choice);
  if (const auto *Call = dyn_cast<CallExpr>(E); Call && E->isGLValue()) {
    Value Result = Runner.call(*Call);
    if (Result->Tag == ValueNode::Address)
      return Result->place();
    if (!Result->isNumber() && !isComputed(Result, *Call))
      return std::nullopt;
    Memory.set(E, Result); // std::max gives a reference to its value.
    return Place{E, {}, true};
  }
  if (const auto *List = dyn_cast<InitListExpr>(E);
      List && E->isGLValue() && List->getNumInits() == 1)
    return locate(List->getInit(0));
  const Expr *Temporary = E;
  if (const auto *Materialized = dyn_cast<MaterializeTemporaryExpr>(E))
    Temporary = Materialized->getSubExpr();
  else if (E->isGLValue()) {
    evaluateUnhandled(E);
    return std::nullopt;
  }
  Value Contents = evaluate(Temporary);
  Memory.set(E, Contents);
  return Place{E, {}, true};
}

/// True for casts from a class that has some base twice: members of the two
/// share their names here.
bool HostExpressions::mayMeanTwo(const Expr *E) {
  const auto *Cast = dyn_cast<CastExpr>(E->IgnoreParens());
  if (!Cast)
    return false;
  const CXXRecordDecl *From =
      Cast->getCastKind() == CK_DerivedToBase ||
              Cast->getCastKind() == CK_UncheckedDerivedToBase
          ? classOf(Cast->getSubExpr()->getType())
          : nullptr;
  llvm::SmallPtrSet<const CXXRecordDecl *, 8> Bases;
  return (From && From->hasDefinition() &&
          !From->forallBases([&](const CXXRecordDecl *Base) {
            return Bases.insert(Base->getCanonicalDecl()).second;
          })) ||
         mayMeanTwo(Cast->getSubExpr());
}

MaybePlace HostExpressions::locatePointee(const Expr *E) {
  MaybePlace Where;
  // Not as a value, which might be kept.
  if (isa<CXXThisExpr>(E->IgnoreParenCasts()))
    Where = Runner.thisPlace();
  else
    Where = Memory.pointee(evaluate(E));
  if (Where && mayMeanTwo(E))
    Where->Exact = false;
  return Where;
}

MaybePlace HostExpressions::locateCast(const CastExpr &Cast) {
  switch (Cast.getCastKind()) {
  case CK_NoOp:
  case CK_DerivedToBase:
  case CK_UncheckedDerivedToBase:
  case CK_BaseToDerived:
  case CK_LValueBitCast: { // load() compares the types of numbers.
    MaybePlace Where = locate(Cast.getSubExpr());
    if (Where && mayMeanTwo(&Cast))
      Where->Exact = false;
    return Where;
  }
  default:
    evaluateUnhandled(&Cast);
    return std::nullopt;
  }
}

MaybePlace HostExpressions::locateMember(const MemberExpr &Member) {
  const Expr *Base = Member.getBase();
  if (const auto *Variable = dyn_cast<VarDecl>(Member.getMemberDecl())) {
    evaluate(Base);
    return Memory.placeOf(*Variable);
  }
  MaybePlace Whole = Member.isArrow() ? locatePointee(Base) : locate(Base);
  const auto *Field = dyn_cast<FieldDecl>(Member.getMemberDecl());
  if (!Whole || !Field)
    return std::nullopt;
  // Members of a union share their memory; a bit-field cuts what it holds.
  if (Field->getParent()->isUnion()) {
    Whole->Exact = false;
    return Whole;
  }
  Whole->Path.push_back(fieldKey(Field->getCanonicalDecl()));
  Whole->Exact &= !Field->isBitField();
  if (Field->getType()->isReferenceType())
    return Memory.pointee(Memory.load(Whole, &Member));
  return Whole;
}

MaybePlace HostExpressions::locateElement(const ArraySubscriptExpr &Subscript) {
  const Expr *Base = Subscript.getBase()->IgnoreParens();
  const auto *Decay = dyn_cast<ImplicitCastExpr>(Base);
  bool IsArray = Decay && Decay->getCastKind() == CK_ArrayToPointerDecay;
  MaybePlace Whole =
      IsArray ? locate(Decay->getSubExpr()) : Memory.pointee(evaluate(Base));
  Value Index = Memory.resolve(evaluate(Subscript.getIdx()));
  if (!Whole)
    return std::nullopt;
  return IsArray ? elementOf(*Whole, Index)
                 : elementBehind(*Whole, integerOf(Index));
}

MaybePlace HostExpressions::locateChoice(const ConditionalOperator &Choice) {
  Value Condition = Memory.resolve(evaluate(Choice.getCond()));
  if (Condition->isNumber())
    return locate(Condition->isZero() ? Choice.getFalseExpr()
                                      : Choice.getTrueExpr());
  // Either may be changed by what follows.
  for (const Expr *Each : {Choice.getTrueExpr(), Choice.getFalseExpr()})
    if (MaybePlace Where = locate(Each))
      Memory.escape(Where->Object);
  return std::nullopt;
}

Value HostExpressions::bindReference(const Expr *E) {
  MaybePlace Where = locate(E);
  if (!Where)
    return Values.unknown(E);
  // The reference will not lead back to it.
  if (!Where->Exact)
    Memory.escape(Where->Object);
  return Values.address(*Where);
}

Value HostExpressions::bindMember(const Expr *E, QualType Type) {
  Value Referent = bindReference(E);
  if (Referent->Tag == ValueNode::Address &&
      !Type.getNonReferenceType().isConstQualified())
    Memory.escape(Referent->place().Object);
  return Referent;
}

/// Captures go with the value: copies, and the addresses of what is captured by
/// reference; the key 1 stands for `this`. In the body, a captured variable is
/// named by its own declaration.
Value HostExpressions::evaluateLambda(const LambdaExpr &E) {
  std::vector<PartKey> Keys;
  std::vector<Value> Captures;
  const EffectSummary &Effects = Memory.effectsIn(&E);
  auto Init = E.capture_init_begin();
  for (const LambdaCapture &Capture : E.captures()) {
    const Expr *CaptureInit = *Init++;
    if (Capture.capturesThis()) {
      // A copy of the object is not followed.
      MaybePlace This = Capture.getCaptureKind() == LCK_StarThis
                            ? std::nullopt
                            : Runner.thisPlace();
      if (This) {
        Memory.escape(This->Object);
        Keys.push_back(indexKey(0));
        Captures.push_back(Values.address(*This));
      }
      continue;
    }
    if (!Capture.capturesVariable() || !CaptureInit)
      continue;
    const Decl *Named = Capture.getCapturedVar()->getCanonicalDecl();
    Keys.push_back(fieldKey(Named));
    // By a reference, nothing but the body comes to the variable.
    const auto *Variable = Effects.TooDeep ? nullptr : dyn_cast<VarDecl>(Named);
    const bool OnlyReads = Variable && !Effects.Changed.contains(Variable);
    Captures.push_back(
        Capture.getCaptureKind() == LCK_ByCopy ? evaluate(CaptureInit)
        : OnlyReads ? bindReference(CaptureInit)
                    : bindMember(CaptureInit, CaptureInit->getType()));
  }
  return Values.lambda(&E, std::move(Keys), std::move(Captures));
}

} // namespace cudalint
