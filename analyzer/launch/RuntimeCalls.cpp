//===- analyzer/launch/RuntimeCalls.cpp - Calls of the CUDA runtime -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/RuntimeCalls.h"

#include "analyzer/frontend/UserFunctions.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/StringSwitch.h"

#include <utility>
#include <vector>

using namespace clang;

namespace cudalint {

llvm::StringRef runtimeCall(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !Callee->getIdentifier())
    return {};
  llvm::StringRef Name = Callee->getName();
  if (!Name.starts_with("cuda") || !isInSystemHeader(*Callee))
    return {};
  // The header renames what it declares for other default streams.
  if (!Name.consume_back("_ptsz"))
    Name.consume_back("_ptds");
  return Name;
}

bool isHostCode(const FunctionDecl &F) {
  return !F.hasAttr<CUDAGlobalAttr>() && !F.hasAttr<CUDADeviceAttr>();
}

const VarDecl *namedVariable(const Expr *E) {
  const auto *Named = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
  return Named ? dyn_cast<VarDecl>(Named->getDecl()) : nullptr;
}

const VarDecl *addressedVariable(const Expr *E) {
  const auto *Address = dyn_cast<UnaryOperator>(E->IgnoreParenCasts());
  return Address && Address->getOpcode() == UO_AddrOf
             ? namedVariable(Address->getSubExpr())
             : nullptr;
}

llvm::StringRef copyDirection(const CallExpr &Call, unsigned Argument) {
  if (Call.getNumArgs() <= Argument)
    return {};
  const auto *Named =
      dyn_cast<DeclRefExpr>(Call.getArg(Argument)->IgnoreParenCasts());
  const auto *Kind =
      Named ? dyn_cast<EnumConstantDecl>(Named->getDecl()) : nullptr;
  return Kind ? Kind->getName() : llvm::StringRef();
}

void forEachWithin(
    const Stmt *Root,
    llvm::function_ref<bool(const Stmt &, llvm::ArrayRef<const Stmt *> Around)>
        Visit) {
  if (!Root || !Visit(*Root, {}))
    return;
  using Children = Stmt::const_child_iterator;
  std::vector<const Stmt *> Around{Root};
  std::vector<std::pair<Children, Children>> Left{
      {Root->child_begin(), Root->child_end()}};
  while (!Left.empty()) {
    auto &[Next, End] = Left.back();
    if (Next == End) {
      Left.pop_back();
      Around.pop_back();
      continue;
    }
    const Stmt *Child = *Next++;
    if (!Child || !Visit(*Child, Around))
      continue;
    Around.push_back(Child);
    Left.emplace_back(Child->child_begin(), Child->child_end());
  }
}

bool asksForTime(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !Callee->getIdentifier())
    return false;
  // Programs have functions of their own for it.
  return Callee->getName().starts_with("cudaEvent") ||
         Callee->getName() == "now" || Callee->getName() == "tic" ||
         Callee->getName() == "toc" ||
         Callee->getName().contains_insensitive("time") ||
         Callee->getName().contains_insensitive("clock") ||
         Callee->getName().contains_insensitive("seconds") ||
         Callee->getName().contains_insensitive("PerformanceCounter");
}

} // namespace cudalint
