//===- analyzer/frontend/SourceFacts.cpp - What the user wrote --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/SourceFacts.h"

#include "analyzer/frontend/FactMaker.h"
#include "analyzer/frontend/LvalueParts.h"
#include "analyzer/frontend/SyntaxVisitor.h"
#include "analyzer/frontend/SystemHeaders.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace cudalint {

namespace {

/// Files every memory lvalue of a device-side body under the places that the
/// code generator gives to its loads and stores.
class LvalueCollector : public SyntaxVisitor {
public:
  explicit LvalueCollector(ASTContext &Context)
      : Context(Context), Maker(Context) {
    ShouldVisitImplicitCode = true;
  }

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
  bool TraverseLambdaExpr(LambdaExpr *L) override {
    for (Expr *Capture : L->capture_inits())
      TraverseStmt(Capture);
    return true;
  }

  /// An outer expression is seen first and keeps its place: of `s.p[i]`, whose
  /// two loads share one, it is the element that matters, not the pointer.
  bool VisitExpr(Expr *E) override {
    add(Loads, E->getExprLoc(), E);
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *B) override {
    if (B->isAssignmentOp())
      add(Stores, B->getOperatorLoc(), B->getLHS());
    if (B->getOpcode() == BO_Assign && isInShared(B->getLHS()))
      addStaged(B->getRHS());
    if (B->isCompoundAssignmentOp())
      add(Loads, B->getOperatorLoc(), B->getLHS());
    return true;
  }
  bool VisitUnaryOperator(UnaryOperator *U) override {
    if (!U->isIncrementDecrementOp())
      return true;
    add(Stores, U->getOperatorLoc(), U->getSubExpr());
    add(Loads, U->getOperatorLoc(), U->getSubExpr());
    return true;
  }
  /// `atomicAdd(&a[i], 1)`, `__ldg(p + i)`: the access happens inside and is
  /// attributed to the call. The assignment of a struct is a call as well.
  bool VisitCallExpr(CallExpr *C) override {
    if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(C)) {
      if (Operator->isAssignmentOp()) {
        add(Stores, C->getExprLoc(), Operator->getArg(0));
        if (isInShared(Operator->getArg(0)))
          addStaged(Operator->getArg(1));
        add(Loads, C->getExprLoc(), Operator->getArg(1));
      }
      return true;
    }
    // `(float)h[i].x`: of a value of the library's, its own methods load.
    if (const auto *Method = dyn_cast<CXXMemberCallExpr>(C);
        Method && Method->getMethodDecl() && !isUsers(Method->getMethodDecl()))
      add(Loads, C->getExprLoc(), Method->getImplicitObjectArgument());
    // What is only read, it rather loads than what it may write.
    llvm::SmallVector<const Expr *, 2> Written, Read;
    for (const Expr *Argument : C->arguments()) {
      const Expr *Pointer = Argument->IgnoreParenCasts();
      if (!Pointer->getType()->isPointerType() &&
          !Pointer->getType()->isArrayType())
        continue;
      if (const auto *U = dyn_cast<UnaryOperator>(Pointer);
          U && U->getOpcode() == UO_AddrOf)
        Pointer = U->getSubExpr();
      (isOfConst(Argument->getType()) ? Read : Written).push_back(Pointer);
    }
    // Which of several the user's own function goes to, its body says, or the
    // address does.
    const FunctionDecl *Callee = C->getDirectCallee();
    if (Callee && isUsers(Callee) && Callee->hasBody() &&
        Read.size() + Written.size() > 1)
      return true;
    for (const auto *Each : {&Read, &Written})
      for (const Expr *Pointer : *Each)
        record(Loads, C->getExprLoc(), Pointer);
    if (!Written.empty())
      record(Stores, C->getExprLoc(), Written.front());
    // Which of several it stores to, only its body says.
    if (Written.size() > 1)
      forgetName(Stores, C->getExprLoc());
    return true;
  }

private:
  struct Variant {
    const FunctionDecl *Function;
    const Expr *LValue; ///< That was met first.
    AccessFact Fact;
  };
  /// By a place in a file, as flatten() will name it. Facts are large: the
  /// table grows without moving them.
  using Places = llvm::DenseMap<SourceLocation, llvm::SmallVector<Variant, 0>>;

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

