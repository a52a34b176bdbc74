//===- analyzer/checks/Repeated.h - One remark for one thing ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_CHECKS_REPEATED_H
#define CUDA_LINT_ANALYZER_CHECKS_REPEATED_H

#include "analyzer/checks/Check.h"
#include "report/Finding.h"

#include <span>
#include <vector>

namespace cudalint {

/// Takes out of the findings of one kernel those that tell again what another
/// one tells better: of a check and the one that it yields to
/// (CheckInfo::YieldsTo), for one launch, the first when it is an error, else
/// the second stays.
void dropRepeated(std::vector<Finding> &Findings,
                  std::span<const Check *const> Checks);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_CHECKS_REPEATED_H
