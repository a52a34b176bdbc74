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
/// and tells every launch that it comes by with the values it has there.
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

#include "analyzer/launch/DeviceProperties.h"
#include "analyzer/launch/HostExpressions.h"
#include "analyzer/launch/HostSinks.h"

#include "clang/AST/StmtCXX.h"

namespace cudalint {

/// Control: statements, loops and calls. What they change is HostMemory's, what
/// their expressions are worth HostExpressions', and what they lead to
/// HostSinks'.
class HostEvaluator final : Initializers, CodeRunner {
public:
  /// The program runs on \p Gpu. What is not known otherwise is looked up in
  /// \p Program.
  HostEvaluator(const clang::ASTContext &Context, const Target &Gpu,
                const HostCode &Code, const WholeProgram &Program,
                ProgramPlaces &Places, TypedValues &Values)
      : Code(Code), Properties(devicePropertiesOf(Gpu)), Values(Values),
        Memory(Code, Program, Places, Values, *this),
        Expressions(Context, Memory, Values, Budget, *this),
        Sinks(Memory, Values, Expressions) {}

  /// What is met when `Function` runs with `Arguments`; those that are not
  /// there are not known. With `EvenDead`, also the branches that its constants
  /// rule out.
  HostVisits runRoot(const clang::FunctionDecl &Function, bool EvenDead,
                     const CallArguments &Arguments = {});

private:
  using Expr = clang::Expr;
  using Stmt = clang::Stmt;

  struct Exit {
    HostState State;
    Value Result;
  };
  /// One function that is being run.
  struct Frame {
    const clang::FunctionDecl *Function = nullptr;
    MaybePlace This;
    Value Lambda = nullptr; ///< If it is one; also the object of its captures.
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
    HostSinks::Mark Met;
    std::size_t Returns = 0;
    llvm::DenseMap<const clang::LabelDecl *, std::size_t> Jumps;
  };

  Value evaluate(const Expr *E) { return Expressions.evaluate(E); }
  MaybePlace locate(const Expr *E) { return Expressions.locate(E); }

  // Initializers and CodeRunner.
  Value initialValue(const Expr &Init) override;
  MaybePlace initialReferent(const Expr &Init) override;
  MaybePlace thisPlace() const override;
  bool findCaptured(const clang::ValueDecl &Named, MaybePlace &Where) override;

  // Calls of code that is run (HostCalls.cpp).
  Value call(const clang::CallExpr &E) override;
  Value construct(const clang::CXXConstructExpr &E) override;
  Value assignObject(const clang::CXXOperatorCallExpr &E);
  Value callDefinition(const clang::FunctionDecl &Callee,
                       llvm::ArrayRef<const Expr *> Arguments, MaybePlace This);
  Value forgetLost(const clang::FunctionDecl &Callee,
                   llvm::ArrayRef<Value> Given, const MaybePlace &This);
  Value callLambda(Value Lambda, const clang::CXXMethodDecl &Operator,
                   llvm::ArrayRef<const Expr *> Arguments);
  Value runLambda(Value Lambda, const clang::CXXMethodDecl &Operator,
                  llvm::ArrayRef<Value> Arguments);
  std::vector<Value> evaluateArguments(const clang::FunctionDecl &Callee,
                                       llvm::ArrayRef<const Expr *> Arguments);
  void bindParameters(const clang::FunctionDecl &Callee,
                      llvm::ArrayRef<Value> Arguments);
  Value runBody(const clang::FunctionDecl &Callee, MaybePlace This,
                Value Lambda = nullptr);
  bool canRun(const clang::FunctionDecl &Callee) const;
  void initializeMembers(const clang::CXXConstructorDecl &Constructor);

  // Calls of code that is not (HostOpaqueCalls.cpp).
  static bool mayKeep(const clang::CXXRecordDecl *Made,
                      const clang::FunctionDecl *Callee, bool References);
  std::optional<Value> knownCall(const clang::CallExpr &E,
                                 const clang::FunctionDecl &Callee);
  Value allocate(const clang::CallExpr &E, const clang::FunctionDecl &Callee);
  Value askForProperty(const clang::CallExpr &E,
                       const clang::FunctionDecl &Callee);
  std::optional<Value> mathCall(const clang::CallExpr &E, llvm::StringRef Name);
  Value callOpaque(const Expr &E, const clang::FunctionDecl *Callee,
                   llvm::ArrayRef<const Expr *> Arguments, MaybePlace This);
  void passReference(const Expr &E, const clang::FunctionDecl *Callee,
                     const Expr &Argument, clang::QualType Type);
  Value passValue(const Expr &E, const clang::FunctionDecl *Callee,
                  const Expr &Argument, clang::QualType Type);
  void noteCallback(const clang::FunctionDecl &Function);
  bool mayChangeBehind(const clang::LambdaExpr &E,
                       const clang::VarDecl &Variable);
  void runEscapedLambda(Value Lambda);

