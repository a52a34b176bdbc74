//===- analyzer/checks/Repeated.h - One remark for one thing ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_CHECKS_REPEATED_H
#define CUDA_LINT_ANALYZER_CHECKS_REPEATED_H

#include "report/Finding.h"

#include <vector>

namespace cudalint {

/// Takes out of the findings of one kernel those that tell again what another
/// one tells better: of `low-occupancy` and `register-cliff` for one launch,
/// the first when it is the error of --min-occupancy, else the second.
void dropRepeated(std::vector<Finding> &Findings);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_CHECKS_REPEATED_H
