//===- analyzer/ir/Remainders.h - What a remainder decides ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Values that the remainder of one symbol decides, as `n & 3`, `n % 3 == 0` or
/// `(8 - (n & 7)) & 7`: which of them go together is known, where each alone
/// is only one of a few. Pure.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_REMAINDERS_H
#define CUDA_LINT_ANALYZER_IR_REMAINDERS_H

#include "analyzer/ir/LaneValue.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace cudalint {

/// What \p Operation, as LaneArithmetic::opaque() takes it, gives for \p A and
/// \p B, by the remainder of the one symbol that decides it; null where there
/// is no such symbol, or where it would take more than SmallRange of them.
std::shared_ptr<const ByRemainder> byRemainder(LaneArithmetic &Of,
                                               unsigned Operation,
                                               const LaneValue &A,
                                               const LaneValue &B);

/// That the remainder of one symbol is one of a few: where a branch that it
/// decides, as `if (n % 4 == 0)`, has led.
struct HeldRemainders {
  Symbol Of = 0;
  std::vector<bool> Holds; ///< By remainder, from 0: some, not all.
  bool operator==(const HeldRemainders &) const = default;
};
/// Of several symbols, each once, sorted by them; null: nothing.
using HeldRemaindersPtr = std::shared_ptr<const std::vector<HeldRemainders>>;

/// What holds where \p Value, which is one for all lanes of \p Lanes, is as
/// \p IsWanted says; null: nothing, or of a symbol that is another in each turn
/// of some loop.
HeldRemaindersPtr heldWhere(const LaneArithmetic &Of, const LaneValue &Value,
                            LaneMask Lanes,
                            llvm::function_ref<bool(std::int64_t)> IsWanted);

/// What holds where both do.
HeldRemaindersPtr bothHold(const HeldRemaindersPtr &A,
                           const HeldRemaindersPtr &B);

/// What holds where either does.
HeldRemaindersPtr eitherHolds(const HeldRemaindersPtr &A,
                              const HeldRemaindersPtr &B);

/// What is said of \p Of; null: nothing.
const HeldRemainders *heldOf(const std::vector<HeldRemainders> *Held,
                             Symbol Of);

/// Whether \p Held says anything of multiples of \p Step.
bool leavesOutMultiples(const HeldRemainders &Held, std::uint64_t Step);

/// By how much terms move what they are added to, where one symbol decides all
/// of them.
struct JointShifts {
  std::vector<std::int64_t> Bytes; ///< Each as often as the others; not empty.
  std::uint64_t Multiples = 0;     ///< And any multiple of it; 0: none.
  bool TakesNonNegative = false;   ///< As in ByRemainder.
};

/// Of \p Terms, each \p By or decided by its remainder, in lane \p Lane, where
/// \p Held, which is of \p By, holds; nothing where there are too many to go
/// through.
std::optional<JointShifts> jointShifts(const LaneArithmetic &Of, Symbol By,
                                       const std::vector<const Term *> &Terms,
                                       unsigned Lane,
                                       const HeldRemainders *Held = nullptr);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_REMAINDERS_H
