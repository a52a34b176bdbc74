//===- analyzer/launch/HostObjects.cpp - Memory of host code --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostEvaluator.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudalint {

/// Arrays with more elements are not followed element by element.
static constexpr std::uint64_t MaxElements = 256;

static const VarDecl *canonical(const VarDecl &Variable) {
  return Variable.getCanonicalDecl();
}

std::string HostEvaluator::nameOf(const void *Object) const {
  auto Found = Variables.find(Object);
  return Found == Variables.end()
             ? std::string("a temporary object")
             : "'" + Found->second->getNameAsString() + "'";
}

/// Another translation unit may change a variable that a header declares, or
/// is known to change it.
bool HostEvaluator::isShared(const VarDecl &Variable) {
  if (!Variable.hasExternalFormalLinkage())
    return false;
  if (const std::string Place = Places.nameOf(Variable); !Place.empty()) {
    auto Found = Program.find(Place);
    if (Found == Program.end())
      UnknownPlaces.insert(Place);
    else if (!Found->second)
      return true;
  }
  const SourceManager &Sources = Variable.getASTContext().getSourceManager();
  return llvm::any_of(Variable.redecls(), [&](const VarDecl *Each) {
    return !Sources.isInMainFile(Sources.getExpansionLoc(Each->getLocation()));
  });
}

/// What a variable holds that no path has touched yet.
Value HostEvaluator::initialContents(const VarDecl &Variable) {
  std::string Name = "'" + Variable.getNameAsString() + "'";
  const VarDecl *Definition = nullptr;
  const auto *Init = Variable.getAnyInitializer(Definition);
  bool Constant =
      Variable.getType().isConstQualified() || Variable.isConstexpr();
  bool Changed = Code.Changed.contains(canonical(Variable));
  if (!Constant && Variable.hasGlobalStorage() &&
      (isShared(Variable) ||
       Code.ChangedBeforeMain.contains(canonical(Variable)) ||
       (Changed && (!RootIsMain || State.Lost || Variable.isStaticLocal()))))
    return Values.symbol(Name);
  if (!Constant && !Variable.hasGlobalStorage() && Changed)
    return Values.symbol(Name);
  if (!Init) {
    bool Zeroed =
        Variable.hasGlobalStorage() && Variable.isThisDeclarationADefinition();
    return Zeroed ? zero(Variable.getType()) : Values.symbol(Name);
  }
  if (Init->isValueDependent() || Init->containsErrors())
    return Values.symbol(Name);
  if (Variable.getType()->isReferenceType()) {
    MaybePlace Referent = locate(Init);
    return Referent ? Values.address(*Referent) : Values.symbol(Name);
  }
  if (const APValue *Evaluated =
          Definition && (Constant || Variable.hasGlobalStorage())
              ? Definition->evaluateValue()
              : nullptr) {
    Value Result = fromConstant(*Evaluated, Variable.getType());
    if (!Result->isSymbolic())
      return Result;
  }
  // The initialiser has run long ago: its value counts, not its effects.
  HostState Before = State;
  std::size_t FirstVisit = Visits.size();
  Value Result = evaluate(Init);
  Visits.resize(FirstVisit);
  State = std::move(Before);
  return Result;
}

Value HostEvaluator::contents(const void *Object) {
  if (auto Found = State.Objects.find(Object); Found != State.Objects.end())
    return Found->second;
  auto Known = Variables.find(Object);
  if (Known == Variables.end())
    return Values.symbol("a temporary object");
  // Set first, so that a variable that is initialised with itself ends.
  const VarDecl &Variable = *Known->second;
  State.Objects[Object] = Values.symbol(nameOf(Object));
  Value Initial = initialContents(Variable);
  State.Objects[Object] = Initial;
  return Initial;
}

HostEvaluator::MaybePlace HostEvaluator::placeOf(const VarDecl &Variable) {
  const VarDecl *Object = canonical(Variable);
  Variables[Object] = &Variable;
  if (!Variable.getType()->isReferenceType())
    return Place{Object, {}, true};
  Value Referent = contents(Object);
  return Referent->Tag == ValueNode::Address ? MaybePlace(Referent->place())
                                             : std::nullopt;
}

Value HostEvaluator::loadFromState(const MaybePlace &From, const Expr *As) {
  if (!From || !From->Exact)
    return unknown(As);
  if (State.Unsteady.contains(From->Object))
    return Values.symbol(nameOf(From->Object) +
                         ", which code may set that nothing here calls");
  Value Result = contents(From->Object);
  if (From->Path.empty())
    return Result;
  Value Name = unknown(As);
  for (PartKey Key : From->Path)
    Result = Values.part(Result, Key, Name->Name);
  return Result;
}

