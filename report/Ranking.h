//===- report/Ranking.h - What a finding wastes -----------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which findings come first: those that waste most. An access wastes
///
///   executions of a warp x (predicted - ideal) x warps x launches
///
/// and its share is that of what the kernel, or the program, moves in the same
/// unit. Both err low: what a line does by other instructions than the one that
/// is told, as the store of `s[i] += x`, is not counted.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_RANKING_H
#define CUDA_LINT_REPORT_RANKING_H

#include "report/Document.h"
#include "report/Finding.h"

#include <optional>

namespace cudalint {

/// What \p F wastes in \p Kernel, which it is about; OfProgram stays empty.
/// Nothing where it is no access, or has no prediction and ideal.
std::optional<Waste> wasteOf(const Finding &F, const KernelRecord &Kernel);

/// Whether the program or the user launches it, as far as that is seen.
bool isInLaunches(const KernelRecord &Kernel);

/// Whether that is so of some kernel: then others are no part of the program.
bool hasLaunches(const Document &Doc);

/// Fills in Finding::Wasted of the whole document.
void addWaste(Document &Doc);

/// The share by which findings rank, 0 .. 1: of the program where it is known,
/// else of the kernel, else estimated; less where the kernel spends more clocks
/// on what is counted in another unit. For what is no access, the share of the
/// SMs or the lanes that has nothing to do; 0 where there is none.
double rankOf(const Finding &F);

/// Whether results may be wrong by it, as by a race: no time that is wasted
/// weighs as much.
bool isFault(const Finding &F);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_RANKING_H
