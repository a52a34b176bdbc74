//===- analyzer/launch/HostCode.h - The host code of a file -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// All code of a file, and what its effects tell before any of it is run:
/// where the launches are, from where they are reached, and which variables
/// anything may change.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_HOSTCODE_H
#define CUDA_LINT_ANALYZER_LAUNCH_HOSTCODE_H

#include "analyzer/launch/EffectSummary.h"
#include "analyzer/launch/LostCode.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <utility>

namespace cudalint {

/// All the code of a translation unit.
struct UnitEffects {
  template <class Decl>
  using List = std::vector<std::pair<const Decl *, EffectSummary>>;

  /// In the order of the source; behind them, the methods of classes within
  /// functions, which no walk over declarations meets.
  List<clang::FunctionDecl> Functions;
  List<clang::VarDecl> Variables;
};
UnitEffects effectsOf(const UserFunctions &Functions);

struct HostCode {
  /// Calls of other files' functions are of interest only \p WithOuterCalls.
  /// \p Effects are referred to.
  HostCode(const UserFunctions &Functions, const UnitEffects &Effects,
           bool WithOuterCalls, LostCode Lost = {});

  /// Functions from which launches or calls of other files' functions are
  /// reached and that nothing here calls; those with launches come first.
  std::vector<const clang::FunctionDecl *> Roots;
  /// Every launch with the function that holds it, in the order of the source.
  std::vector<std::pair<const clang::CallExpr *, const clang::FunctionDecl *>>
      Launches;
  /// All of them, as in EffectSummary.
  std::vector<const clang::CallExpr *> OuterCalls;
  std::vector<const clang::CallExpr *> OptIns;
  llvm::SmallPtrSet<const clang::VarDecl *, 16> Changed;
  llvm::SmallPtrSet<const clang::VarDecl *, 16> Leaked;
  /// Definitions that are named and not called: a pointer may lead to them.
  llvm::SetVector<const clang::FunctionDecl *> AddressTaken;
  /// The same of functions of other files.
  llvm::SetVector<const clang::FunctionDecl *> OuterNamed;
  /// Variables that may be changed before main() begins.
  llvm::SmallPtrSet<const clang::VarDecl *, 4> ChangedBeforeMain;
  /// Functions that are used and that no code of the user's names: what
  /// library code finds by its arguments, or gets as a template's argument.
  std::vector<const clang::FunctionDecl *> Unnamed;
  bool Incomplete = false; ///< Some of it is nested too deeply.

  /// Null for what is no host code of the user's.
  const EffectSummary *effectsOf(const clang::FunctionDecl &Function) const {
    return Summaries.lookup(&Function);
  }

  /// Host code that leads to a launch, or to a call of another file's function,
  /// and is not nested too deeply.
  bool canBeRoot(const clang::FunctionDecl &Function) const;
  bool reachesLaunch(const clang::FunctionDecl &Function) const;

  /// A statement that an error has cost may set the variable or member.
  bool mayBeSetByLost(const clang::ValueDecl &Named) const;
  /// Some of what it does is not in the tree.
  bool losesPartOf(const clang::FunctionDecl &Function) const {
    return Lost.isPartOf(Function);
  }
  /// Statements are lost: what nothing sets may be set all the same.
  bool hasLost() const { return !Lost.isEmpty(); }

  /// Calls `Visit` for each function that may run when `First` does, and that
  /// has a body here.
  void
  forEachReached(const clang::FunctionDecl &First,
                 llvm::function_ref<void(const EffectSummary &)> Visit) const;

private:
  void add(const EffectSummary &Effects);
  void findChangesBeforeMain(const UnitEffects &Effects);
  void findChangesByLost(const UnitEffects &Effects);

  bool WithOuterCalls;
  LostCode Lost;
  llvm::SmallPtrSet<const clang::ValueDecl *, 4> ChangedByLost;
  llvm::DenseMap<const clang::FunctionDecl *, const EffectSummary *> Summaries;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_HOSTCODE_H
