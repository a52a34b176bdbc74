//===- analyzer/launch/HostPaths.cpp - Paths through host code ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostMemory.h"

#include "clang/AST/Decl.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudalint {

void HostMemory::begin(bool IsMain) {
  State = HostState();
  RootIsMain = IsMain;
  for (const FunctionDecl *Each : Code.Unnamed)
    distrustChangesOf(*Each);
}

HostState HostMemory::exchange(HostState Other) {
  return std::exchange(State, std::move(Other));
}

Value HostMemory::joinValues(Value A, Value B, Value Condition,
                             const void *Object) {
  if (A == B)
    return A;
  if (A->Tag != ValueNode::Aggregate && B->Tag != ValueNode::Aggregate)
    return Values.choose(Condition, A, B);
  ValueFactory::Parts Parts;
  for (Value Each : {A, B}) {
    if (Each->Tag != ValueNode::Aggregate)
      continue;
    for (PartKey Key : Each->Keys)
      if (!llvm::is_contained(llvm::make_first_range(Parts), Key))
        Parts.emplace_back(Key, nullptr);
  }
  std::string Name = nameOf(Object);
  for (auto &[Key, Part] : Parts)
    Part = joinValues(Values.part(A, Key, Name), Values.part(B, Key, Name),
                      Condition, Object);
  return Values.aggregate(std::move(Parts), Values.symbol(std::move(Name)));
}

static Knowledge factsWithout(const Knowledge &Facts, const Knowledge &Other) {
  Knowledge Result;
  for (const auto &[About, Fact] : Facts)
    if (Other.lookup(About) != Fact)
      Result[About] = Fact;
  return Result;
}

/// A global that only one side has touched, the other has as it was at the
/// start; a local is out of scope.
void HostMemory::touchGlobalsOf(const HostState &Other) {
  for (const auto &[Object, Contents] : Other.Objects) {
    auto Variable = Variables.find(Object);
    if (Variable != Variables.end() && Variable->second->hasGlobalStorage())
      contents(Object);
  }
}

void HostMemory::join(HostState Other, Value Condition) {
  if (!State.Live) {
    State = std::move(Other);
    return;
  }
  if (!Other.Live)
    return;
  touchGlobalsOf(Other);
  std::swap(State, Other);
  touchGlobalsOf(Other);
  std::swap(State, Other);
  const Knowledge OnlyHere = factsWithout(State.Known, Other.Known);
  const Knowledge OnlyThere = factsWithout(Other.Known, State.Known);
  Knowledge DoneHere, DoneThere;
  for (auto &[Object, Contents] : State.Objects) {
    auto Found = Other.Objects.find(Object);
    if (Found == Other.Objects.end())
      continue;
    // What is known on one side only goes into the values, for it is lost.
    Value Here = Values.resolve(Contents, OnlyHere, DoneHere);
    Value There = Values.resolve(Found->second, OnlyThere, DoneThere);
    bool Same = Contents == Found->second;
    if (!Same || (Here != There && Here->isNumber() && There->isNumber()))
      Contents = joinValues(Here, There, Condition, Object);
  }
  for (const auto &[Object, Contents] : Other.Objects)
    State.Objects.try_emplace(Object, Contents);
  for (const auto &[About, Fact] : OnlyHere)
    State.Known.erase(About);
  State.Escaped.insert_range(Other.Escaped);
  State.Unsteady.insert_range(Other.Unsteady);
  State.Lost |= Other.Lost;
}

/// Joins the states that jumped here with the one that came by itself.
void HostMemory::joinAll(std::vector<HostState> &Others) {
  for (HostState &Each : Others)
    join(std::move(Each), Values.symbol("which way was taken"));
  Others.clear();
}

/// What holds as `Condition` does not, and one of the two has to.
static std::vector<Value> leftWithout(Value Condition, const Knowledge &Known) {
  std::vector<Value> Result;
  for (const auto &[Either, Truth] : Known) {
    const bool IsEither = Either->Tag == ValueNode::Operation &&
                          Either->Code == Operator::Choose &&
                          Truth->isNumber() && !Truth->isZero() &&
                          Either->Operands[1]->isNumber() &&
                          !Either->Operands[1]->isZero();
    if (IsEither && Either->Operands[0] == Condition)
      Result.push_back(Either->Operands[2]);
    else if (IsEither && Either->Operands[2] == Condition)
      Result.push_back(Either->Operands[0]);
  }
  return Result;
}

void HostMemory::learn(Value Condition, bool Truth) {
  Condition = Values.resolve(Condition, State.Known);
  if (Condition->isNumber()) {
    if (Condition->isZero() == Truth)
      State.Live = false;
    return;
  }
  State.Known[Condition] = Values.boolean(Truth);
  learnFrom(Condition, Truth);
  // Of `n == 64 || n == 128`, the one is left when the other is ruled out.
  if (!Truth && Condition->Tag == ValueNode::Operation &&
      Condition->Code == Operator::Equal)
    for (Value Each : leftWithout(Condition, State.Known))
      learn(Each, true);
}

void HostMemory::learnFrom(Value Condition, bool Truth) {
  if (Condition->Tag != ValueNode::Operation)
    return;
  const std::vector<Value> &Operands = Condition->Operands;
  switch (Condition->Code) {
  case Operator::LogicalNot:
    return learn(Operands[0], !Truth);
  case Operator::Convert:
    // A bool made an int is the same question.
    if (Condition->From.Width == 1)
      learn(Operands[0], Truth);
    else if (!Truth && Condition->Type.Width == 1 &&
             Condition->From.Kind == NumberType::Integer)
      State.Known[Operands[0]] = Values.integer(Condition->From, 0);
    return;
  case Operator::Equal:
    for (unsigned I = 0; Truth && I < 2; ++I)
      if (Operands[I]->isInteger() && !Operands[1 - I]->isNumber())
        State.Known[Operands[1 - I]] = Operands[I];
    return;
  case Operator::Choose:
    // `a && b` is a ? b : false and `a || b` is a ? true : b.
    if (Truth && Operands[2]->isZero()) {
      learn(Operands[0], true);
      learn(Operands[1], true);
    } else if (!Truth && Operands[1]->isNumber() && !Operands[1]->isZero()) {
      learn(Operands[0], false);
      learn(Operands[2], false);
    }
    return;
  default:
    return;
  }
}

} // namespace cudalint
