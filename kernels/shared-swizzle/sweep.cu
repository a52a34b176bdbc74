//===- kernels/shared-swizzle/sweep.cu - Tiles with xor-swizzled columns --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A tile of 32 rows whose columns are permuted within each row by an xor with
/// bits of the row: read along a row and along a column. With a mask of 0 the
/// tile is plain.
///
//===----------------------------------------------------------------------===//

#include "kernels/trial/Access.cuh"

namespace cudalint {

template <typename T, RequestKind Kind>
static __global__ void sharedSwizzle(TrialMemory Memory, unsigned Width,
                                     unsigned Mask, bool AlongColumn,
                                     unsigned Fixed) {
  extern __shared__ __align__(128) unsigned char Bytes[];
  T *Tile = reinterpret_cast<T *>(Bytes);
  unsigned Row = AlongColumn ? threadIdx.x : Fixed;
  unsigned Column = AlongColumn ? Fixed : threadIdx.x % Width;
  access<T, Kind>(&Tile[Row * Width + (Column ^ (Row & Mask))], Tile, Memory);
}

Sweep sharedSwizzleSweep(const Architecture &Arch) {
  Sweep S = {"shared-swizzle", "wavefronts of tiles swizzled by xor", {}};
  forEachAccess([&]<typename T, RequestKind Kind>() {
    for (unsigned Width : {8u, 16u, 32u, 64u}) {
      for (unsigned Mask = 0; Mask < Width && Mask < 32; Mask = 2 * Mask + 1) {
        for (bool AlongColumn : {false, true}) {
          for (unsigned Fixed : {0u, 1u, 5u}) {
            // Permuted[r][c]: where the row r keeps its column c.
            auto Address = [=](unsigned X, unsigned) {
              std::uint64_t Row = AlongColumn ? X : Fixed;
              std::uint64_t Column = AlongColumn ? Fixed : X % Width;
              std::uint64_t Place = 0;
              for (unsigned Bit = 1; Bit < 64; Bit *= 2)
                if (((Column & Bit) != 0) != ((Row & Mask & Bit) != 0))
                  Place += Bit;
              return std::optional((Row * Width + Place) * sizeof(T));
            };
            S.Points.push_back(
                {words(nameOf(Kind), sizeof(T), "B width", Width, "mask", Mask,
                       AlongColumn ? "column" : "row", Fixed),
                 predictShared(Arch, {32, 1}, sizeof(T), Kind, Address),
                 [=](const TrialMemory &Memory) {
                   sharedSwizzle<T, Kind><<<1, 32, TrialMemory::SharedBytes>>>(
                       Memory, Width, Mask, AlongColumn, Fixed);
                 }});
          }
        }
      }
    }
  });
  return S;
}

} // namespace cudalint
