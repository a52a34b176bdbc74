//===- analyzer/launch/HostSinks.h - What host code leads to ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What host code is run for: launches, the calls that allow them more shared
/// memory, and calls of other files' functions, each with the values that it
/// is given.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_HOSTSINKS_H
#define CUDA_LINT_ANALYZER_LAUNCH_HOSTSINKS_H

#include "analyzer/launch/HostMemory.h"
#include "analyzer/launch/LaunchCalls.h"

#include "clang/AST/ExprCXX.h"

#include <array>
#include <map>
#include <set>

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
  std::set<unsigned> NotRound;                 ///< As in Launch.
  std::map<unsigned, std::int64_t> Limits;     ///< As in Launch.
  std::map<unsigned, std::uint64_t> Multiples; ///< As in Launch.
  bool Cooperative = false;
  bool NeverRuns = false;
  std::vector<std::int64_t> CheckedSizes; ///< As in Launch.
  bool IsRung = false;                    ///< As in Launch.
  /// What the block depends on, as it is if nothing comes from outside; empty
  /// where that contradicts the way here.
  Knowledge Usual;
  Knowledge UsualOfGrid;    ///< The same of what the grid depends on.
  unsigned Root = 0;        ///< Which run of a root met it, and
  std::uint64_t Moment = 0; ///< when in it.
  /// The call in another file that the run is of; null: of none.
  const Location *CalledAt = nullptr;

  /// Puts in what is known.
  void settle(const Knowledge &Known, ValueFactory &Values);
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

/// All that was met.
struct HostVisits {
  std::vector<LaunchVisit> Launches;
  std::vector<OuterCallVisit> OuterCalls;
  std::vector<OptInVisit> OptIns;
  /// Functions of the user's that are called in ways that were not followed:
  /// recursively, too deeply, or by code out of sight.
  llvm::SetVector<const clang::FunctionDecl *> NotFollowed;
  /// Places that were read and that nothing is known of, by their names.
  std::set<std::string> UnknownPlaces;

  void add(HostVisits &&More);
};

/// The shapes that `Visit` stands for: one, or one for each outcome of a
/// condition that alone decides it, when each outcome is known.
std::vector<LaunchVisit> outcomesOf(const LaunchVisit &Visit,
                                    ValueFactory &Values);

class HostSinks {
public:
  HostSinks(HostMemory &Memory, TypedValues &Values,
            ExpressionEvaluator &Expressions)
      : Memory(Memory), Values(Values), Expressions(Expressions) {}

  /// What is met from here on belongs to another run. With `NeverRuns`, it does
  /// not happen in any.
  void beginRoot(bool NeverRuns);
  /// All that was met since then.
  HostVisits endRoot() { return std::exchange(Visits, {}); }

  void noteKernelCall(const clang::CUDAKernelCallExpr &E);
  /// False when the call lacks arguments: nothing has been evaluated then.
  bool noteLaunchCall(const clang::CallExpr &E, LaunchCall Kind);
  void noteOptIn(const clang::CallExpr &E, Value Kernel, Value Bytes);
  void noteOuterCall(OuterCallVisit Visit);
  void noteNotFollowed(const clang::FunctionDecl &Definition);

  /// How much has been met so far, to take back what follows. Opt-ins stay:
  /// each of them counts, from whatever run.
  struct Mark {
    std::size_t Launches = 0;
    std::size_t OuterCalls = 0;
  };
  Mark mark() const;
  /// Takes back what came after `Start`, and returns it.
  HostVisits takeBack(const Mark &Start);
  void putBack(HostVisits &&Taken) { Visits.add(std::move(Taken)); }
  /// True when something that came after `Start` is not known only for symbols
  /// that were made after `FirstSymbol`: turn by turn, a loop may tell it.
  bool lacksOnly(const Mark &Start, std::uint64_t FirstSymbol) const;

private:
  Value evaluate(const clang::Expr *E) { return Expressions.evaluate(E); }
  std::array<Value, 3> readShape(Value Dim3, clang::QualType Type);
  void readConfiguration(Value Pointer, clang::QualType Type,
                         LaunchVisit &Visit);
  void readPointers(Value Array, const clang::FunctionDecl *Kernel,
                    LaunchVisit &Visit);
  void noteVisit(LaunchVisit Visit);
  /// What is not known of arguments, but how they came about, or were checked.
  void noteArguments(LaunchVisit &Visit);
  Knowledge usualValues(const std::array<Value, 3> &Of);

  HostMemory &Memory;
  TypedValues &Values;
  ExpressionEvaluator &Expressions;
  HostVisits Visits;
  bool NeverRuns = false;
  unsigned Root = 0;       ///< Counts runs of roots.
  std::uint64_t Clock = 0; ///< Counts launches and opt-ins that are met.
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_HOSTSINKS_H
