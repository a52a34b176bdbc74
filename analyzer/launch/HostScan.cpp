//===- analyzer/launch/HostScan.cpp - A look over host code ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/HostScan.h"

#include "analyzer/launch/ProgramScan.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

#include <algorithm>

using namespace clang;

namespace cudalint {

/// Statements nested deeper than this are not read: the stack is finite.
static constexpr unsigned MaxDepth = 500;

LaunchCall launchCallOf(const FunctionDecl *Callee) {
  if (!Callee || !Callee->getIdentifier())
    return LaunchCall::None;
  return llvm::StringSwitch<LaunchCall>(Callee->getName())
      .Case("cudaLaunchKernel", LaunchCall::Kernel)
      .Case("cudaLaunchKernel_ptsz", LaunchCall::Kernel)
      .Case("cudaLaunchCooperativeKernel", LaunchCall::Cooperative)
      .Case("cudaLaunchKernelEx", LaunchCall::Ex)
      .Case("cudaLaunchKernelExC", LaunchCall::Ex)
      .Default(LaunchCall::None);
}

const FunctionDecl *namedFunction(const Expr *E) {
  E = E->IgnoreParenCasts();
  if (const auto *Address = dyn_cast<UnaryOperator>(E))
    E = Address->getSubExpr()->IgnoreParenCasts();
  const auto *Reference = dyn_cast<DeclRefExpr>(E);
  return Reference ? dyn_cast<FunctionDecl>(Reference->getDecl()) : nullptr;
}

static bool setsSharedMemory(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !Callee->getIdentifier() ||
      Callee->getName() != "cudaFuncSetAttribute" || Call.getNumArgs() < 2)
    return false;
  const auto *Which =
      dyn_cast<DeclRefExpr>(Call.getArg(1)->IgnoreParenImpCasts());
  return Which && Which->getDecl()->getName() ==
                      "cudaFuncAttributeMaxDynamicSharedMemorySize";
}

static bool isOfAnotherFile(const FunctionDecl &Function) {
  return !Function.getDefinition() && !Function.getBuiltinID() &&
         !Function.hasAttr<CUDAGlobalAttr>() &&
         !isInSystemHeader(Function.getASTContext(), Function.getLocation()) &&
         !sharedName(Function).empty();
}

namespace {

class Scanner {
public:
  CodeSummary Result;

  void visit(const Stmt *S) {
    if (!S || Result.TooDeep)
      return;
    if (++Depth > MaxDepth)
      Result.TooDeep = true;
    else
      dispatch(*S);
    --Depth;
  }

private:
  void dispatch(const Stmt &S) {
    if (const auto *Cast = dyn_cast<ImplicitCastExpr>(&S)) {
      bool Reads = Cast->getCastKind() == CK_LValueToRValue ||
                   (Cast->isGLValue() && Cast->getType().isConstQualified());
      return Reads ? visitRead(Cast->getSubExpr()) : visitChildren(S);
    }
    if (const auto *Reference = dyn_cast<DeclRefExpr>(&S)) {
      if (const auto *Function = dyn_cast<FunctionDecl>(Reference->getDecl());
          Function && !Called.contains(Reference)) {
        if (Function->getDefinition())
          Result.AddressTaken.insert(Function->getDefinition());
        else if (isOfAnotherFile(*Function))
          Result.OuterNamed.insert(Function->getCanonicalDecl());
      }
      return noteUse(*Reference);
    }
    if (isa<UnaryExprOrTypeTraitExpr, CXXNoexceptExpr>(S))
      return;
    if (const auto *Argument = dyn_cast<CXXDefaultArgExpr>(&S))
      return visit(Argument->getExpr());
    if (const auto *Initial = dyn_cast<CXXDefaultInitExpr>(&S))
      return visit(Initial->getExpr());
    if (const auto *Lambda = dyn_cast<LambdaExpr>(&S))
      return visitLambda(*Lambda);
    if (const auto *Jump = dyn_cast<GotoStmt>(&S))
      Result.JumpsBack |=
          Jump->getLabel()->getStmt() &&
          Jump->getLabel()->getStmt()->getBeginLoc() < Jump->getBeginLoc();
    if (isa<IndirectGotoStmt>(S))
      Result.JumpsBack = true;
    if (const auto *Construct = dyn_cast<CXXConstructExpr>(&S))
      noteCallee(Construct->getConstructor());
    if (const auto *Call = dyn_cast<CallExpr>(&S))
      return visitCall(*Call);
    if (const auto *Captured = dyn_cast<CapturedStmt>(&S))
      return visit(Captured->getCapturedStmt());
    if (const auto *Binary = dyn_cast<BinaryOperator>(&S);
        Binary && Binary->isAssignmentOp())
      noteAssignment(Binary->getLHS());
    if (const auto *Unary = dyn_cast<UnaryOperator>(&S);
        Unary && Unary->isIncrementDecrementOp())
      noteAssignment(Unary->getSubExpr());
    visitChildren(S);
  }

