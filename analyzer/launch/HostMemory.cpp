//===- analyzer/launch/HostMemory.cpp - Memory of host code ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostMemory.h"

#include "analyzer/launch/PointerStores.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudalint {

static const VarDecl *canonical(const VarDecl &Variable) {
  return Variable.getCanonicalDecl();
}

std::string HostMemory::nameOf(const void *Object) const {
  auto Found = Variables.find(Object);
  return Found == Variables.end()
             ? std::string("a temporary object")
             : "'" + Found->second->getNameAsString() + "'";
}

/// Whether a pointer is in it, which no list of what files store tells of.
static bool holdsPointer(QualType Type) {
  const QualType Element(Type->getBaseElementTypeUnsafe(), 0);
  const RecordDecl *Record = Element->getAsRecordDecl();
  return Element->isAnyPointerType() ||
         (Record && llvm::any_of(Record->fields(), [](const FieldDecl *Each) {
            return holdsPointer(Each->getType());
          }));
}

/// Another translation unit may change a variable that a header declares, or
/// is known to change it; of pointers nobody knows.
bool HostMemory::isShared(const VarDecl &Variable) {
  if (!Variable.hasExternalFormalLinkage())
    return false;
  if (!Variable.getType().isConstQualified() &&
      holdsPointer(Variable.getType()))
    return true;
  if (const std::string Place = Places.nameOf(Variable); !Place.empty()) {
    auto Found = Program.Values.find(Place);
    if (Found == Program.Values.end())
      UnknownPlaces.insert(Place);
    else if (!Found->second)
      return true;
  }
  const SourceManager &Sources = Variable.getASTContext().getSourceManager();
  return llvm::any_of(Variable.redecls(), [&](const VarDecl *Each) {
    return !Sources.isInMainFile(Sources.getExpansionLoc(Each->getLocation()));
  });
}

const Expr *writtenInitialiser(const Expr *Init) {
  return Init && isa<ImplicitValueInitExpr>(Init) ? nullptr : Init;
}

/// What a variable holds that no path has touched yet.
Value HostMemory::initialContents(const VarDecl &Variable) {
  std::string Name = "'" + Variable.getNameAsString() + "'";
  if (isa<ParmVarDecl>(Variable)) // It has a default argument, at best.
    return Values.symbol(Name);
  const VarDecl *Definition = nullptr;
  const auto *Init = writtenInitialiser(Variable.getAnyInitializer(Definition));
  bool Constant =
      Variable.getType().isConstQualified() || Variable.isConstexpr();
  // It is the referent that changes.
  bool Changed = !Variable.getType()->isReferenceType() &&
                 Code.Changed.contains(canonical(Variable));
  if (!Constant && Variable.hasGlobalStorage() &&
      (isShared(Variable) ||
       Code.ChangedBeforeMain.contains(canonical(Variable)) ||
       (Changed && (!RootIsMain || State.Lost || Variable.isStaticLocal()))))
    return Values.symbol(Name);
  if (!Constant && !Variable.hasGlobalStorage() && Changed)
    return Values.symbol(Name);
  if (!Init) {
    // Who does not initialise it sets it somewhere: in what is lost, perhaps.
    bool Zeroed = Variable.hasGlobalStorage() &&
                  Variable.isThisDeclarationADefinition() && !Code.hasLost();
    return Zeroed ? Values.zero(Variable.getType()) : Values.symbol(Name);
  }
  if (Init->isValueDependent() || Init->containsErrors())
    return Values.symbol(Name);
  if (Variable.getType()->isReferenceType()) {
    MaybePlace Referent = Initial.initialReferent(*Init);
    return Referent ? Values.address(*Referent) : Values.symbol(Name);
  }
  if (const APValue *Evaluated =
          Definition && (Constant || Variable.hasGlobalStorage())
              ? Definition->evaluateValue()
              : nullptr) {
    Value Result = Values.fromConstant(*Evaluated, Variable.getType());
    if (!Result->isSymbolic())
      return Result;
  }
  // The initialiser has run long ago: its value counts, not its effects.
  HostState Before = State;
  Value Result = Initial.initialValue(*Init);
  State = std::move(Before);
  return Result;
}

