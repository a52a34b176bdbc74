//===- analyzer/ir/AddressShapes.h - What addresses have in common --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the code says of addresses for all lanes, turns and launches: as sums
/// of constants and values, how they step in loops, how they are aligned, and
/// in which variable they are. Pure: from LLVM's analyses of one kernel to
/// WrittenAccess.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_ADDRESSSHAPES_H
#define CUDA_LINT_ANALYZER_IR_ADDRESSSHAPES_H

#include "analyzer/ir/CompiledCode.h"
#include "analyzer/ir/FunctionAnalyses.h"
#include "analyzer/ir/VariableUses.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Analysis/PostDominators.h"

#include <cstdint>
#include <optional>

namespace cudalint {

class AddressShapes {
public:
  explicit AddressShapes(llvm::Function &F);

  /// What the address \p Pointer of \p I says: chain, alignment, loops,
  /// conditions and variable of \p Out, which has the rest.
  void describe(const llvm::Instruction &I, const llvm::Value &Pointer,
                WrittenAccess &Out);

  const llvm::DominatorTree &dominators() const { return A.Dominators; }
  const llvm::LoopInfo &loops() const { return A.Loops; }

private:
  struct KnownVariable {
    unsigned Number = 0;
    VariableUses Uses;
    bool IsTable = false, BeginsUndefined = false;
  };

  FunctionAnalyses A;
  llvm::PostDominatorTree InEachRun;
  static constexpr std::uint64_t MostAligned = 16;
  bool SharedIsAligned = true;
  llvm::DenseSet<const llvm::Loop *> WithBarriers;
  llvm::DenseMap<const llvm::Value *, KnownVariable> Variables;
  llvm::DenseMap<const llvm::Loop *, unsigned> KnownTurns;
  llvm::DenseMap<const llvm::SCEV *, unsigned> Chains;
  llvm::DenseMap<const llvm::Loop *, unsigned> Loops;
  llvm::DenseMap<const llvm::Loop *, unsigned> LoopsAlike;
  llvm::DenseMap<const llvm::SCEV *, unsigned> ByTurns;

  void describeLoops(const llvm::BasicBlock &Block, const llvm::SCEV *Address,
                     WrittenAccess &Out);
  void describeFirstTurn(const llvm::BasicBlock &Block,
                         const llvm::SCEV *Address, WrittenAccess &Out);
  bool mayBeWrittenOut(const llvm::Loop &L);
  void describeConditions(const llvm::BasicBlock &Block, WrittenAccess &Out);
  void describeVariable(const llvm::SCEV *Address, WrittenAccess &Out);
  unsigned baseAlignment(const llvm::SCEV *Address);
  unsigned alignmentOf(const llvm::SCEV *Address, unsigned BaseAlign);
  const KnownVariable &variable(const llvm::Value &Of);
  unsigned bodiesOf(const llvm::Loop *L);
  unsigned turnsOf(const llvm::Loop *L);
  unsigned alike(const llvm::Loop *L);
  const llvm::SCEV *withoutConstant(const llvm::SCEV *S, std::int64_t &Bytes);
  std::optional<std::int64_t> stepIn(const llvm::SCEV *S, const llvm::Loop *L);
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_ADDRESSSHAPES_H
