//===- report/ShownGroups.h - Which problems the text shows -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What is worth a line to somebody who reads the text, and in which order
/// (docs/decisions/0015-what-is-worth-a-line.md). Other formats have all.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_SHOWNGROUPS_H
#define CUDA_LINT_REPORT_SHOWNGROUPS_H

#include "report/FindingGroups.h"
#include "report/TextWriter.h"

#include <cstddef>
#include <span>
#include <vector>

namespace cudalint {

struct ShownGroups {
  static constexpr std::size_t MostDearest = 3;
  /// What to begin with, the dearest first.
  std::vector<const FindingGroup *> Dearest;
  /// All that are shown.
  std::vector<const FindingGroup *> InOrder;
  /// Those that TextOptions::MaxFindings leaves; of them, notes that are not
  /// InOrder are only counted.
  std::size_t Chosen = 0;
};

/// \p Groups, the dearest first, must outlive what is returned.
ShownGroups shownGroups(std::span<const FindingGroup> Groups,
                        const TextOptions &Options);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_SHOWNGROUPS_H
