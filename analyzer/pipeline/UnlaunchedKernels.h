//===- analyzer/pipeline/UnlaunchedKernels.h - What never runs --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_UNLAUNCHEDKERNELS_H
#define CUDA_LINT_ANALYZER_PIPELINE_UNLAUNCHEDKERNELS_H

#include "analyzer/launch/Launch.h"
#include "analyzer/model/KernelModel.h"
#include "analyzer/pipeline/LaunchShapes.h"
#include "report/Finding.h"

#include <vector>

namespace cudalint {

/// Whether the program of \p Home leaves \p Kernel, which is of that file,
/// alone: it has no launch that may run, its name stands nowhere else in the
/// file, and no other file is likely to launch it, as it is static or stands
/// beside main().
bool isUnlaunched(const KernelDeclaration &Kernel, const KernelShapes &Shapes,
                  const UnitIndex &Home);

/// What \p Kernel, which is \p Unlaunched, or of which every launch fails by
/// its grid or block, would cost is nothing to be warned of: warnings become
/// notes that say why. Faults and errors stay.
void tellUnlaunched(const KernelModel &Kernel, bool Unlaunched,
                    std::vector<Finding> &Findings);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_UNLAUNCHEDKERNELS_H
