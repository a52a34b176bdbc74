//===- analyzer/launch/HostContainers.cpp - std::vector and std::array ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A std::vector is kept as its elements by their indices, and its size under
/// the key of its class; where anything happens to it that is not followed, the
/// size is lost with the elements. A std::array is the array that is its field.
///
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostEvaluator.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cudalint {

static constexpr NumberType SizeType = {NumberType::Integer, 64, false};

/// The class, if it is one of the standard library of that name.
static const CXXRecordDecl *standardClass(const CXXRecordDecl *Class,
                                          llvm::StringRef Name) {
  return Class && Class->getIdentifier() && Class->getName() == Name &&
                 Class->isInStdNamespace() &&
                 isa<ClassTemplateSpecializationDecl>(Class)
             ? Class->getCanonicalDecl()
             : nullptr;
}

static const CXXRecordDecl *standardClass(QualType Type, llvm::StringRef Name) {
  return standardClass(Type.getNonReferenceType()->getAsCXXRecordDecl(), Name);
}

/// Null where another one calls itself so.
static QualType elementType(const CXXRecordDecl &Vector) {
  const TemplateArgumentList &Arguments =
      cast<ClassTemplateSpecializationDecl>(Vector).getTemplateArgs();
  return Arguments.size() != 0 &&
                 Arguments[0].getKind() == TemplateArgument::Type
             ? Arguments[0].getAsType()
             : QualType();
}

/// What an element of a vector<bool> is, is no bool.
static const CXXRecordDecl *vectorClass(const CXXRecordDecl *Class) {
  const CXXRecordDecl *Vector = standardClass(Class, "vector");
  const QualType Element = Vector ? elementType(*Vector) : QualType();
  return !Element.isNull() && !Element->isBooleanType() ? Vector : nullptr;
}

static bool isDefaulted(const Expr *Argument) {
  return isa<CXXDefaultArgExpr>(Argument);
}

std::optional<Value> HostEvaluator::constructVector(const CXXConstructExpr &E) {
  const CXXRecordDecl *Vector = vectorClass(E.getType()->getAsCXXRecordDecl());
  if (!Vector)
    return std::nullopt;
  llvm::ArrayRef<const Expr *> Arguments(E.getArgs(), E.getNumArgs());
  if (llvm::all_of(Arguments, isDefaulted))
    return Values.aggregate({{fieldKey(Vector), Values.integer(SizeType, 0)}},
                            Values.symbol("no element"));
  if (!standardClass(Arguments[0]->getType(), "initializer_list") ||
      !llvm::all_of(Arguments.drop_front(), isDefaulted))
    return std::nullopt;
  Value List = evaluate(Arguments[0]);
  if (List->Tag != ValueNode::Aggregate || !llvm::all_of(List->Keys, isIndex))
    return Values.unknown(&E);
  const PartKey Key = fieldKey(Vector);
  return Values.withPart(List, &Key, 1,
                         Values.integer(SizeType, List->Keys.size()));
}

std::optional<std::uint64_t>
HostEvaluator::sizeOfVector(const Place &Where, const CXXRecordDecl &Vector) {
  if (!Where.Exact)
    return std::nullopt;
  Place Slot = Where;
  Slot.Path.push_back(fieldKey(&Vector));
  const Value Size = Memory.resolve(Memory.read(Slot, "the size of a vector"));
  return Size->isInteger() ? std::optional(Size->Bits) : std::nullopt;
}

std::optional<Value>
HostEvaluator::vectorCall(const CallExpr &E, const CXXMethodDecl &Method,
                          llvm::ArrayRef<const Expr *> Arguments,
                          const MaybePlace &This) {
  const CXXRecordDecl *Vector = vectorClass(Method.getParent());
  if (!This || !Vector)
    return std::nullopt;
  const std::optional<std::uint64_t> Size = sizeOfVector(*This, *Vector);
  if (!Size)
    return std::nullopt;
  const auto element = [&](std::uint64_t I) {
    return elementOf(*This, Values.integer(SizeType, I));
  };
  const llvm::StringRef Name =
      Method.getIdentifier() ? Method.getName() : llvm::StringRef();
  if (const NumberType Number = Values.numberType(E.getType());
      Name == "size" && Arguments.empty() && Number)
    return Values.integer(Number, *Size);
  if (Name == "empty" && Arguments.empty())
    return Values.boolean(*Size == 0);
  if (Name == "front" && *Size)
    return Values.address(element(0));
  if (Name == "back" && *Size)
    return Values.address(element(*Size - 1));
  if (Arguments.size() != 1)
    return std::nullopt;
  if (Name == "at" || Method.getOverloadedOperator() == OO_Subscript) {
    const std::optional<std::int64_t> I =
        integerOf(Memory.resolve(evaluate(Arguments[0])));
    if (I && *I >= 0 && static_cast<std::uint64_t>(*I) < *Size)
      return Values.address(element(*I));
    if (!Method.isConst()) {
      Memory.escape(This->Object); // The reference will not lead back to it.
      Memory.forget(*This, "an element");
    }
    return Values.unknown(&E);
  }
  const QualType Type = elementType(*Vector);
  const NumberType From = Values.numberType(Arguments[0]->getType()),
                   To = Values.numberType(Type);
  // A number is what it is made of; an object, what its constructor makes.
  if ((Name == "push_back" || (Name == "emplace_back" && From && To)) &&
      *Size < TypedValues::MaxElements) {
    const Value New = evaluate(Arguments[0]);
    Memory.store(element(*Size), Type,
                 From && To ? Values.convert(From, To, New) : New);
    Place Slot = *This;
    Slot.Path.push_back(fieldKey(Vector));
    Memory.store(Slot, {}, Values.integer(SizeType, *Size + 1));
    return Values.unknown(&E);
  }
  return std::nullopt;
}

void HostEvaluator::followRange(Loop &L, const Place &Where, QualType Type) {
  L.Range = Where;
  if (!Where.Exact)
    return;
  if (const CXXRecordDecl *Vector = vectorClass(Type->getAsCXXRecordDecl())) {
    L.RangeSize = sizeOfVector(Where, *Vector).value_or(0);
    return;
  }
  if (const CXXRecordDecl *Array = standardClass(Type, "array")) {
    if (Array->field_empty())
      return;
    const FieldDecl *Elements = *Array->field_begin();
    L.Range->Path.push_back(fieldKey(Elements->getCanonicalDecl()));
    Type = Elements->getType();
  }
  const Value Listed = Memory.read(*L.Range, "an array");
  if (Listed->Tag != ValueNode::Aggregate ||
      !llvm::all_of(Listed->Keys, isIndex))
    return;
  // The elements of an initializer_list are all listed; others of an array may
  // be unknown.
  const auto *Array = dyn_cast_or_null<ConstantArrayType>(
      Type.getNonReferenceType()->getAsArrayTypeUnsafe());
  L.RangeSize = Array ? Array->getZExtSize() : Listed->Keys.size();
}

} // namespace cudalint
