//===- analyzer/launch/BlockSizes.cpp - Where blocks are sized ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/BlockSizes.h"

#include "analyzer/frontend/SourcePlaces.h"
#include "analyzer/frontend/UserFunctions.h"
#include "analyzer/frontend/WrittenNames.h"
#include "analyzer/launch/BlockDependence.h"
#include "analyzer/launch/CoveringGrid.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

#include <optional>
#include <set>

using namespace clang;

namespace cudalint {

namespace {

/// What one launch says of its blocks.
struct SizedLaunch {
  const CallExpr *Site = nullptr;
  const FunctionDecl *Holder = nullptr;
  SourceLocation Number; ///< Of the threads of a block.
  bool IsProved = false;
  SizeUses Uses;
  BlockSizeText Text;
};

class SizeSearch {
public:
  SizeSearch(const ASTContext &Context, const UserFunctions &Functions,
             const HostCode &Code)
      : Context(Context), Sources(Context.getSourceManager()),
        Functions(Functions), Code(Code) {}

  std::map<const CallExpr *, BlockSizeText> texts() {
    std::map<SourceLocation, std::vector<SizedLaunch>> ByNumber;
    for (const auto &[Site, Holder] : Code.Launches)
      if (std::optional<SizedLaunch> Sized = read(*Site, *Holder))
        ByNumber[Sized->Number].push_back(std::move(*Sized));
    std::map<const CallExpr *, BlockSizeText> Result;
    for (const auto &[Number, Launches] : ByNumber)
      if (std::optional<BlockSizeText> Text = together(Launches))
        for (const SizedLaunch &Each : Launches)
          Result[Each.Site] = *Text;
    return Result;
  }

private:
  /// Empty where the size is no number that can be written otherwise.
  std::optional<SizedLaunch> read(const CallExpr &Site,
                                  const FunctionDecl &Holder) {
    const auto *Launch = dyn_cast<CUDAKernelCallExpr>(&Site);
    // What instantiations launch may differ.
    if (!Launch || !Launch->getConfig() ||
        Launch->getConfig()->getNumArgs() < 2 ||
        Holder.isTemplateInstantiation() || Holder.isDependentContext())
      return std::nullopt;
    SizedLaunch Result;
    Result.Site = &Site;
    Result.Holder = &Holder;
    CoveringGrid Grid(Context, Holder, Result.Uses, Result.Text);
    Result.Number = Grid.readBlock(*Launch->getConfig()->getArg(1));
    if (Result.Number.isInvalid())
      return std::nullopt;
    Result.IsProved = isProved(*Launch, Grid);
    return Result;
  }

  /// Whether the kernel does the same with all blocks that Text allows.
  bool isProved(const CUDAKernelCallExpr &Launch, CoveringGrid &Grid) {
    const FunctionDecl *Kernel = namedFunction(Launch.getCallee());
    Kernel = Kernel ? Kernel->getDefinition() : nullptr;
    if (!Kernel)
      return false;
    const auto [Known, IsNew] = Kernels.try_emplace(Kernel);
    if (IsNew)
      Known->second = blockDependence(*Kernel);
    const BlockDependence &Dependence = Known->second;
    if (!Dependence.OnlyOnTotal)
      return false;
    const Expr *Bound = Dependence.Bound;
    // What the launch gives for it.
    if (const auto *Name = dyn_cast_or_null<DeclRefExpr>(Bound))
      if (const auto *Parameter = dyn_cast<ParmVarDecl>(Name->getDecl()))
        Bound = Parameter->getFunctionScopeIndex() < Launch.getNumArgs()
                    ? Launch.getArg(Parameter->getFunctionScopeIndex())
                    : nullptr;
    return Grid.readGrid(*Launch.getConfig()->getArg(0), Bound);
  }

