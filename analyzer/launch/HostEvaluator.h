//===- analyzer/launch/HostEvaluator.h - Runs host code ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs host functions on values that may be symbols, statement by statement,
/// and notes every launch that it comes by with the values it has there.
///
/// A branch whose condition is not known is run both ways and what differs
/// afterwards becomes a choice on that condition. A loop is first run once with
/// everything that it changes forgotten; when a launch in it then lacks a
/// value, and the loop's condition is known turn by turn, it is run turn by
/// turn. Calls of functions of this file are run with their arguments; what
/// other functions could change is forgotten. So a value that is called known
/// holds on every path that this evaluator reports.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_HOSTEVALUATOR_H
#define CUDA_LINT_ANALYZER_LAUNCH_HOSTEVALUATOR_H

#include "analyzer/launch/HostCode.h"
#include "analyzer/launch/HostValue.h"
#include "analyzer/launch/ProgramPlaces.h"
#include "analyzer/launch/ProgramValues.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

#include <array>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace cudalint {

/// A launch as the evaluator came by it; one per visit.
struct LaunchVisit {
  const clang::CallExpr *Site = nullptr;
  const clang::Expr *KernelExpr = nullptr;
  Value Kernel = nullptr;
  std::array<Value, 3> Grid = {};
  std::array<Value, 3> Block = {};
  Value SharedBytes = nullptr;
  std::vector<Value> Arguments;
  bool Cooperative = false;
  bool NeverRuns = false;
  std::vector<std::int64_t> CheckedSizes; ///< As in Launch.
  /// What the block depends on, as it is if nothing comes from outside; empty
  /// where that contradicts the way here.
  Knowledge Usual;
  unsigned Root = 0;        ///< Which run of a root met it, and
  std::uint64_t Moment = 0; ///< when in it.

  bool operator==(const LaunchVisit &) const = default;
};

/// A call that raises the limit of a kernel's dynamic shared memory.
struct OptInVisit {
  const clang::CallExpr *Site = nullptr;
  const clang::FunctionDecl *Kernel = nullptr; ///< Null: not known.
  Value Bytes = nullptr;
  unsigned Root = 0; ///< As in LaunchVisit.
  std::uint64_t Moment = 0;
};

/// A call of a function that has its body in another file.
struct OuterCallVisit {
  const clang::CallExpr *Site = nullptr;
  const clang::FunctionDecl *Callee = nullptr;
  std::vector<Value> Arguments; ///< Null for what is no integer.
};

/// The shapes that `Visit` stands for: one, or one for each outcome of a
/// condition that alone decides it, when each outcome is known.
std::vector<LaunchVisit> outcomesOf(const LaunchVisit &Visit,
                                    ValueFactory &Values);

/// What a path through the host code has made of memory.
struct HostState {
  llvm::DenseMap<const void *, Value> Objects;
  Knowledge Known;
  /// Objects that pointers out of sight may point to.
  llvm::SmallPtrSet<const void *, 8> Escaped;
  /// Objects that a callback or a destructor changes, whenever it may run.
  llvm::SmallPtrSet<const void *, 4> Unsteady;
  bool Live = true;  ///< False behind return, break, exit …
  bool Lost = false; ///< Globals may have been changed by code out of sight.
};

class HostEvaluator {
public:
  /// What is not known otherwise is looked up in \p Program.
  HostEvaluator(const clang::ASTContext &Context, const HostCode &Code,
                const ProgramValues &Program, ProgramPlaces &Places,
                ValueFactory &Values);

  /// Runs `Function` with `Arguments`; those that are not there are not known.
  /// With `EvenDead`, also the branches that its constants rule out.
  void runRoot(const clang::FunctionDecl &Function, bool EvenDead,
               const CallArguments &Arguments = {});

  std::vector<LaunchVisit> Visits;
  std::vector<OuterCallVisit> OuterCalls;
  std::vector<OptInVisit> OptIns;
  /// Functions of the user's that are called in ways that were not followed:
  /// recursively, too deeply, or by code out of sight.
  llvm::SetVector<const clang::FunctionDecl *> NotFollowed;
  /// Places that were read and that nothing is known of, by their names.
  std::set<std::string> UnknownPlaces;

private:
  using Expr = clang::Expr;
  using Stmt = clang::Stmt;
  using MaybePlace = std::optional<Place>;

