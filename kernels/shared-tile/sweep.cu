//===- kernels/shared-tile/sweep.cu - Two-dimensional tiles, every pad ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Square tiles with 0 to 33 unused elements at the end of each row, accessed
/// by a two-dimensional block: thread (x, y) at row y, column x, or the other
/// way round as in a transpose.
///
//===----------------------------------------------------------------------===//

#include "kernels/trial/Access.cuh"

#include <algorithm>

namespace cudalint {

template <typename T, RequestKind Kind>
static __global__ void sharedTile(TrialMemory Memory, unsigned RowElements,
                                  bool Turned) {
  extern __shared__ __align__(128) unsigned char Bytes[];
  T *Tile = reinterpret_cast<T *>(Bytes);
  unsigned Row = Turned ? threadIdx.x : threadIdx.y;
  unsigned Column = Turned ? threadIdx.y : threadIdx.x;
  access<T, Kind>(&Tile[Row * RowElements + Column], Tile, Memory);
}

Sweep sharedTileSweep(const Architecture &Arch) {
  Sweep S = {"shared-tile", "wavefronts of padded tiles", {}};
  forEachAccess([&]<typename T, RequestKind Kind>() {
    for (BlockShape Block :
         {BlockShape{32, 8}, {16, 16}, {8, 32}, {8, 8}, {32, 1}}) {
      const unsigned Side = std::max(Block.X, Block.Y);
      for (unsigned Pad = 0; Pad <= 33; ++Pad) {
        for (bool Turned : {false, true}) {
          const std::uint64_t RowBytes = (Side + Pad) * sizeof(T);
          auto Address = [=](unsigned X, unsigned Y) {
            return std::optional(Turned ? X * RowBytes + Y * sizeof(T)
                                        : Y * RowBytes + X * sizeof(T));
          };
          S.Points.push_back(
              {words(nameOf(Kind), sizeof(T), "B block", toString(Block), "pad",
                     Pad, Turned ? "columns" : "rows"),
               predictShared(Arch, Block, sizeof(T), Kind, Address),
               [=](const TrialMemory &Memory) {
                 sharedTile<T, Kind>
                     <<<1, dim3(Block.X, Block.Y), TrialMemory::SharedBytes>>>(
                         Memory, Side + Pad, Turned);
               }});
        }
      }
    }
  });
  return S;
}

} // namespace cudalint
