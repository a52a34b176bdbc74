//===- analyzer/launch/ProgramScan.cpp - Stores of a file -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/ProgramScan.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Index/USRGeneration.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringSwitch.h"

#include <utility>

using namespace clang;

namespace cudalint {

/// Records inside of records deeper than this are not followed.
static constexpr unsigned MaxNesting = 8;

static std::string usrOf(const Decl &D) {
  llvm::SmallString<128> Name;
  return index::generateUSRForDecl(&D, Name) ? std::string() : Name.str().str();
}

static bool isSystem(const Decl &D) {
  return isInSystemHeader(D.getASTContext(), D.getLocation());
}

static bool isFollowed(QualType Type) {
  return !Type.isNull() && !Type->isDependentType() &&
         !Type.isVolatileQualified() && Type->isIntegralOrEnumerationType() &&
         !Type->isBitIntType() &&
         !Type->isSpecificBuiltinType(BuiltinType::Int128) &&
         !Type->isSpecificBuiltinType(BuiltinType::UInt128);
}

/// Library code may call a method, an operator or a constructor with values of
/// its own; a plain function is called by its name or its address.
static bool hasKnownCallers(const FunctionDecl &Function) {
  return !isa<CXXMethodDecl>(Function) && !Function.isOverloadedOperator() &&
         !Function.isMain() && !Function.isVariadic() && !isSystem(Function);
}

/// The same for all declarations of a variable that files share, also for
/// those within functions and, of C, within namespaces.
static std::string nameOf(const VarDecl &Variable) {
  if (!Variable.hasExternalFormalLinkage() || Variable.isStaticDataMember() ||
      Variable.isStaticLocal())
    return usrOf(Variable);
  if (const auto *Label = Variable.getAttr<AsmLabelAttr>())
    return "extern " + Label->getLabel().str();
  std::string Name = Variable.getNameAsString();
  const DeclContext *Scope = Variable.getDeclContext();
  for (; !Variable.isExternC() && !Scope->isTranslationUnit();
       Scope = Scope->getParent())
    if (const auto *Space = dyn_cast<NamespaceDecl>(Scope))
      Name = Space->getNameAsString() + "::" + Name;
  return "extern " + Name;
}

std::string programPlace(const ValueDecl &Declaration) {
  if (!isFollowed(Declaration.getType()) || isSystem(Declaration))
    return {};
  if (const auto *Field = dyn_cast<FieldDecl>(&Declaration)) {
    const RecordDecl *Record = Field->getParent();
    if (Field->isBitField() || Record->isUnion() || Record->isLambda() ||
        Record->isAnonymousStructOrUnion())
      return {};
    return usrOf(*Field);
  }
  if (const auto *Parameter = dyn_cast<ParmVarDecl>(&Declaration)) {
    const auto *Function =
        dyn_cast_or_null<FunctionDecl>(Parameter->getDeclContext());
    if (!Function || !hasKnownCallers(*Function))
      return {};
    std::string Name = usrOf(*Function);
    return Name.empty()
               ? Name
               : Name + "#" +
                     std::to_string(Parameter->getFunctionScopeIndex());
  }
  const auto *Variable = dyn_cast<VarDecl>(&Declaration);
  if (!Variable || !Variable->hasGlobalStorage() ||
      isa<VarTemplateSpecializationDecl>(Variable) ||
      Variable->hasAttr<CUDADeviceAttr>() ||
      Variable->hasAttr<CUDAConstantAttr>() ||
      Variable->hasAttr<CUDASharedAttr>() ||
      Variable->hasAttr<HIPManagedAttr>())
    return {};
  return nameOf(*Variable);
}

std::string sharedName(const FunctionDecl &Function) {
  return hasKnownCallers(Function) && Function.hasExternalFormalLinkage()
             ? usrOf(Function)
             : std::string();
}

/// The member, variable or parameter that `E` names.
static const ValueDecl *namedObject(const Expr *E) {
  if (const auto *Member = dyn_cast<MemberExpr>(E))
    return Member->getMemberDecl();
  const auto *Reference = dyn_cast<DeclRefExpr>(E);
  return Reference ? Reference->getDecl() : nullptr;
}

/// The record that a pointer leads to or that an array is made of. Of the
/// `R **` that is cast to `void **`, it is none: no `R` is touched.
static const RecordDecl *recordOf(QualType Type) {
  if (Type->isPointerType() || Type->isReferenceType())
    Type = Type->getPointeeType();
  Type = QualType(Type->getBaseElementTypeUnsafe(), 0);
  return Type->getAsRecordDecl();
}

namespace {

class ProgramScanner {
public:
  explicit ProgramScanner(const ASTContext &Context) : Context(Context) {}

