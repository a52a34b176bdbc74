//===- analyzer/launch/ProgramScan.cpp - Stores of a file -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/SourcePlaces.h"
#include "analyzer/launch/HostCode.h"
#include "analyzer/launch/ProgramPlaces.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

#include <utility>

using namespace clang;

namespace cudalint {

/// Records inside of records deeper than this are not followed.
static constexpr unsigned MaxNesting = 8;

/// The place that stands for all that a reference to const may lead to.
static constexpr char ThroughConst[] = "a reference to const";

/// The syntax tree is the device's: what a host function does behind
/// `#ifndef __CUDA_ARCH__` is not in it.
static bool differsOnHost(const ASTContext &Context) {
  const SourceManager &Sources = Context.getSourceManager();
  bool Differs = false;
  forEachUserFile(Sources, [&](FileID File) {
    Differs |= Sources.getBufferData(File).contains("__CUDA_ARCH__");
  });
  return Differs;
}

static bool runsUnnamed(const FunctionDecl &Function) {
  if (Function.isMain() || !hasKnownCallers(Function) ||
      Function.hasAttr<ConstructorAttr>() ||
      Function.hasAttr<DestructorAttr>() || Function.hasAttr<UsedAttr>())
    return true;
  // What library templates find by their arguments; their bodies may have
  // been skipped, and then nothing shows that they do.
  return Function.getNumParams() && Function.getIdentifier() &&
         llvm::StringSwitch<bool>(Function.getName())
             .Cases({"swap", "iter_swap", "begin", "end", "hash_value",
                     "from_json", "to_json", "tag_invoke"},
                    true)
             .Default(false);
}

namespace {

class ProgramScanner {
public:
  ProgramScanner(const ASTContext &Context, ProgramPlaces &Places)
      : Context(Context), Places(Places) {
    Result.Complete =
        !Context.getDiagnostics().hasErrorOccurred() && !differsOnHost(Context);
  }

  ProgramFacts Result;

  void scanFunction(const FunctionDecl &Function,
                    const EffectSummary &Effects) {
    FunctionFacts &Facts = Result.Functions[usrOf(Function)];
    Result.HasMain |= Function.isMain();
    Facts.IsRoot |= runsUnnamed(Function);
    scan(Effects, Facts);
  }

  void scan(const EffectSummary &Effects, FunctionFacts &Facts) {
    enter(Facts);
    for (const PlaceEffect &Each : Effects.Stores)
      note(Each);
    for (QualType Each : Effects.Zeroed)
      setAll(Each, 0);
    for (QualType Each : Effects.Overwritten)
      setAll(Each, std::nullopt);
    if (Effects.CastsConstAway)
      storeUnknown(ThroughConst, Context.UnsignedLongTy);
    for (const FunctionDecl *Each : Effects.Named)
      noteUse(*Each);
    for (const FunctionDecl *Each : Effects.AddressTaken)
      forgetParameters(*Each);
    for (const CallExpr *Each : Effects.Calls)
      noteCall(*Each);
    for (const VarDecl *Each : Effects.Variables)
      declare(*Each);
    for (const CXXRecordDecl *Each : Effects.Classes)
      noteClass(*Each);
    SeenLambdas.insert_range(Effects.Lambdas);
  }

  /// False when lambdas are called that stand in code that was not scanned.
  bool hasSeenLambdas() const {
    return llvm::all_of(CalledLambdas, [&](const FunctionDecl *Each) {
      return SeenLambdas.contains(Each);
    });
  }

  /// What library code calls, by the name of an overload or as a template's
  /// argument, is used and nothing of the user's names it.
  void noteUnnamed(const FunctionDecl &Function) {
    enter(Result.Globals);
    // Destructors, overrides and operator new run without being named.
    const FunctionDecl *Pattern = Function.getTemplateInstantiationPattern();
    if (isa<CXXMethodDecl>(Function) && !Function.isDeleted() &&
        !Function.getDefinition() && !(Pattern && Pattern->isDefined()))
      noteUse(Function);
    if (hasKnownCallers(Function) && Function.isUsed(false) &&
        !Named.contains(Function.getCanonicalDecl())) {
      noteUse(Function);
      forgetParameters(Function);
    }
  }

private:
  void enter(FunctionFacts &Function) {
    Into = &Function;
    Done.clear();
  }

  void add(const std::string &Place, QualType Type,
           std::optional<std::int64_t> Number, std::string From = {}) {
    Into->Stores.push_back(
        {.Place = Place,
         .Bits = Type->isBooleanType()
                     ? 1
                     : static_cast<unsigned>(Context.getTypeSize(Type)),
         .Signed = Type->isSignedIntegerOrEnumerationType(),
         .Number = Number,
         .From = std::move(From)});
  }
  void storeUnknown(const std::string &Place, QualType Type) {
    add(Place, Type, std::nullopt);
  }

