//===- analyzer/launch/SwappedIndices.cpp - threadIdx turned --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/SwappedIndices.h"

#include "analyzer/frontend/SourcePlaces.h"
#include "analyzer/launch/LaneCode.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"

#include <algorithm>
#include <set>

using namespace clang;

namespace cudalint {

std::vector<Edit> swappedIndices(const FunctionDecl &Kernel) {
  // What instantiations do may differ.
  if (Kernel.isTemplateInstantiation() || Kernel.isDependentContext())
    return {};
  const ASTContext &Context = Kernel.getASTContext();
  std::set<SourceLocation> Named, Taken;
  std::set<Edit> Edits;
  bool IsWritable = true;
  const auto look = [&](const Stmt &S, const FunctionDecl &In) {
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&S);
        Ref && threadBuiltin(*Ref) == "threadIdx")
      Named.insert(Ref->getLocation());
    const std::optional<BuiltinPart> Index = builtinPart(S);
    if (!Index || Index->Variable != "threadIdx")
      return;
    Taken.insert(Index->Where);
    IsWritable &= &In == &Kernel;
    if (Index->Part == "z")
      return;
    std::optional<Edit> Other =
        insertionAt(Context, Index->PartWhere, Index->Part == "x" ? "y" : "x");
    IsWritable &= Other.has_value();
    if (!Other)
      return;
    Other->Length = 1;
    Edits.insert(std::move(*Other));
  };
  // What is named in no other way than to take a part of it.
  if (!forEachLaneStatement(Kernel, look) || !IsWritable ||
      !std::ranges::includes(Taken, Named))
    return {};
  return {Edits.begin(), Edits.end()};
}

} // namespace cudalint
