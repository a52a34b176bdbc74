//===- kernels/global-stride/sweep.cu - Strides in global memory ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Thread (x, y) accesses element Misaligned + y * Pitch + x * Stride: stride
/// x element size x misalignment x shape of the block.
///
//===----------------------------------------------------------------------===//

#include "kernels/trial/Access.cuh"

namespace cudalint {

template <typename T, RequestKind Kind>
static __global__ void globalStride(TrialMemory Memory, unsigned Stride,
                                    unsigned Pitch, unsigned Misaligned) {
  T *Elements = reinterpret_cast<T *>(Memory.Global) + Misaligned;
  access<T, Kind>(&Elements[threadIdx.y * Pitch + threadIdx.x * Stride],
                  Elements, Memory);
}

Sweep globalStrideSweep(const Architecture &Arch) {
  Sweep S = {"global-stride", "sectors of strided global accesses", {}};
  const BlockShape Blocks[] = {{32, 1},  {64, 1}, {100, 1}, {32, 8},
                               {16, 16}, {8, 8},  {5, 7},   {1, 64}};
  forEachAccess([&]<typename T, RequestKind Kind>() {
    for (BlockShape Block : Blocks) {
      for (unsigned Stride :
           {0u, 1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 16u, 17u, 32u, 33u, 64u}) {
        for (unsigned Misaligned : {0u, 1u, 3u, 7u, 8u, 31u}) {
          // Rows do not overlap, and begin anywhere in a sector.
          const unsigned Pitch = Block.X * Stride + 3;
          auto Address = [=](unsigned X, unsigned Y) {
            std::uint64_t Byte = Misaligned * sizeof(T);
            Byte += Y * (Pitch * sizeof(T));
            return std::optional(Byte + X * (Stride * sizeof(T)));
          };
          S.Points.push_back(
              {words(nameOf(Kind), sizeof(T), "B block", toString(Block),
                     "stride", Stride, "misaligned", Misaligned),
               predictGlobal(Arch, Block, sizeof(T), Kind, Address),
               [=](const TrialMemory &Memory) {
                 globalStride<T, Kind><<<1, dim3(Block.X, Block.Y)>>>(
                     Memory, Stride, Pitch, Misaligned);
               }});
        }
      }
    }
  });
  return S;
}

} // namespace cudalint
