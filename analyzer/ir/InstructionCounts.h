//===- analyzer/ir/InstructionCounts.h - Executions of code ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How often the instructions of the machine code happen. The source says how
/// often an access happens, the machine code which instructions happen equally
/// often: those of one block, and those that each turn of one loop comes to;
/// what each run comes to, outside of loops, happens once. Both together count
/// the copies of an unrolled loop, and find instructions that cannot be those
/// of an access.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_INSTRUCTIONCOUNTS_H
#define CUDA_LINT_ANALYZER_IR_INSTRUCTIONCOUNTS_H

#include "report/Document.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace cudalint {

/// Instructions that together happen so often per warp, a mean over all.
struct InstructionSum {
  std::vector<MachineInstruction> Instructions;
  double Executions = 0;
  /// By run of a warp; empty: not known.
  std::vector<double> ByRun = {};
  bool IsGuess = false; ///< They may be something else's.
};

class InstructionCounts {
public:
  /// \p Shares: of each run of a warp among all, together 1.
  explicit InstructionCounts(const std::vector<InstructionSum> &Sums,
                             std::vector<double> Shares = {});

  /// How often it happens per warp; nothing: not known.
  std::optional<double> of(const MachineInstruction &I) const;

  /// How often all of them do.
  std::optional<double> of(const std::vector<MachineInstruction> &All) const;

  /// What is said of how often they happen contradicts itself.
  bool isDisputed(const std::vector<MachineInstruction> &All) const;

  /// How often they happen rests on the order of an unrolled loop's copies: as
  /// many turns as fit are made by that of most turns.
  bool isByOrder(const std::vector<MachineInstruction> &All) const;

private:
  /// Of instructions that happen equally often: the copy of the function, their
  /// loops, innermost first, and the block or the instruction, unless each turn
  /// comes to them.
  using Key = std::tuple<unsigned, std::vector<std::uint64_t>,
                         std::optional<std::uint64_t>, std::uint64_t>;
  struct Class {
    bool IsInLoop = false, IsInEachTurn = false;
    std::optional<double> Executions; ///< Nothing: not known.
    std::vector<double> ByRun;
    bool IsByOrder = false, IsDisputed = false;
  };
  std::vector<double> Shares;
  std::map<Key, std::size_t> Numbers;
  std::vector<Class> Classes;

  static Key keyOf(const MachineInstruction &I);
  std::size_t numberOf(const MachineInstruction &I);
  const Class *find(const MachineInstruction &I) const;

  struct Sum {
    std::map<std::size_t, unsigned> Instructions; ///< By class.
    double Executions = 0;
    std::vector<double> ByRun;
    bool IsByOrder = false, IsGuess = false;
  };
  /// Without the classes that are known.
  Sum restOf(const Sum &Of) const;
  /// Of all sums, or of those alone that are no guess.
  bool solveSingle(const std::vector<Sum> &Sums, bool WithGuesses);
  bool solveByOrder(const std::vector<Sum> &Sums, bool WithGuesses);
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_INSTRUCTIONCOUNTS_H
