//===- samples/reduction/before.cu - Interleaved sums ---------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A tree of sums in shared memory whose neighbours move apart: at every level
/// the lanes that still work are twice as far from each other, and meet in
/// fewer banks.
///
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int Threads = 256;
constexpr int Blocks = 4096;

/// The sum of 256 integers for each block.
__global__ void blockSums(const int *In, int *Sums) {
  __shared__ int Data[Threads];
  Data[threadIdx.x] = In[blockIdx.x * Threads + threadIdx.x];
  __syncthreads();

  // Kept a loop: unrolled, neighbouring loads may become a wide one.
#pragma unroll 1
  for (int Apart = 1; Apart < Threads; Apart *= 2) {
    int Index = 2 * Apart * threadIdx.x;
    if (Index < Threads)
      Data[Index] += Data[Index + Apart];
    __syncthreads();
  }

  if (threadIdx.x == 0)
    Sums[blockIdx.x] = Data[0];
}

static void require(cudaError_t Status, const char *What) {
  if (Status == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", What, cudaGetErrorString(Status));
  std::exit(1);
}

int main() {
  const int Count = Blocks * Threads;
  std::vector<int> In(Count), Sums(Blocks);
  for (int I = 0; I < Count; ++I)
    In[I] = I % 1009;

  int *DeviceIn = nullptr;
  int *DeviceSums = nullptr;
  require(cudaMalloc(&DeviceIn, Count * sizeof(int)), "cudaMalloc");
  require(cudaMalloc(&DeviceSums, Blocks * sizeof(int)), "cudaMalloc");
  require(cudaMemcpy(DeviceIn, In.data(), Count * sizeof(int),
                     cudaMemcpyHostToDevice),
          "copy to the device");
  blockSums<<<Blocks, Threads>>>(DeviceIn, DeviceSums);
  require(cudaGetLastError(), "launch");
  require(cudaMemcpy(Sums.data(), DeviceSums, Blocks * sizeof(int),
                     cudaMemcpyDeviceToHost),
          "copy to the host");
  require(cudaFree(DeviceIn), "cudaFree");
  require(cudaFree(DeviceSums), "cudaFree");

  for (int Block = 0; Block < Blocks; ++Block) {
    int Sum = 0;
    for (int I = 0; I < Threads; ++I)
      Sum += In[Block * Threads + I];
    if (Sums[Block] != Sum) {
      std::fprintf(stderr, "wrong sum of block %d: %d\n", Block, Sums[Block]);
      return 1;
    }
  }
  std::printf("%d sums are right\n", Blocks);
  return 0;
}
