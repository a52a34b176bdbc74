//===- kernels/gather/sweep.cu - Gathers with known indices ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every lane has an index of its own, from a table that is drawn at random
/// but the same every time: global and shared memory, all lanes or some.
///
//===----------------------------------------------------------------------===//

#include "kernels/trial/Access.cuh"

#include <random>

namespace cudalint {

struct GatherTable {
  unsigned Mask;
  unsigned short Index[WarpSize];
};

template <typename T, RequestKind Kind>
static __global__ void gatherGlobal(TrialMemory Memory,
                                    const __grid_constant__ GatherTable Table) {
  T *Elements = reinterpret_cast<T *>(Memory.Global);
  if ((Table.Mask >> threadIdx.x & 1) != 0)
    access<T, Kind>(&Elements[Table.Index[threadIdx.x]], Elements, Memory);
}

template <typename T, RequestKind Kind>
static __global__ void gatherShared(TrialMemory Memory,
                                    const __grid_constant__ GatherTable Table) {
  extern __shared__ __align__(128) unsigned char Bytes[];
  T *Elements = reinterpret_cast<T *>(Bytes);
  if ((Table.Mask >> threadIdx.x & 1) != 0)
    access<T, Kind>(&Elements[Table.Index[threadIdx.x]], Elements, Memory);
}

template <typename T, RequestKind Kind>
static void addGathers(Sweep &S, const Architecture &Arch) {
  std::mt19937 Random(20261121);
  for (unsigned Span : {8u, 24u, 32u, 64u, 200u, 1024u, 3000u}) {
    for (unsigned Draw = 0; Draw < 16; ++Draw) {
      GatherTable Table = {};
      // Every other one has all lanes active.
      Table.Mask = Draw % 2 == 0 ? 0xffffffff : Random() | 1u << Draw;
      for (unsigned short &Index : Table.Index)
        Index = static_cast<unsigned short>(Random() % Span);
      auto Address = [Table](unsigned X, unsigned) {
        return (Table.Mask & 1u << X) != 0
                   ? std::optional<std::uint64_t>(Table.Index[X] * sizeof(T))
                   : std::nullopt;
      };
      S.Points.push_back(
          {words("global", nameOf(Kind), sizeof(T), "B span", Span, "draw",
                 Draw),
           predictGlobal(Arch, {32, 1}, sizeof(T), Kind, Address),
           [Table](const TrialMemory &Memory) {
             gatherGlobal<T, Kind><<<1, 32>>>(Memory, Table);
           }});
      S.Points.push_back(
          {words("shared", nameOf(Kind), sizeof(T), "B span", Span, "draw",
                 Draw),
           predictShared(Arch, {32, 1}, sizeof(T), Kind, Address),
           [Table](const TrialMemory &Memory) {
             gatherShared<T, Kind>
                 <<<1, 32, TrialMemory::SharedBytes>>>(Memory, Table);
           }});
    }
  }
}

Sweep gatherSweep(const Architecture &Arch) {
  Sweep S = {"gather", "sectors and wavefronts of known indices", {}};
  forEachAccess(
      [&]<typename T, RequestKind Kind>() { addGathers<T, Kind>(S, Arch); });
  return S;
}

} // namespace cudalint