  /// Assigning to a variable or its members leads no pointer to it.
  void noteAssignment(const Expr *To) {
    To = To->IgnoreParens();
    while (const auto *Member = dyn_cast<MemberExpr>(To)) {
      if (Member->isArrow())
        return;
      To = Member->getBase()->IgnoreParens();
    }
    Assigned.insert(To);
  }

  void visitChildren(const Stmt &S) {
    for (const Stmt *Child : S.children())
      visit(Child);
  }

  /// The value of `E` is read, and nothing else happens to the object.
  void visitRead(const Expr *E) {
    E = withoutNoOpCasts(E);
    if (const auto *Member = dyn_cast<MemberExpr>(E)) {
      if (!Member->isArrow())
        return visitRead(Member->getBase());
      return visit(Member->getBase());
    }
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
      visit(Subscript->getIdx());
      const auto *Decay = dyn_cast<ImplicitCastExpr>(Subscript->getBase());
      if (Decay && Decay->getCastKind() == CK_ArrayToPointerDecay)
        return visitRead(Decay->getSubExpr());
      return visit(Subscript->getBase());
    }
    if (!isa<DeclRefExpr>(E))
      visit(E);
  }

  void noteUse(const DeclRefExpr &Reference) {
    const auto *Variable = dyn_cast<VarDecl>(Reference.getDecl());
    if (!Variable || Variable->getType().isConstQualified())
      return;
    Result.Changed.insert(Variable->getCanonicalDecl());
    if (!Assigned.contains(&Reference))
      Result.Leaked.insert(Variable->getCanonicalDecl());
  }

  void noteCallee(const FunctionDecl *Callee) {
    if (const FunctionDecl *Definition =
            Callee ? Callee->getDefinition() : nullptr)
      Result.Callees.insert(Definition);
  }

  void visitCall(const CallExpr &Call) {
    const FunctionDecl *Callee = Call.getDirectCallee();
    if (Callee)
      Called.insert(Call.getCallee()->IgnoreParenImpCasts());
    if (isa<CUDAKernelCallExpr>(Call) ||
        launchCallOf(Callee) != LaunchCall::None)
      Result.Launches.push_back(&Call);
    else if (Callee && isOfAnotherFile(*Callee))
      Result.OuterCalls.push_back(&Call);
    const auto *Method = dyn_cast_or_null<CXXMethodDecl>(Callee);
    if (!Method || !Method->isVirtual())
      noteCallee(Callee);
    if (setsSharedMemory(Call))
      Result.OptIns.insert(&Call);
    visitChildren(Call);
  }

  void visitLambda(const LambdaExpr &Lambda) {
    // What a capture by reference does to the variable is what the body does.
    for (const Expr *Init : Lambda.capture_inits())
      if (Init && !isa<DeclRefExpr>(Init->IgnoreParenImpCasts()))
        visit(Init);
    const CXXMethodDecl *Call = Lambda.getCallOperator();
    if (const FunctionTemplateDecl *Generic =
            Lambda.getDependentCallOperator()) {
      for (const FunctionDecl *Each : Generic->specializations())
        if (Each->getDefinition())
          visit(Each->getDefinition()->getBody());
      return;
    }
    visit(Call->getBody());
  }

  unsigned Depth = 0;
  llvm::SmallPtrSet<const Expr *, 16> Assigned;
  llvm::SmallPtrSet<const Expr *, 16> Called;
};

} // namespace

CodeSummary summarize(const Stmt *Code) {
  Scanner Scan;
  Scan.visit(Code);
  return std::move(Scan.Result);
}

bool HostCode::reachesLaunch(const FunctionDecl &Function) const {
  bool Reaches = false;
  forEachReached(Function, [&](const CodeSummary &Each) {
    Reaches |= !Each.Launches.empty();
  });
  return Reaches;
}

bool HostCode::canBeRoot(const FunctionDecl &Function) const {
  auto Found = Summaries.find(&Function);
  if (Found == Summaries.end() || Found->second.TooDeep)
    return false;
  bool Reaches = false;
  forEachReached(Function, [&](const CodeSummary &Each) {
    Reaches |= !Each.Launches.empty() || !Each.OuterCalls.empty();
  });
  return Reaches;
}

