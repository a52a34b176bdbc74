//===- analyzer/ir/AccessPlan.h - As which instructions -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// As which instructions each access of a kernel is to be evaluated: as it is
/// written, as the machine code has it, or as a rule expects of the compiler.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_ACCESSPLAN_H
#define CUDA_LINT_ANALYZER_IR_ACCESSPLAN_H

#include "analyzer/frontend/SourceFacts.h"
#include "analyzer/ir/BranchAlternatives.h"
#include "analyzer/ir/CompiledCode.h"

#include "llvm/ADT/DenseMap.h"

#include <set>
#include <utility>

namespace llvm {
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace cudalint {

/// Whether a value is one for all lanes by what it is computed from, as far as
/// compilers look.
bool isOneForAllLanes(const llvm::Value &V);

class AccessPlan {
public:
  /// Every access as it is written.
  AccessPlan() = default;

  /// As \p Code has it; without it, as a compiler is expected to do.
  AccessPlan(const llvm::Function &Kernel, const SourceFacts &Facts,
             const std::vector<MachineInstruction> *Code);

  /// What becomes of part \p Part of \p I; null: what is written.
  const CompiledAccess *find(const llvm::Instruction &I, unsigned Part) const;

  const WrittenAccess *written(const llvm::Instruction &I, unsigned Part) const;

  const std::vector<std::vector<MachineInstruction>> &pools() const {
    return Compiled.Pools;
  }
  const std::vector<MachineInstruction> &unmatched() const {
    return Compiled.Unmatched;
  }
  /// Whether the part, or one that the compiler may make one instruction with
  /// it, has a part that IsOfNeighbours.
  bool isAmongNeighbours(const llvm::Instruction &I, unsigned Part) const;

  /// Accesses with the same number may be parts of one instruction, or one may
  /// make what another does; 0: of those of no other access.
  unsigned companyOf(const llvm::Instruction &I, unsigned Part) const;

  /// How many accesses share the instructions of a pool.
  unsigned sharersOf(unsigned Pool) const { return Sharers.lookup(Pool); }

  /// Where lanes part that make one access or another.
  const Partings &partings() const { return BranchPartings; }

  /// The access whose place is that of the one instruction of a pool, or the
  /// first of several; null: none.
  std::pair<const llvm::Instruction *, unsigned> ownerOf(unsigned Pool) const;

  /// The record of an access that is not compiled alone. Nothing for what has
  /// no place.
  std::optional<RemovedAccess> removed(const llvm::Instruction &I,
                                       unsigned Part, std::string Why) const;

  /// What is written and not compiled, in source order.
  std::vector<RemovedAccess> removed() const;

  bool isCompiled() const { return !Numbers.empty(); }

private:
  std::optional<RemovedAccess> recordOf(std::size_t Number,
                                        std::string Why) const;

  std::vector<WrittenAccess> Written;
  CompiledKernel Compiled;
  llvm::DenseMap<std::pair<const llvm::Instruction *, unsigned>, std::size_t>
      Numbers;
  llvm::DenseMap<unsigned, std::pair<const llvm::Instruction *, unsigned>>
      Owners; ///< Of pools whose accesses are alternatives.
  llvm::DenseMap<unsigned, unsigned> Sharers; ///< By pool.
  Partings BranchPartings;
  std::vector<unsigned> Companies; ///< As companyOf(), of each that is written.
  void findCompanies();
  /// Runs of accesses of which some IsOfNeighbours.
  std::set<std::pair<AccessOp, unsigned>> NeighbourRuns;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_ACCESSPLAN_H
