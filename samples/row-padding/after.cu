//===- samples/row-padding/after.cu - Rows of 17 words --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The program of before.cu with one unused float at the end of each row: 17
/// and 32 have no common divisor, and the lanes of a warp are in 32 different
/// banks.
///
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int Columns = 16;
constexpr int Rows = 128; // Of a block, a thread each.
constexpr int Blocks = 512;

/// The sum of every row of 16 floats. The block reads its rows as one piece,
/// then each thread adds up a row of its own.
__global__ void rowSums(const float *In, float *Sums) {
  __shared__ float Tile[Rows][Columns + 1];
  const float *Mine = In + blockIdx.x * Rows * Columns;
  for (int I = 0; I < Columns; ++I) {
    int Element = I * Rows + threadIdx.x;
    Tile[Element / Columns][Element % Columns] = Mine[Element];
  }
  __syncthreads();

  float Sum = 0;
  // Kept a loop: unrolled, the loads of rows of 16 become four wide ones.
#pragma unroll 1
  for (int Column = 0; Column < Columns; ++Column)
    Sum += Tile[threadIdx.x][Column];
  Sums[blockIdx.x * Rows + threadIdx.x] = Sum;
}

static void require(cudaError_t Status, const char *What) {
  if (Status == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", What, cudaGetErrorString(Status));
  std::exit(1);
}

int main() {
  const int Count = Blocks * Rows * Columns;
  // Small whole numbers: all sums are exact.
  std::vector<float> In(Count), Sums(Blocks * Rows);
  for (int I = 0; I < Count; ++I)
    In[I] = static_cast<float>(I % 97);

  float *DeviceIn = nullptr;
  float *DeviceSums = nullptr;
  require(cudaMalloc(&DeviceIn, Count * sizeof(float)), "cudaMalloc");
  require(cudaMalloc(&DeviceSums, Blocks * Rows * sizeof(float)), "cudaMalloc");
  require(cudaMemcpy(DeviceIn, In.data(), Count * sizeof(float),
                     cudaMemcpyHostToDevice),
          "copy to the device");
  rowSums<<<Blocks, Rows>>>(DeviceIn, DeviceSums);
  require(cudaGetLastError(), "launch");
  require(cudaMemcpy(Sums.data(), DeviceSums, Blocks * Rows * sizeof(float),
                     cudaMemcpyDeviceToHost),
          "copy to the host");
  require(cudaFree(DeviceIn), "cudaFree");
  require(cudaFree(DeviceSums), "cudaFree");

  for (int Row = 0; Row < Blocks * Rows; ++Row) {
    float Sum = 0;
    for (int Column = 0; Column < Columns; ++Column)
      Sum += In[Row * Columns + Column];
    if (Sums[Row] != Sum) {
      std::fprintf(stderr, "wrong sum of row %d: %g\n", Row, Sums[Row]);
      return 1;
    }
  }
  std::printf("%d sums are right\n", Blocks * Rows);
  return 0;
}
