//===- analyzer/launch/SetUpKernels.cpp - Before the loops ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/SetUpKernels.h"

#include "analyzer/frontend/UserFunctions.h"
#include "analyzer/launch/EffectSummary.h"
#include "analyzer/launch/LaunchLoops.h"
#include "analyzer/launch/RuntimeCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"

#include <map>
#include <vector>

using namespace clang;

namespace cudalint {

namespace {
/// Where functions and kernels are called by their names, in host code.
class CallSites {
public:
  explicit CallSites(const ASTContext &Context);

  std::set<const FunctionDecl *> ofSetUp() const;

private:
  struct Site {
    const FunctionDecl *In = nullptr; ///< Canonical, as all are.
    bool IsRepeated = false; ///< In a loop, or in a function within it.
  };
  struct Uses {
    std::vector<Site> Calls;
    std::size_t Names = 0; ///< Those of the calls, and all others.
  };

  void add(const ASTContext &Context, const FunctionDecl &F);
  void addNames(const Stmt *Code);
  bool isOnce(const Uses &Its) const;
  bool isReachedOnce(const FunctionDecl *F) const;
  bool isRepeated(const Uses &Its, std::set<const FunctionDecl *> &Seen) const;

  LaunchingFunctions Launching;
  std::map<const FunctionDecl *, Uses> Of;
};
} // namespace

CallSites::CallSites(const ASTContext &Context) {
  const UserFunctions Functions = collectUserFunctions(Context);
  for (const FunctionDecl *F : Functions.Definitions) {
    addNames(F->getBody());
    if (isHostCode(*F))
      add(Context, *F);
  }
  for (const VarDecl *V : Functions.Variables)
    addNames(V->getInit());
}

void CallSites::addNames(const Stmt *Code) {
  forEachStatement(Code, [&](const Stmt &S) {
    const auto *E = dyn_cast<Expr>(&S);
    if (const auto *F =
            dyn_cast_or_null<FunctionDecl>(E ? namedObject(E) : nullptr))
      ++Of[F->getCanonicalDecl()].Names;
  });
}

/// Each turn is for another GPU, which comes to it once.
static bool isOverDevices(const LaunchLoop &Loop) {
  return llvm::any_of(Loop.Calls, [&](const LoopCall &Each) {
    return Each.Name == "cudaSetDevice" && Each.Call->getNumArgs() == 1 &&
           !Loop.isSameInAllTurns(Each.Call->getArg(0));
  });
}

void CallSites::add(const ASTContext &Context, const FunctionDecl &F) {
  const bool JumpsBack = effectsOf(F).JumpsBack;
  std::set<const Stmt *> Loops;
  for (const LaunchLoop &Each : launchLoops(Context, F, Launching))
    if (!isOverDevices(Each))
      Loops.insert(Each.Loop);
  forEachWithin(
      F.getBody(), [&](const Stmt &S, llvm::ArrayRef<const Stmt *> Around) {
        const auto *Call = dyn_cast<CallExpr>(&S);
        const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
        if (!Callee)
          return true;
        const bool IsRepeated =
            JumpsBack || llvm::any_of(Around, [&](const Stmt *Each) {
              return isa<LambdaExpr>(Each) || Loops.contains(Each);
            });
        Of[Callee->getCanonicalDecl()].Calls.push_back(
            {F.getCanonicalDecl(), IsRepeated});
        return true;
      });
}

bool CallSites::isReachedOnce(const FunctionDecl *F) const {
  std::set<const FunctionDecl *> Seen;
  while (!F->isMain()) {
    const auto At = Of.find(F);
    if (At == Of.end() || !Seen.insert(F).second)
      return false;
    const Uses &Its = At->second;
    if (Its.Calls.size() != 1 || Its.Names != 1 || Its.Calls[0].IsRepeated)
      return false;
    F = Its.Calls[0].In;
  }
  return true;
}

bool CallSites::isOnce(const Uses &Its) const {
  return Its.Names == Its.Calls.size() &&
         llvm::all_of(Its.Calls, [&](const Site &Each) {
           return !Each.IsRepeated && isReachedOnce(Each.In);
         });
}

bool CallSites::isRepeated(const Uses &Its,
                           std::set<const FunctionDecl *> &Seen) const {
  return llvm::any_of(Its.Calls, [&](const Site &Each) {
    const auto Caller = Of.find(Each.In);
    return Each.IsRepeated ||
           (Seen.insert(Each.In).second && Caller != Of.end() &&
            isRepeated(Caller->second, Seen));
  });
}

std::set<const FunctionDecl *> CallSites::ofSetUp() const {
  std::set<const FunctionDecl *> Once;
  bool HasRepeated = false;
  for (const auto &[F, Its] : Of) {
    if (!F->hasAttr<CUDAGlobalAttr>() || Its.Calls.empty())
      continue;
    std::set<const FunctionDecl *> Seen;
    HasRepeated = HasRepeated || isRepeated(Its, Seen);
    if (isOnce(Its))
      Once.insert(F);
  }
  return HasRepeated ? Once : std::set<const FunctionDecl *>();
}

std::set<const FunctionDecl *> setUpKernels(const ASTContext &Context) {
  return CallSites(Context).ofSetUp();
}

} // namespace cudalint
