//===- analyzer/launch/EffectSummary.h - What code does ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What code may do when it runs, told by one walk over it that evaluates
/// nothing: whom it calls and names, what it launches, which variables, members
/// and parameters it changes, and with what. HostCode and ProgramScan read all
/// that they know of code that is not run from here.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_EFFECTSUMMARY_H
#define CUDA_LINT_ANALYZER_LAUNCH_EFFECTSUMMARY_H

#include "analyzer/frontend/UserFunctions.h"

#include "clang/AST/Type.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <vector>

namespace clang {
class CallExpr;
class CXXRecordDecl;
class ValueDecl;
} // namespace clang

namespace cudalint {

/// A change of a program place (ProgramPlaces.h).
struct PlaceEffect {
  enum class Kind {
    Expression,     ///< It becomes the value of Stored.
    Zero,           ///< It becomes 0.
    Unknown,        ///< It may become anything: its address is taken …
    ConstReference, ///< Nothing, unless a cast takes the const away.
  };
  const clang::ValueDecl *To = nullptr;
  Kind What = Kind::Unknown;
  const clang::Expr *Stored = nullptr;
};

/// What one piece of code does, lambdas' bodies included.
struct EffectSummary {
  /// All calls of functions by their names, also virtual ones. Of them,
  std::vector<const clang::CallExpr *> Calls;
  /// launches, `<<<>>>` and others,
  std::vector<const clang::CallExpr *> Launches;
  /// calls of functions that have no body here and are not a library's, and
  std::vector<const clang::CallExpr *> OuterCalls;
  /// calls of cudaFuncSetAttribute that ask for more shared memory.
  std::vector<const clang::CallExpr *> OptIns;
  /// Definitions that are called by name (not virtually), constructors too.
  llvm::SmallPtrSet<const clang::FunctionDecl *, 8> Callees;
  /// All functions that are called or named, each by its first declaration.
  llvm::SmallPtrSet<const clang::FunctionDecl *, 8> Named;
  /// Those that are named other than to call them: a pointer may lead there.
  llvm::SetVector<const clang::FunctionDecl *> AddressTaken;

  /// Variables that are assigned, or whose address or non-const reference is
  /// taken: everything but their initialisation and plain reading.
  llvm::SmallPtrSet<const clang::VarDecl *, 8> Changed;
  /// Those of them that a pointer or reference may lead to.
  llvm::SmallPtrSet<const clang::VarDecl *, 8> Leaked;

  /// What happens to program places, but for the parameters of Calls.
  std::vector<PlaceEffect> Stores;
  /// Types of which something is zeroed, and of which something may be changed
  /// in ways that are not seen: pointers, arrays and records.
  std::vector<clang::QualType> Zeroed;
  std::vector<clang::QualType> Overwritten;
  bool CastsConstAway = false;
  /// Classes of expressions and variables, or that they are arrays of or
  /// pointers to.
  llvm::SmallPtrSet<const clang::CXXRecordDecl *, 8> Classes;
  std::vector<const clang::VarDecl *> Variables; ///< Declared here.
  std::vector<const clang::CXXRecordDecl *> LocalClasses;
  /// The call operators of lambdas whose bodies are part of this.
  std::vector<const clang::FunctionDecl *> Lambdas;

  bool JumpsBack = false; ///< A goto whose label comes before it.
  bool TooDeep = false;   ///< Nested too deeply to be run.
};

/// Of a statement or an expression, or null.
EffectSummary effectsOf(const clang::Stmt *Code);
/// Of its body, a constructor's initialisers included.
EffectSummary effectsOf(const clang::FunctionDecl &Function);
/// Of the declaration and what initialises it.
EffectSummary effectsOf(const clang::VarDecl &Variable);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_EFFECTSUMMARY_H
