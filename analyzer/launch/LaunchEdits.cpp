//===- analyzer/launch/LaunchEdits.cpp - Edits of launches ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/LaunchEdits.h"

#include "analyzer/frontend/SourcePlaces.h"
#include "analyzer/frontend/SteadyText.h"
#include "analyzer/frontend/UserFunctions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/ParentMapContext.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace cudalint {

static const Stmt *parentOf(ASTContext &Context, const Stmt &S) {
  const auto Parents = Context.getParents(S);
  return Parents.empty() ? nullptr : Parents[0].get<Stmt>();
}

/// What stands before \p Begin in its line, if that is blank: a new line; or a
/// blank.
static std::string lineBreak(const ASTContext &Context, SourceLocation Begin) {
  const SourceManager &Sources = Context.getSourceManager();
  if (Begin.isMacroID())
    return " ";
  bool IsInvalid = false;
  const StringRef Text =
      Sources.getBufferData(Sources.getFileID(Begin), &IsInvalid);
  if (IsInvalid)
    return " ";
  const StringRef Before = Text.take_front(Sources.getFileOffset(Begin));
  const StringRef Line = Before.substr(Before.rfind('\n') + 1);
  return Line.trim(" \t").empty() ? "\n" + Line.str() : " ";
}

std::optional<Edit> optInCall(ASTContext &Context,
                              const CUDAKernelCallExpr &Launch) {
  const CallExpr *Config = Launch.getConfig();
  if (!Config || Config->getNumArgs() < 3)
    return std::nullopt;
  const Stmt *Statement = &Launch;
  const Stmt *Around = parentOf(Context, *Statement);
  for (; Around && isa<Expr>(Around); Around = parentOf(Context, *Around))
    Statement = Around;
  // Elsewhere it would be the one statement of an `if`, or a declaration.
  if (!Around || !isa<CompoundStmt>(Around))
    return std::nullopt;
  const Expr *Bytes = Config->getArg(2);
  const std::string Kernel = writtenText(Context,
                                         Launch.getCallee()->getSourceRange()),
                    Size = writtenText(Context, Bytes->getSourceRange());
  if (Kernel.empty() || Size.empty() || Bytes->HasSideEffects(Context))
    return std::nullopt;
  const SourceLocation Begin = Statement->getBeginLoc();
  return insertionAt(Context, Begin,
                     "cudaFuncSetAttribute(" + Kernel +
                         ", cudaFuncAttributeMaxDynamicSharedMemorySize, " +
                         Size + ");" + lineBreak(Context, Begin));
}

/// Whether each build computes \p Size from the same: what is assigned to a
/// variable stands somewhere in its function.
static bool isSteadySize(const SteadyText &Steady, const Expr &Size) {
  bool Result = Steady.isSteady(Size);
  forEachStatement(&Size, [&](const Stmt &Each) {
    const auto *Name = dyn_cast<DeclRefExpr>(&Each);
    const auto *Variable = Name ? dyn_cast<VarDecl>(Name->getDecl()) : nullptr;
    const auto *In =
        Variable ? dyn_cast<FunctionDecl>(Variable->getDeclContext()) : nullptr;
    if (In && !Variable->getType().isConstQualified())
      Result = Result && Steady.isSteady(In->getSourceRange());
  });
  return Result;
}

std::optional<ExpressionText>
dynamicSharedText(const ASTContext &Context, const SteadyText &Steady,
                  const CUDAKernelCallExpr &Launch) {
  const CallExpr *Config = Launch.getConfig();
  if (!Config || Config->getNumArgs() < 3 ||
      isa<CXXDefaultArgExpr>(Config->getArg(2)) ||
      !isSteadySize(Steady, *Config->getArg(2)))
    return std::nullopt;
  return expressionText(Context, *Config->getArg(2));
}

} // namespace cudalint
