//===- analyzer/launch/HostMemory.h - Memory of host code -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What variables and other objects hold on a path through host code. It is
/// known only what holds whatever code out of sight does: so most of this is
/// about forgetting. Nothing here knows of statements, calls or launches.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_HOSTMEMORY_H
#define CUDA_LINT_ANALYZER_LAUNCH_HOSTMEMORY_H

#include "analyzer/launch/HostCode.h"
#include "analyzer/launch/ProgramPlaces.h"
#include "analyzer/launch/ProgramValues.h"
#include "analyzer/launch/TypedValues.h"

#include <set>
#include <unordered_map>

namespace cudalint {

using MaybePlace = std::optional<Place>;

/// What a path through the host code has made of memory. A plain value: a copy
/// is what a branch, a loop or a jump goes back to.
struct HostState {
  llvm::DenseMap<const void *, Value> Objects;
  /// Conditions of the way here, and what follows from them.
  Knowledge Known;
  /// Objects that pointers out of sight may point to.
  llvm::SmallPtrSet<const void *, 8> Escaped;
  /// Objects that a callback or a destructor changes, whenever it may run.
  llvm::SmallPtrSet<const void *, 4> Unsteady;
  bool Live = true;  ///< False behind return, break, exit …
  bool Lost = false; ///< Globals may have been changed by code out of sight.
};

/// \p Init of a variable, null where nothing is written. Where that is an error
/// in a template, Clang takes zero in its instantiations.
const clang::Expr *writtenInitialiser(const clang::Expr *Init);

/// Evaluates what variables are initialised with that no path has touched: for
/// its value, not for its effects.
class Initializers {
public:
  virtual Value initialValue(const clang::Expr &Init) = 0;
  virtual MaybePlace initialReferent(const clang::Expr &Init) = 0;

protected:
  ~Initializers() = default;
};

/// Evaluates expressions on the path at hand, with their effects.
class ExpressionEvaluator {
public:
  virtual Value evaluate(const clang::Expr *E) = 0;

protected:
  ~ExpressionEvaluator() = default;
};

/// Whose doing a change is that was not followed.
enum class Change {
  OfProgram, ///< It happens whatever the input is: nothing tells the new value.
  OfInput,   ///< Without such input, it is none: the value stays as it was.
};

class HostMemory {
public:
  /// What is not known otherwise is looked up in \p Program.
  HostMemory(const HostCode &Code, const WholeProgram &Program,
             ProgramPlaces &Places, TypedValues &Values, Initializers &Initial)
      : Code(Code), Program(Program), Places(Places), Values(Values),
        Initial(Initial) {}

  // Paths (HostPaths.cpp). There is one at a time.
  void begin(bool IsMain);
  const HostState &state() const { return State; }
  /// Goes on with another path and returns that which was left.
  HostState exchange(HostState Other);
  bool isLive() const { return State.Live; }
  void setLive(bool Live) { State.Live = Live; }
  Value resolve(Value V) { return Values.resolve(V, State.Known); }
  /// The path is one on which that is so; dead, if it cannot be.
  void learn(Value Condition, bool Truth);
  /// From here on it may have been this path, where `Condition` holds, or
  /// `Other`.
  void join(HostState Other, Value Condition);
  /// Joins the paths that jumped here, and empties the list.
  void joinAll(std::vector<HostState> &Others);

  // Objects: variables, and temporaries by their expressions.
  bool has(const void *Object) const { return State.Objects.contains(Object); }
  Value contents(const void *Object);
  void set(const void *Object, Value New) { State.Objects[Object] = New; }
  void drop(const void *Object) { State.Objects.erase(Object); }
  /// A variable comes to life, with that value or one that is not known.
  void declare(const clang::VarDecl &Variable, Value Initial);
  void declareUnknown(const clang::VarDecl &Variable,
                      const std::string &Which = {});
  /// What a parameter holds when nothing is known of the call.
  void declareAtEntry(const clang::ParmVarDecl &Parameter);
  /// A pointer or reference that is not followed may lead there from now on.
  void escape(const void *Object) { State.Escaped.insert(Object); }
  /// It may be changed at any time from now on.
  void distrust(const void *Object) { State.Unsteady.insert(Object); }
  void setEscaped(llvm::SmallPtrSet<const void *, 8> Objects) {
    State.Escaped = std::move(Objects);
  }

  // Places: an object or a part of one; none where it is not known which.
  MaybePlace placeOf(const clang::VarDecl &Variable);
  MaybePlace pointee(Value Pointer);
  /// What an exact place holds; `Name` says what it is, if that is not known.
  Value read(const Place &From, const std::string &Name);
  /// The same for the expression `As`, that may be known to the program.
  Value load(const MaybePlace &From, const clang::Expr *As);
  void store(const MaybePlace &To, clang::QualType Type, Value New);

  // Changes out of sight; `By` says whose.
  void forget(const Place &What, const std::string &By,
              Change How = Change::OfProgram);
  void forgetReachable(Value From, const std::string &By,
                       Change How = Change::OfProgram, unsigned Level = 0);
  void forgetVariable(const clang::VarDecl &Variable, const std::string &By,
                      Change How = Change::OfProgram);
  /// What the code assigns or leads pointers to.
  void forgetChangesIn(const clang::Stmt *S, const std::string &By,
                       Change How = Change::OfProgram);
  /// What any function may change that gets to run.
  void forgetOutOfSight(const std::string &By, Change How = Change::OfProgram);
  void forgetEverything();
  /// Nor is what it was before it was forgotten any likelier than other values.
  void forgetStart(const Place &What);
  const EffectSummary &effectsIn(const clang::Stmt *S);

  // Code that runs unseen: callbacks and destructors.
  /// What the pointers and references in a value lead to.
  void distrustReferents(Value From);
  /// What a function changes that runs now or at any time to come.
  void distrustChangesOf(const clang::FunctionDecl &Unseen);
  /// `Object`, of that type, will be destroyed in a moment that is not
  /// followed.
  void distrustDestructor(clang::QualType Type, Value Object,
                          unsigned Level = 0);
  void distrustAllChanges();

  /// True for a global variable that some code of the file changes.
  bool isChangedGlobal(const void *Object) const;
  /// Places that were read and that nothing is known of, by their names.
  std::set<std::string> takeUnknownPlaces() {
    return std::exchange(UnknownPlaces, {});
  }

private:
  void learnFrom(Value Condition, bool Truth);
  std::string nameOf(const void *Object) const;
  Value initialContents(const clang::VarDecl &Variable);
  Value lost(const clang::ValueDecl &Named);
  Value loadFromState(const MaybePlace &From, const clang::Expr *As);
  Value orOfProgram(Value Unknown, const clang::ValueDecl &Declaration,
                    const std::string &Place);
  Value asStored(Value Unknown, const MaybePlace &From,
                 const clang::ValueDecl &Pointer);
  bool isShared(const clang::VarDecl &Variable);
  void forgetEscaped(clang::QualType Stored, const std::string &By, Change How);
  void touchGlobalsOf(const HostState &Other);
  Value joinValues(Value A, Value B, Value Condition, const void *Object);

  const HostCode &Code;
  const WholeProgram &Program;
  ProgramPlaces &Places;
  TypedValues &Values;
  Initializers &Initial;
  HostState State;
  bool RootIsMain = false;
  llvm::DenseMap<const void *, const clang::VarDecl *> Variables;
  /// References into it stay valid while it grows.
  std::unordered_map<const clang::Stmt *, EffectSummary> Effects;
  std::set<std::string> UnknownPlaces;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_HOSTMEMORY_H
