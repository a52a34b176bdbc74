//===- analyzer/launch/EffectSummary.cpp - What code does -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/EffectSummary.h"

#include "analyzer/launch/LaunchCalls.h"
#include "analyzer/launch/ProgramPlaces.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace cudalint {

/// Statements nested deeper than this are not run: the stack is finite.
static constexpr unsigned MaxStatementDepth = 500;

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

/// The name of the function of a library that `E` calls, or none.
static StringRef libraryCallee(const Expr *E) {
  const auto *Call = dyn_cast<CallExpr>(E->IgnoreParenImpCasts());
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->getIdentifier() &&
                 (isInSystemHeader(*Callee) || Callee->getBuiltinID())
             ? Callee->getName()
             : StringRef();
}

namespace {

/// Parents come before their children and say what they do with them. Needs no
/// stack, however deep the code is.
class EffectWalk {
public:
  EffectSummary Result;

  /// What the parent of an expression does with it.
  enum class Use {
    Any,     ///< What is named may be changed, now or later.
    Read,    ///< Its value is read, and nothing else happens to the object.
    Store,   ///< It becomes a value that is noted.
    Change,  ///< It becomes another value, and no pointer leads to it.
    Call,    ///< The function is called.
    Discard, ///< Of a cast: what the pointer leads to gets no new values.
  };

  /// `Kept`: it is an lvalue that something may be made of.
  void walk(const Stmt *Root, bool Kept = false) {
    Pending.push_back({Root, Use::Any, Kept, 1});
    while (!Pending.empty()) {
      Now = Pending.back();
      Pending.pop_back();
      if (!Now.Code)
        continue;
      Result.TooDeep |= Now.Depth > MaxStatementDepth;
      const std::size_t First = Pending.size();
      visit(*Now.Code);
      std::reverse(Pending.begin() + First, Pending.end());
    }
  }

  void declare(const VarDecl &Variable) {
    noteType(Variable.getType());
    Result.Variables.push_back(&Variable);
  }

  void note(const ValueDecl &To, PlaceEffect::Kind What,
            const Expr *Stored = nullptr) {
    if (isProgramPlace(To))
      Result.Stores.push_back({&To, What, Stored});
  }

private:
  using Kind = PlaceEffect::Kind;
  struct Item {
    const Stmt *Code;
    Use How;
    bool Kept;
    unsigned Depth;
  };

  void add(const Stmt *Child, Use How = Use::Any) {
    const auto *E = dyn_cast_or_null<Expr>(Child);
    Pending.push_back(
        {Child, How, E && E->isLValue() && keepsLvalues(), Now.Depth + 1});
  }
  void addChildren(Use How = Use::Any) {
    for (const Stmt *Child : Now.Code->children())
      add(Child, How);
  }
  /// Code that stands elsewhere and runs here.
  void addOnce(const Expr *E) {
    if (E && Elsewhere.insert(E).second)
      add(E);
  }

  /// `(a = 64)++`, `int &R = (a = 64);`: an assignment is an lvalue, and what
  /// is made of it there is not followed.
  bool keepsLvalues() const {
    if (const auto *Cast = dyn_cast<CastExpr>(Now.Code);
        (Cast && Cast->getCastKind() == CK_LValueToRValue) ||
        !isa<Expr, ReturnStmt, DeclStmt>(Now.Code))
      return false;
    // What a full expression or the left of a comma gives is dropped, unless
    // their own parent takes it.
    const auto *Binary = dyn_cast<BinaryOperator>(Now.Code);
    return Now.Kept || !(isa<ParenExpr, ExprWithCleanups>(Now.Code) ||
                         (Binary && Binary->getOpcode() == BO_Comma));
  }

