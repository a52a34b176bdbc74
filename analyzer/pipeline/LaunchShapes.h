//===- analyzer/pipeline/LaunchShapes.h - Shapes to evaluate ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Decides under which block shapes a kernel is evaluated. In this order:
///
///   1. `--launch` for this kernel, laid over the launches that were found;
///   2. launches whose block is known, each different one;
///   3. `--block`;
///   4. `__block_size__` or `__launch_bounds__`;
///   5. an assumption: 256×1×1, 32×8×1 or 8×8×4 by the dimensions that the
///      kernel uses; known dimensions of a found launch are kept. Where the
///      kernel cannot run with it, fittedBlock() finds a smaller one.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_LAUNCHSHAPES_H
#define CUDA_LINT_ANALYZER_PIPELINE_LAUNCHSHAPES_H

#include "analyzer/ir/KernelEvaluator.h"
#include "analyzer/launch/Launch.h"
#include "analyzer/pipeline/ShapeOptions.h"

#include <span>
#include <vector>

namespace cudalint {

/// A kernel that is launched with more different shapes than this is evaluated
/// under the first of them: different blocks come before different arguments.
inline constexpr std::size_t MaxShapes = 8;

struct KernelShapes {
  /// Those that were found or given and may run, each once, in source order.
  std::vector<Launch> Launches;
  /// What to evaluate: at least one, at most MaxShapes.
  std::vector<LaunchShape> Shapes;
  /// It is an instance of a template, which is there for its launches alone,
  /// and constants rule out all of them: `case 512: k<512><<<1, 512>>>(p)`
  /// where there are 256 threads.
  bool NeverRuns = false;
};

KernelShapes chooseShapes(const KernelDeclaration &Kernel,
                          std::span<const Launch> Found,
                          const ShapeOptions &Options);

/// The launches as the report shows them: those of \p Shapes, or when there
/// are none, one entry that says what was evaluated in their place.
std::vector<LaunchRecord> launchRecords(const KernelDeclaration &Kernel,
                                        const KernelShapes &Shapes);

/// True for one place, however its file is spelt: `k.cuh`, `./k.cuh` and
/// `src/../k.cuh`, as files of several folders include it.
bool isSamePlace(const Location &A, const Location &B);

/// The launches of \p Kernel, which is defined in `Units[Home]`, in all files.
/// A unit that defines the same name launches its own: another kernel (two
/// static ones), or its own copy (from a header). Launches of other copies are
/// taken only for one that its own unit never launches.
std::vector<Launch> launchesOf(const KernelDeclaration &Kernel,
                               std::size_t Home,
                               std::span<const UnitIndex> Units);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_LAUNCHSHAPES_H