  ProgramFacts Result;

  void scanFunction(const FunctionDecl &Function) {
    Result.HasMain |= Function.isMain();
    enter(Result.Functions[usrOf(Function)]);
    Into->IsRoot |= Function.isMain() || !hasKnownCallers(Function) ||
                    runsUnnamed(Function);
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(&Function))
      scanInitializers(*Constructor);
    scan(Function.getBody());
  }

  void scanGlobal(const VarDecl &Variable) {
    enter(Result.Globals);
    scanVariable(Variable);
  }

  /// Methods of classes within functions and bodies of generic lambdas, which
  /// no walk over declarations meets. They may run whenever library code can
  /// call them, or a destructor that nothing names.
  void scanInner() {
    // Grows while it is worked off.
    for (std::size_t I = 0; I < Inner.size(); ++I)
      scanFunction(*Inner[I]);
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
      poisonParameters(Function);
    }
  }

private:
  static bool runsUnnamed(const FunctionDecl &Function) {
    if (Function.hasAttr<ConstructorAttr>() ||
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

  void enter(FunctionFacts &Function) {
    Into = &Function;
    Done.clear();
  }

  void scanVariable(const VarDecl &Variable) {
    noteType(Variable.getType());
    const Expr *Init = Variable.getInit();
    if (const auto *Cleanup = Variable.getAttr<CleanupAttr>()) {
      noteUse(*Cleanup->getFunctionDecl());
      poisonParameters(*Cleanup->getFunctionDecl());
    }
    // Another name for what another variable holds.
    Result.Complete &= !Variable.hasAttr<AliasAttr>();
    if (Variable.hasGlobalStorage()) {
      bool IsDefined =
          Variable.isThisDeclarationADefinition() != VarDecl::DeclarationOnly;
      // Before it is initialised at run time, code may read zeros.
      bool Zeroed = IsDefined && (!Init || Init->isValueDependent() ||
                                  !Variable.hasConstantInitialization());
      if (std::string Place = programPlace(Variable); !Place.empty()) {
        if (IsDefined && Init)
          store(Place, Variable.getType(), Init);
        if (Zeroed)
          storeNumber(Place, Variable.getType(), 0);
        (IsDefined ? Result.Defined : Result.Declared).insert(Place);
      } else if (Zeroed) {
        zero(Variable.getType());
      }
    }
    // The body of a function holds it else.
    if (!Variable.isStaticLocal())
      scan(Init);
  }

  void storeUnknown(const std::string &Place, QualType Type) {
    add(Place, Type, std::nullopt, {});
  }

  void storeNumber(const std::string &Place, QualType Type,
                   std::int64_t Number) {
    add(Place, Type, Number, {});
  }

  void add(const std::string &Place, QualType Type,
           std::optional<std::int64_t> Number, std::string From) {
    Into->Stores.push_back(
        {.Place = Place,
         .Bits = Type->isBooleanType()
                     ? 1
                     : static_cast<unsigned>(Context.getTypeSize(Type)),
         .Signed = Type->isSignedIntegerOrEnumerationType(),
         .Number = Number,
         .From = std::move(From)});
  }

  void store(const std::string &Place, QualType Type, const Expr *Stored) {
    Expr::EvalResult Constant;
    if (Stored->isValueDependent() || Stored->containsErrors())
      return storeUnknown(Place, Type);
    if (Stored->EvaluateAsInt(Constant, Context) &&
        Constant.Val.getInt().getSignificantBits() <= 64)
      return storeNumber(Place, Type,
                         Constant.Val.getInt().extOrTrunc(64).getSExtValue());
    // Only a plain copy, of a value that no conversion on the way can change:
    // that into the place itself is made when the value is known.
    const Expr *Source = Stored->IgnoreParens();
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(Source);
        Cast && Cast->getCastKind() == CK_IntegralCast)
      Source = Cast->getSubExpr()->IgnoreParens();
    const auto *Read = dyn_cast<ImplicitCastExpr>(Source);
    const ValueDecl *From =
        Read && Read->getCastKind() == CK_LValueToRValue
            ? namedObject(Read->getSubExpr()->IgnoreParens())
            : nullptr;
    std::string FromPlace = From ? programPlace(*From) : std::string();
    FromPlace.empty() ? storeUnknown(Place, Type)
                      : add(Place, Type, std::nullopt, std::move(FromPlace));
  }

  /// Something of `Type` is zeroed, or changed in ways that are not seen.
  void setAll(QualType Type, std::optional<std::int64_t> To,
              unsigned Nesting = 0) {
    const RecordDecl *Record = recordOf(Type);
    if (!Record || isSystem(*Record))
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
      if (std::string Place = programPlace(*Field); !Place.empty())
        add(Place, Field->getType(), To, {});
      else if (!Field->getType()->isPointerType())
        setAll(Field->getType(), To, Nesting + 1);
    }
    if (const auto *Class = dyn_cast<CXXRecordDecl>(Record))
      for (const CXXBaseSpecifier &Base : Class->bases())
        setAll(Base.getType(), To, Nesting + 1);
  }
  void zero(QualType Type) { setAll(Type, 0); }
  void poison(QualType Type) { setAll(Type, std::nullopt); }

