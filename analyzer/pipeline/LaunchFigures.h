//===- analyzer/pipeline/LaunchFigures.h - Launches reported ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_LAUNCHFIGURES_H
#define CUDA_LINT_ANALYZER_PIPELINE_LAUNCHFIGURES_H

#include "analyzer/model/KernelModel.h"
#include "analyzer/pipeline/LaunchShapes.h"
#include "report/Document.h"

#include <vector>

namespace cudalint {

/// Launches as the report shows them, with their occupancy, of a kernel whose
/// verdicts are known.
std::vector<LaunchRecord> recordsOf(const KernelModel &Model,
                                    const KernelShapes &Shapes);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_LAUNCHFIGURES_H
