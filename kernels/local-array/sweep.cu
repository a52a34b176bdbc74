//===- kernels/local-array/sweep.cu - Arrays of one thread ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One load from an array that is local to the thread, at an index that
/// differs from lane to lane: (lane * Stride + First) modulo the length.
///
//===----------------------------------------------------------------------===//

#include "kernels/trial/Access.cuh"

namespace cudalint {

static constexpr unsigned Length = 64;

template <typename T>
static __global__ void localArray(TrialMemory Memory, unsigned Stride,
                                  unsigned First, unsigned Lanes) {
  T Array[Length];
  // Never so, but for all that the compiler knows the array is filled here.
  if (threadIdx.x == Memory.Never)
    for (unsigned I = 0; I < Length; ++I)
      Array[I] = fill<T>(Memory.Sink[I] * 3 + I);
  if (threadIdx.x % WarpSize >= Lanes)
    return;
  access<T, RequestKind::Load>(&Array[(threadIdx.x * Stride + First) % Length],
                               Array, Memory);
}

Sweep localArraySweep(const Architecture &Arch) {
  Sweep S = {"local-array", "sectors of local arrays", {}};
  auto Add = [&]<typename T>() {
    for (BlockShape Block : {BlockShape{32, 1}, {80, 1}}) {
      for (unsigned Stride = 0; Stride <= 9; ++Stride) {
        for (unsigned First : {0u, 1u, 63u}) {
          for (unsigned Lanes : {32u, 10u, 1u}) {
            auto Address = [=](unsigned X, unsigned) {
              std::uint64_t Element = (X * Stride + First) & (Length - 1);
              return X % 32 < Lanes ? std::optional(Element * sizeof(T))
                                    : std::nullopt;
            };
            S.Points.push_back(
                {words(sizeof(T), "B block", toString(Block), "stride", Stride,
                       "first", First, "lanes", Lanes),
                 predictLocal(Arch, Block, sizeof(T), Address),
                 [=](const TrialMemory &Memory) {
                   localArray<T><<<1, Block.X>>>(Memory, Stride, First, Lanes);
                 }});
          }
        }
      }
    }
  };
  Add.template operator()<std::uint32_t>();
  Add.template operator()<uint2>();
  Add.template operator()<uint4>();
  return S;
}

} // namespace cudalint
