//===- analyzer/launch/TypedValues.cpp - Values of C++ types --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/TypedValues.h"

#include "clang/AST/ASTContext.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace cudalint {

NumberType TypedValues::numberType(QualType Type) const {
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

Value TypedValues::zero(QualType Type) {
  if (NumberType Number = numberType(Type))
    return Number.Kind == NumberType::Integer ? integer(Number, 0)
                                              : real(Number, 0);
  if (Type->isPointerType())
    return integer({NumberType::Integer, 64, false}, 0);
  ValueFactory::Parts Parts;
  if (const auto *Array = Context.getAsConstantArrayType(Type)) {
    std::uint64_t Count = Array->getSize().getLimitedValue(MaxElements + 1);
    for (std::uint64_t I = 0; Count <= MaxElements && I < Count; ++I)
      Parts.emplace_back(indexKey(I), zero(Array->getElementType()));
  } else if (const RecordDecl *Record = Type->getAsRecordDecl();
             Record && Record->isCompleteDefinition() && !Record->isUnion()) {
    for (const FieldDecl *Field : Record->fields())
      if (!Field->getType()->isReferenceType())
        Parts.emplace_back(fieldKey(Field), zero(Field->getType()));
  }
  return aggregate(std::move(Parts), symbol("a member"));
}

Value TypedValues::fromConstant(const APValue &Constant, QualType Type) {
  NumberType Number = numberType(Type);
  if (Constant.isInt() && Number.Kind == NumberType::Integer)
    return integer(Number, Constant.getInt().extOrTrunc(64).getZExtValue());
  if (Constant.isFloat() && Number.Kind == NumberType::Real)
    return real(Number, Constant.getFloat().convertToDouble());
  ValueFactory::Parts Parts;
  if (const auto *Array = Context.getAsConstantArrayType(Type);
      Array && Constant.isArray() && Constant.getArraySize() <= MaxElements) {
    for (unsigned I = 0; I < Constant.getArraySize(); ++I)
      Parts.emplace_back(indexKey(I),
                         fromConstant(I < Constant.getArrayInitializedElts()
                                          ? Constant.getArrayInitializedElt(I)
                                          : Constant.getArrayFiller(),
                                      Array->getElementType()));
    return aggregate(std::move(Parts), symbol("an element"));
  }
  const RecordDecl *Record = Type->getAsRecordDecl();
  if (Constant.isStruct() && Record && !Constant.getStructNumBases()) {
    for (const FieldDecl *Field : Record->fields())
      Parts.emplace_back(
          fieldKey(Field),
          fromConstant(Constant.getStructField(Field->getFieldIndex()),
                       Field->getType()));
    return aggregate(std::move(Parts), symbol("a member"));
  }
  return symbol("a constant");
}

Value TypedValues::unknown(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (!isa<DeclRefExpr, MemberExpr, ArraySubscriptExpr>(E))
    return symbol("an expression");
  std::string Text;
  llvm::raw_string_ostream Out(Text);
  E->printPretty(Out, nullptr, PrintingPolicy(Context.getLangOpts()));
  return symbol(Text.size() > 60 ? "an expression" : "'" + Text + "'");
}

Value TypedValues::constant(const Expr *E) {
  if (const auto *Reference = dyn_cast<DeclRefExpr>(E))
    if (const auto *Enumerator =
            dyn_cast<EnumConstantDecl>(Reference->getDecl());
        Enumerator && Lost.has(*Enumerator))
      return unknown(E);
  Expr::EvalResult Result;
  if (E->isValueDependent() || !E->EvaluateAsRValue(Result, Context) ||
      Result.HasSideEffects)
    return unknown(E);
  return fromConstant(Result.Val, E->getType());
}

} // namespace cudalint
