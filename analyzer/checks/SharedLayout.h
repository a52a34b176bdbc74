//===- analyzer/checks/SharedLayout.h - Other layouts -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the accesses to an array in shared memory cost when its elements lie
/// elsewhere: each remedy is such a layout, and is counted before it is told.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_CHECKS_SHAREDLAYOUT_H
#define CUDA_LINT_ANALYZER_CHECKS_SHAREDLAYOUT_H

#include "analyzer/checks/KernelModel.h"
#include "analyzer/checks/LanePattern.h"

#include <cstdint>
#include <vector>

namespace cudalint {

/// Rounded towards minus infinity.
std::int64_t floorDivide(std::int64_t A, std::int64_t B);

/// Rows of `Pitch` bytes become rows of `NewPitch`.
Layout padded(std::int64_t Pitch, std::int64_t NewPitch);

/// Column `c` of row `r` moves to column `c ^ (r % Columns)`.
Layout swizzled(std::int64_t Element, std::int64_t Columns);

/// An array of structs becomes one of that field.
Layout fieldAlone(const FieldFact &Field);

/// All known accesses of the kernel to the array that `A` touches: declared
/// as an array, or, where `A` names none, the flat one of the same name.
std::vector<const Access *> sharers(const KernelModel &K, const Access &A);

/// What all accesses to an array cost under a layout.
struct LayoutCost {
  double Wavefronts = 0;
  double Ideal = 0;

  bool isFree() const { return Wavefronts <= Ideal * 1.0001; }
};

LayoutCost costOf(const Architecture &Arch,
                  const std::vector<const Access *> &Accesses,
                  const Layout &NewLayout);

/// The new layout of the flat array of `A` that costs `A` least, of those that
/// gain for all accesses to the array together, in words with their effect;
/// empty when none gains much.
Phrase flatRemedy(const KernelModel &K, const Access &A);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_CHECKS_SHAREDLAYOUT_H
