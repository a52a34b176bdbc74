//===- analyzer/model/RegisterTrials.h - Fewer registers, tried -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// With how many registers a kernel would have more warps, and whether the
/// compiler can make do with them, which only the compiler can tell.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_MODEL_REGISTERTRIALS_H
#define CUDA_LINT_ANALYZER_MODEL_REGISTERTRIALS_H

#include "analyzer/model/KernelModel.h"

#include <cstdint>
#include <optional>
#include <set>

namespace cudalint {

/// Whether a compiler may make do with so many where it takes those of \p Fit.
bool isLikelyBound(const LaunchFit &Fit, std::uint64_t Registers);

/// Registers of a thread with which a launch that is short of warps would have
/// more: what the compiler is to try. Empty where the source or the build
/// bounds its registers already, or where its registers are not its own figure.
std::set<std::uint64_t> registersToTry(const KernelModel &Kernel);

/// What the compiler spills with so many registers that it does not spill now,
/// in bytes, stored and loaded; empty: that was not tried, or it took more.
std::optional<std::uint64_t> spilledWith(const KernelModel &Kernel,
                                         std::uint64_t Registers);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_MODEL_REGISTERTRIALS_H
