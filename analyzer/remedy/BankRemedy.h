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
#include "analyzer/remedy/LayoutSearch.h"
#include "analyzer/remedy/SharedArray.h"
#include "report/Finding.h"

#include <optional>
#include <utility>
#include <vector>

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

/// What helps the accesses of one kernel, which must outlive it. A search for
/// another layout takes as long as an array has accesses, and is made once for
/// all of these.
class BankRemedies {
public:
  explicit BankRemedies(const KernelModel &K) : K(K) {}
  /// `A` is an access of the kernel that conflicts, with samples.
  BankRemedy find(const Access &A);

private:
  std::optional<LayoutRemedy> searchLayouts(const SharedArray &Array);
  std::optional<BankRemedy> otherLayout(const SharedArray &Array,
                                        const Access &A);

  const KernelModel &K;
  /// Arrays that were asked about, which are few.
  std::vector<std::pair<SharedArray, std::optional<LayoutRemedy>>> Searched;
};

/// The most lanes of one request that update one word in turns, whatever the
/// layout is; 1 where lanes share a word for free.
unsigned lanesThatTakeTurns(const Access &A);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_REMEDY_BANKREMEDY_H
