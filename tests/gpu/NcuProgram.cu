//===- tests/gpu/NcuProgram.cu - What two profilers count alike -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Kernels whose accesses differ, for compare_with_ncu.py. Nothing depends on
/// the order of threads, nor on what an earlier launch left: ncu runs each
/// launch several times. Names are C's, so that the comparison can say them.
///
//===----------------------------------------------------------------------===//

#include "NcuProgram.h"

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int Threads = 128, Blocks = 32, Elements = Threads * Blocks;

struct Point {
  float X, Y, Z;
};

extern "C" __global__ void coalesced(const float *In, float *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[I] + 1.0f;
}

extern "C" __global__ void strided(const float *In, float *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[2 * I] = In[8 * I] + everyFourth(In, I);
}

extern "C" __global__ void points(const Point *In, float *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[I].X * In[I].X + In[I].Y * In[I].Y + In[I].Z * In[I].Z;
}

/// The last warps load nothing, which a predicate says and no branch.
extern "C" __global__ void guarded(const float *In, float *Out, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  float X = 0;
  if (I < Count)
    X = In[I];
  Out[I] = X;
}

/// Lanes are \p Ways words apart, and so many of them in one bank.
template <int Ways> __global__ void conflicts(const float *In, float *Out) {
  __shared__ float Tile[Threads * Ways];
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Tile[threadIdx.x * Ways] = In[I];
  __syncthreads();
  Out[I] = Tile[(threadIdx.x ^ 1) * Ways];
}

/// Two doubles 128 bytes apart, by turns: merged phases that conflict.
extern "C" __global__ void wide(const double *In, double *Out) {
  __shared__ double Tile[32];
  int I = blockIdx.x * 32 + threadIdx.x;
  Tile[threadIdx.x] = In[I];
  __syncthreads();
  Out[I] = Tile[threadIdx.x % 2 * 16];
}

/// Groups of so many lanes add to one word, as \p Keys says: the compiler does
/// not know, and makes no sum of a warp.
template <int Group> __global__ void sums(const int *Keys, unsigned *Sums) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&Sums[Keys[I]], 1u);
}

/// Its results are used.
extern "C" __global__ void tickets(unsigned *Sums, unsigned *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = atomicAdd(&Sums[I], 3u);
}

extern "C" __global__ void bins(const int *Keys, unsigned *Out) {
  __shared__ unsigned Bins[64];
  if (threadIdx.x < 64)
    Bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&Bins[Keys[threadIdx.x] % 8], 2u);
  __syncthreads();
  if (threadIdx.x < 64)
    Out[blockIdx.x * 64 + threadIdx.x] = Bins[threadIdx.x];
}

/// An array that no register holds, since its index is not known.
extern "C" __global__ void local(const float *In, const int *Keys, float *Out) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  float Mine[32];
  for (int K = 0; K != 32; ++K)
    Mine[K] = In[(I + 32 * K) % Elements];
  Out[I] = Mine[Keys[I] % 32];
}

/// A pointer to either memory.
extern "C" __global__ void either(const float *In, float *Out, int Zero) {
  __shared__ float Tile[Threads];
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  Tile[threadIdx.x] = static_cast<float>(I);
  __syncthreads();
  const float *From = threadIdx.x % 2 == Zero ? Tile + threadIdx.x : In + I;
  Out[I] = *From;
}

static void require(cudaError_t Status, const char *What) {
  if (Status == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", What, cudaGetErrorString(Status));
  std::exit(1);
}

template <typename T> static T *allocate(std::size_t Number) {
  T *Out = nullptr;
  require(cudaMalloc(&Out, Number * sizeof(T)), "cudaMalloc");
  require(cudaMemset(Out, 0, Number * sizeof(T)), "cudaMemset");
  return Out;
}

template <int Group> static void launchSums(unsigned *Sums) {
  std::vector<int> Host(Elements);
  for (int I = 0; I != Elements; ++I)
    Host[I] = I / Group;
  int *Keys = allocate<int>(Elements);
  require(cudaMemcpy(Keys, Host.data(), Elements * sizeof(int),
                     cudaMemcpyHostToDevice),
          "copy to the device");
  sums<Group><<<Blocks, Threads>>>(Keys, Sums);
}

int main() {
  auto *In = allocate<float>(8 * Elements);
  auto *Out = allocate<float>(8 * Elements);
  auto *Counts = allocate<unsigned>(Elements);
  auto *Keys = allocate<int>(Elements);
  coalesced<<<Blocks, Threads>>>(In, Out);
  coalesced<<<Blocks / 4, Threads * 2>>>(In, Out);
  strided<<<Blocks, Threads>>>(In, Out);
  points<<<Blocks, Threads>>>(reinterpret_cast<const Point *>(In), Out);
  guarded<<<Blocks, Threads>>>(In, Out, 1000);
  conflicts<1><<<Blocks, Threads>>>(In, Out);
  conflicts<2><<<Blocks, Threads>>>(In, Out);
  conflicts<8><<<Blocks, Threads>>>(In, Out);
  conflicts<32><<<Blocks, Threads>>>(In, Out);
  wide<<<Blocks, 32>>>(reinterpret_cast<const double *>(In),
                       reinterpret_cast<double *>(Out));
  launchSums<1>(Counts);
  launchSums<2>(Counts);
  launchSums<4>(Counts);
  launchSums<16>(Counts);
  tickets<<<Blocks, Threads>>>(Counts, reinterpret_cast<unsigned *>(Out));
  bins<<<Blocks, Threads>>>(Keys, Counts);
  local<<<Blocks, Threads>>>(In, Keys, Out);
  either<<<Blocks, Threads>>>(In, Out, 0);
  launchOther(In, Out);
  require(cudaDeviceSynchronize(), "launch");
  std::puts("done");
  return 0;
}