Value HostMemory::contents(const void *Object) {
  if (Code.hasLost())
    if (auto Known = Variables.find(Object);
        Known != Variables.end() && Code.mayBeSetByLost(*Known->second))
      return lost(*Known->second);
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

void HostMemory::declare(const VarDecl &Variable, Value Initial) {
  Variables[canonical(Variable)] = &Variable;
  State.Objects[canonical(Variable)] = Initial;
}

void HostMemory::declareUnknown(const VarDecl &Variable,
                                const std::string &Which) {
  declare(Variable,
          Values.symbol("'" + Variable.getNameAsString() + "'" + Which));
}

void HostMemory::declareAtEntry(const ParmVarDecl &Parameter) {
  declareUnknown(Parameter);
  const std::string Place = Places.nameOf(Parameter);
  if (!Place.empty())
    set(canonical(Parameter), orOfProgram(contents(canonical(Parameter)),
                                          Parameter, placeAtEntry(Place)));
}

MaybePlace HostMemory::pointee(Value Pointer) {
  Pointer = resolve(Pointer);
  return Pointer->Tag == ValueNode::Address ? MaybePlace(Pointer->place())
                                            : std::nullopt;
}

MaybePlace HostMemory::placeOf(const VarDecl &Variable) {
  const VarDecl *Object = canonical(Variable);
  Variables[Object] = &Variable;
  if (!Variable.getType()->isReferenceType())
    return Place{Object, {}, true};
  Value Referent = contents(Object);
  return Referent->Tag == ValueNode::Address ? MaybePlace(Referent->place())
                                             : std::nullopt;
}

Value HostMemory::loadFromState(const MaybePlace &From, const Expr *As) {
  if (!From || !From->Exact)
    return Values.unknown(As);
  if (State.Unsteady.contains(From->Object))
    return Values.symbol(nameOf(From->Object) +
                         ", which code may set that nothing here calls");
  return From->Path.empty() ? contents(From->Object)
                            : read(*From, Values.unknown(As)->Name);
}

Value HostMemory::read(const Place &From, const std::string &Name) {
  return Values.partAt(contents(From.Object), From.Path, Name);
}

Value HostMemory::lost(const ValueDecl &Named) {
  return Values.symbol("'" + Named.getNameAsString() +
                       "', which a statement with an error may set");
}

Value HostMemory::load(const MaybePlace &From, const Expr *As) {
  if (const ValueDecl *Named =
          Code.hasLost() ? namedObject(As->IgnoreParenImpCasts()) : nullptr;
      Named && Code.mayBeSetByLost(*Named))
    return lost(*Named);
  Value Result = loadFromState(From, As);
  const ValueDecl *Object =
      Result->isSymbolic() ? namedObject(As->IgnoreParenImpCasts()) : nullptr;
  if (Object && Object->getType()->isPointerType())
    return asStored(Result, From, *Object);
  return Object ? orOfProgram(Result, *Object, Places.nameOf(*Object)) : Result;
}

/// A pointer that nothing on the way here has set is where the stores of the
/// program let it be.
Value HostMemory::asStored(Value Unknown, const MaybePlace &From,
                           const ValueDecl &Pointer) {
  const auto *Variable = dyn_cast<VarDecl>(&Pointer);
  const bool IsSet = From && From->Exact && Unknown->Tag != ValueNode::Part &&
                     !(Variable && From->Path.empty());
  const std::string Place = IsSet || Values.allocationOf(Unknown)
                                ? std::string()
                                : pointerPlace(Pointer);
  if (Place.empty())
    return Unknown;
  auto Found = Program.Moved.find(Place);
  if (Found == Program.Moved.end()) {
    UnknownPlaces.insert(Place);
    return Unknown;
  }
  if (!Found->second)
    return Values.misplaced("'" + Pointer.getNameAsString() + "'");
  const NumberType Long{NumberType::Integer, 64, true};
  return Values.binary(
      Operator::Add, {}, Unknown,
      Values.integer(Long, static_cast<std::uint64_t>(*Found->second)));
}

/// What the whole program knows of a place, or else `Unknown`.
Value HostMemory::orOfProgram(Value Unknown, const ValueDecl &Declaration,
                              const std::string &Place) {
  if (Place.empty())
    return Unknown;
  auto Found = Program.Values.find(Place);
  if (Found != Program.Values.end() && Found->second)
    return Values.integer(Values.numberType(Declaration.getType()),
                          static_cast<std::uint64_t>(*Found->second));
  if (Found == Program.Values.end())
    UnknownPlaces.insert(Place);
  return Unknown;
}

void HostMemory::store(const MaybePlace &To, QualType Type, Value New) {
  if (!To)
    return forgetEscaped(Type, "a write through a pointer", Change::OfProgram);
  if (!To->Exact)
    return forget(*To, "an element that is not known");
  State.Objects[To->Object] =
      To->Path.empty() ? New
                       : Values.withPart(contents(To->Object), To->Path.data(),
                                         To->Path.size(), New);
}

void HostMemory::forget(const Place &What, const std::string &By, Change How) {
  std::string Name = nameOf(What.Object) + ", set by " + By;
  Value Whole = contents(What.Object);
  Value Before =
      How == Change::OfInput ? Values.partAt(Whole, What.Path, "") : nullptr;
  Value Symbol = Values.symbol(std::move(Name), Before);
  State.Objects[What.Object] =
      Values.withPart(Whole, What.Path.data(), What.Path.size(), Symbol);
}

void HostMemory::forgetStart(const Place &What) {
  Value Whole = contents(What.Object);
  if (Value Known = Values.partAt(Whole, What.Path, ""); Known->isSymbolic())
    set(What.Object, Values.withPart(Whole, What.Path.data(), What.Path.size(),
                                     Values.symbol(describeUnknown(Known))));
}

void HostMemory::forgetReachable(Value From, const std::string &By, Change How,
                                 unsigned Level) {
  // As deep as a list of a few elements. What was forgotten leads nowhere.
  constexpr unsigned MostLevels = 64;
  // Numbers lead nowhere; pointers may be members or one side of a choice.
  const bool MayLead = From->Tag == ValueNode::Aggregate ||
                       (From->Tag == ValueNode::Operation &&
                        From->Code == Operator::Choose && !From->Type);
  if (From->Tag != ValueNode::Address && !MayLead)
    return;
  if (Level > MostLevels)
    return forgetEverything();
  if (From->Tag == ValueNode::Address) {
    Place Where = From->place();
    // A pointer to an element reaches the whole array.
    while (!Where.Path.empty() && isIndex(Where.Path.back()))
      Where.Path.pop_back();
    // What is beside it in the object does not belong to it.
    Value Old = Values.partAt(contents(Where.Object), Where.Path, "");
    forget(Where, By, How);
    return forgetReachable(Old, By, How, Level + 1);
  }
  for (Value Each : From->Operands)
    forgetReachable(Each, By, How, Level + 1);
}

void HostMemory::forgetEscaped(QualType Stored, const std::string &By,
                               Change How) {
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
      forget({Each, {}, true}, By, How);
  }
  for (const VarDecl *Each : Code.Leaked)
    if (Each->hasGlobalStorage() && Concerned(*Each))
      forgetVariable(*Each, "set by " + By, How);
}

