//===- analyzer/frontend/SourceFacts.cpp - What the user wrote --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/SourceFacts.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"

using namespace clang;

namespace cudalint {

/// Longer lvalues are cut in the middle of nowhere useful to a message.
static constexpr std::size_t LongestText = 60;

namespace {

/// Makes facts out of expressions; knows nothing of where they stand.
class FactMaker {
public:
  explicit FactMaker(ASTContext &Context)
      : Context(Context), Sources(Context.getSourceManager()) {}

  Location locate(SourceLocation Where) const;
  /// `Alike` is written the same, so its text is taken.
  AccessFact describe(const Expr *LValue, const AccessFact *Alike) const;
  std::string textOf(const Expr *E) const;

private:
  EditPoint editPoint(SourceLocation Where) const;
  std::optional<FieldFact> describeField(const Expr *LValue) const;
  EditPoint alignPoint(const RecordDecl *Record) const;
  std::optional<ArrayFact> describeArray(const DeclaratorDecl *Variable) const;
  EditPoint padPoint(const DeclaratorDecl *Variable) const;

  ASTContext &Context;
  const SourceManager &Sources;
};

} // namespace

/// As debug information does: a macro's expansion stands for its contents, an
/// argument of a macro for itself.
Location FactMaker::locate(SourceLocation Where) const {
  PresumedLoc Place = Sources.getPresumedLoc(Sources.getFileLoc(Where));
  if (Place.isInvalid())
    return {};
  return {.File = Place.getFilename(),
          .Line = Place.getLine(),
          .Column = Place.getColumn()};
}

EditPoint FactMaker::editPoint(SourceLocation Where) const {
  if (Where.isInvalid() || Where.isMacroID() ||
      Sources.isInSystemHeader(Where) ||
      !Sources.isWrittenInSameFile(Where, Where))
    return {};
  OptionalFileEntryRef File =
      Sources.getFileEntryRefForID(Sources.getFileID(Where));
  if (!File)
    return {};
  return {.File = File->getName().str(),
          .Offset = Sources.getFileOffset(Where)};
}

std::string FactMaker::textOf(const Expr *E) const {
  CharSourceRange Range = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(E->getSourceRange()), Sources,
      Context.getLangOpts());
  std::string Raw;
  if (Range.isValid()) {
    Raw = Lexer::getSourceText(Range, Sources, Context.getLangOpts()).str();
  } else {
    llvm::raw_string_ostream Stream(Raw);
    E->printPretty(Stream, nullptr, Context.getPrintingPolicy());
  }
  std::string Text;
  for (char C : Raw) {
    bool Space = isWhitespace(C);
    if (!Space || (!Text.empty() && Text.back() != ' '))
      Text += Space ? ' ' : C;
  }
  if (Text.size() > LongestText) {
    Text.resize(LongestText - 3);
    Text += "...";
  }
  return Text;
}

/// The expression that a chain of subscripts, members and dereferences starts
/// from.
static const Expr *baseOf(const Expr *E) {
  for (;;) {
    E = E->IgnoreParenImpCasts();
    if (const auto *S = dyn_cast<ArraySubscriptExpr>(E))
      E = S->getBase();
    else if (const auto *M = dyn_cast<MemberExpr>(E);
             M && !isa<CXXThisExpr>(M->getBase()->IgnoreParenImpCasts()))
      E = M->getBase();
    else if (const auto *U = dyn_cast<UnaryOperator>(E);
             U && (U->getOpcode() == UO_Deref || U->getOpcode() == UO_AddrOf))
      E = U->getSubExpr();
    else if (const auto *B = dyn_cast<BinaryOperator>(E);
             B && B->isAdditiveOp() && B->getType()->isPointerType())
      E = B->getLHS()->getType()->isPointerType() ? B->getLHS() : B->getRHS();
    else if (const auto *C = dyn_cast<ExplicitCastExpr>(E))
      E = C->getSubExpr();
    else
      return E;
  }
}

