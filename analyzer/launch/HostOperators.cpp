//===- analyzer/launch/HostOperators.cpp - Operators of host code ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostExpressions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace clang;

namespace cudalint {

Value HostExpressions::evaluateUnary(const UnaryOperator &E) {
  NumberType Type = Values.numberType(E.getType());
  switch (E.getOpcode()) {
  case UO_Plus:
  case UO_Extension:
    return evaluate(E.getSubExpr());
  case UO_Minus:
    return Values.unary(Operator::Negate, Type, evaluate(E.getSubExpr()));
  case UO_Not:
    return Values.unary(Operator::Complement, Type, evaluate(E.getSubExpr()));
  case UO_LNot:
    return Values.unary(Operator::LogicalNot, Boolean,
                        evaluate(E.getSubExpr()));
  case UO_PostInc:
  case UO_PostDec: {
    Value Before = Values.unknown(E.getSubExpr());
    step(E, &Before);
    return Before;
  }
  case UO_AddrOf: {
    if (E.getSubExpr()->getType()->isFunctionType())
      return evaluate(E.getSubExpr());
    if (std::optional<Value> Moved = addressOfElement(*E.getSubExpr()))
      return *Moved;
    MaybePlace Where = locate(E.getSubExpr());
    if (!Where)
      return Values.symbol("a pointer");
    Memory.escape(Where->Object);
    return Values.address(*Where);
  }
  default:
    return evaluateUnhandled(&E);
  }
}

/// An address `By` elements further.
static Place moved(Value Pointer, Value By, bool Backwards) {
  std::optional<std::int64_t> Distance = integerOf(By);
  if (Distance && Backwards)
    Distance = llvm::checkedSub<std::int64_t>(0, *Distance);
  return elementBehind(Pointer->place(), Distance);
}

/// Compares pointers: null where that cannot be told.
static std::optional<bool> samePointer(Value Left, Value Right) {
  auto PointsSomewhere = [](Value V) {
    return V->Tag == ValueNode::Address || V->Tag == ValueNode::Function;
  };
  if (PointsSomewhere(Left) && Left == Right)
    return true;
  if ((PointsSomewhere(Left) && Right->isZero()) ||
      (PointsSomewhere(Right) && Left->isZero()) ||
      (Left->Tag == ValueNode::Function && Right->Tag == ValueNode::Function))
    return false;
  return std::nullopt;
}

/// `&p[i]` of a pointer, whether it is known what `p` points to or not; empty
/// for all else.
std::optional<Value> HostExpressions::addressOfElement(const Expr &E) {
  const auto *Element = dyn_cast<ArraySubscriptExpr>(E.IgnoreParens());
  if (!Element || Element->isTypeDependent() || Element->containsErrors() ||
      Element->HasSideEffects(Context))
    return std::nullopt;
  const Expr &Base = *Element->getBase();
  const auto *Decay = dyn_cast<ImplicitCastExpr>(Base.IgnoreParens());
  if (Decay && Decay->getCastKind() == CK_ArrayToPointerDecay)
    return std::nullopt;
  Value Pointer = Memory.resolve(evaluate(&Base));
  Value Index = evaluate(Element->getIdx());
  // Evaluated once: such operators nest, and twice each would be 2^depth.
  if (Pointer->Tag == ValueNode::Address) {
    Place Where =
        elementBehind(Pointer->place(), integerOf(Memory.resolve(Index)));
    Memory.escape(Where.Object);
    return Values.address(Where);
  }
  return movePointer(Base.getType(), Pointer, Index,
                     Element->getIdx()->getType(), false);
}

Value HostExpressions::compute(BinaryOperatorKind Code, QualType Type,
                               Value Left, Value Right) {
  NumberType Number = Values.numberType(Type);
  if (Left->Tag == ValueNode::Address && (Code == BO_Add || Code == BO_Sub))
    return Values.address(moved(Left, Right, Code == BO_Sub));
  if (!Left->Type && (Code == BO_EQ || Code == BO_NE))
    if (std::optional<bool> Same = samePointer(Left, Right))
      return Values.boolean(*Same == (Code == BO_EQ));
  static constexpr std::pair<BinaryOperatorKind, Operator> Plain[] = {
      {BO_Add, Operator::Add},        {BO_Sub, Operator::Subtract},
      {BO_Mul, Operator::Multiply},   {BO_Div, Operator::Divide},
      {BO_Rem, Operator::Remainder},  {BO_Shl, Operator::ShiftLeft},
      {BO_Shr, Operator::ShiftRight}, {BO_And, Operator::And},
      {BO_Or, Operator::Or},          {BO_Xor, Operator::Xor}};
  for (auto [Written, Computed] : Plain)
    if (Written == Code)
      return Values.binary(Computed, Number, Left, Right);
  if (Code == BO_GT || Code == BO_GE)
    std::swap(Left, Right);
  switch (Code) {
  case BO_LT:
  case BO_GT:
    return Values.binary(Operator::Less, Boolean, Left, Right);
  case BO_LE:
  case BO_GE:
    return Values.binary(Operator::LessEqual, Boolean, Left, Right);
  case BO_EQ:
    return Values.binary(Operator::Equal, Boolean, Left, Right);
  case BO_NE:
    return Values.unary(Operator::LogicalNot, Boolean,
                        Values.binary(Operator::Equal, Boolean, Left, Right));
  default:
    return Values.symbol("an expression");
  }
}

/// `By` elements further; where it points to is not known, it is so many bytes
/// further than before.
Value HostExpressions::movePointer(QualType Type, Value Pointer, Value By,
                                   QualType ByType, bool Backwards) {
  if (Pointer->Tag == ValueNode::Address)
    return Values.address(moved(Pointer, By, Backwards));
  const NumberType Long{NumberType::Integer, 64, true};
  const NumberType Own = Values.numberType(ByType);
  const QualType Element = Type->getPointeeType();
  if (Own.Kind != NumberType::Integer || Element->isIncompleteType() ||
      Element->isDependentType() || Element->isFunctionType())
    return Values.symbol("a pointer");
  const auto Size = static_cast<std::uint64_t>(
      Context.getTypeSizeInChars(Element).getQuantity());
  return Values.binary(
      Backwards ? Operator::Subtract : Operator::Add, {}, Pointer,
      Values.binary(Operator::Multiply, Long, Values.convert(Own, Long, By),
                    Values.integer(Long, Size)));
}

Value HostExpressions::evaluateBinary(const BinaryOperator &E) {
  if (E.isLogicalOp())
    return evaluateLogical(E);
  if (E.getOpcode() == BO_Comma) {
    evaluate(E.getLHS());
    return evaluate(E.getRHS());
  }
  if (E.isAssignmentOp() || E.isPtrMemOp())
    return evaluateUnhandled(&E);
  Value Left = evaluate(E.getLHS());
  Value Right = evaluate(E.getRHS());
  if (E.isAdditiveOp() && E.getType()->isPointerType()) {
    const QualType LeftType = E.getLHS()->getType();
    const QualType RightType = E.getRHS()->getType();
    if (LeftType->isPointerType())
      return movePointer(E.getType(), Left, Right, RightType,
                         E.getOpcode() == BO_Sub);
    return movePointer(E.getType(), Right, Left, LeftType, false);
  }
  return compute(E.getOpcode(), E.getType(), Left, Right);
}

Value HostExpressions::evaluateLogical(const BinaryOperator &E) {
  Value Left = evaluate(E.getLHS());
  auto Right = [&] { return evaluate(E.getRHS()); };
  if (E.getOpcode() == BO_LAnd)
    return branch(Left, Right, [&] { return Values.boolean(false); });
  return branch(Left, [&] { return Values.boolean(true); }, Right);
}

MaybePlace HostExpressions::assign(const BinaryOperator &E) {
  QualType Type = E.getLHS()->getType();
  if (E.getOpcode() == BO_Assign) {
    Value New = evaluate(E.getRHS());
    MaybePlace To = locate(E.getLHS());
    Memory.store(To, Type, New);
    return To;
  }
  const auto &Compound = cast<CompoundAssignOperator>(E);
  Value Right = evaluate(E.getRHS());
  MaybePlace To = locate(E.getLHS());
  Value Left = Memory.load(To, E.getLHS());
  QualType ComputeType = Compound.getComputationLHSType();
  NumberType Own = Values.numberType(Type);
  NumberType Wide = Values.numberType(ComputeType);
  NumberType Result = Values.numberType(Compound.getComputationResultType());
  if (Own && Wide)
    Left = Values.convert(Own, Wide, Left);
  if (Type->isPointerType()) {
    Memory.store(To, Type,
                 movePointer(Type, Left, Right, E.getRHS()->getType(),
                             E.getOpcode() == BO_SubAssign));
    return To;
  }
  Value New = compute(BinaryOperator::getOpForCompoundAssignment(E.getOpcode()),
                      Compound.getComputationResultType(), Left, Right);
  if (Own && Result)
    New = Values.convert(Result, Own, New);
  Memory.store(To, Type, New);
  return To;
}

/// `++` and `--`; leaves the old value in `Before`.
MaybePlace HostExpressions::step(const UnaryOperator &E, Value *Before) {
  QualType Type = E.getSubExpr()->getType();
  MaybePlace Where = locate(E.getSubExpr());
  Value Old = Memory.load(Where, E.getSubExpr());
  if (Before)
    *Before = Old;
  NumberType Number = Values.numberType(Type);
  BinaryOperatorKind Code = E.isIncrementOp() ? BO_Add : BO_Sub;
  Value New = Values.symbol("a pointer");
  if (Number.Kind == NumberType::Real) {
    New = compute(Code, Type, Old, Values.real(Number, 1));
  } else if (Number && Number.Width < 32) {
    // Narrow types are promoted to int first.
    NumberType Int = Values.numberType(Context.IntTy);
    New = Values.convert(Int, Number,
                         compute(Code, Context.IntTy,
                                 Values.convert(Number, Int, Old),
                                 Values.integer(Int, 1)));
  } else if (Number) {
    New = compute(Code, Type, Old, Values.integer(Number, 1));
  } else if (Type->isPointerType()) {
    New = movePointer(Type, Old,
                      Values.integer(Values.numberType(Context.IntTy), 1),
                      Context.IntTy, E.isDecrementOp());
  }
  Memory.store(Where, Type, New);
  return Where;
}

Value HostExpressions::evaluateCast(const CastExpr &E) {
  const Expr *Operand = E.getSubExpr();
  if (mayMeanTwo(&E)) {
    evaluate(Operand);
    return Values.unknown(&E);
  }
  switch (E.getCastKind()) {
  case CK_LValueToRValue: {
    Value Contents = evaluate(Operand);
    // A cast pointer may read an object as what it is not.
    NumberType Type = Values.numberType(E.getType());
    bool Fits = !Contents->Type || Contents->Type == Type ||
                (E.getType()->isAnyPointerType() && Contents->isZero());
    return Fits ? Contents : Values.unknown(Operand);
  }
  case CK_NoOp:
  case CK_BitCast:
  case CK_DerivedToBase:
  case CK_UncheckedDerivedToBase:
  case CK_BaseToDerived:
  case CK_AddressSpaceConversion:
  case CK_FunctionToPointerDecay:
  case CK_UserDefinedConversion:
  case CK_ConstructorConversion:
    return evaluate(Operand);
  case CK_ArrayToPointerDecay: {
    MaybePlace Array = locate(Operand);
    if (!Array || !Array->Exact)
      return Values.symbol("a pointer");
    Memory.escape(Array->Object);
    Array->Path.push_back(indexKey(0));
    return Values.address(*Array);
  }
  case CK_IntegralCast:
  case CK_BooleanToSignedIntegral:
  case CK_IntegralToFloating:
  case CK_FloatingToIntegral:
  case CK_FloatingCast:
  case CK_IntegralToBoolean:
  case CK_FloatingToBoolean: {
    Value Number = evaluate(Operand);
    NumberType From = Values.numberType(Operand->getType());
    NumberType To = Values.numberType(E.getType());
    return From && To ? Values.convert(From, To, Number) : Values.unknown(&E);
  }
  case CK_PointerToBoolean: {
    Value Pointer = Memory.resolve(evaluate(Operand));
    if (Pointer->Tag == ValueNode::Address ||
        Pointer->Tag == ValueNode::Function)
      return Values.boolean(true);
    return Values.convert(PointerBits, Boolean, Pointer);
  }
  case CK_NullToPointer:
    evaluate(Operand);
    return Values.zero(E.getType());
  case CK_ToVoid:
    return evaluate(Operand);
  default:
    return evaluateUnhandled(&E);
  }
}

Value HostExpressions::evaluateInitList(const InitListExpr &E) {
  const InitListExpr &List =
      E.isSemanticForm() || !E.getSemanticForm() ? E : *E.getSemanticForm();
  QualType Type = List.getType();
  if (List.isTransparent() ||
      (Values.numberType(Type) && List.getNumInits() == 1))
    return evaluate(List.getInit(0));
  ValueFactory::Parts Parts;
  if (const auto *Array = Context.getAsConstantArrayType(Type)) {
    std::uint64_t Count =
        Array->getSize().getLimitedValue(TypedValues::MaxElements + 1);
    if (Count > TypedValues::MaxElements)
      return evaluateUnhandled(&List);
    for (std::uint64_t I = 0; I < Count; ++I) {
      const Expr *Init =
          I < List.getNumInits() ? List.getInit(I) : List.getArrayFiller();
      Parts.emplace_back(indexKey(I),
                         Init ? evaluate(Init)
                              : Values.zero(Array->getElementType()));
    }
    return Values.aggregate(std::move(Parts), Values.symbol("an element"));
  }
  const RecordDecl *Record = Type->getAsRecordDecl();
  const auto *Class = dyn_cast_or_null<CXXRecordDecl>(Record);
  if (!Record || Record->isUnion() || (Class && Class->getNumBases()))
    return List.getNumInits() ? evaluateUnhandled(&List) : Values.zero(Type);
  unsigned Next = 0;
  for (const FieldDecl *Field : Record->fields()) {
    if (Field->isUnnamedBitField())
      continue;
    const Expr *Init = Next < List.getNumInits() ? List.getInit(Next) : nullptr;
    ++Next;
    Value Part = nullptr;
    if (Init && Field->getType()->isReferenceType())
      Part = bindMember(Init, Field->getType());
    else
      Part = Init ? evaluate(Init) : Values.zero(Field->getType());
    Parts.emplace_back(fieldKey(Field->getCanonicalDecl()), Part);
  }
  return Values.aggregate(std::move(Parts), Values.symbol("a member"));
}

} // namespace cudalint
