//===- tests/gpu/DramProgram.cu - Bytes of DRAM that the source tells -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Kernels whose traffic to DRAM follows from their source, or from what runs
/// before them: large ones read and write many times what an L2 holds, small
/// ones what the L2 may still hold. Each kernel is launched four times.
///
///     DramProgram large   1 GiB read, 1 GiB written, 1 GiB of both
///     DramProgram first   the first launch of all reads 4 MiB just uploaded
///     DramProgram later   another kernel ran before the upload
///
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr size_t Large = size_t(1) << 28; // Floats: 1 GiB, twenty times an L2.
constexpr size_t Small = size_t(1) << 20;
constexpr int Launches = 4;

__global__ void nothing() {}

/// Writes nothing, as no sum is -1.
__global__ void readLarge(const float *In, float *Out) {
  float Sum = 0;
  for (size_t I = blockIdx.x * blockDim.x + threadIdx.x; I < Large;
       I += size_t(gridDim.x) * blockDim.x)
    Sum += In[I];
  if (Sum == -1)
    Out[0] = Sum;
}

__global__ void writeLarge(float *Out) {
  for (size_t I = blockIdx.x * blockDim.x + threadIdx.x; I < Large;
       I += size_t(gridDim.x) * blockDim.x)
    Out[I] = 0;
}

/// Half of it is read, the other half written.
__global__ void copyLarge(const float *In, float *Out) {
  for (size_t I = blockIdx.x * blockDim.x + threadIdx.x; I < Large / 2;
       I += size_t(gridDim.x) * blockDim.x)
    Out[I] = In[I];
}

/// One float of each 64: 32 bytes of each 256.
__global__ void stridedLarge(const float *In, float *Out) {
  float Sum = 0;
  for (size_t I = blockIdx.x * blockDim.x + threadIdx.x; I < Large / 64;
       I += size_t(gridDim.x) * blockDim.x)
    Sum += In[64 * I];
  if (Sum == -1)
    Out[0] = Sum;
}

__global__ void readSmall(const float *In, float *Out) {
  size_t I = blockIdx.x * blockDim.x + threadIdx.x;
  if (In[I] == -1)
    Out[0] = 1;
}

static void require(cudaError_t Status, const char *What) {
  if (Status == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", What, cudaGetErrorString(Status));
  std::exit(1);
}

int main(int Count, char **Arguments) {
  const char *Mode = Count == 2 ? Arguments[1] : "";
  const bool IsLarge = std::strcmp(Mode, "large") == 0;
  const bool IsLater = std::strcmp(Mode, "later") == 0;
  if (!IsLarge && !IsLater && std::strcmp(Mode, "first") != 0) {
    std::fprintf(stderr, "usage: %s large|first|later\n", Arguments[0]);
    return 2;
  }
  float *In = nullptr, *Out = nullptr;
  require(cudaMalloc(&In, Large * sizeof(float)), "cudaMalloc");
  require(cudaMalloc(&Out, Large * sizeof(float)), "cudaMalloc");
  if (IsLarge) {
    require(cudaMemset(In, 0, Large * sizeof(float)), "cudaMemset");
    for (int I = 0; I < Launches; ++I) {
      readLarge<<<2112, 1024>>>(In, Out);
      writeLarge<<<2112, 1024>>>(Out);
      copyLarge<<<2112, 1024>>>(In, Out);
      stridedLarge<<<2112, 1024>>>(In, Out);
    }
  } else {
    if (IsLater)
      nothing<<<1, 32>>>();
    std::vector<float> Zeros(Small);
    require(cudaMemcpy(In, Zeros.data(), Small * sizeof(float),
                       cudaMemcpyHostToDevice),
            "copy to the device");
    for (int I = 0; I < Launches; ++I)
      readSmall<<<Small / 256, 256>>>(In, Out);
  }
  require(cudaDeviceSynchronize(), "launch");
  require(cudaFree(In), "cudaFree");
  require(cudaFree(Out), "cudaFree");
  return 0;
}
