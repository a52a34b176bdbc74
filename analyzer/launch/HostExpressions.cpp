//===- analyzer/launch/HostExpressions.cpp - Expressions of host code -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostEvaluator.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace cudalint {

/// Deeper nesting of expressions, statements and calls together is given up:
/// the stack is finite.
static constexpr unsigned MaxDepth = 1000;

static constexpr NumberType Boolean{NumberType::Integer, 1, false};

NumberType HostEvaluator::numberType(QualType Type) const {
  if (Type.isNull() || Type->isDependentType())
    return {};
  Type = Type.getCanonicalType();
  if (Type->isBooleanType())
    return Boolean;
  if (Type->isIntegralOrEnumerationType()) {
    if (const auto *Enum = Type->getAsEnumDecl();
        Enum && Enum->getIntegerType().isNull())
      return {};
    std::uint64_t Width = Context.getTypeSize(Type);
    if (Type->isBitIntType() || Width > 64)
      return {};
    return {NumberType::Integer, static_cast<std::uint8_t>(Width),
            Type->isSignedIntegerOrEnumerationType()};
  }
  if (Type->isSpecificBuiltinType(BuiltinType::Float))
    return {NumberType::Real, 32, true};
  if (Type->isSpecificBuiltinType(BuiltinType::Double))
    return {NumberType::Real, 64, true};
  return {};
}

/// A symbol for `E`, named as the source has it when it is short.
Value HostEvaluator::unknown(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (!isa<DeclRefExpr, MemberExpr, ArraySubscriptExpr>(E))
    return Values.symbol("an expression");
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  E->printPretty(Out, nullptr, PrintingPolicy(Context.getLangOpts()));
  return Values.symbol(Text.size() > 60 ? "an expression" : "'" + Text + "'");
}

Value HostEvaluator::evaluateConstant(const Expr *E) {
  Expr::EvalResult Result;
  if (E->isValueDependent() || !E->EvaluateAsRValue(Result, Context) ||
      Result.HasSideEffects)
    return unknown(E);
  return fromConstant(Result.Val, E->getType());
}

Value HostEvaluator::evaluate(const Expr *E) {
  if (Depth >= MaxDepth) {
    forgetEverything();
    return Values.symbol("code that is nested too deeply");
  }
  ++Depth;
  ++Steps;
  llvm::scope_exit Leave([this] { --Depth; });
  E = E->IgnoreParens();
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
  return load(locate(E), E);
}

Value HostEvaluator::evaluateValue(const Expr *E) {
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
    return evaluateConstant(E);
  case Stmt::CXXNullPtrLiteralExprClass:
  case Stmt::GNUNullExprClass:
  case Stmt::ImplicitValueInitExprClass:
  case Stmt::CXXScalarValueInitExprClass:
    return zero(E->getType());
  case Stmt::ConstantExprClass:
    return cast<ConstantExpr>(E)->hasAPValueResult()
               ? evaluateConstant(E)
               : evaluate(cast<ConstantExpr>(E)->getSubExpr());
  case Stmt::DeclRefExprClass:
    return isa<EnumConstantDecl>(cast<DeclRefExpr>(E)->getDecl())
               ? evaluateConstant(E)
               : unknown(E);
  case Stmt::SubstNonTypeTemplateParmExprClass:
    return evaluate(cast<SubstNonTypeTemplateParmExpr>(E)->getReplacement());
  case Stmt::ExprWithCleanupsClass:
    return evaluate(cast<ExprWithCleanups>(E)->getSubExpr());
  case Stmt::CXXBindTemporaryExprClass: {
    Value Temporary = evaluate(cast<CXXBindTemporaryExpr>(E)->getSubExpr());
    distrustDestructor(E->getType(), Temporary);
    return Temporary;
  }
  case Stmt::CXXDeleteExprClass: {
    QualType Type = cast<CXXDeleteExpr>(E)->getDestroyedType();
    Value Pointer = evaluate(cast<CXXDeleteExpr>(E)->getArgument());
    MaybePlace Where = pointee(Pointer);
    distrustDestructor(Type, Where && Where->Exact ? contents(Where->Object)
                                                   : Pointer);
    return unknown(E);
  }
  case Stmt::CXXDefaultArgExprClass:
    return evaluate(cast<CXXDefaultArgExpr>(E)->getExpr());
  case Stmt::CXXDefaultInitExprClass:
    return evaluate(cast<CXXDefaultInitExpr>(E)->getExpr());
  case Stmt::CXXStdInitializerListExprClass:
    return evaluate(cast<CXXStdInitializerListExpr>(E)->getSubExpr());
  case Stmt::CXXRewrittenBinaryOperatorClass:
    return evaluate(cast<CXXRewrittenBinaryOperator>(E)->getSemanticForm());
  case Stmt::OpaqueValueExprClass:
    if (const Expr *Source = cast<OpaqueValueExpr>(E)->getSourceExpr())
      return evaluate(Source);
    return unknown(E);
  case Stmt::CXXThisExprClass:
    return Top && Top->This ? Values.address(*Top->This)
                            : Values.symbol("'this'");
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
    return construct(*cast<CXXConstructExpr>(E));
  case Stmt::CXXNewExprClass:
    return allocate(*cast<CXXNewExpr>(E));
  case Stmt::CXXThrowExprClass:
    State.Live = false;
    return unknown(E);
  case Stmt::StmtExprClass:
    run(cast<StmtExpr>(E)->getSubStmt());
    return unknown(E);
  default:
    if (const auto *Cast = dyn_cast<CastExpr>(E))
      return evaluateCast(*Cast);
    if (const auto *Call = dyn_cast<CallExpr>(E))
      return call(*Call);
    return evaluateUnhandled(E);
  }
}