  void note(const PlaceEffect &Effect) {
    const std::string Place = Places.nameOf(*Effect.To);
    const QualType Type = Effect.To->getType();
    if (Place.empty())
      return;
    switch (Effect.What) {
    case PlaceEffect::Kind::Expression:
      return store(Place, Type, *Effect.Stored);
    case PlaceEffect::Kind::Zero:
      return add(Place, Type, 0);
    case PlaceEffect::Kind::Unknown:
      return storeUnknown(Place, Type);
    case PlaceEffect::Kind::ConstReference:
      return add(Place, Type, std::nullopt, ThroughConst);
    }
  }

  void store(const std::string &Place, QualType Type, const Expr &Stored) {
    Expr::EvalResult Constant;
    if (Stored.isValueDependent() || Stored.containsErrors())
      return storeUnknown(Place, Type);
    if (Stored.EvaluateAsInt(Constant, Context) &&
        Constant.Val.getInt().getSignificantBits() <= 64)
      return add(Place, Type,
                 Constant.Val.getInt().extOrTrunc(64).getSExtValue());
    // Only a plain copy, of a value that no conversion on the way can change:
    // that into the place itself is made when the value is known.
    const Expr *Source = Stored.IgnoreParens();
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Source);
        Cast && Cast->getCastKind() == CK_IntegralCast)
      Source = Cast->getSubExpr()->IgnoreParens();
    const auto *Read = dyn_cast<ImplicitCastExpr>(Source);
    const ValueDecl *From =
        Read && Read->getCastKind() == CK_LValueToRValue
            ? namedObject(Read->getSubExpr()->IgnoreParens())
            : nullptr;
    add(Place, Type, std::nullopt, From ? Places.nameOf(*From) : std::string());
  }

  /// Something of `Type` is zeroed, or changed in ways that are not seen.
  void setAll(QualType Type, std::optional<std::int64_t> To,
              unsigned Nesting = 0) {
    const RecordDecl *Record = recordOf(Type);
    if (!Record || isInSystemHeader(*Record))
      return;
    Record = Record->getDefinition();
    if (!Record || Record->isDependentType() || Nesting > MaxNesting) {
      // What is in it, only another file knows.
      Result.Complete = false;
      return;
    }
    if (!Done.insert({Record, To.has_value()}).second)
      return;
    for (const FieldDecl *Field : Record->fields()) {
      if (const std::string &Place = Places.nameOf(*Field); !Place.empty())
        add(Place, Field->getType(), To);
      else if (!Field->getType()->isPointerType())
        setAll(Field->getType(), To, Nesting + 1);
    }
    if (const auto *Class = dyn_cast<CXXRecordDecl>(Record))
      for (const CXXBaseSpecifier &Base : Class->bases())
        setAll(Base.getType(), To, Nesting + 1);
  }

  void declare(const VarDecl &Variable) {
    if (const auto *Cleanup = Variable.getAttr<CleanupAttr>()) {
      noteUse(*Cleanup->getFunctionDecl());
      forgetParameters(*Cleanup->getFunctionDecl());
    }
    // Another name for what another variable holds.
    Result.Complete &= !Variable.hasAttr<AliasAttr>();
    if (!Variable.hasGlobalStorage())
      return;
    const Expr *Init = Variable.getInit();
    const QualType Type = Variable.getType();
    const bool IsDefined =
        Variable.isThisDeclarationADefinition() != VarDecl::DeclarationOnly;
    // Before it is initialised at run time, code may read zeros.
    const bool IsZeroed = IsDefined && (!Init || Init->isValueDependent() ||
                                        !Variable.hasConstantInitialization());
    if (const std::string Place = Places.nameOf(Variable); !Place.empty()) {
      if (IsDefined && Init)
        store(Place, Type, *Init);
      if (IsZeroed)
        add(Place, Type, 0);
      (IsDefined ? Result.Defined : Result.Declared).insert(Place);
    } else if (IsZeroed) {
      setAll(Type, 0);
    }
  }