  void scanInitializers(const CXXConstructorDecl &Constructor) {
    for (const CXXCtorInitializer *Each : Constructor.inits()) {
      const FieldDecl *Field = Each->getAnyMember();
      std::string Place = Field ? programPlace(*Field) : std::string();
      if (!Place.empty())
        store(Place, Field->getType(), Each->getInit());
      scan(Each->getInit());
    }
  }

  void scan(const Stmt *Root) {
    forEachStatement(Root, [&](const Stmt &S) { visit(S); });
  }

  /// Code that stands elsewhere and runs here: once for each function.
  void scanElsewhere(const Expr *E) {
    if (E && Done.insert({E, false}).second)
      scan(E);
  }

  void visit(const Stmt &S) {
    if (const auto *E = dyn_cast<Expr>(&S))
      noteType(E->getType());
    noteLeakedAssignments(S);
    if (const auto *Cast = dyn_cast<CastExpr>(&S))
      visitCast(*Cast);
    else if (const auto *Binary = dyn_cast<BinaryOperator>(&S))
      visitBinary(*Binary);
    else if (isa<CallExpr>(S))
      visitCall(cast<CallExpr>(S));
    else if (const auto *List = dyn_cast<InitListExpr>(&S))
      visitInitList(*List);
    else if (isa<CXXParenListInitExpr, DesignatedInitUpdateExpr>(S))
      poison(cast<Expr>(S).getType());
    else if (const auto *Declaration = dyn_cast<DeclStmt>(&S))
      visitDeclaration(*Declaration);
    else if (const auto *Construct = dyn_cast<CXXConstructExpr>(&S))
      visitConstruct(*Construct);
    else if (const auto *Argument = dyn_cast<CXXDefaultArgExpr>(&S))
      scanElsewhere(Argument->getExpr());
    else if (const auto *Initial = dyn_cast<CXXDefaultInitExpr>(&S))
      scanElsewhere(Initial->getExpr());
    else if (const auto *Lambda = dyn_cast<LambdaExpr>(&S))
      visitLambda(*Lambda);
    else if (const auto *Zero = dyn_cast<ImplicitValueInitExpr>(&S))
      zero(Zero->getType());
    else if (isa<MemberExpr, DeclRefExpr>(S))
      visitUse(cast<Expr>(S));
  }

