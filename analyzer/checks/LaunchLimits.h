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

#include <optional>
#include <string>
#include <vector>

namespace cudalint {

/// Why \p L must fail whatever else holds, in words: one reason for the grid,
/// the block and the dynamic shared memory each. Empty where nothing that is
/// known makes it fail, and for shapes that nobody launches. More shared
/// memory than a block may have is judged by shared-memory-limits.
std::vector<std::string> reasonsToFail(const KernelModel &K, const Launch &L);

/// Why a launch has more shared memory than it gets.
struct SharedMemoryFault {
  std::string Reason;
  std::string Assumption; ///< Empty when nothing is assumed.
};

/// For a launch of the source or the user. Empty when its size is not known,
/// or it fits, or the program compares it with what the device has.
std::optional<SharedMemoryFault> sharedMemoryFault(const KernelModel &K,
                                                   const Launch &L);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_CHECKS_LAUNCHLIMITS_H
