//===- runtime/probe/StallTable.h - Samples to lines ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_PROBE_STALLTABLE_H
#define CUDA_LINT_RUNTIME_PROBE_STALLTABLE_H

#include "runtime/probe/Profile.h"

#include <cstddef>
#include <span>

namespace cudalint::probe {

/// What CUPTI's name of a reason says. It counts each twice, for instance
/// smsp__pcsamp_warps_issue_stalled_wait, and the same with _not_issued, which
/// is a part of that: the samples of cycles in which the scheduler of the warp
/// issued nothing at all.
struct StallName {
  std::string_view Reason; // wait
  bool IsNotIssued = false;
};
StallName stallNameOf(std::string_view CuptisName);

/// The samples of each line, by reason. Grows with the lines that run, up to a
/// bound, and not with time.
class StallTable {
public:
  /// Further lines are told with the row of their kernel that has no line.
  static constexpr std::size_t MostRows = std::size_t{1} << 16;

  /// The number of \p Reason, as Profile::StallReasons has it.
  std::uint32_t reason(std::string_view Reason);

  void add(StallKey Key, std::span<const StallCount> Counts);
  void addTotals(unsigned Device, const SamplingSummary &Totals);
  void setPeriod(unsigned Device, std::uint64_t Cycles);

  /// Adds all of it to \p Out, with a problem where samples were dropped, or
  /// lines did not fit in.
  void summarize(Profile &Out) const;

private:
  std::map<std::string, std::uint32_t, std::less<>> Numbers;
  std::map<StallKey, std::vector<StallCount>> Rows; // counts by number
  std::map<unsigned, SamplingSummary> Totals;
  bool IsFull = false;
};

} // namespace cudalint::probe

#endif // CUDA_LINT_RUNTIME_PROBE_STALLTABLE_H
