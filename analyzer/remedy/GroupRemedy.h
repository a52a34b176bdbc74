//===- analyzer/remedy/GroupRemedy.h - Fewer sectors ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What helps requests to global memory that waste sectors.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_REMEDY_GROUPREMEDY_H
#define CUDA_LINT_ANALYZER_REMEDY_GROUPREMEDY_H

#include "analyzer/remedy/AccessGroups.h"
#include "report/Finding.h"

#include <optional>
#include <string_view>

namespace cudalint {

struct GroupRemedy {
  Phrase Said;
  std::optional<RemedyEffect> Effect = {}; ///< Where it was tried.
  /// It saved no time where it was measured.
  bool MaySaveNothing = false;
};

/// Whether the source stores whole vectors side by side: it cannot do better
/// where nvcc splits them, as it does in later turns of an unrolled loop, or
/// stores what has changed alone.
bool storesVectorsSideBySide(const Access &A, const LanePattern &P);

/// Whether lanes that are not active in it take what lies between, in a branch
/// of their own.
bool isTakenByOthers(const KernelModel &K, const Access &A);

/// What helps the requests of `G`, of which `A` is one that wastes sectors.
/// Numbers are counted on the same lanes.
GroupRemedy groupRemedy(const KernelModel &Kernel, const Access &A,
                        const AccessGroup &G, const LanePattern &P);

/// Whether a block has fewer bytes of each row than a sector: what lies beside
/// them, no lane of it takes.
bool ownsPartOfSector(const Access &A);

/// What helps \p A, whose lanes are apart by what only the run knows, but far.
Phrase sideBySideRemedy(const KernelModel &Kernel, const Access &A);

/// \p Remedy of accesses whose waste an L1 makes up for, and that it may not
/// pay: remedies that save sectors or requests saved no time on an H200.
Phrase absorbed(const AccessGroup &G, std::string_view Which, Phrase Remedy);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_REMEDY_GROUPREMEDY_H