  std::optional<BlockSizeText>
  together(const std::vector<SizedLaunch> &Launches) const {
    SizeUses All;
    std::set<Edit> Sizes, LessOne;
    std::set<BlockCountText> Blocks;
    std::set<std::int64_t> Totals;
    for (const SizedLaunch &Each : Launches) {
      if (!Each.IsProved || Each.Text.Threads != Launches.front().Text.Threads)
        return std::nullopt;
      All.Names.insert(Each.Uses.Names.begin(), Each.Uses.Names.end());
      All.Variables.insert(Each.Uses.Variables.begin(),
                           Each.Uses.Variables.end());
      Sizes.insert(Each.Text.Sizes.begin(), Each.Text.Sizes.end());
      LessOne.insert(Each.Text.SizesLessOne.begin(),
                     Each.Text.SizesLessOne.end());
      Blocks.insert(Each.Text.Blocks.begin(), Each.Text.Blocks.end());
      Totals.insert(Each.Text.Totals.begin(), Each.Text.Totals.end());
    }
    for (const VarDecl *Each : All.Variables)
      if (!isReadThereAlone(*Each, *Launches.front().Holder, All))
        return std::nullopt;
    return BlockSizeText{.Threads = Launches.front().Text.Threads,
                         .Sizes = {Sizes.begin(), Sizes.end()},
                         .SizesLessOne = {LessOne.begin(), LessOne.end()},
                         .Blocks = {Blocks.begin(), Blocks.end()},
                         .Totals = {Totals.begin(), Totals.end()}};
  }

  /// Whether nothing but the launches names \p Variable, also in code that the
  /// preprocessor left out.
  bool isReadThereAlone(const VarDecl &Variable, const FunctionDecl &Holder,
                        const SizeUses &Launches) const {
    std::set<SourceLocation> Places = {
        Sources.getFileLoc(Variable.getLocation())};
    for (const DeclRefExpr *Each : Launches.Names)
      Places.insert(Sources.getFileLoc(Each->getLocation()));
    bool IsAlone = true;
    const auto look = [&](SourceRange Range) {
      forEachName(
          Context, Range, [&](StringRef Name, SourceLocation Where, bool) {
            IsAlone &= Name != Variable.getName() || Places.contains(Where);
          });
    };
    const auto lookInto = [&](const Stmt *Body) {
      forEachStatement(Body, [&](const Stmt &S) {
        const auto *Ref = dyn_cast<DeclRefExpr>(&S);
        IsAlone &=
            !Ref || Ref->getDecl() != &Variable || Launches.Names.contains(Ref);
      });
    };
    if (Variable.isLocalVarDecl()) {
      if (Variable.getDeclContext() != &Holder)
        return false;
      look(Holder.getSourceRange());
      lookInto(Holder.getBody());
      return IsAlone;
    }
    // A header's belongs to other files, too.
    if (Variable.isExternallyVisible() ||
        !Sources.isInMainFile(Variable.getLocation()))
      return false;
    forEachUserFile(Sources,
                    [&](FileID File) { look(rangeOf(Context, File)); });
    for (const FunctionDecl *Each : Functions.Definitions)
      lookInto(Each->getBody());
    for (const VarDecl *Each : Functions.Variables)
      lookInto(Each->getInit());
    return IsAlone;
  }

  const ASTContext &Context;
  const SourceManager &Sources;
  const UserFunctions &Functions;
  const HostCode &Code;
  std::map<const FunctionDecl *, BlockDependence> Kernels;
};

} // namespace

BlockSizes::BlockSizes(const ASTContext &Context,
                       const UserFunctions &Functions, const HostCode &Code)
    : Texts(Context.getDiagnostics().hasErrorOccurred()
                ? std::map<const CallExpr *, BlockSizeText>()
                : SizeSearch(Context, Functions, Code).texts()) {}

const BlockSizeText *BlockSizes::at(const CallExpr &Site) const {
  const auto Found = Texts.find(&Site);
  return Found == Texts.end() ? nullptr : &Found->second;
}

} // namespace cudalint
