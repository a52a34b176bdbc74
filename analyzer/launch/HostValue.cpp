//===- analyzer/launch/HostValue.cpp - What host code computes ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostValue.h"

#include "analyzer/launch/HostArithmetic.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

#include <algorithm>

using namespace clang;

namespace cudalint {

/// Larger expressions become symbols: they would cost more than they tell.
static constexpr unsigned MaxSize = 200;

void ValueNode::Profile(llvm::FoldingSetNodeID &ID) const {
  ID.AddInteger(static_cast<unsigned>(Tag) << 8 | static_cast<unsigned>(Code));
  for (NumberType Each : {Type, From})
    ID.AddInteger(static_cast<unsigned>(Each.Kind) << 16 | Each.Width << 8 |
                  Each.Signed);
  ID.AddInteger(Bits);
  ID.AddPointer(Entity);
  ID.AddInteger(Keys.size());
  for (PartKey Each : Keys)
    ID.AddInteger(Each);
  for (Value Each : Operands)
    ID.AddPointer(Each);
}

bool ValueNode::isExtremum() const {
  return Tag == Operation &&
         (Code == Operator::Minimum || Code == Operator::Maximum);
}

double ValueNode::real() const { return llvm::bit_cast<double>(Bits); }

bool ValueNode::isZero() const {
  return isNumber() && (Type.Kind == NumberType::Real ? real() == 0 : !Bits);
}

const FunctionDecl *ValueNode::function() const {
  return Tag == Function ? static_cast<const FunctionDecl *>(Entity) : nullptr;
}

Place ValueNode::place() const { return {Entity, Keys, /*Exact=*/true}; }

Value ValueFactory::intern(ValueNode &&Node) {
  llvm::FoldingSetNodeID ID;
  Node.Profile(ID);
  void *Slot = nullptr;
  if (ValueNode *Known = Unique.FindNodeOrInsertPos(ID, Slot))
    return Known;
  for (Value Each : Node.Operands)
    Node.Size = std::min(Node.Size + Each->Size, MaxSize + 1);
  Nodes.push_back(std::move(Node));
  Unique.InsertNode(&Nodes.back(), Slot);
  return &Nodes.back();
}

Value ValueFactory::number(const Number &N) {
  ValueNode Node;
  Node.Tag = ValueNode::Number;
  Node.Type = N.Type;
  Node.Bits = N.Bits;
  return intern(std::move(Node));
}

Value ValueFactory::integer(NumberType Type, std::uint64_t Bits) {
  return number(integerNumber(Type, Bits));
}

Value ValueFactory::real(NumberType Type, double Real) {
  return number(realNumber(Type, Real));
}

Value ValueFactory::boolean(bool Truth) { return integer(Boolean, Truth); }

Value ValueFactory::symbol(std::string Name, Value Before) {
  ValueNode Node;
  Node.Tag = ValueNode::Symbol;
  Node.Bits = ++NextSymbol;
  Node.Before = Before;
  Node.Name = std::move(Name);
  return intern(std::move(Node));
}

Value ValueFactory::allocation(std::string Name) {
  Value Result = symbol(std::move(Name));
  Allocations.insert(Result);
  return Result;
}

/// What `p + 3` begins with.
static Value baseOf(Value Pointer) {
  while (
      Pointer->Tag == ValueNode::Operation && !Pointer->Type &&
      (Pointer->Code == Operator::Add || Pointer->Code == Operator::Subtract))
    Pointer = Pointer->Operands[0];
  return Pointer;
}

Value ValueFactory::allocationOf(Value Pointer) const {
  const Value Base = baseOf(Pointer);
  return Allocations.contains(Base) ? Base : nullptr;
}

Value ValueFactory::misplaced(std::string Name) {
  Value Result = symbol(std::move(Name));
  Misplaced.insert(Result);
  return Result;
}

bool ValueFactory::isCounter(Value V) const {
  for (;;) {
    const bool IsSum =
        V->Tag == ValueNode::Operation &&
        (V->Code == Operator::Add || V->Code == Operator::Subtract);
    if (V->Tag == ValueNode::Operation && V->Code == Operator::Convert)
      V = V->Operands[0];
    else if (IsSum && V->Operands[1]->isNumber())
      V = V->Operands[0];
    else if (IsSum && V->Operands[0]->isNumber())
      V = V->Operands[1];
    else
      return Counters.contains(V);
  }
}

bool ValueFactory::isMisplaced(Value Pointer) const {
  return Misplaced.contains(baseOf(Pointer));
}

static ValueNode nodeOf(ValueNode::Kind Tag, const void *Entity,
                        std::vector<PartKey> Keys = {},
                        std::vector<Value> Operands = {}) {
  ValueNode Node;
  Node.Tag = Tag;
  Node.Entity = Entity;
  Node.Keys = std::move(Keys);
  Node.Operands = std::move(Operands);
  return Node;
}

Value ValueFactory::function(const FunctionDecl *Function) {
  return intern(nodeOf(ValueNode::Function, Function->getCanonicalDecl()));
}

Value ValueFactory::address(const Place &Where) {
  return Where.Exact
             ? intern(nodeOf(ValueNode::Address, Where.Object, Where.Path))
             : symbol("a pointer");
}

Value ValueFactory::lambda(const LambdaExpr *Lambda, std::vector<PartKey> Keys,
                           std::vector<Value> Captures) {
  return intern(
      nodeOf(ValueNode::Lambda, Lambda, std::move(Keys), std::move(Captures)));
}

Value ValueFactory::aggregate(Parts Listed, Value Rest) {
  llvm::sort(Listed, llvm::less_first());
  ValueNode Node = nodeOf(ValueNode::Aggregate, nullptr);
  for (auto &[Key, Part] : Listed) {
    Node.Keys.push_back(Key);
    Node.Operands.push_back(Part);
  }
  Node.Operands.push_back(Rest);
  return intern(std::move(Node));
}

Value ValueFactory::part(Value Whole, PartKey Key, const std::string &Name) {
  if (Whole->Tag == ValueNode::Aggregate) {
    auto Found = llvm::lower_bound(Whole->Keys, Key);
    if (Found != Whole->Keys.end() && *Found == Key)
      return Whole->Operands[Found - Whole->Keys.begin()];
    return part(Whole->Operands.back(), Key, Name);
  }
  // Choices are looked through, so that both sides may be known.
  if (Whole->Tag == ValueNode::Operation && Whole->Code == Operator::Choose)
    return choose(Whole->Operands[0], part(Whole->Operands[1], Key, Name),
                  part(Whole->Operands[2], Key, Name));
  if (!Whole->isSymbolic())
    return symbol(Name);
  ValueNode Node = nodeOf(ValueNode::Part, nullptr, {Key}, {Whole});
  Node.Name = Name;
  return intern(std::move(Node));
}

Value ValueFactory::partAt(Value Whole, const std::vector<PartKey> &Path,
                           const std::string &Name) {
  for (PartKey Key : Path)
    Whole = part(Whole, Key, Name);
  return Whole;
}

Value ValueFactory::withPart(Value Whole, const PartKey *Path,
                             std::size_t Length, Value New) {
  if (!Length)
    return New;
  Value Old = part(Whole, *Path, "");
  Value Changed = withPart(Old, Path + 1, Length - 1, New);
  Parts Listed;
  Value Rest = Whole;
  if (Whole->Tag == ValueNode::Aggregate) {
    for (std::size_t I = 0; I < Whole->Keys.size(); ++I)
      if (Whole->Keys[I] != *Path)
        Listed.emplace_back(Whole->Keys[I], Whole->Operands[I]);
    Rest = Whole->Operands.back();
  }
  Listed.emplace_back(*Path, Changed);
  return aggregate(std::move(Listed), Rest);
}

static Number numberOf(Value V) { return {V->Type, V->Bits}; }

/// Of a number, and none itself: its last bit is up to the C library.
static bool isOpenLog2(Value V) {
  return V->Tag == ValueNode::Operation && V->Code == Operator::Log2 &&
         V->Operands[0]->isNumber();
}

/// Folds when all operands are numbers; null when they are not.
static std::optional<std::optional<Number>>
fold(Operator Code, NumberType Type, const std::vector<Value> &Operands) {
  const Value First = Operands[0];
  if (Operands.size() == 1 && isOpenLog2(First))
    if (const auto Rounded = foldRoundedLog2(Code, Type, First->Type,
                                             numberOf(First->Operands[0])))
      return Rounded;
  for (Value Each : Operands)
    if (!Each->isNumber())
      return std::nullopt;
  if (Code == Operator::Convert)
    return foldConvert(Type, numberOf(Operands[0]));
  if (Operands.size() == 1)
    return foldUnary(Code, Type, numberOf(Operands[0]));
  return foldBinary(Code, Type, numberOf(Operands[0]), numberOf(Operands[1]));
}

Value ValueFactory::operation(Operator Code, NumberType Type, NumberType From,
                              std::vector<Value> Operands) {
  if (Code == Operator::Choose) {
    if (Operands[0]->isNumber())
      return Operands[Operands[0]->isZero() ? 2 : 1];
    if (Operands[1] == Operands[2])
      return Operands[1];
  } else if (auto Folded = fold(Code, Type, Operands)) {
    if (*Folded)
      return number(**Folded);
    if (Code != Operator::Log2 || !(Operands[0]->real() > 0))
      return symbol("arithmetic that C++ does not define");
  }
  unsigned Size = 0;
  for (Value Each : Operands)
    Size += Each->Size;
  if (Size > MaxSize)
    return symbol(describeUnknown(Operands.back()));
  ValueNode Node;
  Node.Tag = ValueNode::Operation;
  Node.Code = Code;
  Node.Type = Type;
  Node.From = From;
  Node.Operands = std::move(Operands);
  return intern(std::move(Node));
}

Value ValueFactory::unary(Operator Code, NumberType Type, Value Operand) {
  return operation(Code, Type, {}, {Operand});
}

Value ValueFactory::binary(Operator Code, NumberType Type, Value Left,
                           Value Right) {
  return operation(Code, Type, {}, {Left, Right});
}

Value ValueFactory::convert(NumberType From, NumberType To, Value Operand) {
  if (From == To)
    return Operand;
  return operation(Operator::Convert, To, From, {Operand});
}

namespace {
/// `Left < Right ? Left : Right`, whatever its form, or the larger one.
struct Extremum {
  Operator Code = Operator::Minimum;
  Value Left = nullptr, Right = nullptr;
};
} // namespace

/// Empty where the choice is between others than what is compared.
static std::optional<Extremum> extremum(Value Condition, Value Then,
                                        Value Else) {
  while (Condition->Tag == ValueNode::Operation &&
         Condition->Code == Operator::LogicalNot) {
    Condition = Condition->Operands[0];
    std::swap(Then, Else);
  }
  if (Condition->Tag != ValueNode::Operation ||
      (Condition->Code != Operator::Less &&
       Condition->Code != Operator::LessEqual))
    return std::nullopt;
  const Value Left = Condition->Operands[0], Right = Condition->Operands[1];
  if (Left == Then && Right == Else)
    return Extremum{Operator::Minimum, Left, Right};
  if (Left == Else && Right == Then)
    return Extremum{Operator::Maximum, Left, Right};
  return std::nullopt;
}

Value ValueFactory::choose(Value Condition, Value Then, Value Else) {
  // As a choice, each would hold its operands twice. Of symbols alone it is not
  // known whether they are pointers, or reals.
  const NumberType Type = Then->Type ? Then->Type : Else->Type;
  if (Type.Kind == NumberType::Integer)
    if (const auto Found = extremum(Condition, Then, Else))
      return binary(Found->Code, Type, Found->Left, Found->Right);
  return operation(Operator::Choose, Then->Type, {}, {Condition, Then, Else});
}

std::optional<bool> ValueFactory::isLess(Value Left, Value Right,
                                         const Knowledge &Known) {
  for (const bool IsSwapped : {false, true})
    for (const Operator Code : {Operator::Less, Operator::LessEqual}) {
      const Value Truth = Known.lookup(binary(
          Code, Boolean, IsSwapped ? Right : Left, IsSwapped ? Left : Right));
      if (Truth && Truth->isNumber())
        return Truth->isZero() == IsSwapped;
    }
  return std::nullopt;
}

Value ValueFactory::resolve(Value V, const Knowledge &Known) {
  Knowledge Done;
  return resolve(V, Known, Done);
}

Value ValueFactory::resolve(Value V, const Knowledge &Known, Knowledge &Done) {
  if (Known.empty() || V->isNumber())
    return V;
  if (auto Found = Known.find(V); Found != Known.end())
    return Found->second;
  if (V->Operands.empty())
    return V;
  if (auto Found = Done.find(V); Found != Done.end())
    return Found->second;
  std::vector<Value> Operands;
  for (Value Each : V->Operands)
    Operands.push_back(resolve(Each, Known, Done));
  Value Result = V;
  if (V->isExtremum())
    if (const auto IsLess = isLess(V->Operands[0], V->Operands[1], Known))
      return Done[V] =
                 Operands[*IsLess == (V->Code == Operator::Minimum) ? 0 : 1];
  if (Operands != V->Operands) {
    if (V->Tag == ValueNode::Operation && V->Code == Operator::Choose) {
      Result = choose(Operands[0], Operands[1], Operands[2]);
    } else if (V->Tag == ValueNode::Operation) {
      Result = operation(V->Code, V->Type, V->From, std::move(Operands));
    } else if (V->Tag == ValueNode::Part) {
      Result = part(Operands[0], V->Keys[0], V->Name);
    } else {
      Result = intern(nodeOf(V->Tag, V->Entity, V->Keys, std::move(Operands)));
    }
  }
  Done[V] = Result;
  return Result;
}

Value ValueFactory::usual(Value V, unsigned Depth) {
  if (V->isNumber() || V->Tag == ValueNode::Aggregate)
    return V;
  if (Depth > 20)
    return nullptr;
  if (V->Tag == ValueNode::Symbol)
    return V->Before ? usual(V->Before, Depth + 1) : nullptr;
  if (V->Tag == ValueNode::Part) {
    Value Whole = usual(V->Operands[0], Depth + 1);
    Value Own = Whole ? part(Whole, V->Keys[0], V->Name) : nullptr;
    return Own && Own != V ? usual(Own, Depth + 1) : nullptr;
  }
  if (V->Tag != ValueNode::Operation)
    return nullptr;
  std::vector<Value> Operands;
  for (Value Each : V->Operands)
    Operands.push_back(usual(Each, Depth + 1));
  // `min(n, 256)`: mostly, there is more. So `max(n, 256)` is not known.
  if (V->Code == Operator::Minimum && !(Operands[0] && Operands[1]))
    return Operands[0] ? Operands[0] : Operands[1];
  if (V->Code != Operator::Choose)
    return llvm::is_contained(Operands, nullptr)
               ? nullptr
               : operation(V->Code, V->Type, V->From, std::move(Operands));
  if (Operands[0] && Operands[0]->isNumber())
    return Operands[Operands[0]->isZero() ? 2 : 1];
  if (Operands[1] && Operands[2])
    return Operands[1] == Operands[2] ? Operands[1] : nullptr;
  const auto Larger = extremum(V->Operands[0], V->Operands[1], V->Operands[2]);
  if (Larger && Larger->Code == Operator::Maximum)
    return nullptr;
  // Of `p ? p->n : 0`, the other one: that there is nothing is not usual.
  const Value Known = Operands[1] ? Operands[1] : Operands[2];
  return Known && Known->isZero() && isNullTest(V->Operands[0]) ? nullptr
                                                                : Known;
}

} // namespace cudalint
