//===- analyzer/checks/StrideConditions.h - When one is bad -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From which values of a symbol are bad, one by one, to the parity, the
/// period, the alignment or the range that tells them from the others; and how
/// that is said. `Bad[I]` is whether the value I is, a residue or the I-th
/// power.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_CHECKS_STRIDECONDITIONS_H
#define CUDA_LINT_ANALYZER_CHECKS_STRIDECONDITIONS_H

#include "report/AccessRecord.h"

#include <cstdint>
#include <string>
#include <vector>

namespace cudalint {

/// Whether a symbol alone decides what is bad.
enum class ConditionReach : std::uint8_t {
  Whole,
  Part, ///< Under other sizes, which are assumed, it may be other values.
};

/// The shortest statement that holds for exactly the residues in `Bad`, whose
/// size is the period: `if and only if n is even`, `unless n % 8 == 1`. Neither
/// all nor none of them are set.
std::string residueCondition(const std::string &Symbol,
                             const std::vector<bool> &Bad,
                             ConditionReach Reach);

/// Where wavefronts are fewest, in words that follow `rows of`. Some residue is
/// not bad.
std::string goodResidue(const std::vector<bool> &Bad);

/// The divisor d up to 16 for which every multiple of it from 17 on is good
/// and nothing else there is: a matter of alignment. 0 when there is none.
unsigned neededAlignment(const std::vector<bool> &Bad);

/// `when n < 32`; the powers of \p By ascend, some are bad.
std::string whenBad(const CostByPower &By, const std::vector<bool> &Bad);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_CHECKS_STRIDECONDITIONS_H