  /// Whether it is an element of a variable that is declared there.
  static bool isInShared(const Expr *LValue) {
    const auto *Name = dyn_cast<DeclRefExpr>(baseOfLvalue(LValue));
    return Name && Name->getDecl()->hasAttr<CUDASharedAttr>();
  }
  /// All that \p Assigned may be, such as A[i] of `i < n ? A[i] : 0`.
  void addStaged(const Expr *Assigned) {
    llvm::SmallVector<const Expr *, 4> Left = {Assigned};
    while (!Left.empty()) {
      const Expr *E = Left.pop_back_val()->IgnoreParenCasts();
      if (const auto *Choice = dyn_cast<ConditionalOperator>(E))
        Left.append({Choice->getTrueExpr(), Choice->getFalseExpr()});
      else
        Staged.insert(E);
    }
  }

  void add(Places &To, SourceLocation Where, const Expr *E) {
    E = E->IgnoreParenImpCasts();
    if (isMemory(E))
      record(To, Where, E);
  }
  /// A pointer through which nothing is stored.
  static bool isOfConst(QualType Pointer) {
    return Pointer->isPointerType() &&
           Pointer->getPointeeType().isConstQualified();
  }
  void record(Places &To, SourceLocation Where, const Expr *E) {
    const SourceManager &Sources = Context.getSourceManager();
    llvm::SmallVector<Variant, 0> &Here = To[Sources.getFileLoc(Where)];
    if (Here.empty() || Here.back().Function != Current) {
      // All instantiations of a template are written alike.
      Here.push_back(
          {Current, E,
           Maker.describe(E, Where,
                          Here.empty() ? nullptr : &Here.front().Fact)});
      Here.back().Fact.GoesToShared = &To == &Loads && Staged.contains(E);
      return;
    }
    // One place for all that a macro's definition accesses: better no name than
    // that of the wrong variable.
    Variant &First = Here.back();
    if (Where.isMacroID() && !Sources.isMacroArgExpansion(Where) &&
        !isBaseOf(E, First.LValue) && Maker.textOf(E) != First.Fact.Text)
      First.Fact = {.Origin = std::move(First.Fact.Origin)};
  }
  /// Better no name than that of the wrong variable.
  void forgetName(Places &Of, SourceLocation Where) {
    AccessFact &Fact =
        Of[Context.getSourceManager().getFileLoc(Where)].back().Fact;
    Fact = {.Origin = std::move(Fact.Origin)};
  }

  /// Keeps of \p Common what \p Other has, too.
  static void keepCommon(AccessFact &Common, const AccessFact &Other) {
    if (Common.Origin != Other.Origin)
      Common.Origin = {};
    if (Common.Text != Other.Text || Common.Object != Other.Object ||
        Common.Subscripts != Other.Subscripts)
      Common = {.Origin = std::move(Common.Origin)};
    if (Common.Array != Other.Array)
      Common.Array.reset();
    if (Common.CarvedFrom != Other.CarvedFrom)
      Common.CarvedFrom.reset();
    if (Common.Field != Other.Field)
      Common.Field.reset();
    if (Common.Whole != Other.Whole)
      Common.Whole.reset();
    if (Common.IndexLine != Other.IndexLine)
      Common.IndexLine = 0;
    Common.IsScalar &= Other.IsScalar;
    Common.GoesToShared &= Other.GoesToShared;
    Common.IsOfSystem &= Other.IsOfSystem;
  }