/// The member or variable that is read, if `E` names one.
static const ValueDecl *readObject(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return Member->getMemberDecl();
  const auto *Reference = dyn_cast<DeclRefExpr>(E);
  return Reference ? Reference->getDecl() : nullptr;
}

Value HostEvaluator::load(const MaybePlace &From, const Expr *As) {
  Value Result = loadFromState(From, As);
  const ValueDecl *Object = Result->isSymbolic() ? readObject(As) : nullptr;
  return Object ? orOfProgram(Result, *Object, Places.nameOf(*Object)) : Result;
}

/// What the whole program knows of a place, or else `Unknown`.
Value HostEvaluator::orOfProgram(Value Unknown, const ValueDecl &Declaration,
                                 const std::string &Place) {
  if (Place.empty())
    return Unknown;
  auto Found = Program.find(Place);
  if (Found != Program.end() && Found->second)
    return Values.integer(numberType(Declaration.getType()),
                          static_cast<std::uint64_t>(*Found->second));
  if (Found == Program.end())
    UnknownPlaces.insert(Place);
  return Unknown;
}

void HostEvaluator::store(const MaybePlace &To, QualType Type, Value New) {
  if (!To)
    return forgetEscaped(Type, "a write through a pointer");
  if (!To->Exact)
    return forget(*To, "an element that is not known");
  State.Objects[To->Object] =
      To->Path.empty() ? New
                       : Values.withPart(contents(To->Object), To->Path.data(),
                                         To->Path.size(), New);
}

void HostEvaluator::forget(const Place &What, const std::string &By) {
  std::string Name = nameOf(What.Object) + ", set by " + By;
  Value Whole = contents(What.Object);
  Value Before = Whole;
  for (PartKey Key : What.Path)
    Before = Values.part(Before, Key, "");
  Value Symbol = Values.symbol(std::move(Name), Before);
  State.Objects[What.Object] =
      Values.withPart(Whole, What.Path.data(), What.Path.size(), Symbol);
}

void HostEvaluator::forgetReachable(Value From, const std::string &By,
                                    unsigned Level) {
  if (Level > 4)
    return forgetEverything();
  if (From->Tag == ValueNode::Address) {
    Place Where = From->place();
    // A pointer to an element reaches the whole array.
    while (!Where.Path.empty() && isIndex(Where.Path.back()))
      Where.Path.pop_back();
    Value Old = contents(Where.Object);
    forget(Where, By);
    return forgetReachable(Old, By, Level + 1);
  }
  // Numbers lead nowhere; pointers may be members or one side of a choice.
  bool MayLead = From->Tag == ValueNode::Aggregate ||
                 (From->Tag == ValueNode::Operation &&
                  From->Code == Operator::Choose && !From->Type);
  for (Value Each : MayLead ? From->Operands : std::vector<Value>())
    forgetReachable(Each, By, Level + 1);
}

void HostEvaluator::forgetEscaped(QualType Stored, const std::string &By) {
  // Strict aliasing: a write of floats changes no integer and no pointer.
  bool Floats = !Stored.isNull() && Stored->isRealFloatingType();
  auto Concerned = [&](const VarDecl &Variable) {
    return !Floats || !(Variable.getType()->isIntegralOrEnumerationType() ||
                        Variable.getType()->isAnyPointerType());
  };
  // A copy: what a variable begins with may hold the address of another one.
  const auto Escaped = State.Escaped;
  for (const void *Each : Escaped) {
    auto Variable = Variables.find(Each);
    if (Variable == Variables.end() || Concerned(*Variable->second))
      forget({Each, {}, true}, By);
  }
  for (const VarDecl *Each : Code.Leaked)
    if (Each->hasGlobalStorage() && Concerned(*Each))
      forgetVariable(*Each, "set by " + By);
}

void HostEvaluator::forgetOutOfSight(const std::string &By) {
  forgetEscaped({}, By);
  State.Lost = true;
  for (const VarDecl *Each : Code.Changed)
    if (Each->hasGlobalStorage())
      forgetVariable(*Each, "set by " + By);
}

void HostEvaluator::forgetVariable(const VarDecl &Variable,
                                   const std::string &By) {
  if (Variable.getType()->isReferenceType()) {
    if (!State.Objects.contains(canonical(Variable)) ||
        Variable.getType()->getPointeeType().isConstQualified())
      return;
    if (MaybePlace Referent = placeOf(Variable))
      forget(*Referent, By);
    return;
  }
  Variables[canonical(Variable)] = &Variable;
  std::string Name = "'" + Variable.getNameAsString() + "', " + By;
  Value &Contents = State.Objects[canonical(Variable)];
  Contents = Values.symbol(std::move(Name), Contents);
}

