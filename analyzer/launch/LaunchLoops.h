//===- analyzer/launch/LaunchLoops.h - Loops around launches ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The loops of host code that launch kernels in their turns, what they call
/// besides, and what stays the same from turn to turn.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_LAUNCHLOOPS_H
#define CUDA_LINT_ANALYZER_LAUNCH_LAUNCHLOOPS_H

#include "analyzer/launch/EffectSummary.h"

#include "llvm/ADT/StringRef.h"

#include <map>
#include <vector>

namespace clang {
class ASTContext;
class CUDAKernelCallExpr;
} // namespace clang

namespace cudalint {

/// A call of the CUDA runtime for which a loop is the innermost one.
struct LoopCall {
  const clang::CallExpr *Call = nullptr;
  llvm::StringRef Name; ///< As runtimeCall() has it.
  bool IsAlways = true; ///< Each turn that comes so far makes it.
};

/// A loop that launches kernels in each turn, in itself or in functions that it
/// calls, and that may turn more than once.
struct LaunchLoop {
  const clang::Stmt *Loop = nullptr;
  std::vector<LoopCall> Calls; ///< In the order of the source.
  /// Calls of functions of the user's that launch kernels, alike.
  std::vector<LoopCall> Launchers;
  EffectSummary Effects; ///< Of all of it.
  bool SetsDevice = false;
  bool AsksForTime = false;

  /// True when \p E has the same value in all turns: made of constants and of
  /// variables that no turn changes. Errs towards false.
  bool isSameInAllTurns(const clang::Expr *E) const;
  bool isSameInAllTurns(const clang::VarDecl &V) const;

private:
  bool isSame(const clang::Expr *E, unsigned Depth) const;
  bool isSame(const clang::VarDecl &V, unsigned Depth) const;
};

/// Functions that launch kernels, themselves or in what they call. Each body is
/// looked at once, however many functions call it.
class LaunchingFunctions {
public:
  /// Whether running \p F launches a kernel.
  bool contains(const clang::FunctionDecl &F);

private:
  struct Body {
    bool Launches = false; ///< Itself.
    std::vector<const clang::FunctionDecl *> Calls;
  };
  const Body &bodyOf(const clang::FunctionDecl &Definition);

  std::map<const clang::FunctionDecl *, Body> Bodies;
  std::map<const clang::FunctionDecl *, bool> Known;
};

/// Of \p F, which is host code and has a body; in the order of the source.
std::vector<LaunchLoop> launchLoops(const clang::ASTContext &Context,
                                    const clang::FunctionDecl &F,
                                    LaunchingFunctions &Launching);

/// The body of \p F as if it were a loop: what each call of it does. A
/// parameter is a variable from outside.
LaunchLoop bodyAsLoop(const clang::ASTContext &Context,
                      const clang::FunctionDecl &F);

/// True where \p Child is a part of \p Parent that not each run of it runs;
/// of loops, see isLoop().
bool isSometimes(const clang::Stmt &Parent, const clang::Stmt &Child);

/// True for a launch by `<<<>>>` or by a function of the runtime.
bool isLaunch(const clang::Stmt &S);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_LAUNCHLOOPS_H
