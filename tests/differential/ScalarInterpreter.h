//===- tests/differential/ScalarInterpreter.h - One thread ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Interprets a kernel as the language reference of LLVM's IR says, one thread
/// at a time, with a number for everything. Shares no code with the evaluator.
///
/// Memory outside of a thread's own arrays is what nobody writes to: a load
/// gives a number that depends on its address alone, so that two threads which
/// read one address get one value.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_DIFFERENTIAL_SCALARINTERPRETER_H
#define CUDA_LINT_TESTS_DIFFERENTIAL_SCALARINTERPRETER_H

#include "RandomKernel.h"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

#include <string>

namespace cudalint::differential {

/// The turn in which each loop was last, -1 before its first.
using TurnNumbers = std::array<std::int64_t, MaxLoops>;

/// One execution of a memory instruction by one thread.
struct Execution {
  const llvm::Instruction *Inst = nullptr;
  std::uint64_t Address = 0;
  TurnNumbers Turns = {};
};

/// What a run did that the evaluator may assume does not happen.
struct Liberties {
  bool Wrapped = false;  ///< In the signed sense, or lost bits by truncation.
  bool Negative = false; ///< Something negative was divided or shifted right.
};

enum class Outcome {
  Returned,
  Undefined,   ///< The kernel does what the language gives no meaning to.
  TooLong,     ///< More steps than were allowed.
  Unsupported, ///< An instruction that this interpreter does not know.
};

class ScalarInterpreter {
public:
  ScalarInterpreter(const llvm::Function &F,
                    const std::array<std::int64_t, 3> &Block,
                    const RandomLaunch &Launch);

  /// Runs thread number `Lane` of the launch's warp; `Steps` are used up.
  Outcome run(unsigned Lane, std::uint64_t &Steps,
              std::vector<Execution> &Trace);

  const Liberties &taken() const { return Taken; }
  /// Names the instruction that ended a run.
  const std::string &why() const { return Why; }

  /// Address of an array that the kernel knows by a symbol: an argument, a
  /// global variable or an alloca.
  static std::uint64_t addressOf(const llvm::Value &Object);

private:
  /// A value, or the elements of one; nothing defined if poison.
  struct Value {
    llvm::APInt Bits = llvm::APInt(32, 0);
    bool Poison = false;
    std::vector<Value> Elements;
  };

  const llvm::Function &F;
  const llvm::DataLayout &Layout;
  std::array<std::int64_t, 3> Block;
  const RandomLaunch &Launch;
  Liberties Taken;
  std::string Why;

  llvm::DenseMap<const llvm::Value *, unsigned> Numbers;
  std::vector<Value> Frame;
  std::array<std::int64_t, 3> Thread = {};
  unsigned Lane = 0;
  llvm::DenseMap<std::uint64_t, unsigned> Private; ///< Bytes of own arrays.
  TurnNumbers Turns = {};

  Value get(const llvm::Value *V);
  std::optional<Outcome> execute(const llvm::Instruction &I,
                                 std::vector<Execution> &Trace);
  std::optional<Outcome> accessed(const llvm::Instruction &I,
                                  const Value &Pointer,
                                  std::vector<Execution> &Trace);
  std::optional<Outcome> memory(const llvm::Instruction &I,
                                std::vector<Execution> &Trace);
  Value load(llvm::Type *T, std::uint64_t Address);
  void store(const Value &V, llvm::Type *T, std::uint64_t Address);
  std::optional<Value> compute(const llvm::Instruction &I, bool &Undefined);
  std::optional<Value> elementwise(const llvm::Instruction &I,
                                   llvm::ArrayRef<Value> Operands,
                                   bool &Undefined);
  std::optional<Value> real(const llvm::Instruction &I,
                            llvm::ArrayRef<Value> Operands) const;
  Value binary(const llvm::BinaryOperator &I, const Value &A, const Value &B,
               bool &Undefined);
  Value converted(const llvm::Instruction &I, const Value &A);
  std::optional<Value> intrinsic(const llvm::CallInst &I,
                                 llvm::ArrayRef<Value> Operands);
  Value address(const llvm::GEPOperator &G);
  std::optional<std::int64_t> specialRegister(llvm::StringRef Name) const;
};

} // namespace cudalint::differential

#endif // CUDA_LINT_TESTS_DIFFERENTIAL_SCALARINTERPRETER_H