void HostCode::forEachReached(
    const FunctionDecl &First,
    const std::function<void(const CodeSummary &)> &Visit) const {
  llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;
  std::vector<const FunctionDecl *> Pending{&First};
  while (!Pending.empty()) {
    const FunctionDecl *Next = Pending.back();
    Pending.pop_back();
    auto Found = Summaries.find(Next);
    if (Found == Summaries.end() || !Seen.insert(Next).second)
      continue;
    Visit(Found->second);
    Pending.insert(Pending.end(), Found->second.Callees.begin(),
                   Found->second.Callees.end());
  }
}

/// What initialises variables at run time, and functions that are said to run
/// by themselves.
static void scanBeforeMain(HostCode &Code, const UserFunctions &Functions) {
  auto Note = [&](const CodeSummary &Summary) {
    Code.ChangedBeforeMain.insert(Summary.Changed.begin(),
                                  Summary.Changed.end());
  };
  for (const FunctionDecl *Each : Functions.Definitions)
    if (Each->hasAttr<ConstructorAttr>() || Each->hasAttr<UsedAttr>())
      Code.forEachReached(*Each, Note);
  for (const VarDecl *Each : Functions.Variables) {
    const Expr *Init = Each->getInit();
    if (!Init || Init->isValueDependent())
      continue;
    CodeSummary Summary = summarize(Init);
    Code.OuterCalls.insert(Code.OuterCalls.end(), Summary.OuterCalls.begin(),
                           Summary.OuterCalls.end());
    Code.OuterNamed.insert_range(Summary.OuterNamed);
    Code.AddressTaken.insert_range(Summary.AddressTaken);
    if (Each->hasConstantInitialization())
      continue;
    Note(Summary);
    for (const FunctionDecl *Callee : Summary.Callees)
      Code.forEachReached(*Callee, Note);
  }
}

HostCode scanHostCode(const UserFunctions &Functions, bool WithOuterCalls) {
  HostCode Code;
  llvm::SmallPtrSet<const FunctionDecl *, 32> Called;
  for (const FunctionDecl *Each : Functions.Definitions) {
    if (Each->hasAttr<CUDAGlobalAttr>() ||
        (Each->hasAttr<CUDADeviceAttr>() && !Each->hasAttr<CUDAHostAttr>()))
      continue;
    CodeSummary Summary = summarize(Each->getBody());
    Code.Incomplete |= Summary.TooDeep;
    if (const auto *Constructor = dyn_cast<CXXConstructorDecl>(Each))
      for (const CXXCtorInitializer *Init : Constructor->inits()) {
        CodeSummary More = summarize(Init->getInit());
        Summary.OuterCalls.insert(Summary.OuterCalls.end(),
                                  More.OuterCalls.begin(),
                                  More.OuterCalls.end());
        Summary.OuterNamed.insert_range(More.OuterNamed);
        Summary.Callees.insert(More.Callees.begin(), More.Callees.end());
        Summary.Changed.insert(More.Changed.begin(), More.Changed.end());
        Summary.Leaked.insert(More.Leaked.begin(), More.Leaked.end());
      }
    if (!WithOuterCalls)
      Summary.OuterCalls.clear();
    Code.OuterCalls.insert(Code.OuterCalls.end(), Summary.OuterCalls.begin(),
                           Summary.OuterCalls.end());
    Code.OuterNamed.insert_range(Summary.OuterNamed);
    for (const CallExpr *Launch : Summary.Launches)
      Code.Launches.emplace_back(Launch, Each);
    Code.Changed.insert(Summary.Changed.begin(), Summary.Changed.end());
    Code.Leaked.insert(Summary.Leaked.begin(), Summary.Leaked.end());
    Code.OptIns.insert(Summary.OptIns.begin(), Summary.OptIns.end());
    Code.AddressTaken.insert_range(Summary.AddressTaken);
    for (const FunctionDecl *Callee : Summary.Callees)
      if (Callee != Each)
        Called.insert(Callee);
    Code.Summaries[Each] = std::move(Summary);
  }
  scanBeforeMain(Code, Functions);
  for (const FunctionDecl *Each : Functions.Definitions)
    if (Each->isUsed(/*CheckUsedAttr=*/false) && !isa<CXXMethodDecl>(Each) &&
        !Each->isOverloadedOperator() && !Called.contains(Each) &&
        !Code.AddressTaken.contains(Each))
      Code.Unnamed.push_back(Each);
  for (const FunctionDecl *Each : Functions.Definitions)
    if (!Called.contains(Each) && Code.canBeRoot(*Each))
      Code.Roots.push_back(Each);
  std::ranges::stable_partition(Code.Roots, [&](const FunctionDecl *Each) {
    return Code.reachesLaunch(*Each);
  });
  return Code;
}

} // namespace cudalint