  void visitConstruct(const CXXConstructExpr &Construct) {
    noteUse(*Construct.getConstructor());
    if (Construct.requiresZeroInitialization())
      zero(Construct.getType());
  }

  /// Library code makes, fills and copies the records that its templates are
  /// built with, in ways that no list would name all of.
  void noteType(QualType Type) {
    if (Type.isNull() || !SeenTypes.insert(Type.getTypePtr()).second)
      return;
    while (Type->isPointerType() || Type->isReferenceType())
      Type = Type->getPointeeType();
    Type = QualType(Type->getBaseElementTypeUnsafe(), 0);
    const CXXRecordDecl *Record = Type->getAsCXXRecordDecl();
    if (!Record || !SeenRecords.insert(Record->getCanonicalDecl()).second)
      return;
    if (isSystem(*Record)) {
      if (const auto *Template =
              dyn_cast<ClassTemplateSpecializationDecl>(Record))
        noteArguments(Template->getTemplateArgs().asArray());
      return;
    }
    Record = Record->getDefinition();
    if (!Record)
      return;
    for (const CXXBaseSpecifier &Base : Record->bases())
      noteType(Base.getType());
    for (const FieldDecl *Field : Record->fields())
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
        poisonOnce(Each.getAsType());
      noteType(Each.getAsType());
    }
  }
  void poisonOnce(QualType Type) {
    // Whichever function mentions it: the library's code may run anywhere.
    FunctionFacts *const Before = std::exchange(Into, &Result.Globals);
    const auto Saved = std::exchange(Done, {});
    poison(Type);
    Done = Saved;
    Into = Before;
  }

  void visitLambda(const LambdaExpr &Lambda) {
    const FunctionTemplateDecl *Generic = Lambda.getDependentCallOperator();
    if (!Generic)
      return;
    for (const FunctionDecl *Each : Generic->specializations())
      addInner(Each);
  }

  void addInner(const FunctionDecl *Function) {
    const FunctionDecl *Definition = Function->getDefinition();
    if (Definition && Definition->getBody() &&
        !Definition->isDependentContext() && Seen.insert(Definition).second)
      Inner.push_back(Definition);
  }

  void addInnerRecord(const CXXRecordDecl &Record) {
    for (const Decl *Each : Record.decls()) {
      if (const auto *Method = dyn_cast<FunctionDecl>(Each))
        addInner(Method);
      else if (const auto *Template = dyn_cast<FunctionTemplateDecl>(Each))
        for (const FunctionDecl *Instance : Template->specializations())
          addInner(Instance);
      else if (const auto *Nested = dyn_cast<CXXRecordDecl>(Each);
               Nested && !Nested->isInjectedClassName())
        addInnerRecord(*Nested);
    }
  }

  /// A place that is not read, assigned or part of a longer name is out of
  /// sight from here on.
  void visitUse(const Expr &E) {
    const ValueDecl *Object = namedObject(&E);
    if (const auto *Function = dyn_cast<FunctionDecl>(Object)) {
      noteUse(*Function);
      if (!Understood.contains(&E))
        poisonParameters(*Function);
      return;
    }
    const auto *Field = dyn_cast<FieldDecl>(Object);
    // Other members of a union share its bytes; a pointer to a member leads to
    // the whole member.
    if (Field && (Field->getParent()->isUnion() || isa<DeclRefExpr>(E)))
      poison(Field->getType());
    if (Understood.contains(&E))
      return;
    if (std::string Place = programPlace(*Object); !Place.empty())
      storeUnknown(Place, Object->getType());
  }

  void poisonParameters(const FunctionDecl &Function) {
    for (const ParmVarDecl *Each : Function.parameters())
      if (std::string Place = programPlace(*Each); !Place.empty()) {
        storeUnknown(Place, Each->getType());
        storeUnknown(placeAtEntry(Place), Each->getType());
      }
  }

  void understand(const Expr *E) { Understood.insert(withoutNoOpCasts(E)); }

  void visitCast(const CastExpr &Cast) {
    const Expr *From = Cast.getSubExpr();
    switch (Cast.getCastKind()) {
    case CK_LValueToRValue:
      return understand(From);
    case CK_NoOp:
      if (removesConst(Cast))
        return storeThroughConst();
      if (Cast.isGLValue() && Cast.getType().isConstQualified() &&
          isa<ImplicitCastExpr>(Cast))
        noteConstReference(From);
      return;
    case CK_PointerToIntegral:
      return poison(From->getType());
    case CK_IntegralToPointer:
      if (recordOf(Cast.getType()))
        poison(Cast.getType());
      return;
    case CK_LValueToRValueBitCast:
      return poison(Cast.getType());
    case CK_BitCast:
    case CK_LValueBitCast:
    case CK_AddressSpaceConversion:
      return visitPointerCast(Cast);
    default:
      return;
    }
  }

  /// A reference to const is no store, unless a cast takes the const away,
  /// here or in another file.
  void noteConstReference(const Expr *To) {
    To = withoutNoOpCasts(To);
    Understood.insert(To);
    const ValueDecl *Object = namedObject(To);
    std::string Place = Object ? programPlace(*Object) : std::string();
    if (!Place.empty())
      add(Place, Object->getType(), std::nullopt, ThroughConst);
  }
  void storeThroughConst() {
    storeUnknown(ThroughConst, Context.UnsignedLongTy);
  }

  /// A cast of the user's from const to what can be written.
  static bool removesConst(const CastExpr &Cast) {
    const Expr *From = Cast.getSubExpr();
    if (Cast.isGLValue())
      return From->getType().isConstQualified() &&
             !Cast.getType().isConstQualified();
    QualType Before = From->getType()->getPointeeType();
    QualType After = Cast.getType()->getPointeeType();
    return !Before.isNull() && !After.isNull() && !Before->isFunctionType() &&
           !recordOf(Before) && Before.isConstQualified() &&
           !After.isConstQualified();
  }

  /// Memory that is seen as something else, too.
  void visitPointerCast(const CastExpr &Cast) {
    if (removesConst(Cast))
      storeThroughConst();
    if (Understood.contains(&Cast))
      return;
    QualType From = Cast.getSubExpr()->getType(), To = Cast.getType();
    bool ReadOnly =
        To->isPointerType() && To->getPointeeType().isConstQualified();
    if (!ReadOnly)
      poison(From);
    if (recordOf(To) && !isFresh(Cast.getSubExpr(), To))
      poison(To);
  }

  static StringRef libraryCallee(const Expr *E) {
    const auto *Call = dyn_cast<CallExpr>(E->IgnoreParenImpCasts());
    const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
    return Callee && Callee->getIdentifier() &&
                   (isSystem(*Callee) || Callee->getBuiltinID())
               ? Callee->getName()
               : StringRef();
  }

  /// What the C library has allocated holds nothing yet, or zeros.
  bool isFresh(const Expr *E, QualType As) {
    StringRef Name = libraryCallee(E);
    if (Name == "calloc")
      zero(As);
    return llvm::StringSwitch<bool>(Name)
        .Cases({"malloc", "calloc", "aligned_alloc"}, true)
        .Default(false);
  }

  void visitBinary(const BinaryOperator &Binary) {
    if (!Binary.isAssignmentOp())
      return;
    const Expr *To = Binary.getLHS()->IgnoreParens();
    const ValueDecl *Object = namedObject(To);
    std::string Place = Object ? programPlace(*Object) : std::string();
    if (Place.empty() || Binary.isCompoundAssignmentOp() ||
        Leaked.contains(&Binary))
      return;
    Understood.insert(To);
    store(Place, Object->getType(), Binary.getRHS());
  }

  /// `(a = 64)++`, `int &R = (a = 64);`: an assignment is an lvalue, and what
  /// is made of it there is not followed. Parents come before their children.
  void noteLeakedAssignments(const Stmt &Parent) {
    if (const auto *Cast = dyn_cast<CastExpr>(&Parent);
        (Cast && Cast->getCastKind() == CK_LValueToRValue) ||
        !isa<Expr, ReturnStmt, DeclStmt>(Parent))
      return;
    const auto *Comma = dyn_cast<BinaryOperator>(&Parent);
    // What a full expression or the left of a comma gives is dropped, unless
    // their own parent takes it.
    if ((isa<ParenExpr, ExprWithCleanups>(Parent) ||
         (Comma && Comma->getOpcode() == BO_Comma)) &&
        !Leaked.contains(cast<Expr>(&Parent)))
      return;
    for (const Stmt *Child : Parent.children())
      if (const auto *E = dyn_cast_or_null<Expr>(Child); E && E->isLValue())
        Leaked.insert(E);
  }

  void visitInitList(const InitListExpr &Written) {
    const InitListExpr &List =
        Written.isSemanticForm() || !Written.getSemanticForm()
            ? Written
            : *Written.getSemanticForm();
    // Of the elements that are not written out: not among the children.
    if (List.hasArrayFiller())
      scanElsewhere(List.getArrayFiller());
    const RecordDecl *Record = List.getType()->getAsRecordDecl();
    if (!Record || Record->isUnion() || isSystem(*Record))
      return;
    unsigned I = 0;
    if (const auto *Class = dyn_cast<CXXRecordDecl>(Record))
      I = Class->getNumBases();
    for (const FieldDecl *Field : Record->fields()) {
      if (Field->isUnnamedBitField())
        continue;
      std::string Place = programPlace(*Field);
      if (!Place.empty())
        I < List.getNumInits() ? store(Place, Field->getType(), List.getInit(I))
                               : storeNumber(Place, Field->getType(), 0);
      ++I;
    }
  }

  void visitDeclaration(const DeclStmt &Statement) {
    for (const Decl *Each : Statement.decls()) {
      if (const auto *Parts = dyn_cast<DecompositionDecl>(Each))
        poison(Parts->getType());
      if (const auto *Variable = dyn_cast<VarDecl>(Each))
        scanVariable(*Variable);
      if (const auto *Record = dyn_cast<CXXRecordDecl>(Each))
        addInnerRecord(*Record);
    }
  }

  void visitCall(const CallExpr &Call) {
    const FunctionDecl *Callee = Call.getDirectCallee();
    if (!Callee)
      return;
    Understood.insert(Call.getCallee()->IgnoreParenImpCasts());
    noteUse(*Callee);
    StringRef Name = Callee->getIdentifier() ? Callee->getName() : StringRef();
    if (isSystem(*Callee) || Callee->getBuiltinID())
      visitLibraryCall(Call, Name);
    // Of an operator that is a method, the first argument is the object.
    if (isa<CXXMethodDecl>(Callee))
      return;
    for (unsigned I = 0; I < Callee->getNumParams() && I < Call.getNumArgs();
         ++I)
      if (std::string Place = programPlace(*Callee->getParamDecl(I));
          !Place.empty()) {
        QualType Type = Callee->getParamDecl(I)->getType();
        store(Place, Type, Call.getArg(I));
        store(placeAtEntry(Place), Type, Call.getArg(I));
      }
  }

  void noteUse(const FunctionDecl &Callee) {
    const auto *Method = dyn_cast<CXXMethodDecl>(&Callee);
    Named.insert(Callee.getCanonicalDecl());
    if (isSystem(Callee) || Callee.getBuiltinID() || Callee.isImplicit() ||
        Callee.isDefaulted() || (Method && Method->isPureVirtual()))
      return;
    Into->Uses.insert(usrOf(Callee));
  }

  /// Copies of whole objects, and the end of their memory, store nothing new.
  void visitLibraryCall(const CallExpr &Call, StringRef Name) {
    if (const TemplateArgumentList *Given =
            Call.getDirectCallee()->getTemplateSpecializationArgs())
      noteArguments(Given->asArray());
    if (llvm::StringSwitch<bool>(Name)
            .Cases({"free", "cudaFree", "cudaFreeHost"}, true)
            .Default(false)) {
      for (const Expr *Each : Call.arguments())
        understandCast(Each);
      return;
    }
    if (!llvm::StringSwitch<bool>(Name)
             .Cases({"memcpy", "memmove", "__builtin_memcpy", "cudaMemcpy",
                     "cudaMemcpyAsync"},
                    true)
             .Default(false) ||
        Call.getNumArgs() < 3)
      return;
    const Expr *To = Call.getArg(0)->IgnoreParenCasts();
    const Expr *From = Call.getArg(1)->IgnoreParenCasts();
    const RecordDecl *Record = recordOf(To->getType());
    if (Record && Record == recordOf(From->getType())) {
      understandCast(Call.getArg(0));
      understandCast(Call.getArg(1));
    }
  }

  void understandCast(const Expr *E) {
    E = E->IgnoreParens();
    for (const auto *Cast = dyn_cast<CastExpr>(E); Cast;
         Cast = dyn_cast<CastExpr>(Cast->getSubExpr()->IgnoreParens()))
      Understood.insert(Cast);
  }

  /// The place that stands for all that a reference to const may lead to.
  static constexpr char ThroughConst[] = "a reference to const";

  const ASTContext &Context;
  FunctionFacts *Into = nullptr; ///< What is being scanned.
  std::vector<const FunctionDecl *> Inner;
  llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;
  /// Functions that the user's code names.
  llvm::SmallPtrSet<const FunctionDecl *, 32> Named;
  /// Expressions that their parents have dealt with.
  llvm::SmallPtrSet<const Expr *, 32> Understood;
  llvm::SmallPtrSet<const Expr *, 32> Leaked; ///< Lvalues that are kept.
  llvm::SmallPtrSet<const Type *, 32> SeenTypes;
  llvm::SmallPtrSet<const CXXRecordDecl *, 32> SeenRecords;
  std::set<std::pair<const void *, bool>> Done;
};

} // namespace

