//===- analyzer/checks/LaunchLimits.h - Why launches fail -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_CHECKS_LAUNCHLIMITS_H
#define CUDA_LINT_ANALYZER_CHECKS_LAUNCHLIMITS_H

#include "analyzer/checks/KernelModel.h"

#include <string>
#include <vector>

namespace cudalint {

/// Why \p L must fail whatever else holds, in words: one reason for the grid,
/// the block and the dynamic shared memory each. Empty where nothing that is
/// known makes it fail, and for shapes that nobody launches. More shared
/// memory than a block may have is judged by shared-memory-limits.
std::vector<std::string> reasonsToFail(const KernelModel &K, const Launch &L);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_CHECKS_LAUNCHLIMITS_H