  struct Exit {
    HostState State;
    Value Result;
  };
  /// One function that is being run.
  struct Frame {
    const clang::FunctionDecl *Function = nullptr;
    MaybePlace This;
    Frame *Caller = nullptr;
    const EffectSummary *JumpsBack = nullptr; ///< Set when it does.
    std::vector<Exit> Returns;
    llvm::DenseMap<const clang::LabelDecl *, std::vector<HostState>> Jumps;
  };
  /// A loop or switch that is being run.
  struct JumpTarget {
    bool IsLoop = true;
    std::vector<HostState> Breaks;
    std::vector<HostState> Continues;
  };
  /// What running a loop adds to, to take it back and run it another way.
  struct Checkpoint {
    HostState State;
    std::size_t Visits = 0;
    std::size_t OuterCalls = 0;
    std::size_t Returns = 0;
    llvm::DenseMap<const clang::LabelDecl *, std::size_t> Jumps;
  };

  // Objects (HostObjects.cpp).
  Value contents(const void *Object);
  Value initialContents(const clang::VarDecl &Variable);
  MaybePlace placeOf(const clang::VarDecl &Variable);
  Value load(const MaybePlace &From, const Expr *As);
  Value loadFromState(const MaybePlace &From, const Expr *As);
  Value orOfProgram(Value Unknown, const clang::ValueDecl &Declaration,
                    const std::string &Place);
  bool isShared(const clang::VarDecl &Variable);
  void store(const MaybePlace &To, clang::QualType Type, Value New);
  void forget(const Place &What, const std::string &By);
  void forgetReachable(Value From, const std::string &By, unsigned Depth = 0);
  void forgetEscaped(clang::QualType Stored, const std::string &By);
  void forgetOutOfSight(const std::string &By);
  void forgetEverything();
  void distrustChangesOf(const clang::FunctionDecl &Unseen);
  void distrustDestructor(clang::QualType Type, Value Object,
                          unsigned Depth = 0);
  void forgetVariable(const clang::VarDecl &Variable, const std::string &By);
  std::string nameOf(const void *Object) const;
  HostState join(HostState A, HostState B, Value Condition);
  Value joinValues(Value A, Value B, Value Condition, const void *Object);
  void joinAll(std::vector<HostState> &Others);
  void learn(Value Condition, bool Truth);
  Value zero(clang::QualType Type);
  Value fromConstant(const clang::APValue &Constant, clang::QualType Type);

  // Expressions (HostExpressions.cpp).
  Value evaluate(const Expr *E);
  Value evaluateValue(const Expr *E);
  MaybePlace locate(const Expr *E);
  MaybePlace locateCast(const clang::CastExpr &Cast);
  MaybePlace locateMember(const clang::MemberExpr &Member);
  MaybePlace locateElement(const clang::ArraySubscriptExpr &Subscript);
  MaybePlace pointee(Value Pointer);
  std::optional<Value> addressOfElement(const clang::Expr &E);
  Value movePointer(clang::QualType Type, Value Pointer, Value By,
                    clang::QualType ByType, bool Backwards);
  Value evaluateUnary(const clang::UnaryOperator &E);
  Value evaluateBinary(const clang::BinaryOperator &E);
  Value evaluateLogical(const clang::BinaryOperator &E);
  Value compute(clang::BinaryOperatorKind Code, clang::QualType Type,
                Value Left, Value Right);
  MaybePlace assign(const clang::BinaryOperator &E);
  MaybePlace step(const clang::UnaryOperator &E, Value *Before);
  Value evaluateCast(const clang::CastExpr &E);
  Value evaluateInitList(const clang::InitListExpr &E);
  Value allocate(const clang::CXXNewExpr &E);
  Value evaluateUnhandled(const Expr *E);
  Value evaluateConstant(const Expr *E);
  Value branch(Value Condition, llvm::function_ref<Value()> Then,
               llvm::function_ref<Value()> Else);
  Value unknown(const Expr *E);
  NumberType numberType(clang::QualType Type) const;

  // Calls (HostCalls.cpp).
  Value call(const clang::CallExpr &E);
  std::optional<Value> knownCall(const clang::CallExpr &E,
                                 const clang::FunctionDecl &Callee);
  std::optional<Value> mathCall(const clang::CallExpr &E, llvm::StringRef Name);
  Value assignObject(const clang::CXXOperatorCallExpr &E);
  Value construct(const clang::CXXConstructExpr &E);
  Value callOpaque(const Expr &E, const clang::FunctionDecl *Callee,
                   llvm::ArrayRef<const Expr *> Arguments, MaybePlace This);
  Value callDefinition(const clang::FunctionDecl &Callee,
                       llvm::ArrayRef<const Expr *> Arguments, MaybePlace This);
  std::vector<Value> evaluateArguments(const clang::FunctionDecl &Callee,
                                       llvm::ArrayRef<const Expr *> Arguments);
  void bindParameters(const clang::FunctionDecl &Callee,
                      llvm::ArrayRef<Value> Arguments);
  Value bindReference(const Expr *E);
  Value runBody(const clang::FunctionDecl &Callee, MaybePlace This);
  bool canRun(const clang::FunctionDecl &Callee) const;
  void noteCallback(const clang::FunctionDecl &Function);
  void initializeMembers(const clang::CXXConstructorDecl &Constructor);