/// What is not understood: its parts are evaluated for what they launch, and
/// objects that it could change are forgotten.
Value HostEvaluator::evaluateUnhandled(const Expr *E) {
  for (const Stmt *Child : E->children()) {
    const auto *Part = dyn_cast_or_null<Expr>(Child);
    if (!Part)
      continue;
    if (!Part->isGLValue() || Part->isTypeDependent()) {
      forgetReachable(evaluate(Part), "code that cannot be read");
      continue;
    }
    if (MaybePlace Where = locate(Part);
        Where && !Part->getType().isConstQualified())
      forget(*Where, "code that cannot be read");
  }
  return unknown(E);
}

Value HostEvaluator::branch(Value Condition, llvm::function_ref<Value()> Then,
                            llvm::function_ref<Value()> Else) {
  Condition = Values.resolve(Condition, State.Known);
  if (Condition->isNumber())
    return Condition->isZero() ? Else() : Then();
  HostState Before = State;
  learn(Condition, true);
  Value IfTrue = Then();
  HostState AfterTrue = std::move(State);
  State = std::move(Before);
  learn(Condition, false);
  Value IfFalse = Else();
  Value Result = !AfterTrue.Live ? IfFalse
                 : !State.Live   ? IfTrue
                                 : Values.choose(Condition, IfTrue, IfFalse);
  State = join(std::move(AfterTrue), std::move(State), Condition);
  return Result;
}

/// The object of a `new` is named by the expression, so only the first one on
/// a path can be followed.
Value HostEvaluator::allocate(const CXXNewExpr &E) {
  for (const Expr *Argument : E.placement_arguments())
    forgetReachable(evaluate(Argument), "a new object in its place");
  const Expr *Init = E.getInitializer();
  if (E.isArray() || E.getNumPlacementArgs() || State.Objects.contains(&E)) {
    if (Init)
      evaluate(Init);
    return unknown(&E);
  }
  Value Contents = Init ? evaluate(Init)
                        : Values.symbol("an object that is not initialised");
  State.Objects[&E] = Contents;
  State.Escaped.insert(&E);
  return Values.address({&E, {}, true});
}

HostEvaluator::MaybePlace HostEvaluator::pointee(Value Pointer) {
  Pointer = Values.resolve(Pointer, State.Known);
  if (Pointer->Tag != ValueNode::Address)
    return std::nullopt;
  return Pointer->place();
}