EditPoint FactMaker::alignPoint(const RecordDecl *Record) const {
  // An alignment of the user's own choice, or a layout that must not change.
  if (Record->hasAttr<AlignedAttr>() || Record->hasAttr<PackedAttr>() ||
      Record->isUnion() || Record->getQualifier())
    return {};
  // `struct vec3d {`: in front of the name; `typedef struct {`: of the brace.
  SourceLocation Where = Record->getIdentifier()
                             ? Record->getLocation()
                             : Record->getBraceRange().getBegin();
  return editPoint(Where);
}

std::optional<FieldFact> FactMaker::describeField(const Expr *LValue) const {
  // From the accessed value outwards to the struct that the array consists of.
  std::vector<const FieldDecl *> Path;
  const Expr *E = LValue->IgnoreParenImpCasts();
  const RecordDecl *Record = nullptr;
  for (;;) {
    if (const auto *M = dyn_cast<MemberExpr>(E)) {
      const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
      if (!F)
        return std::nullopt;
      Path.insert(Path.begin(), F);
      Record = F->getParent();
      if (M->isArrow())
        break;
      E = M->getBase()->IgnoreParenImpCasts();
    } else if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
      const Expr *Base = S->getBase()->IgnoreParenImpCasts();
      const auto *M = dyn_cast<MemberExpr>(Base);
      // `data[i].a[k]` is inside the struct, `data[i].p[k]` is elsewhere.
      if (!M || !M->getType()->isArrayType())
        break;
      E = Base;
    } else {
      break;
    }
  }
  if (!Record || Record->isInvalidDecl() || Record->isDependentType())
    return std::nullopt;
  // A plain variable: `s.x` is no element of an array.
  if (isa<DeclRefExpr>(E) &&
      !cast<DeclRefExpr>(E)->getType()->isReferenceType())
    if (const auto *V = dyn_cast<VarDecl>(cast<DeclRefExpr>(E)->getDecl());
        V && !V->getType()->isReferenceType())
      return std::nullopt;

  Record = Record->getDefinition();
  QualType Type = Context.getCanonicalTagType(Record);
  FieldFact Fact;
  if (const TypedefNameDecl *Name = Record->getTypedefNameForAnonDecl())
    Fact.Struct = Name->getNameAsString();
  else
    Fact.Struct = Record->getNameAsString();
  Fact.StructBytes = Context.getTypeSizeInChars(Type).getQuantity();
  Fact.StructAlign = Context.getTypeAlignInChars(Type).getQuantity();
  for (const FieldDecl *F : Path) {
    if (!Fact.Field.empty() && !F->getName().empty())
      Fact.Field += '.';
    Fact.Field += F->getName();
    Fact.FieldOffset += Context.getFieldOffset(F) / Context.getCharWidth();
  }
  Fact.FieldBytes =
      Context.getTypeSizeInChars(Path.back()->getType()).getQuantity();
  Fact.StructWhere = locate(Record->getLocation());
  Fact.AlignPoint = alignPoint(Record);
  return Fact;
}

