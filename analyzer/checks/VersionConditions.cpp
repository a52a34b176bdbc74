//===- analyzer/checks/VersionConditions.cpp - Asked of GPUs --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/VersionConditions.h"

#include "analyzer/frontend/IntegerConstants.h"
#include "analyzer/frontend/UserFunctions.h"
#include "analyzer/launch/DeviceProperties.h"
#include "analyzer/launch/EffectSummary.h"
#include "analyzer/launch/RuntimeCalls.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/CheckedArithmetic.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace cudalint {

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

namespace {
/// Expressions of a function that the version alone decides, as
/// `prop.major * 10 + prop.minor` and what is asked of it.
class VersionValues {
public:
  VersionValues(const clang::Stmt *Body, const clang::ASTContext &Context,
                const Target &Gpu);

  std::optional<std::int64_t> of(const clang::Expr *E) const {
    return of(E, 0);
  }

private:
  /// What happens to a variable behind its initialisation.
  struct Variable {
    unsigned Changes = 0;                ///< Uses that do more than read it.
    const clang::Expr *Stored = nullptr; ///< By one of them, if not
    std::optional<std::int64_t> Asked;   ///< what the runtime tells.
  };

  void readCall(const clang::CallExpr &Call);
  std::optional<std::int64_t> constant(const clang::Expr &E) const;
  std::optional<std::int64_t> ofMember(const clang::MemberExpr &Member) const;
  std::optional<std::int64_t> ofVariable(const clang::VarDecl &V,
                                         unsigned Depth) const;
  std::optional<std::int64_t> ofOperation(const clang::BinaryOperator &E,
                                          unsigned Depth) const;
  std::optional<std::int64_t> of(const clang::Expr *E, unsigned Depth) const;

  const clang::ASTContext &Context;
  std::vector<DeviceProperty> Version; ///< `major` and `minor`.
  std::map<const clang::VarDecl *, Variable> Variables;
};
} // namespace

VersionValues::VersionValues(const clang::Stmt *Body,
                             const clang::ASTContext &Context,
                             const Target &Gpu)
    : Context(Context), Version(devicePropertiesOf(Gpu)) {
  std::erase_if(Version, [](const DeviceProperty &Each) {
    return Each.Field != "major" && Each.Field != "minor";
  });
  forEachStatement(Body, [&](const clang::Stmt &S) {
    if (const auto *Name = llvm::dyn_cast<clang::DeclRefExpr>(&S)) {
      if (const clang::VarDecl *V = namedVariable(Name))
        ++Variables[V].Changes;
    } else if (const auto *Cast = llvm::dyn_cast<clang::CastExpr>(&S)) {
      const clang::VarDecl *Read =
          Cast->getCastKind() == clang::CK_LValueToRValue
              ? namedVariable(Cast->getSubExpr())
              : nullptr;
      if (Read)
        --Variables[Read].Changes;
    } else if (const auto *Store = llvm::dyn_cast<clang::BinaryOperator>(&S)) {
      if (Store->getOpcode() == clang::BO_Assign)
        if (const clang::VarDecl *V = namedVariable(Store->getLHS()))
          Variables[V].Stored = Store->getRHS();
    } else if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(&S)) {
      readCall(*Call);
    }
  });
}

/// `cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0)`.
void VersionValues::readCall(const clang::CallExpr &Call) {
  if (runtimeCall(Call) != "cudaDeviceGetAttribute" || Call.getNumArgs() != 3)
    return;
  const clang::VarDecl *To = addressedVariable(Call.getArg(0));
  const auto Attribute = constant(*Call.getArg(1));
  for (const DeviceProperty &Each : Version)
    if (To && Attribute == Each.Attribute)
      Variables[To].Asked = Each.Value;
}

std::optional<std::int64_t>
VersionValues::constant(const clang::Expr &E) const {
  return int64Constant(Context, E);
}

std::optional<std::int64_t>
VersionValues::ofMember(const clang::MemberExpr &Member) const {
  const auto *Field = llvm::dyn_cast<clang::FieldDecl>(Member.getMemberDecl());
  if (Field && Field->getParent()->getName() == "cudaDeviceProp")
    for (const DeviceProperty &Each : Version)
      if (Field->getName() == Each.Field)
        return Each.Value;
  return std::nullopt;
}

std::optional<std::int64_t> VersionValues::ofVariable(const clang::VarDecl &V,
                                                      unsigned Depth) const {
  const auto At = Variables.find(&V);
  if (!V.isLocalVarDecl() || !V.getType()->isIntegerType() ||
      At == Variables.end())
    return std::nullopt;
  const Variable &Known = At->second;
  if (Known.Changes == 0 && V.hasInit())
    return of(V.getInit(), Depth);
  if (Known.Changes != 1 || Known.Asked)
    return Known.Changes == 1 ? Known.Asked : std::nullopt;
  // Who reads it before sees what it begins with.
  return Known.Stored && !V.hasInit() ? of(Known.Stored, Depth) : std::nullopt;
}

std::optional<std::int64_t>
VersionValues::ofOperation(const clang::BinaryOperator &E,
                           unsigned Depth) const {
  const auto Left = of(E.getLHS(), Depth), Right = of(E.getRHS(), Depth);
  // One side may decide alone.
  if (E.isLogicalOp()) {
    const bool Decides = E.getOpcode() == clang::BO_LOr;
    if ((Left && (*Left != 0) == Decides) ||
        (Right && (*Right != 0) == Decides))
      return Decides;
    return Left && Right ? std::optional<std::int64_t>(!Decides) : std::nullopt;
  }
  if (!Left || !Right)
    return std::nullopt;
  switch (E.getOpcode()) {
  case clang::BO_LT:
    return *Left < *Right;
  case clang::BO_LE:
    return *Left <= *Right;
  case clang::BO_GT:
    return *Left > *Right;
  case clang::BO_GE:
    return *Left >= *Right;
  case clang::BO_EQ:
    return *Left == *Right;
  case clang::BO_NE:
    return *Left != *Right;
  case clang::BO_Add:
    return llvm::checkedAdd(*Left, *Right);
  case clang::BO_Mul:
    return llvm::checkedMul(*Left, *Right);
  default:
    return std::nullopt;
  }
}