/// The syntax tree is the device's: what a host function does behind
/// `#ifndef __CUDA_ARCH__` is not in it.
static bool differsOnHost(const ASTContext &Context) {
  const SourceManager &Sources = Context.getSourceManager();
  for (auto It = Sources.fileinfo_begin(); It != Sources.fileinfo_end(); ++It) {
    const FileID File = Sources.translateFile(It->first);
    if (File.isInvalid() ||
        Sources.isInSystemHeader(Sources.getLocForStartOfFile(File)))
      continue;
    if (Sources.getBufferData(File).contains("__CUDA_ARCH__"))
      return true;
  }
  return false;
}

ProgramFacts scanProgram(const ASTContext &Context,
                         const UserFunctions &Functions) {
  ProgramScanner Scanner(Context);
  Scanner.Result.Complete =
      !Context.getDiagnostics().hasErrorOccurred() && !differsOnHost(Context);
  for (const FunctionDecl *Each : Functions.Definitions)
    Scanner.scanFunction(*Each);
  for (const VarDecl *Each : Functions.Variables)
    Scanner.scanGlobal(*Each);
  Scanner.scanInner();
  for (const FunctionDecl *Each : Functions.Declarations)
    Scanner.noteUnnamed(*Each);
  return std::move(Scanner.Result);
}

} // namespace cudalint