void HostMemory::forgetOutOfSight(const std::string &By, Change How) {
  forgetEscaped({}, By, How);
  State.Lost = true;
  for (const VarDecl *Each : Code.Changed)
    if (Each->hasGlobalStorage())
      forgetVariable(*Each, "set by " + By, How);
}

void HostMemory::forgetVariable(const VarDecl &Variable, const std::string &By,
                                Change How) {
  if (Variable.getType()->isReferenceType()) {
    if (!State.Objects.contains(canonical(Variable)) ||
        Variable.getType()->getPointeeType().isConstQualified())
      return;
    if (MaybePlace Referent = placeOf(Variable))
      forget(*Referent, By, How);
    return;
  }
  Variables[canonical(Variable)] = &Variable;
  std::string Name = "'" + Variable.getNameAsString() + "', " + By;
  Value &Contents = State.Objects[canonical(Variable)];
  Contents = Values.symbol(std::move(Name),
                           How == Change::OfInput ? Contents : nullptr);
}

void HostMemory::forgetEverything() {
  State.Lost = true;
  for (auto &[Object, Contents] : State.Objects) {
    Contents = Values.symbol(nameOf(Object));
    escape(Object); // From the references that are lost, too.
  }
}

const EffectSummary &HostMemory::effectsIn(const Stmt *S) {
  auto [Found, IsNew] = Effects.try_emplace(S);
  if (IsNew)
    Found->second = effectsOf(S);
  return Found->second;
}

