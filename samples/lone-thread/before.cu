//===- samples/lone-thread/before.cu - One thread adds up a block ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The sum of the cubes of a million integers, in 264 blocks. Every thread has
/// a partial sum, and thread 0 of each block adds up the 256 of them alone,
/// while the others wait.
///
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int Count = 1 << 20;
constexpr int Blocks = 264;
constexpr int Threads = 256;

/// The sum of the cubes of \p In, modulo 2^32, one part for each block. Needs
/// an unsigned of dynamic shared memory for each thread.
__global__ void sumOfCubes(const unsigned *In, unsigned *Sums) {
  extern __shared__ unsigned Partial[];
  unsigned Sum = 0;
  for (int I = blockIdx.x * Threads + threadIdx.x; I < Count;
       I += Blocks * Threads)
    Sum += In[I] * In[I] * In[I];
  Partial[threadIdx.x] = Sum;
  __syncthreads();

  if (threadIdx.x == 0) {
    Sum = 0;
    for (int I = 0; I < Threads; ++I)
      Sum += Partial[I];
    Sums[blockIdx.x] = Sum;
  }
}

static void require(cudaError_t Status, const char *What) {
  if (Status == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", What, cudaGetErrorString(Status));
  std::exit(1);
}

int main() {
  std::vector<unsigned> In(Count), Sums(Blocks);
  for (int I = 0; I < Count; ++I)
    In[I] = I % 10;

  unsigned *DeviceIn = nullptr;
  unsigned *DeviceSums = nullptr;
  require(cudaMalloc(&DeviceIn, Count * sizeof(unsigned)), "cudaMalloc");
  require(cudaMalloc(&DeviceSums, Blocks * sizeof(unsigned)), "cudaMalloc");
  require(cudaMemcpy(DeviceIn, In.data(), Count * sizeof(unsigned),
                     cudaMemcpyHostToDevice),
          "copy to the device");
  sumOfCubes<<<Blocks, Threads, Threads * sizeof(unsigned)>>>(DeviceIn,
                                                              DeviceSums);
  require(cudaGetLastError(), "launch");
  require(cudaMemcpy(Sums.data(), DeviceSums, Blocks * sizeof(unsigned),
                     cudaMemcpyDeviceToHost),
          "copy to the host");
  require(cudaFree(DeviceIn), "cudaFree");
  require(cudaFree(DeviceSums), "cudaFree");

  unsigned Sum = 0, Expected = 0;
  for (unsigned Part : Sums)
    Sum += Part;
  for (unsigned Value : In)
    Expected += Value * Value * Value;
  if (Sum != Expected) {
    std::fprintf(stderr, "wrong sum: %u, not %u\n", Sum, Expected);
    return 1;
  }
  std::printf("the sum of %d cubes is right\n", Count);
  return 0;
}
