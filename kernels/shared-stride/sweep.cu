//===- kernels/shared-stride/sweep.cu - Strides in shared memory ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Lane l accesses element Offset + l * Stride, if l is one of the first so
/// many: stride x element size x offset x active lanes.
///
//===----------------------------------------------------------------------===//

#include "kernels/trial/Access.cuh"

namespace cudalint {

template <typename T, RequestKind Kind>
static __global__ void sharedStride(TrialMemory Memory, unsigned Stride,
                                    unsigned Offset, unsigned Lanes) {
  extern __shared__ __align__(128) unsigned char Bytes[];
  T *Elements = reinterpret_cast<T *>(Bytes);
  if (threadIdx.x >= Lanes)
    return;
  access<T, Kind>(&Elements[Offset + threadIdx.x * Stride], Elements, Memory);
}

Sweep sharedStrideSweep(const Architecture &Arch) {
  Sweep S = {"shared-stride", "wavefronts of strided shared accesses", {}};
  std::vector<unsigned> Strides = {0, 48, 64};
  for (unsigned Stride = 1; Stride <= 33; ++Stride)
    Strides.push_back(Stride);
  forEachAccess([&]<typename T, RequestKind Kind>() {
    for (unsigned Stride : Strides) {
      for (unsigned Offset : {0u, 1u, 5u, 16u}) {
        for (unsigned Lanes : {32u, 16u, 10u, 1u}) {
          auto Address = [=](unsigned X, unsigned) {
            std::uint64_t Element = Offset + std::uint64_t(X) * Stride;
            return X < Lanes ? std::optional(Element * sizeof(T))
                             : std::nullopt;
          };
          S.Points.push_back(
              {words(nameOf(Kind), sizeof(T), "B stride", Stride, "offset",
                     Offset, "lanes", Lanes),
               predictShared(Arch, {32, 1}, sizeof(T), Kind, Address),
               [=](const TrialMemory &Memory) {
                 sharedStride<T, Kind><<<1, 32, TrialMemory::SharedBytes>>>(
                     Memory, Stride, Offset, Lanes);
               }});
        }
      }
    }
  });
  return S;
}

} // namespace cudalint
