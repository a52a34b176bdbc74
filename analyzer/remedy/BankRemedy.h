//===- analyzer/remedy/BankRemedy.h - Ways out of a conflict ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What helps one access to shared memory. Another layout of its array is told
/// only after all accesses to the array have been counted under it; an edit is
/// offered only where every access names the array in full.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_REMEDY_BANKREMEDY_H
#define CUDA_LINT_ANALYZER_REMEDY_BANKREMEDY_H

#include "analyzer/model/KernelModel.h"
#include "analyzer/model/LanePattern.h"
#include "report/Finding.h"

#include <optional>

namespace cudalint {

struct BankRemedy {
  Phrase Said; ///< Also where nothing helps: that.
  std::optional<RemedyEffect> Effect = std::nullopt; ///< Of another layout.
  std::optional<Fix> Edit = std::nullopt;
  /// Where that layout has what `A` accesses; null without another one.
  Layout New = nullptr;
  /// Index arithmetic may cost more than it saves.
  bool MayCostMore = false;
};

/// `A` is an access of `K` that conflicts, with samples.
BankRemedy findBankRemedy(const KernelModel &K, const Access &A);

/// The most lanes of one request that update one word in turns, whatever the
/// layout is; 1 where lanes share a word for free.
unsigned lanesThatTakeTurns(const Access &A);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_REMEDY_BANKREMEDY_H
