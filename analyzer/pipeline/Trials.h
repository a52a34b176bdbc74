//===- analyzer/pipeline/Trials.h - Compiled otherwise ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_TRIALS_H
#define CUDA_LINT_ANALYZER_PIPELINE_TRIALS_H

#include "analyzer/checks/Check.h"
#include "analyzer/model/KernelModel.h"
#include "analyzer/resources/Resources.h"

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace cudalint {

/// What the compiler makes of a file of that index for a target, where a thread
/// has at most so many registers.
using BoundedCompiler = std::function<std::vector<KernelResources>(
    std::size_t, ComputeCapability, std::uint64_t)>;

/// Empty where none of \p Checks looks at what was tried. All of these outlive
/// it.
BoundedCompiler trials(std::span<const Check *const> Checks,
                       const ResourceFinder &Finder,
                       std::span<const CompileJob> Jobs);

/// Fills in the Trials of the kernels of a file. \p Compile makes the file with
/// at most so many registers for a thread, which takes as long as nvcc does: it
/// is called once for each number that some kernel asks for.
void addTrials(
    std::span<KernelModel *const> Kernels,
    const std::function<std::vector<KernelResources>(std::uint64_t)> &Compile);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_TRIALS_H
