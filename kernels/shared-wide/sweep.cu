//===- kernels/shared-wide/sweep.cu - Wide loads whose lanes pair up ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Loads of 8 and 16 bytes where lanes share addresses with the lane beside
/// them or the next but one, in one half of the warp or both, and some lanes
/// are idle: when are two phases served as one? Drawn at random, but the same
/// every time; the name of a point is its active lanes and their elements.
///
//===----------------------------------------------------------------------===//

#include "kernels/trial/Access.cuh"

#include <array>
#include <iomanip>
#include <random>

namespace cudalint {

struct WideTable {
  unsigned Mask;
  unsigned Index[WarpSize];
};

template <typename T>
static __global__ void sharedWide(TrialMemory Memory,
                                  const __grid_constant__ WideTable Table) {
  extern __shared__ __align__(128) unsigned char Bytes[];
  T *Elements = reinterpret_cast<T *>(Bytes);
  if ((Table.Mask >> threadIdx.x & 1) != 0)
    access<T, RequestKind::Load>(&Elements[Table.Index[threadIdx.x]], Elements,
                                 Memory);
}

/// Each half of the warp has a fold of its own: lanes that differ only in the
/// bits of the fold have the same element.
static WideTable draw(std::mt19937 &Random) {
  static constexpr unsigned Folds[] = {0, 0, 1, 1, 2, 2, 3, 15};
  static constexpr unsigned Spans[] = {2, 4, 8, 8, 16, 64, 256};
  static constexpr unsigned Masks[] = {0xffff, 0xffff, 0xffff, 0x5555,
                                       0xaaaa, 0x3333, 0,      1};
  WideTable Table = {};
  const unsigned Span = Spans[Random() % std::size(Spans)];
  for (unsigned Half = 0; Half < 2; ++Half) {
    const unsigned Fold = Folds[Random() % std::size(Folds)];
    unsigned Mask = Masks[Random() % std::size(Masks)];
    // In every third draw any lanes may be active.
    if (Random() % 3 == 0)
      Mask = Random() & 0xffff;
    std::array<unsigned, 16> Drawn;
    for (unsigned &Element : Drawn)
      Element = Random() % Span;
    for (unsigned Lane = 0; Lane < 16; ++Lane)
      Table.Index[16 * Half + Lane] = Drawn[Lane & ~Fold];
    Table.Mask |= Mask << 16 * Half;
  }
  // In every fourth draw one lane differs from what its fold says.
  if (Random() % 4 == 0)
    Table.Index[Random() % WarpSize] = Random() % Span;
  if (Table.Mask == 0)
    Table.Mask = 1;
  return Table;
}

template <typename T>
static void addDraws(Sweep &S, const Architecture &Arch, unsigned Seed) {
  std::mt19937 Random(Seed);
  for (unsigned Draw = 0; Draw < 4000; ++Draw) {
    const WideTable Table = draw(Random);
    auto Address = [Table](unsigned X, unsigned) {
      return (Table.Mask & 1u << X) != 0
                 ? std::optional<std::uint64_t>(Table.Index[X] * sizeof(T))
                 : std::nullopt;
    };
    std::ostringstream Name;
    Name << Seed << '-' << Draw << ": " << sizeof(T) << " B " << std::hex
         << Table.Mask << std::dec;
    for (unsigned Index : Table.Index)
      Name << ' ' << Index;
    S.Points.push_back(
        {Name.str(),
         predictShared(Arch, {32, 1}, sizeof(T), RequestKind::Load, Address),
         [Table](const TrialMemory &Memory) {
           sharedWide<T><<<1, 32, TrialMemory::SharedBytes>>>(Memory, Table);
         }});
  }
}

Sweep sharedWideSweep(const Architecture &Arch) {
  Sweep S = {"shared-wide", "wavefronts of wide loads whose lanes pair up", {}};
  // The rule was found on the first seed, tried on the second, corrected for
  // one point of that, and tried again on the third.
  for (unsigned Seed : {1121u, 1243u, 1302u}) {
    addDraws<uint2>(S, Arch, Seed);
    addDraws<uint4>(S, Arch, Seed);
  }
  return S;
}

} // namespace cudalint
