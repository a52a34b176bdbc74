//===- analyzer/remedy/AccessGroups.h - Shared lines ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Accesses to global memory whose addresses differ by constants: a warp
/// touches them together, so they are judged together.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_REMEDY_ACCESSGROUPS_H
#define CUDA_LINT_ANALYZER_REMEDY_ACCESSGROUPS_H

#include "analyzer/model/KernelModel.h"
#include "analyzer/model/LanePattern.h"

#include <array>
#include <map>
#include <tuple>
#include <vector>

namespace cudalint {

/// Accesses of a warp that share lines, or the turns of one load that do.
struct AccessGroup {
  std::vector<const Access *> Members; ///< In source order; at least one.
  double UsedShare = 1; ///< Of the bytes that all of them fetch together.
  /// That each lane takes of these, or that neighbouring lanes are apart, where
  /// that is more: what a cache must keep for each of them.
  double BytesOfLane = 0;
  bool AreTurns = false; ///< It is one access, whose turns are the members.

  /// Together they use what they fetch.
  bool isWhole() const {
    return (Members.size() > 1 || AreTurns) && UsedShare > 0.77;
  }

  /// A cache that keeps the lines between the members makes up for the waste.
  bool isAbsorbed() const;
};

/// Those of one kernel, which must outlive them.
class AccessGroups {
public:
  explicit AccessGroups(const KernelModel &Kernel);

  /// The group of an access of the kernel that has samples; an access without
  /// a key is alone. The reference holds as long as the groups do.
  const AccessGroup &of(const Access &A);

private:
  /// What accesses of one group have in common.
  using Id = std::tuple<std::uint64_t, AccessOp, std::array<std::int64_t, 3>>;
  std::map<Id, AccessGroup> Groups;
  std::map<const Access *, AccessGroup> Alone;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_REMEDY_ACCESSGROUPS_H