  void visit(const Stmt &S) {
    if (const auto *E = dyn_cast<Expr>(&S))
      noteType(E->getType());
    if (const auto *Cast = dyn_cast<CastExpr>(&S))
      return visitCast(*Cast);
    if (isa<ParenExpr>(S))
      return addChildren(Now.How);
    if (const auto *Member = dyn_cast<MemberExpr>(&S)) {
      visitName(*Member);
      if (Member->isArrow() || Now.How == Use::Call || Now.How == Use::Discard)
        return add(Member->getBase());
      return add(Member->getBase(),
                 Now.How == Use::Store ? Use::Change : Now.How);
    }
    if (isa<DeclRefExpr>(S))
      return visitName(cast<Expr>(S));
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(&S)) {
      const auto *Decay = dyn_cast<ImplicitCastExpr>(Subscript->getBase());
      const bool IsPart = Now.How == Use::Read && Decay &&
                          Decay->getCastKind() == CK_ArrayToPointerDecay;
      add(Subscript->getBase(), IsPart ? Use::Read : Use::Any);
      return add(Subscript->getIdx());
    }
    // Not evaluated, but for the sizes of an array's type.
    if (const auto *Trait = dyn_cast<UnaryExprOrTypeTraitExpr>(&S))
      return Trait->isArgumentType() ? addChildren() : void();
    if (isa<CXXNoexceptExpr>(S))
      return;
    if (const auto *Binary = dyn_cast<BinaryOperator>(&S);
        Binary && Binary->isAssignmentOp())
      return visitAssignment(*Binary);
    if (const auto *Unary = dyn_cast<UnaryOperator>(&S);
        Unary && Unary->isIncrementDecrementOp())
      return add(Unary->getSubExpr(), Use::Change);
    if (const auto *Call = dyn_cast<CallExpr>(&S))
      return visitCall(*Call);
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(&S)) {
      const FunctionDecl *Constructor = Construct->getConstructor();
      name(*Constructor, Use::Call);
      if (Constructor->getDefinition())
        Result.Callees.insert(Constructor->getDefinition());
      if (Construct->requiresZeroInitialization())
        Result.Zeroed.push_back(Construct->getType());
    } else if (const auto *List = dyn_cast<InitListExpr>(&S)) {
      visitInitList(*List);
    } else if (isa<ImplicitValueInitExpr>(S)) {
      Result.Zeroed.push_back(cast<Expr>(S).getType());
    } else if (isa<CXXParenListInitExpr, DesignatedInitUpdateExpr>(S)) {
      Result.Overwritten.push_back(cast<Expr>(S).getType());
    } else if (const auto *Argument = dyn_cast<CXXDefaultArgExpr>(&S)) {
      addOnce(Argument->getExpr());
    } else if (const auto *Initial = dyn_cast<CXXDefaultInitExpr>(&S)) {
      addOnce(Initial->getExpr());
    } else if (const auto *Lambda = dyn_cast<LambdaExpr>(&S)) {
      return visitLambda(*Lambda);
    } else if (const auto *Captured = dyn_cast<CapturedStmt>(&S)) {
      return add(Captured->getCapturedStmt());
    } else if (const auto *Declaration = dyn_cast<DeclStmt>(&S)) {
      visitDeclaration(*Declaration);
    } else if (const auto *Jump = dyn_cast<GotoStmt>(&S)) {
      const LabelStmt *Label = Jump->getLabel()->getStmt();
      Result.JumpsBack |= Label && Label->getBeginLoc() < Jump->getBeginLoc();
    } else if (isa<IndirectGotoStmt>(S)) {
      Result.JumpsBack = true;
    }
    addChildren();
  }

  void noteType(QualType Type) {
    if (const CXXRecordDecl *Class = classOf(Type))
      Result.Classes.insert(Class);
  }

  void name(const FunctionDecl &Function, Use How) {
    Result.Named.insert(Function.getCanonicalDecl());
    if (How != Use::Call)
      Result.AddressTaken.insert(Function.getCanonicalDecl());
  }

  void visitName(const Expr &E) {
    const ValueDecl &Named = *namedObject(&E);
    if (const auto *Function = dyn_cast<FunctionDecl>(&Named))
      return name(*Function, Now.How);
    const auto *Field = dyn_cast<FieldDecl>(&Named);
    // Other members of a union share its bytes; a pointer to a member leads to
    // the whole member.
    if (Field && (Field->getParent()->isUnion() || isa<DeclRefExpr>(E)))
      Result.Overwritten.push_back(Field->getType());
    if (Now.How == Use::Read)
      return;
    const auto *Binding = dyn_cast<BindingDecl>(&Named);
    if (const auto *Variable =
            dyn_cast<VarDecl>(Binding ? Binding->getDecomposedDecl() : &Named);
        Variable && !Variable->getType().isConstQualified()) {
      Result.Changed.insert(Variable->getCanonicalDecl());
      if (Now.How != Use::Store && Now.How != Use::Change)
        Result.Leaked.insert(Variable->getCanonicalDecl());
    }
    if (Now.How != Use::Store)
      note(Named, Kind::Unknown);
  }

  void visitCast(const CastExpr &Cast) {
    const Expr *From = Cast.getSubExpr();
    const CastKind Code = Cast.getCastKind();
    const bool IsImplicit = isa<ImplicitCastExpr>(Cast);
    const bool MakesConst =
        IsImplicit && Cast.isGLValue() && Cast.getType().isConstQualified();
    noteBytes(Cast);
    if (Code == CK_NoOp && MakesConst)
      if (const ValueDecl *Named = namedObject(withoutNoOpCasts(From)))
        note(*Named, Kind::ConstReference);
    const bool Passes = Now.How == Use::Discard ||
                        (Now.How == Use::Call && IsImplicit) ||
                        (Now.How == Use::Read &&
                         (Code == CK_NoOp || Code == CK_ArrayToPointerDecay));
    add(From, Code == CK_LValueToRValue || MakesConst ? Use::Read
              : Passes                                ? Now.How
                                                      : Use::Any);
  }

  /// Memory that is seen as something else, too.
  void noteBytes(const CastExpr &Cast) {
    const Expr *From = Cast.getSubExpr();
    const QualType To = Cast.getType();
    switch (Cast.getCastKind()) {
    case CK_NoOp:
      Result.CastsConstAway |= removesConst(Cast);
      return;
    case CK_PointerToIntegral:
      return Result.Overwritten.push_back(From->getType());
    case CK_IntegralToPointer:
    case CK_LValueToRValueBitCast:
      return Result.Overwritten.push_back(To);
    case CK_BitCast:
    case CK_LValueBitCast:
    case CK_AddressSpaceConversion:
      Result.CastsConstAway |= removesConst(Cast);
      if (Now.How == Use::Discard)
        return;
      if (!To->isPointerType() || !To->getPointeeType().isConstQualified())
        Result.Overwritten.push_back(From->getType());
      if (recordOf(To) && !isFresh(From, To))
        Result.Overwritten.push_back(To);
      return;
    default:
      return;
    }
  }

  /// What the C library has allocated holds nothing yet, or zeros.
  bool isFresh(const Expr *E, QualType As) {
    StringRef Name = libraryCallee(E);
    if (Name == "calloc")
      Result.Zeroed.push_back(As);
    return Name == "malloc" || Name == "calloc" || Name == "aligned_alloc";
  }

  void visitAssignment(const BinaryOperator &E) {
    const Expr *To = E.getLHS()->IgnoreParens();
    const ValueDecl *Named = namedObject(To);
    const bool IsNoted = Named && !E.isCompoundAssignmentOp() && !Now.Kept;
    if (IsNoted)
      note(*Named, Kind::Expression, E.getRHS());
    add(E.getLHS(), IsNoted ? Use::Store : Use::Change);
    add(E.getRHS());
  }

  void visitInitList(const InitListExpr &Written) {
    const InitListExpr &List =
        Written.isSemanticForm() || !Written.getSemanticForm()
            ? Written
            : *Written.getSemanticForm();
    // Of the elements that are not written out: not among the children.
    if (List.hasArrayFiller())
      addOnce(List.getArrayFiller());
    const RecordDecl *Record = List.getType()->getAsRecordDecl();
    if (!Record || Record->isUnion() || isInSystemHeader(*Record))
      return;
    unsigned I = 0;
    if (const auto *Class = dyn_cast<CXXRecordDecl>(Record))
      I = Class->getNumBases();
    for (const FieldDecl *Field : Record->fields()) {
      if (Field->isUnnamedBitField())
        continue;
      I < List.getNumInits() ? note(*Field, Kind::Expression, List.getInit(I))
                             : note(*Field, Kind::Zero);
      ++I;
    }
  }

  void visitDeclaration(const DeclStmt &Statement) {
    for (const Decl *Each : Statement.decls()) {
      if (const auto *Parts = dyn_cast<DecompositionDecl>(Each))
        Result.Overwritten.push_back(Parts->getType());
      if (const auto *Variable = dyn_cast<VarDecl>(Each))
        declare(*Variable);
      if (const auto *Class = dyn_cast<CXXRecordDecl>(Each))
        Result.LocalClasses.push_back(Class);
    }
  }

  void visitCall(const CallExpr &Call) {
    const FunctionDecl *Callee = Call.getDirectCallee();
    const bool IsLaunch = isa<CUDAKernelCallExpr>(Call) ||
                          launchCallOf(Callee) != LaunchCall::None;
    if (IsLaunch)
      Result.Launches.push_back(&Call);
    if (Callee) {
      Result.Calls.push_back(&Call);
      name(*Callee, Use::Call);
      if (!IsLaunch && isOfAnotherFile(*Callee))
        Result.OuterCalls.push_back(&Call);
      const auto *Method = dyn_cast<CXXMethodDecl>(Callee);
      if (Callee->getDefinition() && (!Method || !Method->isVirtual()))
        Result.Callees.insert(Callee->getDefinition());
      if (setsSharedMemory(Call))
        Result.OptIns.push_back(&Call);
    }
    add(Call.getCallee(), Callee ? Use::Call : Use::Any);
    if (const auto *Kernel = dyn_cast<CUDAKernelCallExpr>(&Call))
      add(Kernel->getConfig());
    const unsigned Discarded = discardedArguments(Call);
    for (unsigned I = 0; I < Call.getNumArgs(); ++I)
      add(Call.getArg(I), I < Discarded ? Use::Discard : Use::Any);
  }

  /// How many arguments a call of the library's has, from the first on, into
  /// whose memory it stores nothing that is new: it copies whole objects, or
  /// ends their time.
  static unsigned discardedArguments(const CallExpr &Call) {
    const StringRef Name = libraryCallee(&Call);
    if (Name == "free" || Name == "cudaFree" || Name == "cudaFreeHost")
      return Call.getNumArgs();
    const bool Copies = llvm::StringSwitch<bool>(Name)
                            .Cases({"memcpy", "memmove", "__builtin_memcpy",
                                    "cudaMemcpy", "cudaMemcpyAsync"},
                                   true)
                            .Default(false);
    if (!Copies || Call.getNumArgs() < 3)
      return 0;
    const RecordDecl *Record =
        recordOf(Call.getArg(0)->IgnoreParenCasts()->getType());
    return Record && Record ==
                         recordOf(Call.getArg(1)->IgnoreParenCasts()->getType())
               ? 2
               : 0;
  }

  void visitLambda(const LambdaExpr &Lambda) {
    // What a capture by reference does to the variable is what the body does.
    for (const Expr *Init : Lambda.capture_inits())
      if (Init && !isa<DeclRefExpr>(Init->IgnoreParenImpCasts()))
        add(Init);
    const FunctionTemplateDecl *Generic = Lambda.getDependentCallOperator();
    if (!Generic)
      return addLambda(*Lambda.getCallOperator());
    for (const FunctionDecl *Each : Generic->specializations())
      if (Each->getDefinition())
        addLambda(*Each->getDefinition());
  }
  void addLambda(const FunctionDecl &Operator) {
    Result.Lambdas.push_back(Operator.getCanonicalDecl());
    add(Operator.getBody());
  }

  Item Now{};
  std::vector<Item> Pending;
  llvm::SmallPtrSet<const Expr *, 8> Elsewhere;
};

} // namespace

EffectSummary effectsOf(const Stmt *Code) {
  EffectWalk Walk;
  Walk.walk(Code);
  return std::move(Walk.Result);
}

EffectSummary effectsOf(const FunctionDecl &Function) {
  EffectWalk Walk;
  if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(&Function))
    for (const CXXCtorInitializer *Each : Constructor->inits()) {
      if (const FieldDecl *Field = Each->getAnyMember())
        Walk.note(*Field, PlaceEffect::Kind::Expression, Each->getInit());
      Walk.walk(Each->getInit(), Each->getInit()->isLValue());
    }
  Walk.walk(Function.getBody());
  return std::move(Walk.Result);
}

EffectSummary effectsOf(const VarDecl &Variable) {
  EffectWalk Walk;
  Walk.declare(Variable);
  const Expr *Init = Variable.getInit();
  Walk.walk(Init, Init && Init->isLValue());
  return std::move(Walk.Result);
}

} // namespace cudalint
