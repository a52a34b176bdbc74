//===- analyzer/pipeline/UnusedNames.h - Names of no kernel -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_UNUSEDNAMES_H
#define CUDA_LINT_ANALYZER_PIPELINE_UNUSEDNAMES_H

#include "analyzer/pipeline/LaunchAssignment.h"
#include "analyzer/pipeline/Pipeline.h"

#include <span>
#include <string>
#include <vector>

namespace cudalint {

/// Adds a note for each `--launch`, `--registers` or `--launches-from` of a
/// kernel that is nowhere: most likely misspelt.
void noteUnusedNames(const AnalysisRequest &Run,
                     std::span<const UnitIndex> Files,
                     const LaunchAssignment &Listed,
                     std::vector<std::string> &Notes);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_UNUSEDNAMES_H