void HostMemory::forgetChangesIn(const Stmt *S, const std::string &By,
                                 Change How) {
  const EffectSummary &Changes = effectsIn(S);
  if (Changes.TooDeep)
    forgetEverything();
  for (const VarDecl *Each : Changes.Changed)
    forgetVariable(*Each, By, How);
}

bool HostMemory::isChangedGlobal(const void *Object) const {
  const VarDecl *Variable = Variables.lookup(Object);
  return Variable && Variable->hasGlobalStorage() &&
         Code.Changed.contains(canonical(*Variable));
}

void HostMemory::distrustReferents(Value From) {
  if (From->Tag == ValueNode::Address)
    distrust(From->place().Object);
  else if (From->Tag == ValueNode::Aggregate)
    for (Value Each : From->Operands)
      distrustReferents(Each);
}

void HostMemory::distrustChangesOf(const FunctionDecl &Unseen) {
  Code.forEachReached(Unseen, [&](const EffectSummary &Effects) {
    for (const VarDecl *Each : Effects.Changed)
      if (Each->hasGlobalStorage())
        distrust(Each);
  });
}

/// True if the code writes integers through pointers, references or `this`.
static bool writesThroughPointers(const Stmt *Code) {
  bool Writes = false;
  forEachStatement(Code, [&](const Stmt &S) {
    const Expr *To = nullptr;
    if (const auto *Binary = dyn_cast<BinaryOperator>(&S);
        Binary && Binary->isAssignmentOp())
      To = Binary->getLHS();
    if (const auto *Unary = dyn_cast<UnaryOperator>(&S);
        Unary && Unary->isIncrementDecrementOp())
      To = Unary->getSubExpr();
    Writes |= To && !isa<DeclRefExpr>(To->IgnoreParens()) &&
              To->getType()->isIntegralOrEnumerationType();
  });
  return Writes;
}

void HostMemory::distrustDestructor(QualType Type, Value Object,
                                    unsigned Level) {
  const auto *Record =
      QualType(Type->getBaseElementTypeUnsafe(), 0)->getAsCXXRecordDecl();
  if (!Record || !Record->hasDefinition() || Level > 4)
    return;
  if (const auto *Template = dyn_cast<ClassTemplateSpecializationDecl>(Record))
    for (const TemplateArgument &Each : Template->getTemplateArgs().asArray())
      if (Each.getKind() == TemplateArgument::Type)
        distrustDestructor(Each.getAsType(), Object, Level + 1);
  if (Record->hasTrivialDestructor() || isInSystemHeader(*Record))
    return;
  for (const FieldDecl *Field : Record->fields())
    distrustDestructor(Field->getType(), Object, Level + 1);
  for (const CXXBaseSpecifier &Base : Record->bases())
    distrustDestructor(Base.getType(), Object, Level + 1);
  const CXXDestructorDecl *Destructor = Record->getDestructor();
  const FunctionDecl *Definition =
      Destructor ? Destructor->getDefinition() : nullptr;
  if (!Definition || !Definition->getBody())
    return;
  distrustChangesOf(*Definition);
  if (writesThroughPointers(Definition->getBody()))
    for (Value Each : Object->Operands)
      if (Each->Tag == ValueNode::Address)
        distrust(Each->place().Object);
}

void HostMemory::distrustAllChanges() {
  for (const VarDecl *Each : Code.Changed)
    if (Each->hasGlobalStorage() || has(Each))
      distrust(Each);
}

} // namespace cudalint
