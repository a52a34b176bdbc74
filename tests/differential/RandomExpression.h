//===- tests/differential/RandomExpression.h - Draws values ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Integer expressions, conditions and the bounds of loops, drawn at random
/// over the values that are in scope.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_DIFFERENTIAL_RANDOMEXPRESSION_H
#define CUDA_LINT_TESTS_DIFFERENTIAL_RANDOMEXPRESSION_H

#include "RandomKernel.h"

#include "llvm/IR/IRBuilder.h"

#include <vector>

namespace cudalint::differential {

/// `for (i = Start; i <Continue> Bound; i <Advance>= Step)`.
struct LoopDraw {
  llvm::Value *Start = nullptr;
  llvm::Value *Bound = nullptr;
  llvm::Value *Step = nullptr; ///< Of additions.
  llvm::Instruction::BinaryOps Advance = llvm::Instruction::Add; ///< Or shifts.
  llvm::CmpInst::Predicate Continue = llvm::CmpInst::ICMP_SLT;
  bool NoSignedWrap = false;
};

class RandomExpression {
public:
  RandomExpression(Random &R, llvm::IRBuilder<> &B) : R(R), B(B) {}

  /// Puts what a thread knows of itself into scope.
  void seed(llvm::Function &F);
  /// Puts `V` into scope.
  void keep(llvm::Value *V) { Pool.push_back(V); }
  /// What is kept between the two is in scope only there.
  std::size_t enter() const { return Pool.size(); }
  void leave(std::size_t Scope) { Pool.resize(Scope); }

  /// A value of that width, made by `Depth` operations one upon the other.
  llvm::Value *value(unsigned Bits, unsigned Depth);
  llvm::Value *condition();
  LoopDraw loop(unsigned Bits);

  /// Some value was a float, which may have rounded it.
  bool HasFractions = false;

private:
  Random &R;
  llvm::IRBuilder<> &B;
  std::vector<llvm::Value *> Pool;
  std::array<llvm::Value *, 3> Tid = {}, Ntid = {}, Ctaid = {}, Nctaid = {};
  std::vector<llvm::Value *> Parameters;

  llvm::Value *constant(unsigned Bits);
  llvm::Value *resized(llvm::Value *V, unsigned Bits);
  llvm::Value *leaf(unsigned Bits);
  llvm::Value *arithmetic(unsigned Bits, unsigned Depth);
  llvm::Value *division(unsigned Bits, unsigned Depth);
  llvm::Value *shift(unsigned Bits, unsigned Depth);
  llvm::Value *bits(llvm::Value *X, llvm::Value *Y);
  llvm::Value *choice(unsigned Bits, unsigned Depth);
  llvm::Value *fraction(unsigned Bits, unsigned Depth);
};

} // namespace cudalint::differential

#endif // CUDA_LINT_TESTS_DIFFERENTIAL_RANDOMEXPRESSION_H
