//===- analyzer/launch/HostScan.h - A look over host code -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a quick walk over host code tells before it is evaluated: where the
/// launches are, who calls whom, and which variables anything may change.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_HOSTSCAN_H
#define CUDA_LINT_ANALYZER_LAUNCH_HOSTSCAN_H

#include "analyzer/launch/UserFunctions.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <functional>
#include <utility>
#include <vector>

namespace clang {
class CallExpr;
class Expr;
class FieldDecl;
class VarDecl;
} // namespace clang

namespace cudalint {

/// What one piece of code holds, lambdas' bodies included.
struct CodeSummary {
  std::vector<const clang::CallExpr *> Launches;
  /// Definitions that are called by name (not virtually), constructors too.
  llvm::SmallPtrSet<const clang::FunctionDecl *, 8> Callees;
  /// Variables that are assigned, or whose address or non-const reference is
  /// taken: everything but their initialisation and plain reading.
  llvm::SmallPtrSet<const clang::VarDecl *, 8> Changed;
  /// Those of them that a pointer or reference may lead to.
  llvm::SmallPtrSet<const clang::VarDecl *, 8> Leaked;
  /// Calls of cudaFuncSetAttribute that ask for more shared memory.
  llvm::SmallPtrSet<const clang::CallExpr *, 4> OptIns;
  /// Calls by name of functions that have no body in this file and are not a
  /// library's.
  std::vector<const clang::CallExpr *> OuterCalls;
  /// Such functions that are named other than to call them.
  llvm::SetVector<const clang::FunctionDecl *> OuterNamed;
  /// Definitions that are named other than to call them.
  llvm::SetVector<const clang::FunctionDecl *> AddressTaken;
  bool JumpsBack = false; ///< A goto whose label comes before it.
  bool TooDeep = false;   ///< Nested too deeply to be looked at.
};

CodeSummary summarize(const clang::Stmt *Code);

/// Calls that launch a kernel, by their name; not `<<<>>>`.
enum class LaunchCall { None, Kernel, Cooperative, Ex };
LaunchCall launchCallOf(const clang::FunctionDecl *Callee);

/// The kernel that `E` names directly, through casts and `&`; or null.
const clang::FunctionDecl *namedFunction(const clang::Expr *E);

/// All the host code of a translation unit.
struct HostCode {
  llvm::DenseMap<const clang::FunctionDecl *, CodeSummary> Summaries;
  /// Functions from which launches or calls of other files' functions are
  /// reached and that nothing here calls; those with launches come first.
  std::vector<const clang::FunctionDecl *> Roots;
  /// Every launch with the function that holds it, in the order of the source.
  std::vector<std::pair<const clang::CallExpr *, const clang::FunctionDecl *>>
      Launches;
  /// All of them.
  std::vector<const clang::CallExpr *> OuterCalls;
  llvm::SetVector<const clang::FunctionDecl *> OuterNamed;
  llvm::SmallPtrSet<const clang::VarDecl *, 16> Changed;
  llvm::SmallPtrSet<const clang::VarDecl *, 16> Leaked;
  llvm::SmallPtrSet<const clang::CallExpr *, 4> OptIns;
  /// Functions that are named and not called: a pointer may lead to them.
  llvm::SetVector<const clang::FunctionDecl *> AddressTaken;
  /// Variables that may be changed before main() begins.
  llvm::SmallPtrSet<const clang::VarDecl *, 4> ChangedBeforeMain;
  /// Functions that are used and that no code of the user's names: what
  /// library code finds by its arguments, or gets as a template's argument.
  std::vector<const clang::FunctionDecl *> Unnamed;
  bool Incomplete = false; ///< Some of it is nested too deeply.

  /// Host code that leads to a launch, or to a call of another file's function,
  /// and is not nested too deeply.
  bool canBeRoot(const clang::FunctionDecl &Function) const;
  bool reachesLaunch(const clang::FunctionDecl &Function) const;

  /// Calls `Visit` for each function that may run when `First` does, and that
  /// has a body here.
  void
  forEachReached(const clang::FunctionDecl &First,
                 const std::function<void(const CodeSummary &)> &Visit) const;
};

/// Calls of other files' functions are of interest only \p WithOuterCalls.
HostCode scanHostCode(const UserFunctions &Functions, bool WithOuterCalls);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_HOSTSCAN_H
