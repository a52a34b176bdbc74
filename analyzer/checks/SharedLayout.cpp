//===- analyzer/checks/SharedLayout.cpp - Other layouts -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/SharedLayout.h"

#include <algorithm>

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

Layout swizzled(std::int64_t Element, std::int64_t Columns) {
  return [=](std::int64_t Offset) {
    const std::int64_t Index = floorDivide(Offset, Element);
    const std::int64_t Row = floorDivide(Index, Columns);
    const std::int64_t Column = Index - Row * Columns;
    return (Row * Columns + (Column ^ (Row & (Columns - 1)))) * Element +
           (Offset - Index * Element);
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

static std::vector<const Access *> sharersOfArray(const KernelModel &K,
                                                  const Access &A) {
  std::vector<const Access *> Result;
  for (const Access &B : K.Accesses)
    if (B.Space == MemorySpace::Shared && B.Predicted && B.Source.Array &&
        B.Source.Array->Where == A.Source.Array->Where && !B.Stride)
      Result.push_back(&B);
  return Result;
}

std::vector<const Access *> sharers(const KernelModel &K, const Access &A) {
  if (A.Source.Array)
    return sharersOfArray(K, A);
  std::vector<const Access *> Result;
  for (const Access &B : K.Accesses)
    if (&B == &A || (B.Space == MemorySpace::Shared && B.Predicted &&
                     !B.Source.Array && !B.Stride && !A.Source.Object.empty() &&
                     B.Source.Object == A.Source.Object))
      Result.push_back(&B);
  return Result;
}

LayoutCost costOf(const Architecture &Arch,
                  const std::vector<const Access *> &Accesses,
                  const Layout &NewLayout) {
  LayoutCost C;
  for (const Access *A : Accesses) {
    const double Requests = std::max(1.0, A->Predicted->Requests);
    const MeanTraffic New = meanShared(Arch, *A, NewLayout);
    C.Wavefronts += Requests * New.Transactions;
    C.Ideal += Requests * New.Ideal;
  }
  return C;
}

} // namespace cudalint
