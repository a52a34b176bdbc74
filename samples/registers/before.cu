//===- samples/registers/before.cu - 641 threads of 48 registers ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// 641 threads of 48 registers would fill half of an SM's 65536 registers, if
/// these were given out one by one. But warps get them in units of 256, and
/// each of the four partitions of an SM has its own: 40 warps fit, one block of
/// 21 warps, and a grid of two blocks for each SM takes two rounds.
///
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int Threads = 641;
constexpr int BlocksPerSM = 2; // How many the grid has for each SM.
constexpr int Values = 40;
constexpr long long Cycles = 2000000;

/// Keeps every block busy for the same time, about a millisecond, with a
/// private array that the compiler keeps in registers: 48 of them.
__global__ void busy(int *Out) {
  int Array[Values];
  for (int I = 0; I < Values; ++I)
    Array[I] = threadIdx.x * (I + 3);
  long long Start = clock64();
  while (clock64() - Start < Cycles) {
#pragma unroll
    for (int I = 0; I < Values; ++I)
      Array[I] = Array[I] * 5 + Array[(I + 1) % Values];
  }
  int Sum = 0;
  for (int I = 0; I < Values; ++I)
    Sum ^= Array[I];
  // An even number for all, whatever the array holds, but the compiler does
  // not know that.
  if (threadIdx.x == 0)
    Out[blockIdx.x] = blockIdx.x + 1 + (Sum * (Sum + 1) & 1);
}

static void require(cudaError_t Status, const char *What) {
  if (Status == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", What, cudaGetErrorString(Status));
  std::exit(1);
}

int main() {
  int SMs = 0;
  int Resident = 0;
  require(cudaDeviceGetAttribute(&SMs, cudaDevAttrMultiProcessorCount, 0),
          "cudaDeviceGetAttribute");
  require(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Resident, busy,
                                                        Threads, 0),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
  const int Blocks = BlocksPerSM * SMs;
  const int Rounds = (Blocks + Resident * SMs - 1) / (Resident * SMs);

  int *DeviceOut = nullptr;
  std::vector<int> Out(Blocks);
  const int Most = Blocks > Resident * SMs ? Blocks : Resident * SMs;
  require(cudaMalloc(&DeviceOut, Most * sizeof(int)), "cudaMalloc");
  cudaEvent_t Start, Stop;
  require(cudaEventCreate(&Start), "cudaEventCreate");
  require(cudaEventCreate(&Stop), "cudaEventCreate");
  // What fits at once is one round; the first launch also loads the kernel.
  float One = 0, All = 0;
  for (int I = 0; I < 2; ++I) {
    require(cudaEventRecord(Start), "cudaEventRecord");
    busy<<<Resident * SMs, Threads>>>(DeviceOut);
    require(cudaEventRecord(Stop), "cudaEventRecord");
    require(cudaEventSynchronize(Stop), "one round");
    require(cudaEventElapsedTime(&One, Start, Stop), "cudaEventElapsedTime");
  }
  require(cudaEventRecord(Start), "cudaEventRecord");
  busy<<<Blocks, Threads>>>(DeviceOut);
  require(cudaEventRecord(Stop), "cudaEventRecord");
  require(cudaEventSynchronize(Stop), "all blocks");
  require(cudaEventElapsedTime(&All, Start, Stop), "cudaEventElapsedTime");
  require(cudaMemcpy(Out.data(), DeviceOut, Blocks * sizeof(int),
                     cudaMemcpyDeviceToHost),
          "copy to the host");
  require(cudaFree(DeviceOut), "cudaFree");

  for (int Block = 0; Block < Blocks; ++Block) {
    if (Out[Block] != Block + 1) {
      std::fprintf(stderr, "block %d did not run\n", Block);
      return 1;
    }
  }
  std::printf("%d blocks of %d threads, %d on an SM: %d rounds, %.1f times "
              "one block\n",
              Blocks, Threads, Resident, Rounds, All / One);
  return 0;
}
