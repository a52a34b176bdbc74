//===- analyzer/remedy/SharedLayout.h - Other layouts -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Where the bytes of an array lie when its rows, structs or elements are
/// moved: functions from an offset to an offset, from the same base.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_REMEDY_SHAREDLAYOUT_H
#define CUDA_LINT_ANALYZER_REMEDY_SHAREDLAYOUT_H

#include "analyzer/model/LanePattern.h"

#include <cstdint>

namespace cudalint {

/// Rounded towards minus infinity.
std::int64_t floorDivide(std::int64_t A, std::int64_t B);

/// Rows of `Pitch` bytes become rows of `NewPitch`.
Layout padded(std::int64_t Pitch, std::int64_t NewPitch);

/// Unit `c` of row `r`, of \p InRow units, moves to `c ^ (r / Rows % Columns)`;
/// \p Columns is a power of two that divides \p InRow.
Layout swizzled(std::int64_t Unit, std::int64_t InRow, std::int64_t Columns,
                std::int64_t Rows);

/// Unit `i` moves to `i ^ (i / Columns % Columns) ^ (i / Columns² % Columns)`;
/// \p Columns is a power of two.
Layout folded(std::int64_t Unit, std::int64_t Columns);

/// An array of structs becomes one of that field.
Layout fieldAlone(const FieldFact &Field);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_REMEDY_SHAREDLAYOUT_H
