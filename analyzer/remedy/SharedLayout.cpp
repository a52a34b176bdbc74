//===- analyzer/remedy/SharedLayout.cpp - Other layouts -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/remedy/SharedLayout.h"

namespace cudalint {

std::int64_t floorDivide(std::int64_t A, std::int64_t B) {
  return A / B - (A % B != 0 && (A < 0) != (B < 0));
}

Layout padded(std::int64_t Pitch, std::int64_t NewPitch) {
  return [=](std::int64_t Offset) {
    const std::int64_t Row = floorDivide(Offset, Pitch);
    return Row * NewPitch + (Offset - Row * Pitch);
  };
}

Layout swizzled(std::int64_t Unit, std::int64_t InRow, std::int64_t Columns,
                std::int64_t Rows) {
  return [=](std::int64_t Offset) {
    const std::int64_t Index = floorDivide(Offset, Unit);
    const std::int64_t Row = floorDivide(Index, InRow);
    const std::int64_t Column = Index - Row * InRow;
    const std::int64_t Turn = floorDivide(Row, Rows) & (Columns - 1);
    return (Row * InRow + (Column ^ Turn)) * Unit + (Offset - Index * Unit);
  };
}

Layout folded(std::int64_t Unit, std::int64_t Columns) {
  return [=](std::int64_t Offset) {
    const std::int64_t Index = floorDivide(Offset, Unit);
    const std::int64_t Row = floorDivide(Index, Columns);
    const std::int64_t Turn = (Row ^ floorDivide(Row, Columns)) & (Columns - 1);
    return (Index ^ Turn) * Unit + (Offset - Index * Unit);
  };
}

Layout fieldAlone(const FieldFact &Field) {
  const auto Size = static_cast<std::int64_t>(Field.StructBytes);
  const auto Bytes = static_cast<std::int64_t>(Field.FieldBytes);
  const auto From = static_cast<std::int64_t>(Field.FieldOffset);
  return [=](std::int64_t Offset) {
    const std::int64_t Index = floorDivide(Offset - From, Size);
    return Index * Bytes + (Offset - From - Index * Size);
  };
}

} // namespace cudalint
