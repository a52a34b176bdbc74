//===- kernels/partial-warp/sweep.cu - Blocks that do not fill warps ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Blocks of every size from 1 to 192 threads and odd two-dimensional ones,
/// each thread at its own element: what the last warp costs that is not full.
///
//===----------------------------------------------------------------------===//

#include "kernels/trial/Access.cuh"

namespace cudalint {

template <typename T, RequestKind Kind>
static __global__ void partialWarpGlobal(TrialMemory Memory) {
  T *Elements = reinterpret_cast<T *>(Memory.Global);
  unsigned Thread = threadIdx.y * blockDim.x + threadIdx.x;
  access<T, Kind>(&Elements[Thread], Elements, Memory);
}

template <typename T, RequestKind Kind>
static __global__ void partialWarpShared(TrialMemory Memory) {
  extern __shared__ __align__(128) unsigned char Bytes[];
  T *Elements = reinterpret_cast<T *>(Bytes);
  unsigned Thread = threadIdx.y * blockDim.x + threadIdx.x;
  access<T, Kind>(&Elements[Thread], Elements, Memory);
}

template <typename T>
static void addBlock(Sweep &S, const Architecture &Arch, BlockShape Block) {
  constexpr RequestKind Load = RequestKind::Load;
  auto Address = [=](unsigned X, unsigned Y) {
    return std::optional<std::uint64_t>((Y * Block.X + X) * sizeof(T));
  };
  S.Points.push_back({words("global", sizeof(T), "B block", toString(Block)),
                      predictGlobal(Arch, Block, sizeof(T), Load, Address),
                      [=](const TrialMemory &Memory) {
                        partialWarpGlobal<T, Load>
                            <<<1, dim3(Block.X, Block.Y)>>>(Memory);
                      }});
  S.Points.push_back(
      {words("shared", sizeof(T), "B block", toString(Block)),
       predictShared(Arch, Block, sizeof(T), Load, Address),
       [=](const TrialMemory &Memory) {
         partialWarpShared<T, Load>
             <<<1, dim3(Block.X, Block.Y), TrialMemory::SharedBytes>>>(Memory);
       }});
}

Sweep partialWarpSweep(const Architecture &Arch) {
  Sweep S = {"partial-warp", "the warps of blocks that do not fill them", {}};
  std::vector<BlockShape> Blocks;
  for (unsigned Threads = 1; Threads <= 192; ++Threads)
    Blocks.push_back({Threads, 1});
  for (unsigned X : {1u, 3u, 7u, 15u, 17u, 31u, 33u, 48u})
    for (unsigned Y : {2u, 3u, 5u, 10u})
      Blocks.push_back({X, Y});
  for (BlockShape Block : Blocks) {
    addBlock<std::uint8_t>(S, Arch, Block);
    addBlock<std::uint32_t>(S, Arch, Block);
    addBlock<uint2>(S, Arch, Block);
    addBlock<uint4>(S, Arch, Block);
  }
  return S;
}

} // namespace cudalint