  // Containers of the standard library (HostContainers.cpp).
  /// Of a vector that is empty, or whose elements are listed; empty: it is made
  /// of something else, or is no vector.
  std::optional<Value> constructVector(const clang::CXXConstructExpr &E);
  /// Empty: it is no vector whose size is known, or the call does to it what is
  /// not followed.
  std::optional<Value> vectorCall(const clang::CallExpr &E,
                                  const clang::CXXMethodDecl &Method,
                                  llvm::ArrayRef<const Expr *> Arguments,
                                  const MaybePlace &This);
  std::optional<std::uint64_t> sizeOfVector(const Place &Where,
                                            const clang::CXXRecordDecl &Vector);

  // Statements (HostStatements.cpp).
  void run(const Stmt *S) override;
  void runLive(const Stmt &S);
  void runUnhandled(const Stmt &S);
  void runAssembler(const clang::GCCAsmStmt &S);
  void runIf(const clang::IfStmt &S);
  void runSwitch(const clang::SwitchStmt &S);
  void runCases(llvm::ArrayRef<const Stmt *> Steps, Value Condition,
                NumberType Type);
  HostState enterCase(const clang::SwitchCase &Case, const HostState &Before,
                      Value Condition, NumberType Type, bool Matched);
  void declare(const clang::VarDecl &Variable);
  /// Of `auto &[a, b]`, where a std::pair or the like gives its parts.
  void declareHolders(const clang::VarDecl &Variable);
  void runReturn(const clang::ReturnStmt &S);
  void runTry(const clang::CXXTryStmt &S);
  void runLabel(const clang::LabelStmt &S);
  void forgetAround(const Stmt *S, const std::string &Which,
                    const std::string &By);

  // Loops (HostLoops.cpp).
  struct Loop {
    const Stmt *Whole = nullptr;
    const Stmt *Body = nullptr;
    const Expr *Condition = nullptr;
    const Expr *Increment = nullptr;
    const clang::VarDecl *ConditionVariable = nullptr;
    const Stmt *TurnStart = nullptr; ///< Runs before the body.
    bool BodyFirst = false;
    /// Of a loop over a range that runs no code of the user's to get there: the
    /// variable, and the array if it is known.
    const clang::VarDecl *Element = nullptr;
    MaybePlace Range;
    std::uint64_t RangeSize = 0; ///< 0: not known.
  };
  void runFor(const clang::ForStmt &S);
  void runRangeFor(const clang::CXXForRangeStmt &S);
  /// \p L goes over what is at \p Where, of that type (HostContainers.cpp).
  void followRange(Loop &L, const Place &Where, clang::QualType Type);
  void runLoop(const Loop &L);
  void runForgetful(const Loop &L);
  /// What is found out about the objects that a loop changes.
  struct LoopChanges {
    llvm::SmallPtrSet<const void *, 8> Unforeseen; ///< Nobody saw it change.
    /// Those, or their parts, that come to other values without any input:
    /// where they start is one value of many.
    std::set<std::pair<const void *, std::vector<PartKey>>> Counters;

    std::size_t size() const { return Unforeseen.size() + Counters.size(); }
  };
  bool runForgetfulOnce(const Loop &L, LoopChanges &Changes);
  const clang::VarDecl *countedBy(const Stmt *S);
  std::vector<const clang::VarDecl *> countersOf(const Loop &L);
  void noteCounters(const Place &Where, Value Start, Value Next,
                    LoopChanges &Changes);
  void noteChanges(const Loop &L, const HostState &Head, LoopChanges &Changes);
  bool runTurnByTurn(const Loop &L, unsigned MaxTurns);
  void runTurn(const Loop &L, JumpTarget &Target);
  Value loopCondition(const Loop &L, std::uint64_t Turn);
  Checkpoint checkpoint() const;
  HostVisits goBackTo(const Checkpoint &Point);

  const HostCode &Code;
  const std::vector<DeviceProperty> Properties;
  TypedValues &Values;
  HostBudget Budget;
  unsigned OpenLoops = 0; ///< That are run with what changes unknown.
  HostMemory Memory;
  HostExpressions Expressions;
  HostSinks Sinks;
  Frame *Top = nullptr;
  std::vector<JumpTarget *> Targets;
  bool EvenDead = false;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_HOSTEVALUATOR_H