/// Whether ` + 1` behind the expression adds to all of it.
static bool bindsTighterThanPlus(const Expr *E) {
  E = E->IgnoreImpCasts();
  if (const auto *S = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
    return bindsTighterThanPlus(S->getReplacement());
  if (const auto *C = dyn_cast<ConstantExpr>(E))
    return bindsTighterThanPlus(C->getSubExpr());
  if (const auto *B = dyn_cast<BinaryOperator>(E))
    return B->isAdditiveOp() || B->isMultiplicativeOp();
  return !isa<AbstractConditionalOperator>(E);
}

EditPoint FactMaker::padPoint(const DeclaratorDecl *Variable) const {
  const TypeSourceInfo *Info = Variable->getTypeSourceInfo();
  if (!Info)
    return {};
  ArrayTypeLoc Innermost;
  for (TypeLoc T = Info->getTypeLoc().getUnqualifiedLoc();;) {
    ArrayTypeLoc Array = T.getAs<ArrayTypeLoc>();
    if (!Array)
      break;
    Innermost = Array;
    T = Array.getElementLoc().getUnqualifiedLoc();
  }
  // A dimension that a typedef brings cannot be padded here.
  if (!Innermost || !Innermost.getSizeExpr() ||
      Innermost.getTypePtr()->getElementType()->isArrayType() ||
      !bindsTighterThanPlus(Innermost.getSizeExpr()))
    return {};
  EditPoint Point = editPoint(Innermost.getRBracketLoc());
  if (Point.File.empty())
    return {};
  bool Invalid = false;
  StringRef Text = Sources.getBufferData(
      Sources.getFileID(Innermost.getRBracketLoc()), &Invalid);
  if (Invalid)
    return {};
  while (Point.Offset != 0 && isWhitespace(Text[Point.Offset - 1]))
    --Point.Offset;
  return Point;
}

std::optional<ArrayFact>
FactMaker::describeArray(const DeclaratorDecl *Variable) const {
  QualType Type = Variable->getType();
  if (!Type->isArrayType() || Type->isDependentType())
    return std::nullopt;
  ArrayFact Fact;
  while (const ArrayType *Array = Context.getAsArrayType(Type)) {
    const auto *Constant = dyn_cast<ConstantArrayType>(Array);
    Fact.Dimensions.push_back(Constant ? Constant->getSize().getZExtValue()
                                       : 0);
    Type = Array->getElementType();
  }
  Fact.ElementBytes = Context.getTypeSizeInChars(Type).getQuantity();
  Fact.Where = locate(Variable->getLocation());
  Fact.PadPoint = padPoint(Variable);
  return Fact;
}

/// The variable or field whose declared array the accessed element belongs to;
/// null where a pointer stands between them, which may point anywhere.
static const ValueDecl *arrayOf(const Expr *E) {
  for (;;) {
    E = E->IgnoreParens();
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(E)) {
      if (Cast->getCastKind() != CK_ArrayToPointerDecay &&
          Cast->getCastKind() != CK_NoOp)
        return nullptr;
      E = Cast->getSubExpr();
    } else if (const auto *S = dyn_cast<ArraySubscriptExpr>(E)) {
      E = S->getBase();
    } else if (const auto *U = dyn_cast<UnaryOperator>(E);
               U &&
               (U->getOpcode() == UO_Deref || U->getOpcode() == UO_AddrOf)) {
      E = U->getSubExpr();
    } else if (const auto *B = dyn_cast<BinaryOperator>(E);
               B && B->isAdditiveOp() && B->getType()->isPointerType()) {
      E = B->getLHS()->getType()->isPointerType() ? B->getLHS() : B->getRHS();
    } else if (const auto *M = dyn_cast<MemberExpr>(E)) {
      if (M->getType()->isArrayType())
        return M->getMemberDecl();
      if (M->isArrow())
        return nullptr;
      E = M->getBase();
    } else if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
      return D->getDecl();
    } else {
      return nullptr;
    }
  }
}

AccessFact FactMaker::describe(const Expr *LValue,
                               const AccessFact *Alike) const {
  AccessFact Fact;
  Fact.Text = Alike ? Alike->Text : textOf(LValue);
  const Expr *Base = baseOf(LValue);
  if (const auto *D = dyn_cast<DeclRefExpr>(Base))
    Fact.Object = D->getDecl()->getNameAsString();
  else if (const auto *M = dyn_cast<MemberExpr>(Base))
    Fact.Object = M->getMemberDecl()->getNameAsString();
  Fact.Field = describeField(LValue);
  if (const auto *Array = dyn_cast_or_null<DeclaratorDecl>(arrayOf(LValue)))
    Fact.Array = describeArray(Array);
  return Fact;
}

namespace {

/// Files every memory lvalue of a device-side body under the places that the
/// code generator gives to its loads and stores.
class AccessCollector : public RecursiveASTVisitor<AccessCollector> {
public:
  explicit AccessCollector(ASTContext &Context)
      : Context(Context), Maker(Context) {}