  // Lambdas (HostLambdas.cpp).
  Value evaluateLambda(const clang::LambdaExpr &E);
  Value callLambda(Value Lambda, const clang::CXXMethodDecl &Operator,
                   llvm::ArrayRef<const Expr *> Arguments);
  Value runLambda(Value Lambda, const clang::CXXMethodDecl &Operator,
                  llvm::ArrayRef<Value> Arguments);
  void runEscapedLambda(Value Lambda);

  // Launches (HostLaunches.cpp).
  void noteKernelCall(const clang::CUDAKernelCallExpr &E);
  void noteLaunchCall(const clang::CallExpr &E, LaunchCall Kind);
  void readConfiguration(Value Pointer, clang::QualType Type,
                         LaunchVisit &Visit);
  void readPointers(Value Array, const clang::FunctionDecl *Kernel,
                    LaunchVisit &Visit);
  std::array<Value, 3> readShape(Value Dim3, clang::QualType Type);
  void noteVisit(LaunchVisit Visit);
  Knowledge usualValues(const LaunchVisit &Visit);
  bool lacksOnly(const Checkpoint &Start, std::uint64_t FirstSymbol);

  // Statements (HostStatements.cpp).
  void run(const Stmt *S);
  void runLive(const Stmt &S);
  void runUnhandled(const Stmt &S);
  void runIf(const clang::IfStmt &S);
  void runSwitch(const clang::SwitchStmt &S);
  void runCases(const clang::CompoundStmt &Body, Value Condition,
                NumberType Type);
  HostState enterCase(const clang::SwitchCase &Case, const HostState &Before,
                      Value Condition, NumberType Type, bool Matched);
  void declare(const clang::VarDecl &Variable);
  void runReturn(const clang::ReturnStmt &S);
  void runTry(const clang::CXXTryStmt &S);
  void runLabel(const clang::LabelStmt &S);
  void forgetChangesIn(const Stmt *S, const std::string &Why);
  const EffectSummary &effectsIn(const Stmt *S);

  // Loops (HostLoops.cpp).
  struct Loop {
    const Stmt *Whole = nullptr;
    const clang::VarDecl *ConditionVariable = nullptr;
    const Expr *Condition = nullptr;
    const Expr *Increment = nullptr;
    const Stmt *Body = nullptr;
    bool BodyFirst = false;
    /// Of a loop over a range: the variable, and the array if it is known.
    const clang::VarDecl *Element = nullptr;
    MaybePlace Range;
    std::uint64_t RangeSize = 0;
  };
  void runFor(const clang::ForStmt &S);
  void runRangeFor(const clang::CXXForRangeStmt &S);
  void runLoop(const Loop &L);
  void runForgetful(const Loop &L);
  bool runForgetfulOnce(const Loop &L,
                        llvm::SmallPtrSetImpl<const void *> &Changing);
  bool runTurnByTurn(const Loop &L, unsigned MaxTurns);
  void runTurn(const Loop &L, JumpTarget &Target);
  Value loopCondition(const Loop &L, std::uint64_t Turn);
  Checkpoint checkpoint() const;
  void goBackTo(const Checkpoint &Point);

  const clang::ASTContext &Context;
  const HostCode &Code;
  const ProgramValues &Program;
  ProgramPlaces &Places;
  ValueFactory &Values;
  HostState State;
  Frame *Top = nullptr;
  std::vector<JumpTarget *> Targets;
  llvm::DenseMap<const void *, const clang::VarDecl *> Variables;
  /// References into it stay valid while it grows.
  std::unordered_map<const Stmt *, EffectSummary> Effects;
  unsigned Depth = 0;
  std::uint64_t Steps = 0;     ///< Expressions and statements so far.
  std::uint64_t StepLimit = 0; ///< From which on calls are not followed.
  std::uint64_t TurnLimit = 0; ///< And loops not run turn by turn.
  bool RootIsMain = false;
  unsigned Root = 0;       ///< Counts runs of roots.
  std::uint64_t Clock = 0; ///< Counts launches and opt-ins that are met.
  bool EvenDead = false;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_HOSTEVALUATOR_H
