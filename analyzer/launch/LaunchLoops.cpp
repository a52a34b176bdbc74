//===- analyzer/launch/LaunchLoops.cpp - Loops around launches ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/LaunchLoops.h"

#include "analyzer/launch/LaunchCalls.h"
#include "analyzer/launch/LoopTurns.h"
#include "analyzer/launch/RuntimeCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

#include <map>
#include <set>

using namespace clang;

namespace cudalint {

/// Variables made of variables.
static constexpr unsigned MaxVariableDepth = 4;

bool isLaunch(const Stmt &S) {
  const auto *Call = dyn_cast<CallExpr>(&S);
  return Call && (isa<CUDAKernelCallExpr>(Call) ||
                  launchCallOf(Call->getDirectCallee()) != LaunchCall::None);
}

/// What of \p F can be looked into; null: nothing.
static const FunctionDecl *hostDefinition(const FunctionDecl *F) {
  const FunctionDecl *Definition = F ? F->getDefinition() : nullptr;
  return Definition && Definition->getBody() && isHostCode(*F) &&
                 !isInSystemHeader(*F)
             ? Definition
             : nullptr;
}

const LaunchingFunctions::Body &
LaunchingFunctions::bodyOf(const FunctionDecl &Definition) {
  const auto [At, IsNew] = Bodies.try_emplace(&Definition);
  Body &Its = At->second;
  if (IsNew)
    forEachWithin(
        Definition.getBody(), [&](const Stmt &S, llvm::ArrayRef<const Stmt *>) {
          Its.Launches = Its.Launches || isLaunch(S);
          const auto *Call = dyn_cast<CallExpr>(&S);
          if (const FunctionDecl *Callee =
                  hostDefinition(Call ? Call->getDirectCallee() : nullptr))
            Its.Calls.push_back(Callee);
          return !Its.Launches && !isa<LambdaExpr>(S);
        });
  return Its;
}

bool LaunchingFunctions::contains(const FunctionDecl &F) {
  const FunctionDecl *const First = hostDefinition(&F);
  if (!First)
    return false;
  if (const auto Found = Known.find(First); Found != Known.end())
    return Found->second;
  std::set<const FunctionDecl *> Seen = {First};
  std::vector<const FunctionDecl *> Left = {First};
  bool Launches = false;
  while (!Left.empty() && !Launches) {
    const FunctionDecl *const Next = Left.back();
    Left.pop_back();
    if (const auto Found = Known.find(Next); Found != Known.end()) {
      Launches = Found->second;
      continue;
    }
    const Body &Its = bodyOf(*Next);
    Launches = Its.Launches;
    for (const FunctionDecl *Callee : Its.Calls)
      if (Seen.insert(Callee).second)
        Left.push_back(Callee);
  }
  Known[First] = Launches;
  // What a function that launches nothing comes to launches nothing, either.
  if (!Launches)
    for (const FunctionDecl *Each : Seen)
      Known[Each] = false;
  return Launches;
}

bool isSometimes(const Stmt &Parent, const Stmt &Child) {
  if (const auto *If = dyn_cast<IfStmt>(&Parent))
    return &Child == If->getThen() || &Child == If->getElse();
  if (const auto *Choice = dyn_cast<AbstractConditionalOperator>(&Parent))
    return &Child != Choice->getCond();
  if (const auto *Both = dyn_cast<BinaryOperator>(&Parent))
    return Both->isLogicalOp() && &Child == Both->getRHS();
  return isa<SwitchStmt, CXXCatchStmt>(Parent);
}

/// The innermost loop around, or \p Outermost, and whether each turn comes to
/// \p S; null: none, or one around a lambda that holds it.
static std::pair<const Stmt *, bool>
loopAround(const ASTContext &Context, const Stmt &S,
           llvm::ArrayRef<const Stmt *> Around,
           const Stmt *Outermost = nullptr) {
  bool IsAlways = true;
  const Stmt *Child = &S;
  for (const Stmt *Parent : llvm::reverse(Around)) {
    if (isa<LambdaExpr>(Parent))
      return {nullptr, false};
    if (Parent == Outermost ||
        (isLoop(*Parent) && !turnsOnce(Context, *Parent)))
      return {Parent, IsAlways};
    IsAlways = IsAlways && !isSometimes(*Parent, *Child);
    Child = Parent;
  }
  return {nullptr, false};
}

std::vector<LaunchLoop> launchLoops(const ASTContext &Context,
                                    const FunctionDecl &F,
                                    LaunchingFunctions &Launching) {
  std::vector<LaunchLoop> Loops;
  std::map<const Stmt *, std::size_t> Known;
  std::vector<bool> Launches;
  forEachWithin(
      F.getBody(), [&](const Stmt &S, llvm::ArrayRef<const Stmt *> Around) {
        if (isLoop(S) && !turnsOnce(Context, S)) {
          Known[&S] = Loops.size();
          Loops.push_back({});
          Loops.back().Loop = &S;
          Launches.push_back(false);
        }
        const auto *Call = dyn_cast<CallExpr>(&S);
        if (!Call || Known.empty())
          return true;
        const llvm::StringRef Name = runtimeCall(*Call);
        const bool IsLaunch =
            isLaunch(S) || (Name.empty() && Call->getDirectCallee() &&
                            Launching.contains(*Call->getDirectCallee()));
        for (const Stmt *Parent : Around)
          if (const auto Of = Known.find(Parent); Of != Known.end()) {
            LaunchLoop &Loop = Loops[Of->second];
            Launches[Of->second] = Launches[Of->second] || IsLaunch;
            Loop.SetsDevice = Loop.SetsDevice || Name == "cudaSetDevice";
            Loop.AsksForTime = Loop.AsksForTime || asksForTime(*Call);
          }
        const auto [Loop, IsAlways] = loopAround(Context, S, Around);
        if (Loop && !Name.empty())
          Loops[Known.at(Loop)].Calls.push_back({Call, Name, IsAlways});
        else if (Loop && IsLaunch && !isLaunch(S))
          Loops[Known.at(Loop)].Launchers.push_back({Call, Name, IsAlways});
        return true;
      });
  std::vector<LaunchLoop> Result;
  for (std::size_t I = 0; I != Loops.size(); ++I)
    if (Launches[I]) {
      Loops[I].Effects = effectsOf(Loops[I].Loop);
      Result.push_back(std::move(Loops[I]));
    }
  return Result;
}

LaunchLoop bodyAsLoop(const ASTContext &Context, const FunctionDecl &F) {
  LaunchLoop Body;
  Body.Loop = F.getBody();
  Body.Effects = effectsOf(F.getBody());
  forEachWithin(F.getBody(), [&](const Stmt &S,
                                 llvm::ArrayRef<const Stmt *> Around) {
    const auto *Call = dyn_cast<CallExpr>(&S);
    if (!Call)
      return true;
    const llvm::StringRef Name = runtimeCall(*Call);
    Body.SetsDevice = Body.SetsDevice || Name == "cudaSetDevice";
    Body.AsksForTime = Body.AsksForTime || asksForTime(*Call);
    const auto [Loop, IsAlways] = loopAround(Context, S, Around, F.getBody());
    if (Loop == F.getBody() && !Name.empty())
      Body.Calls.push_back({Call, Name, IsAlways});
    return true;
  });
  return Body;
}

bool LaunchLoop::isSameInAllTurns(const VarDecl &V) const {
  return isSame(V, 0);
}

bool LaunchLoop::isSameInAllTurns(const Expr *E) const { return isSame(E, 0); }

bool LaunchLoop::isSame(const VarDecl &V, unsigned Depth) const {
  if (Effects.Changed.contains(&V) || Depth > MaxVariableDepth)
    return false;
  // Other functions change those.
  if (!V.hasLocalStorage() && !V.getType().isConstQualified() &&
      !Effects.Callees.empty())
    return false;
  if (V.getType()->isReferenceType())
    return false;
  // What a turn declares is what it is initialised with.
  if (llvm::is_contained(Effects.Variables, &V))
    return V.getInit() && isSame(V.getInit(), Depth + 1);
  return true;
}

bool LaunchLoop::isSame(const Expr *E, unsigned Depth) const {
  bool IsSame = true;
  forEachWithin(E, [&](const Stmt &S, llvm::ArrayRef<const Stmt *>) {
    if (!IsSame)
      return false;
    if (const auto *Named = dyn_cast<DeclRefExpr>(&S)) {
      if (const auto *V = dyn_cast<VarDecl>(Named->getDecl()))
        IsSame = isSame(*V, Depth);
      else
        IsSame =
            isa<EnumConstantDecl, NonTypeTemplateParmDecl>(Named->getDecl());
      return false;
    }
    if (isa<UnaryExprOrTypeTraitExpr>(S)) // `sizeof *p` reads nothing.
      return false;
    if (const auto *Operator = dyn_cast<UnaryOperator>(&S))
      IsSame = !Operator->isIncrementDecrementOp() &&
               Operator->getOpcode() != UO_Deref;
    else if (const auto *Operator = dyn_cast<BinaryOperator>(&S))
      IsSame = !Operator->isAssignmentOp();
    else if (const auto *Member = dyn_cast<MemberExpr>(&S))
      IsSame = !Member->isArrow();
    else
      IsSame = isa<ParenExpr, CastExpr, IntegerLiteral, FloatingLiteral,
                   CharacterLiteral, CXXBoolLiteralExpr, ConstantExpr,
                   SubstNonTypeTemplateParmExpr>(S);
    return IsSame;
  });
  return IsSame;
}

} // namespace cudalint
