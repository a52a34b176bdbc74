//===- report/FindingGroups.h - What is printed once ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_FINDINGGROUPS_H
#define CUDA_LINT_REPORT_FINDINGGROUPS_H

#include "report/Document.h"
#include "report/Finding.h"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace cudalint {

/// The kernels that the findings of a document are about. Kernels of different
/// files may share a name: static ones, or those of several programs.
class KernelIndex {
public:
  explicit KernelIndex(const Document &Doc);

  /// Null where the finding is about none, or none that its file holds.
  const KernelRecord *of(const Finding &F) const;

private:
  std::unordered_map<const Finding *, const KernelRecord *> Kernels;
};

/// Findings that a text tells once: one place, one cause and one remedy, in
/// several kernels or on several ways into a function.
struct FindingGroup {
  /// The one that is told: of numbers that differ, the worst.
  const Finding *First = nullptr;
  std::vector<const Finding *> All;

  /// What all of them assume, and what the told one assumes besides.
  std::pair<std::vector<std::string>, std::vector<std::string>>
  assumptions() const;

  /// `4 to 8 wavefronts per request`, where the predictions differ by more
  /// than is printed; else empty.
  std::string range() const;
};

/// All findings of a document, in the order in which they were found. The same
/// message of a place is one group; messages that differ in the numbers of what
/// is wrong, but not in what helps, are one where instantiations of one
/// template are what differs.
std::vector<FindingGroup> groupFindings(const Document &Doc,
                                        const KernelIndex &Kernels);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_FINDINGGROUPS_H
