//===- analyzer/ir/AddressVariants.h - Concrete addresses of a request ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From an address with symbols to concrete lane addresses that stand for it:
/// one set of offsets where the symbols do not matter, several with equal
/// weight where they do. Says what was assumed on the way.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_ADDRESSVARIANTS_H
#define CUDA_LINT_ANALYZER_IR_ADDRESSVARIANTS_H

#include "analyzer/ir/Access.h"
#include "analyzer/ir/Remainders.h"
#include "analyzer/ir/StrideSymbol.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace cudalint {

namespace whyUnknown {
inline constexpr const char Data[] = "the address depends on loaded data";
inline constexpr const char Distance[] =
    "how far lanes are apart depends on a value known only at run time";
} // namespace whyUnknown

struct AddressVariants {
  /// At least one unless WhyUnknown says why there is none.
  std::vector<LaneOffsets> Offsets;
  /// What was made up in each of Offsets; empty when nothing was.
  std::vector<std::shared_ptr<const MadeUpOffsets>> MadeUp;
  std::string WhyUnknown;
  UnknownCause Cause = UnknownCause::LoadedData; ///< With WhyUnknown.
  std::set<Assumption> Assumptions;
  /// Sizes known at run time only are taken to be multiples of 32, and that
  /// matters.
  bool TakesRound = false;
  /// Offsets are of different turns of a loop, or of different blocks.
  bool ByTurn = false, ByBlock = false;
  /// Unless all Offsets cost the same, nothing is known, and this is why: in
  /// one launch, one of them holds.
  std::string WhyOneHolds;
  /// The one run-time symbol that lanes' distances depend on, if there is one.
  std::optional<StrideSymbol> Stride;
};

/// Nothing is known of it.
AddressVariants unknownByData();

/// Each value of \p S stands for as many requests of \p R, unless it is the
/// same one in all of a launch.
void assumeEquallyFrequent(const LaneArithmetic &A, Symbol S,
                           AddressVariants &R);

/// Of constant memory: only which lanes have the same address matters.
AddressVariants constantVariants(const LaneArithmetic &A,
                                 const LaneValue &Address, LaneMask Active);

/// `Period`: addresses that differ by a multiple of it cost the same.
/// Uniform parts of the address matter only by their remainder; sizes and
/// pitches known at run time only are taken to be large and round, as the
/// assumptions then say. Errs towards aligned and towards far apart. Not
/// `Round`: they are any numbers, of which some are tried. No lane's address is
/// other than a multiple of `Width` bytes, a power of two, where that can be:
/// a GPU faults there. \p Held, if any, holds wherever the address is used.
AddressVariants
globalVariants(const LaneArithmetic &A, const LaneValue &Address,
               LaneMask Active, unsigned Period, bool Round = true,
               unsigned Width = 1,
               const std::vector<HeldRemainders> *Held = nullptr);

/// The same for shared memory, where a uniform part does not matter at all and
/// a run-time pitch is never guessed: the result is unknown, with Stride set.
AddressVariants sharedVariants(const LaneArithmetic &A,
                               const LaneValue &Address, LaneMask Active);

/// Whether the lanes \p Active are multiples of \p Bytes apart.
bool areApartByMultiples(const LaneOffsets &O, LaneMask Active, unsigned Bytes);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_ADDRESSVARIANTS_H
