//===- analyzer/model/RegisterBounds.h - Launch bounds ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_MODEL_REGISTERBOUNDS_H
#define CUDA_LINT_ANALYZER_MODEL_REGISTERBOUNDS_H

#include "analyzer/launch/Launch.h"
#include "hardware/Architecture.h"

#include <cstdint>
#include <optional>
#include <string>

namespace cudalint {

/// The most registers per thread with which \p Blocks blocks of \p Threads fit
/// an SM; 1 when there is none.
std::uint64_t registersFor(const Architecture &Arch, std::uint64_t Threads,
                           std::uint64_t Blocks);

/// `__launch_bounds__(1024, 2)` or `__maxnreg__(32)`, of which a kernel can
/// have one; empty without either.
std::string launchBoundsOf(const KernelDeclaration &Kernel);

/// The most registers that the compiler gives a thread of a kernel with launch
/// bounds: it spills before it breaks them (CUDA C++ programming guide, "Launch
/// Bounds"). Bounds that no SM can keep are ignored, as by ptxas. With
/// `__maxnreg__(N)` it is N, but at least 24. Empty where they leave all that a
/// thread can have.
std::optional<std::uint64_t> boundedRegisters(const Architecture &Arch,
                                              const KernelDeclaration &Kernel);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_MODEL_REGISTERBOUNDS_H
