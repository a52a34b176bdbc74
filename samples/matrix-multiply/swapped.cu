//===- samples/matrix-multiply/swapped.cu - Lanes along a row -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The program of before.cu with the roles of threadIdx.x and threadIdx.y
/// swapped, and nothing else: all lanes of a warp read one element of A, and
/// neighbouring elements of B and C.
///
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int Size = 512; // Rows and columns of the matrices.
constexpr int TileSize = 32;

/// C = A * B.
__global__ void multiply(const float *A, const float *B, float *C) {
  int Row = blockIdx.y * TileSize + threadIdx.y;
  int Column = blockIdx.x * TileSize + threadIdx.x;
  float Sum = 0;
  for (int K = 0; K < Size; ++K)
    Sum += A[Row * Size + K] * B[K * Size + Column];
  C[Row * Size + Column] = Sum;
}

static void require(cudaError_t Status, const char *What) {
  if (Status == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", What, cudaGetErrorString(Status));
  std::exit(1);
}

/// A copy of \p Values in device memory.
static float *copyToDevice(const std::vector<float> &Values) {
  float *Copy = nullptr;
  size_t Bytes = Values.size() * sizeof(float);
  require(cudaMalloc(&Copy, Bytes), "cudaMalloc");
  require(cudaMemcpy(Copy, Values.data(), Bytes, cudaMemcpyHostToDevice),
          "copy to the device");
  return Copy;
}

int main() {
  // Small whole numbers: all results are exact.
  std::vector<float> A(Size * Size), B(Size * Size), C(Size * Size);
  for (int I = 0; I < Size * Size; ++I) {
    A[I] = static_cast<float>(I % 7);
    B[I] = static_cast<float>(I % 5);
  }
  float *DeviceA = copyToDevice(A);
  float *DeviceB = copyToDevice(B);
  float *DeviceC = nullptr;
  require(cudaMalloc(&DeviceC, Size * Size * sizeof(float)), "cudaMalloc");

  dim3 Grid(Size / TileSize, Size / TileSize);
  dim3 Block(TileSize, TileSize);
  multiply<<<Grid, Block>>>(DeviceA, DeviceB, DeviceC);
  require(cudaGetLastError(), "launch");
  require(cudaMemcpy(C.data(), DeviceC, Size * Size * sizeof(float),
                     cudaMemcpyDeviceToHost),
          "copy to the host");
  for (float *Pointer : {DeviceA, DeviceB, DeviceC})
    require(cudaFree(Pointer), "cudaFree");

  for (int Row = 0; Row < Size; ++Row) {
    for (int Column = 0; Column < Size; ++Column) {
      float Sum = 0;
      for (int K = 0; K < Size; ++K)
        Sum += A[Row * Size + K] * B[K * Size + Column];
      if (C[Row * Size + Column] != Sum) {
        std::fprintf(stderr, "wrong element in row %d, column %d\n", Row,
                     Column);
        return 1;
      }
    }
  }
  std::printf("%d x %d elements are right\n", Size, Size);
  return 0;
}