std::optional<std::int64_t> VersionValues::of(const clang::Expr *E,
                                              unsigned Depth) const {
  constexpr unsigned MaxDepth = 64; // Variables may be made of each other.
  E = E->IgnoreParenImpCasts();
  if (++Depth > MaxDepth)
    return std::nullopt;
  if (const auto *Member = llvm::dyn_cast<clang::MemberExpr>(E))
    return ofMember(*Member);
  if (const clang::VarDecl *V = namedVariable(E))
    if (const auto Value = ofVariable(*V, Depth))
      return Value;
  if (const auto *Operation = llvm::dyn_cast<clang::BinaryOperator>(E))
    return ofOperation(*Operation, Depth);
  if (const auto *Not = llvm::dyn_cast<clang::UnaryOperator>(E);
      Not && Not->getOpcode() == clang::UO_LNot) {
    const auto Value = of(Not->getSubExpr(), Depth);
    return Value ? std::optional<std::int64_t>(*Value == 0) : std::nullopt;
  }
  return constant(*E);
}

//===----------------------------------------------------------------------===//
// Ways
//===----------------------------------------------------------------------===//

/// The block that `switch` goes to for \p Value; the last is the one for what
/// no case has.
static const clang::CFGBlock *
caseOf(llvm::ArrayRef<const clang::CFGBlock *> Cases, std::int64_t Value,
       const clang::ASTContext &Context) {
  for (const clang::CFGBlock *Each : Cases) {
    const auto *Case =
        Each ? llvm::dyn_cast_or_null<clang::CaseStmt>(Each->getLabel())
             : nullptr;
    if (!Case)
      continue;
    const auto First = Case->getLHS()->EvaluateKnownConstInt(Context);
    const auto Last =
        Case->getRHS() ? Case->getRHS()->EvaluateKnownConstInt(Context) : First;
    if (First <= Value && Last >= Value)
      return Each;
  }
  return Cases.back();
}

/// Where \p From goes; may have null where it goes nowhere.
static llvm::SmallVector<const clang::CFGBlock *, 4>
successorsOf(const clang::CFGBlock &From, const VersionValues &Values,
             const clang::ASTContext &Context) {
  llvm::SmallVector<const clang::CFGBlock *, 4> All;
  for (const clang::CFGBlock::AdjacentBlock &Each : From.succs())
    All.push_back(Each.getReachableBlock());
  const auto *Condition =
      llvm::dyn_cast_or_null<clang::Expr>(From.getTerminatorCondition());
  const auto Value =
      Condition && All.size() > 1 ? Values.of(Condition) : std::nullopt;
  if (Value && llvm::isa<clang::SwitchStmt>(From.getTerminatorStmt()))
    return {caseOf(All, *Value, Context)};
  if (Value && All.size() == 2) // First where it is true.
    return {All[*Value ? 0 : 1]};
  return All;
}

/// Adds calls of \p Body that no way leads to.
static void addUnreached(const clang::FunctionDecl &F, clang::Stmt *Body,
                         const VersionValues &Values,
                         std::set<const clang::CallExpr *> &To) {
  clang::CFG::BuildOptions Options;
  Options.setAlwaysAdd(clang::Stmt::LambdaExprClass);
  clang::ASTContext &Context = F.getASTContext();
  const std::unique_ptr<clang::CFG> Graph =
      clang::CFG::buildCFG(&F, Body, &Context, Options);
  if (!Graph)
    return;
  std::set<const clang::CFGBlock *> Reached;
  llvm::SmallVector<const clang::CFGBlock *, 16> Next = {&Graph->getEntry()};
  // Nothing tells what throws.
  Next.append(Graph->try_blocks_begin(), Graph->try_blocks_end());
  while (!Next.empty())
    if (const clang::CFGBlock *Block = Next.pop_back_val();
        Block && Reached.insert(Block).second)
      Next.append(successorsOf(*Block, Values, Context));
  for (const clang::CFGBlock *Block : *Graph) {
    if (Reached.contains(Block))
      continue;
    for (const clang::CFGElement &Each : *Block)
      if (const auto Part = Each.getAs<clang::CFGStmt>()) {
        if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(Part->getStmt()))
          To.insert(Call);
        if (llvm::isa<clang::LambdaExpr>(Part->getStmt()))
          forEachStatement(Part->getStmt(), [&](const clang::Stmt &S) {
            if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(&S))
              To.insert(Call);
          });
      }
  }
}

std::set<const clang::CallExpr *> callsOfOtherGpus(const clang::FunctionDecl &F,
                                                   const Target &Gpu) {
  std::set<const clang::CallExpr *> Result;
  const EffectSummary Effects = effectsOf(F);
  if (Effects.TooDeep)
    return Result;
  const VersionValues Values(F.getBody(), F.getASTContext(), Gpu);
  addUnreached(F, F.getBody(), Values, Result);
  for (const clang::FunctionDecl *Lambda : Effects.Lambdas)
    if (!Lambda->isDependentContext())
      addUnreached(*Lambda, Lambda->getBody(), Values, Result);
  return Result;
}

} // namespace cudalint