  void flatten(Places &From, std::map<Location, AccessFact> &To,
               SourceFacts::Variants &Differing) {
    ASTNameGenerator Names(Context);
    // A header may be included twice, and mean something else each time.
    std::map<Location, llvm::SmallVector<const Variant *, 1>> Everywhere;
    for (const auto &[Place, Variants] : From)
      for (const Variant &V : Variants)
        Everywhere[Maker.locate(Place)].push_back(&V);
    for (const auto &[Where, Variants] : Everywhere) {
      AccessFact Common = Variants.front()->Fact;
      for (const Variant *V : Variants)
        keepCommon(Common, V->Fact);
      for (const Variant *V : Variants)
        if (V->Fact != Common)
          Differing.emplace(std::pair(Where, Names.getName(V->Function)),
                            V->Fact);
      To.emplace(Where, std::move(Common));
    }
  }

  ASTContext &Context;
  FactMaker Maker;
  const FunctionDecl *Current = nullptr;
  Places Loads;
  Places Stores;
  llvm::SmallPtrSet<const Expr *, 8> Staged; ///< Assigned to shared memory.
};

/// Finds the device-side bodies of the user's own code.
class BodyFinder : public SyntaxVisitor {
public:
  explicit BodyFinder(LvalueCollector &Accesses) : Accesses(Accesses) {
    ShouldVisitTemplateInstantiations = true;
    ShouldVisitImplicitCode = true;
  }

  bool VisitFunctionDecl(FunctionDecl *F) override {
    collect(F);
    return true;
  }
  bool VisitLambdaExpr(LambdaExpr *L) override {
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

  LvalueCollector &Accesses;
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

std::string SourceFacts::nameOf(const std::string &Path) const {
  auto Known = FileNames.find(Path);
  return Known == FileNames.end() ? Path : Known->second;
}

bool SourceFacts::isOfClang(const std::string &File) const {
  const auto Read = Files.find(File);
  return isClangHeader(File) && (Read == Files.end() || Read->second);
}

bool SourceFacts::isSystem(const std::string &File) const {
  if (isOfClang(File))
    return true;
  if (const auto Read = Files.find(File); Read != Files.end())
    return Read->second;
  llvm::SmallString<256> Path(File);
  llvm::sys::path::remove_dots(Path, /*remove_dot_dot=*/true);
  return SystemFolders.contains(llvm::sys::path::parent_path(Path).str());
}

/// Of two names for one file, that of the first #include. A header may call
/// itself a system header on its way: what counts is what it ends as.
static void collectFiles(const SourceManager &Sources, SourceFacts &Facts) {
  for (unsigned I = 0; I != Sources.local_sloc_entry_size(); ++I) {
    const SrcMgr::SLocEntry &Each = Sources.getLocalSLocEntry(I);
    OptionalFileEntryRef File = Each.isFile()
                                    ? Each.getFile().getContentCache().OrigEntry
                                    : std::nullopt;
    if (!File)
      continue;
    const SourceLocation End = Sources.getLocForEndOfFile(Sources.getFileID(
        SourceLocation::getFromRawEncoding(Each.getOffset())));
    const bool IsSystem = Sources.isInSystemHeader(End);
    Facts.Files.emplace(File->getName(), IsSystem);
    const StringRef Real = File->getFileEntry().tryGetRealPathName();
    if (Real.empty())
      continue;
    Facts.FileNames.emplace(Real, File->getName());
    const StringRef Folder = llvm::sys::path::parent_path(Real);
    // nvcc names what the toolkit's `include` is a link to.
    llvm::SmallString<256> Linked;
    if (IsSystem && Facts.SystemFolders.insert(Folder.str()).second &&
        !llvm::sys::fs::real_path(Folder, Linked))
      Facts.SystemFolders.insert(Linked.str().str());
  }
}

SourceFacts collectSourceFacts(ASTContext &Context) {
  LvalueCollector Accesses(Context);
  BodyFinder Bodies(Accesses);
  const SourceManager &Sources = Context.getSourceManager();
  for (Decl *D : Context.getTranslationUnitDecl()->decls())
    if (D->getLocation().isValid() &&
        !Sources.isInSystemHeader(D->getLocation()))
      Bodies.TraverseDecl(D);
  SourceFacts Facts = Accesses.takeFacts();
  collectFiles(Sources, Facts);
  return Facts;
}

} // namespace cudalint
