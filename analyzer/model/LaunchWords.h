//===- analyzer/model/LaunchWords.h - How launches are named ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The words of messages about launches, in one place so that all checks say
/// the same thing in the same way. Lower case, no full stop.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_MODEL_LAUNCHWORDS_H
#define CUDA_LINT_ANALYZER_MODEL_LAUNCHWORDS_H

#include "analyzer/model/KernelModel.h"
#include "report/Finding.h"

#include <span>
#include <string>

namespace cudalint {

/// `func<3>`: the signature without parameters, shortened when it is long.
std::string shortName(const KernelDeclaration &Kernel);

/// `'func' in blocks of 32x8 (256 threads)`
std::string launchName(const KernelModel &Kernel, const FittedLaunch &Launch);

/// `launch of 'func(float *)' fails on h200`
Phrase launchFails(const KernelModel &Kernel);

/// What \p Steps gain: warps that are resident, and rounds, if the grid is
/// known. Empty where there are none.
Phrase stepsInWords(const KernelModel &Kernel, const LaunchFit &Fit,
                    std::span<const Cliff> Steps);

/// \p Gains, of \p Steps, with how fewer registers are asked for, where one has
/// fewer, and at what risk.
Phrase withRegistersAskedFor(Phrase Gains, const KernelModel &Kernel,
                             const LaunchFit &Fit,
                             std::span<const Cliff> Steps);

/// ` (and 2 more launches)`, or empty: the other places of the source with a
/// launch that asks for the same and of which \p HasFault is true, too.
std::string alikeNote(const FittedLaunch &Launch,
                      bool (*HasFault)(const LaunchFit &) = nullptr);

/// Whether the launch has more blocks than the GPU holds at a time, so that
/// one more resident block is used. True where the grid or the GPU is not
/// known, unless the grid is too small for any.
bool fillsGpu(const LaunchFit &Fit);

/// States what fillsGpu() took for granted, if anything.
void assumeFullGpu(const LaunchFit &Fit, Finding &F);

/// Why the fit of `Kernel.Launches[Index]` is not known, and what helps.
std::string whyNotFitted(const KernelModel &Kernel, std::size_t Index);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_MODEL_LAUNCHWORDS_H
