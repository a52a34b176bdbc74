//===- analyzer/launch/LaunchExtractor.cpp - Launches from the AST --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/LaunchExtractor.h"

#include "analyzer/launch/KernelDeclarations.h"
#include "analyzer/launch/UserFunctions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace cudalint {

static Extent constantExtent(const Expr *E, const ASTContext &Context) {
  E = E->IgnoreUnlessSpelledInSource();
  if (const auto *Reference = dyn_cast<DeclRefExpr>(E))
    if (const auto *Variable = dyn_cast<VarDecl>(Reference->getDecl()))
      if (const Expr *Init = Variable->getAnyInitializer();
          Init && Variable->getType().isConstQualified())
        E = Init;
  Expr::EvalResult Result;
  if (E->isValueDependent() || !E->EvaluateAsRValue(Result, Context))
    return {};
  if (Result.Val.isInt())
    return {Result.Val.getInt().getExtValue(), 1, 1};
  if (!Result.Val.isStruct() || Result.Val.getStructNumFields() != 3)
    return {};
  Extent Dimensions;
  for (unsigned I = 0; I < 3; ++I)
    if (Result.Val.getStructField(I).isInt())
      Dimensions[I] = Result.Val.getStructField(I).getInt().getExtValue();
  return Dimensions;
}

static Launch read(const CUDAKernelCallExpr &Call, const ASTContext &Context,
                   const LinkageNames &Names) {
  Launch Found;
  Found.Where = locate(Context, Call.getBeginLoc());
  if (const FunctionDecl *Kernel = Call.getDirectCallee()) {
    Found.Kernel = Names.nameOf(*Kernel);
    Found.KernelAsWritten = writtenName(*Kernel);
  }
  const CallExpr *Config = Call.getConfig();
  Found.Grid = constantExtent(Config->getArg(0), Context);
  Found.Block = constantExtent(Config->getArg(1), Context);
  return Found;
}

LaunchFacts extractLaunches(ASTContext &Context) {
  LaunchFacts Facts;
  LinkageNames Names(Context);
  UserFunctions Functions = collectUserFunctions(Context);
  collectKernels(Context, Functions, Names, Facts);
  for (const FunctionDecl *Each : Functions.Definitions)
    forEachStatement(Each->getBody(), [&](const Stmt &S) {
      if (const auto *Call = dyn_cast<CUDAKernelCallExpr>(&S))
        Facts.Launches.push_back(read(*Call, Context, Names));
    });
  return Facts;
}

} // namespace cudalint