  void noteCall(const CallExpr &Call) {
    const FunctionDecl &Callee = *Call.getDirectCallee();
    if (const TemplateArgumentList *Given =
            isInSystemHeader(Callee) ? Callee.getTemplateSpecializationArgs()
                                     : nullptr)
      noteArguments(Given->asArray());
    // Of an operator that is a method, the first argument is the object.
    if (isa<CXXMethodDecl>(Callee))
      return;
    for (unsigned I = 0; I < Callee.getNumParams() && I < Call.getNumArgs();
         ++I)
      if (const std::string Place = Places.nameOf(*Callee.getParamDecl(I));
          !Place.empty()) {
        const QualType Type = Callee.getParamDecl(I)->getType();
        store(Place, Type, *Call.getArg(I));
        store(placeAtEntry(Place), Type, *Call.getArg(I));
      }
  }

  void forgetParameters(const FunctionDecl &Function) {
    for (const ParmVarDecl *Each : Function.parameters())
      if (const std::string &Place = Places.nameOf(*Each); !Place.empty()) {
        storeUnknown(Place, Each->getType());
        storeUnknown(placeAtEntry(Place), Each->getType());
      }
  }

  void noteUse(const FunctionDecl &Callee) {
    const auto *Method = dyn_cast<CXXMethodDecl>(&Callee);
    Named.insert(Callee.getCanonicalDecl());
    if (isInSystemHeader(Callee) || Callee.getBuiltinID() ||
        Callee.isImplicit() || Callee.isDefaulted() ||
        (Method && Method->isPureVirtual()))
      return;
    // What a lambda does, the code does that it stands in.
    if (Method && Method->getParent()->isLambda())
      CalledLambdas.insert(Callee.getCanonicalDecl());
    else
      Into->Uses.insert(usrOf(Callee));
  }

  /// Library code makes, fills and copies the records that its templates are
  /// built with, in ways that no list would name all of.
  void noteType(QualType Type) {
    if (const CXXRecordDecl *Class = classOf(Type))
      noteClass(*Class);
  }

  void noteClass(const CXXRecordDecl &Class) {
    if (!SeenClasses.insert(&Class).second)
      return;
    if (isInSystemHeader(Class)) {
      if (const auto *Template =
              dyn_cast<ClassTemplateSpecializationDecl>(&Class))
        noteArguments(Template->getTemplateArgs().asArray());
      return;
    }
    const CXXRecordDecl *Definition = Class.getDefinition();
    if (!Definition)
      return;
    for (const CXXBaseSpecifier &Base : Definition->bases())
      noteType(Base.getType());
    for (const FieldDecl *Field : Definition->fields())
      noteType(Field->getType());
  }

  void noteArguments(ArrayRef<TemplateArgument> Arguments,
                     unsigned Nesting = 0) {
    for (const TemplateArgument &Each : Arguments) {
      if (Each.getKind() == TemplateArgument::Pack && Nesting < MaxNesting)
        noteArguments(Each.pack_elements(), Nesting + 1);
      if (Each.getKind() != TemplateArgument::Type)
        continue;
      if (!Each.getAsType()->isPointerType())
        overwriteAnywhere(Each.getAsType());
      noteType(Each.getAsType());
    }
  }

  /// Whichever function mentions it: the library's code may run anywhere.
  void overwriteAnywhere(QualType Type) {
    FunctionFacts *const Before = std::exchange(Into, &Result.Globals);
    const auto Saved = std::exchange(Done, {});
    setAll(Type, std::nullopt);
    Done = Saved;
    Into = Before;
  }

  const ASTContext &Context;
  ProgramPlaces &Places;
  FunctionFacts *Into = nullptr; ///< What is being scanned.
  /// Functions that the user's code names.
  llvm::SmallPtrSet<const FunctionDecl *, 32> Named;
  /// Call operators.
  llvm::SmallPtrSet<const FunctionDecl *, 8> CalledLambdas;
  llvm::SmallPtrSet<const FunctionDecl *, 8> SeenLambdas;
  llvm::SmallPtrSet<const CXXRecordDecl *, 32> SeenClasses;
  /// Records of which all has been zeroed (true) or overwritten.
  std::set<std::pair<const void *, bool>> Done;
};

} // namespace

ProgramFacts scanProgram(const ASTContext &Context,
                         const UserFunctions &Functions,
                         const UnitEffects &Effects, ProgramPlaces &Places) {
  ProgramScanner Scanner(Context, Places);
  for (const auto &[Function, Each] : Effects.Functions)
    Scanner.scanFunction(*Function, Each);
  for (const auto &[Variable, Each] : Effects.Variables)
    Scanner.scan(Each, Scanner.Result.Globals);
  for (const FunctionDecl *Each : Functions.Declarations)
    Scanner.noteUnnamed(*Each);
  Scanner.Result.Complete &= Scanner.hasSeenLambdas();
  return std::move(Scanner.Result);
}

} // namespace cudalint
