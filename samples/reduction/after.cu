//===- samples/reduction/after.cu - Sequential sums -----------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The program of before.cu with the sums kept side by side: at every level the
/// first half of the elements is added to, so the lanes that still work stay in
/// neighbouring banks, and whole warps fall idle.
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

  // Kept a loop, as in before.cu.
#pragma unroll 1
  for (int Half = Threads / 2; Half > 0; Half /= 2) {
    if (threadIdx.x < Half)
      Data[threadIdx.x] += Data[threadIdx.x + Half];
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
