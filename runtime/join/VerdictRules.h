//===- runtime/join/VerdictRules.h - Premise, test, verdict -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// All rules of all verdicts, as tables: docs/confirm.md shows them, and a test
/// compares the two. Of a table, the first rule that holds decides; the last
/// one always does.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_VERDICTRULES_H
#define CUDA_LINT_RUNTIME_JOIN_VERDICTRULES_H

#include "runtime/join/VerdictFacts.h"

namespace cudalint {

template <class Facts> struct Rule {
  std::string_view Name;    ///< `merged`; never changes.
  std::string_view Premise; ///< When it is asked.
  std::string_view Test;    ///< What must hold.
  VerdictKind Verdict;
  std::string_view Evidence; ///< What the verdict rests on.
  bool (*Holds)(const Facts &);
  std::string (*Why)(const Facts &); ///< For the user; may be empty.
};

std::span<const Rule<LineFacts>> lineRules();
std::span<const Rule<SumFacts>> sumRules();
std::span<const Rule<AbsentFacts>> absentRules();
std::span<const Rule<MovedFacts>> movedRules();
std::span<const Rule<OccupancyFacts>> occupancyRules();
/// The last one, that nothing is known against the text, changes no verdict.
std::span<const Rule<TextFacts>> sourceRules();

/// The first of \p Rules that holds.
template <class Facts>
const Rule<Facts> &decide(std::span<const Rule<Facts>> Rules, const Facts &F) {
  for (const Rule<Facts> &Each : Rules)
    if (Each.Holds(F))
      return Each;
  return Rules.back();
}

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_VERDICTRULES_H