  bool shouldVisitImplicitCode() const { return true; }

  void collect(const FunctionDecl *Function) {
    Current = Function;
    TraverseStmt(Function->getBody());
  }
  SourceFacts takeFacts() {
    SourceFacts Facts;
    flatten(Loads, Facts.Loads, Facts.LoadVariants);
    flatten(Stores, Facts.Stores, Facts.StoreVariants);
    return Facts;
  }

  /// A lambda's body is a function of its own; what it captures is not.
  bool TraverseLambdaExpr(LambdaExpr *L) {
    for (Expr *Capture : L->capture_inits())
      TraverseStmt(Capture);
    return true;
  }

  /// An outer expression is seen first and keeps its place: of `s.p[i]`, whose
  /// two loads share one, it is the element that matters, not the pointer.
  bool VisitExpr(Expr *E) {
    add(Loads, E->getExprLoc(), E);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *B) {
    if (B->isAssignmentOp())
      add(Stores, B->getOperatorLoc(), B->getLHS());
    if (B->isCompoundAssignmentOp())
      add(Loads, B->getOperatorLoc(), B->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *U) {
    if (!U->isIncrementDecrementOp())
      return true;
    add(Stores, U->getOperatorLoc(), U->getSubExpr());
    add(Loads, U->getOperatorLoc(), U->getSubExpr());
    return true;
  }
  /// `atomicAdd(&a[i], 1)`, `__ldg(p + i)`: the access happens inside and is
  /// attributed to the call. The assignment of a struct is a call as well.
  bool VisitCallExpr(CallExpr *C) {
    if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(C)) {
      if (Operator->isAssignmentOp()) {
        add(Stores, C->getExprLoc(), Operator->getArg(0));
        add(Loads, C->getExprLoc(), Operator->getArg(1));
      }
      return true;
    }
    for (const Expr *Argument : C->arguments()) {
      const Expr *Pointer = Argument->IgnoreParenCasts();
      if (!Pointer->getType()->isPointerType() &&
          !Pointer->getType()->isArrayType())
        continue;
      if (const auto *U = dyn_cast<UnaryOperator>(Pointer);
          U && U->getOpcode() == UO_AddrOf)
        Pointer = U->getSubExpr();
      addPointee(C->getExprLoc(), Pointer);
    }
    return true;
  }

private:
  struct Variant {
    const FunctionDecl *Function;
    AccessFact Fact;
  };
  /// By a place in a file, as flatten() will name it.
  using Places = llvm::DenseMap<SourceLocation, llvm::SmallVector<Variant, 1>>;

  bool isUsers(const Decl *D) const {
    return !Context.getSourceManager().isInSystemHeader(D->getLocation());
  }
  bool isMemory(const Expr *E) const {
    if (!E->isLValue())
      return false;
    if (const auto *U = dyn_cast<UnaryOperator>(E))
      return U->getOpcode() == UO_Deref;
    if (const auto *D = dyn_cast<DeclRefExpr>(E)) {
      const auto *V = dyn_cast<VarDecl>(D->getDecl());
      if (!V)
        return false;
      // threadIdx and its like are device variables to Clang.
      return V->getType()->isReferenceType() ||
             (isUsers(V) &&
              (V->hasAttr<CUDASharedAttr>() || V->hasAttr<CUDADeviceAttr>() ||
               V->hasAttr<CUDAConstantAttr>()));
    }
    return isa<ArraySubscriptExpr>(E) ||
           (isa<MemberExpr>(E) &&
            isa<FieldDecl>(cast<MemberExpr>(E)->getMemberDecl()));
  }