void HostEvaluator::forgetEverything() {
  State.Lost = true;
  for (auto &[Object, Contents] : State.Objects)
    Contents = Values.symbol(nameOf(Object));
}

Value HostEvaluator::joinValues(Value A, Value B, Value Condition,
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

/// `A` is where `Condition` holds.
HostState HostEvaluator::join(HostState A, HostState B, Value Condition) {
  if (!A.Live)
    return B;
  if (!B.Live)
    return A;
  // A global that only one side has touched, the other has as it was at the
  // start; a local is out of scope.
  HostState Saved = std::move(State);
  for (auto [From, To] : {std::pair(&A, &B), std::pair(&B, &A)}) {
    llvm::SmallVector<const void *, 8> Missing;
    for (const auto &[Object, Contents] : From->Objects) {
      auto Variable = Variables.find(Object);
      if (!To->Objects.contains(Object) && Variable != Variables.end() &&
          Variable->second->hasGlobalStorage())
        Missing.push_back(Object);
    }
    State = std::move(*To);
    for (const void *Each : Missing)
      contents(Each);
    *To = std::move(State);
  }
  State = std::move(Saved);
  Knowledge OnlyA = factsWithout(A.Known, B.Known);
  Knowledge OnlyB = factsWithout(B.Known, A.Known);
  Knowledge DoneA, DoneB;
  for (auto &[Object, Contents] : A.Objects) {
    auto Other = B.Objects.find(Object);
    if (Other == B.Objects.end())
      continue;
    // What is known on one side only goes into the values, for it is lost.
    Value InA = Values.resolve(Contents, OnlyA, DoneA);
    Value InB = Values.resolve(Other->second, OnlyB, DoneB);
    bool Same = Contents == Other->second;
    if (!Same || (InA != InB && InA->isNumber() && InB->isNumber()))
      Contents = joinValues(InA, InB, Condition, Object);
  }
  for (auto &[Object, Contents] : B.Objects)
    A.Objects.try_emplace(Object, Contents);
  for (const auto &[About, Fact] : OnlyA)
    A.Known.erase(About);
  A.Escaped.insert(B.Escaped.begin(), B.Escaped.end());
  A.Unsteady.insert(B.Unsteady.begin(), B.Unsteady.end());
  A.Lost |= B.Lost;
  return A;
}

/// Joins the states that jumped here with the one that came by itself.
void HostEvaluator::joinAll(std::vector<HostState> &Others) {
  for (HostState &Each : Others)
    State = join(std::move(State), std::move(Each),
                 Values.symbol("which way was taken"));
  Others.clear();
}

void HostEvaluator::learn(Value Condition, bool Truth) {
  Condition = Values.resolve(Condition, State.Known);
  if (Condition->isNumber()) {
    if (Condition->isZero() == Truth)
      State.Live = false;
    return;
  }
  State.Known[Condition] = Values.boolean(Truth);
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

Value HostEvaluator::zero(QualType Type) {
  if (NumberType Number = numberType(Type))
    return Number.Kind == NumberType::Integer ? Values.integer(Number, 0)
                                              : Values.real(Number, 0);
  if (Type->isPointerType())
    return Values.integer({NumberType::Integer, 64, false}, 0);
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
  return Values.aggregate(std::move(Parts), Values.symbol("a member"));
}

Value HostEvaluator::fromConstant(const APValue &Constant, QualType Type) {
  NumberType Number = numberType(Type);
  if (Constant.isInt() && Number.Kind == NumberType::Integer)
    return Values.integer(Number,
                          Constant.getInt().extOrTrunc(64).getZExtValue());
  if (Constant.isFloat() && Number.Kind == NumberType::Real)
    return Values.real(Number, Constant.getFloat().convertToDouble());
  ValueFactory::Parts Parts;
  if (const auto *Array = Context.getAsConstantArrayType(Type);
      Array && Constant.isArray() && Constant.getArraySize() <= MaxElements) {
    for (unsigned I = 0; I < Constant.getArraySize(); ++I)
      Parts.emplace_back(indexKey(I),
                         fromConstant(I < Constant.getArrayInitializedElts()
                                          ? Constant.getArrayInitializedElt(I)
                                          : Constant.getArrayFiller(),
                                      Array->getElementType()));
    return Values.aggregate(std::move(Parts), Values.symbol("an element"));
  }
  const RecordDecl *Record = Type->getAsRecordDecl();
  if (Constant.isStruct() && Record && !Constant.getStructNumBases()) {
    for (const FieldDecl *Field : Record->fields())
      Parts.emplace_back(
          fieldKey(Field),
          fromConstant(Constant.getStructField(Field->getFieldIndex()),
                       Field->getType()));
    return Values.aggregate(std::move(Parts), Values.symbol("a member"));
  }
  return Values.symbol("a constant");
}

} // namespace cudalint