HostEvaluator::MaybePlace HostEvaluator::locate(const Expr *E) {
  if (Depth >= MaxDepth) {
    forgetEverything();
    return std::nullopt;
  }
  ++Depth;
  ++Steps;
  llvm::scope_exit Leave([this] { --Depth; });
  E = E->IgnoreParens();
  if (E->isTypeDependent() || E->containsErrors()) {
    evaluateUnhandled(E);
    return std::nullopt;
  }
  if (const auto *Reference = dyn_cast<DeclRefExpr>(E)) {
    const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl());
    return Variable ? placeOf(*Variable) : std::nullopt;
  }
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return locateMember(*Member);
  if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E))
    return locateElement(*Subscript);
  if (const auto *Cast = dyn_cast<CastExpr>(E); Cast && E->isGLValue())
    return locateCast(*Cast);
  if (const auto *Unary = dyn_cast<UnaryOperator>(E); Unary && E->isGLValue()) {
    if (Unary->getOpcode() == UO_Deref)
      return pointee(evaluate(Unary->getSubExpr()));
    if (Unary->isIncrementDecrementOp())
      return step(*Unary, nullptr);
    return locate(Unary->getSubExpr());
  }
  if (const auto *Binary = dyn_cast<BinaryOperator>(E);
      Binary && E->isGLValue()) {
    if (Binary->isAssignmentOp())
      return assign(*Binary);
    evaluate(Binary->getLHS());
    return locate(Binary->getRHS());
  }
  if (const auto *Choice = dyn_cast<ConditionalOperator>(E);
      Choice && E->isGLValue()) {
    Value Condition = Values.resolve(evaluate(Choice->getCond()), State.Known);
    if (Condition->isNumber())
      return locate(Condition->isZero() ? Choice->getFalseExpr()
                                        : Choice->getTrueExpr());
    // Either may be changed by what follows.
    for (const Expr *Each : {Choice->getTrueExpr(), Choice->getFalseExpr()})
      if (MaybePlace Where = locate(Each))
        State.Escaped.insert(Where->Object);
    return std::nullopt;
  }
  if (const auto *Call = dyn_cast<CallExpr>(E); Call && E->isGLValue()) {
    Value Result = call(*Call);
    if (Result->Tag == ValueNode::Address)
      return Result->place();
    if (!Result->isNumber())
      return std::nullopt;
    State.Objects[E] = Result; // std::max gives a reference to its value.
    return Place{E, {}, true};
  }
  if (const auto *Cleanups = dyn_cast<ExprWithCleanups>(E))
    return locate(Cleanups->getSubExpr());
  if (const auto *Parameter = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return locate(Parameter->getReplacement());
  if (const auto *Default = dyn_cast<CXXDefaultArgExpr>(E))
    return locate(Default->getExpr());
  if (const auto *Opaque = dyn_cast<OpaqueValueExpr>(E);
      Opaque && Opaque->getSourceExpr())
    return locate(Opaque->getSourceExpr());
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
  State.Objects[E] = Contents;
  return Place{E, {}, true};
}

HostEvaluator::MaybePlace HostEvaluator::locateCast(const CastExpr &Cast) {
  switch (Cast.getCastKind()) {
  case CK_NoOp:
  case CK_DerivedToBase:
  case CK_UncheckedDerivedToBase:
  case CK_BaseToDerived:
  case CK_LValueBitCast: // load() compares the types of numbers.
    return locate(Cast.getSubExpr());
  default:
    evaluateUnhandled(&Cast);
    return std::nullopt;
  }
}

HostEvaluator::MaybePlace
HostEvaluator::locateMember(const MemberExpr &Member) {
  const Expr *Base = Member.getBase();
  if (const auto *Variable = dyn_cast<VarDecl>(Member.getMemberDecl())) {
    evaluate(Base);
    return placeOf(*Variable);
  }
  MaybePlace Whole = Member.isArrow() ? pointee(evaluate(Base)) : locate(Base);
  const auto *Field = dyn_cast<FieldDecl>(Member.getMemberDecl());
  if (!Whole || !Field)
    return std::nullopt;
  // Members of a union share their memory; a bit-field cuts what it holds.
  if (Field->getParent()->isUnion() || Field->isBitField()) {
    Whole->Exact = false;
    return Whole;
  }
  Whole->Path.push_back(fieldKey(Field->getCanonicalDecl()));
  if (Field->getType()->isReferenceType())
    return pointee(load(Whole, &Member));
  return Whole;
}

HostEvaluator::MaybePlace
HostEvaluator::locateElement(const ArraySubscriptExpr &Subscript) {
  const Expr *Base = Subscript.getBase()->IgnoreParens();
  const auto *Decay = dyn_cast<ImplicitCastExpr>(Base);
  bool IsArray = Decay && Decay->getCastKind() == CK_ArrayToPointerDecay;
  MaybePlace Whole =
      IsArray ? locate(Decay->getSubExpr()) : pointee(evaluate(Base));
  Value Index = Values.resolve(evaluate(Subscript.getIdx()), State.Known);
  if (!Whole)
    return std::nullopt;
  return IsArray ? elementOf(*Whole, Index) : elementBehind(*Whole, Index);
}

} // namespace cudalint
