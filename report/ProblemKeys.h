//===- report/ProblemKeys.h - In what findings agree ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_PROBLEMKEYS_H
#define CUDA_LINT_REPORT_PROBLEMKEYS_H

#include "report/FindingGroups.h"

#include <string>
#include <vector>

namespace cudalint {

/// Findings that share any of these are one problem.
std::vector<std::string> problemKeys(const Finding &F, const UnitRecord &Unit,
                                     const KernelRecord *Kernel);

/// The same for all targets; several findings of one may share it.
std::string keyOfTargets(const Finding &F, const UnitRecord &Unit,
                         const KernelRecord *Kernel);

/// Of an access that has the remedy of another one, and of that one; else
/// empty.
std::string keyOfLeader(const Finding &F, const UnitRecord &Unit,
                        const KernelRecord *Kernel);

/// Of several accesses that one warp makes together, the remedy of the others
/// is that of the first.
bool followsAnother(const Finding &F);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_PROBLEMKEYS_H