  void add(Places &To, SourceLocation Where, const Expr *E) {
    E = E->IgnoreParenImpCasts();
    if (isMemory(E))
      record(To, Where, E);
  }
  void addPointee(SourceLocation Call, const Expr *E) {
    record(Loads, Call, E);
    record(Stores, Call, E);
  }
  void record(Places &To, SourceLocation Where, const Expr *E) {
    const SourceManager &Sources = Context.getSourceManager();
    llvm::SmallVector<Variant, 1> &Here = To[Sources.getFileLoc(Where)];
    if (Here.empty() || Here.back().Function != Current) {
      // All instantiations of a template are written alike.
      Here.push_back(
          {Current,
           Maker.describe(E, Here.empty() ? nullptr : &Here.front().Fact)});
      return;
    }
    // One place for all that a macro's definition accesses: better nothing than
    // the wrong variable.
    if (Where.isMacroID() && !Sources.isMacroArgExpansion(Where) &&
        Maker.textOf(E) != Here.back().Fact.Text)
      Here.back().Fact = {};
  }

  void flatten(Places &From, std::map<Location, AccessFact> &To,
               SourceFacts::Variants &Differing) {
    ASTNameGenerator Names(Context);
    for (auto &[Place, Variants] : From) {
      const Location Where = Maker.locate(Place);
      const AccessFact &First = Variants.front().Fact;
      AccessFact Common = First;
      for (const Variant &V : Variants) {
        if (V.Fact.Array != First.Array)
          Common.Array.reset();
        if (V.Fact.Field != First.Field)
          Common.Field.reset();
      }
      if (Common != First)
        for (const Variant &V : Variants)
          Differing.emplace(std::pair(Where, Names.getName(V.Function)),
                            V.Fact);
      // A header may be included twice, and mean something else each time.
      auto [Known, New] = To.emplace(Where, Common);
      if (!New && Known->second != Common)
        Known->second = {};
    }
  }

  ASTContext &Context;
  FactMaker Maker;
  const FunctionDecl *Current = nullptr;
  Places Loads;
  Places Stores;
};

/// Finds the device-side bodies of the user's own code.
class BodyFinder : public RecursiveASTVisitor<BodyFinder> {
public:
  explicit BodyFinder(AccessCollector &Accesses) : Accesses(Accesses) {}

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool VisitFunctionDecl(FunctionDecl *F) {
    collect(F);
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *L) {
    if (FunctionTemplateDecl *Generic = L->getDependentCallOperator())
      for (FunctionDecl *Instance : Generic->specializations())
        collect(Instance);
    else
      collect(L->getCallOperator());
    return true;
  }

private:
  void collect(FunctionDecl *F) {
    if (!F->isDependentContext() && F->doesThisDeclarationHaveABody() &&
        (F->hasAttr<CUDAGlobalAttr>() || F->hasAttr<CUDADeviceAttr>()) &&
        Seen.insert(F).second)
      Accesses.collect(F);
  }

  AccessCollector &Accesses;
  llvm::DenseSet<const FunctionDecl *> Seen;
};

} // namespace

static const AccessFact *find(const std::map<Location, AccessFact> &Facts,
                              const SourceFacts::Variants &Variants,
                              const Location &Where,
                              const std::string &Function) {
  if (auto V = Variants.find({Where, Function}); V != Variants.end())
    return &V->second;
  auto F = Facts.find(Where);
  return F == Facts.end() ? nullptr : &F->second;
}

const AccessFact *SourceFacts::findLoad(const Location &Where,
                                        const std::string &Function) const {
  return find(Loads, LoadVariants, Where, Function);
}

const AccessFact *SourceFacts::findStore(const Location &Where,
                                         const std::string &Function) const {
  return find(Stores, StoreVariants, Where, Function);
}

SourceFacts collectSourceFacts(ASTContext &Context) {
  AccessCollector Accesses(Context);
  BodyFinder Bodies(Accesses);
  const SourceManager &Sources = Context.getSourceManager();
  for (Decl *D : Context.getTranslationUnitDecl()->decls())
    if (D->getLocation().isValid() &&
        !Sources.isInSystemHeader(D->getLocation()))
      Bodies.TraverseDecl(D);
  return Accesses.takeFacts();
}

} // namespace cudalint
