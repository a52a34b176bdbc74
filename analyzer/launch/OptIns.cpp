//===- analyzer/launch/OptIns.cpp - Opt-in to shared memory ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/OptIns.h"

#include "analyzer/frontend/SourcePlaces.h"
#include "analyzer/frontend/UserFunctions.h"

#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudalint {

static bool isSameFunction(const FunctionDecl *A, const FunctionDecl &B) {
  return A && A->getCanonicalDecl() == B.getCanonicalDecl();
}

bool OptIns::has(const FunctionDecl &Kernel) const {
  return llvm::any_of(Code.OptIns,
                      [&](const CallExpr *Site) {
                        return isSameFunction(namedFunction(Site->getArg(0)),
                                              Kernel);
                      }) ||
         llvm::any_of(Visits, [&](const OptInVisit &Each) {
           return isSameFunction(Each.Kernel, Kernel);
         });
}

llvm::SmallPtrSet<const FunctionDecl *, 4> OptIns::kernels() const {
  llvm::SmallPtrSet<const FunctionDecl *, 4> Result;
  llvm::SmallPtrSet<const CallExpr *, 8> Met;
  for (const OptInVisit &Each : Visits) {
    Met.insert(Each.Site);
    Result.insert(Each.Kernel);
  }
  for (const CallExpr *Site : Code.OptIns)
    if (const FunctionDecl *Named = namedFunction(Site->getArg(0)))
      Result.insert(Named);
    else if (!Met.contains(Site))
      Result.insert(nullptr);
  return Result;
}

/// Whether `Site` is run whenever `Code` is, once, after all that stands before
/// it. Error-checking macros wrap calls in `do … while (0)` and `if`.
static bool isInStraightLine(const Stmt *Code, const Stmt &Site) {
  if (!Code || Code == &Site)
    return Code;
  if (const auto *If = dyn_cast<IfStmt>(Code))
    return isInStraightLine(If->getInit(), Site) ||
           isInStraightLine(If->getCond(), Site);
  if (const auto *Do = dyn_cast<DoStmt>(Code)) {
    const auto *Once =
        dyn_cast<IntegerLiteral>(Do->getCond()->IgnoreParenImpCasts());
    return Once && Once->getValue() == 0 &&
           isInStraightLine(Do->getBody(), Site);
  }
  const auto *Binary = dyn_cast<BinaryOperator>(Code);
  if (isa<LambdaExpr, AbstractConditionalOperator>(Code) ||
      (Binary && Binary->isLogicalOp()) ||
      !isa<CompoundStmt, DeclStmt, Expr>(Code))
    return false;
  return llvm::any_of(Code->children(), [&](const Stmt *Each) {
    return isInStraightLine(Each, Site);
  });
}

bool OptIns::isLater(const OptInVisit &OptIn, const LaunchVisit &Launch) const {
  if (OptIn.Root != Launch.Root || OptIn.Moment < Launch.Moment)
    return false;
  // The evaluator comes by both ways of a branch and a turn of a loop once, in
  // the order of the source, which need not be that of the run.
  return llvm::any_of(Code.Launches, [&](const auto &Each) {
    const auto &[Site, Holder] = Each;
    return Site == Launch.Site &&
           isInStraightLine(Holder->getBody(), *Launch.Site) &&
           isInStraightLine(Holder->getBody(), *OptIn.Site);
  });
}

std::optional<SharedMemoryRaise>
OptIns::raiseOf(const FunctionDecl &Kernel, const LaunchVisit &Launch) const {
  llvm::SmallPtrSet<const CallExpr *, 8> Met;
  std::optional<SharedMemoryRaise> Result;
  for (const OptInVisit &Each : Visits) {
    Met.insert(Each.Site);
    if (Each.Kernel && !isSameFunction(Each.Kernel, Kernel))
      continue;
    std::optional<std::int64_t> Bytes = integerOf(Each.Bytes);
    if (!Each.Kernel || !Bytes)
      return std::nullopt;
    if (!Result)
      Result.emplace().IsLater = true;
    Result->IsLater &= isLater(Each, Launch);
    if (*Bytes < Result->Bytes)
      continue;
    Result->Bytes = *Bytes;
    Result->Where = locate(Context, Each.Site->getBeginLoc());
  }
  for (const CallExpr *Site : Code.OptIns) {
    const FunctionDecl *Named = namedFunction(Site->getArg(0));
    if (!Met.contains(Site) && (!Named || isSameFunction(Named, Kernel)))
      return std::nullopt;
  }
  return Result;
}

} // namespace cudalint
