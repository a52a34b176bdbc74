//===- analyzer/launch/OptIns.cpp - Opt-in to shared memory ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/OptIns.h"

#include "analyzer/launch/UserFunctions.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace cudalint {

static bool isSame(const FunctionDecl *A, const FunctionDecl &B) {
  return A && A->getCanonicalDecl() == B.getCanonicalDecl();
}

bool OptIns::has(const FunctionDecl &Kernel) const {
  return llvm::any_of(Code.OptIns,
                      [&](const CallExpr *Site) {
                        return isSame(namedFunction(Site->getArg(0)), Kernel);
                      }) ||
         llvm::any_of(Evaluator.OptIns, [&](const OptInVisit &Each) {
           return isSame(Each.Kernel, Kernel);
         });
}

llvm::SmallPtrSet<const FunctionDecl *, 4> OptIns::kernels() const {
  llvm::SmallPtrSet<const FunctionDecl *, 4> Result;
  llvm::SmallPtrSet<const CallExpr *, 8> Met;
  for (const OptInVisit &Each : Evaluator.OptIns) {
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

std::optional<SharedMemoryRaise>
OptIns::raiseOf(const FunctionDecl &Kernel, const LaunchVisit &Launch) const {
  llvm::SmallPtrSet<const CallExpr *, 8> Met;
  std::optional<SharedMemoryRaise> Result;
  for (const OptInVisit &Each : Evaluator.OptIns) {
    Met.insert(Each.Site);
    if (Each.Kernel && !isSame(Each.Kernel, Kernel))
      continue;
    std::optional<std::int64_t> Bytes = integerOf(Each.Bytes);
    if (!Each.Kernel || !Bytes)
      return std::nullopt;
    // Which of two functions that nothing here calls runs first?
    const bool IsLater =
        Each.Root == Launch.Root && Each.Moment > Launch.Moment;
    if (!Result)
      Result.emplace().IsLater = true;
    Result->IsLater &= IsLater;
    if (*Bytes < Result->Bytes)
      continue;
    Result->Bytes = *Bytes;
    Result->Where = locate(Context, Each.Site->getBeginLoc());
  }
  for (const CallExpr *Site : Code.OptIns) {
    const FunctionDecl *Named = namedFunction(Site->getArg(0));
    if (!Met.contains(Site) && (!Named || isSame(Named, Kernel)))
      return std::nullopt;
  }
  return Result;
}

} // namespace cudalint
