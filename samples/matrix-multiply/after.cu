//===- samples/matrix-multiply/after.cu - Tiles, lanes along a row --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The program of before.cu with the lanes of a warp along a row, and with
/// tiles of both matrices in shared memory: each element is fetched once for 32
/// uses. Of the tile of A, which all lanes read at one address, a thread takes
/// four elements in one load, as nvcc would when it unrolls the loop.
///
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int Size = 512; // Rows and columns of the matrices.
constexpr int TileSize = 32;

/// C = A * B.
__global__ void multiply(const float *A, const float *B, float *C) {
  // Of a row of A, four elements are read at once.
  __shared__ __align__(16) float TileA[TileSize][TileSize];
  __shared__ float TileB[TileSize][TileSize];
  int Row = blockIdx.y * TileSize + threadIdx.y;
  int Column = blockIdx.x * TileSize + threadIdx.x;
  float Sum = 0;
  for (int First = 0; First < Size; First += TileSize) {
    TileA[threadIdx.y][threadIdx.x] = A[Row * Size + First + threadIdx.x];
    TileB[threadIdx.y][threadIdx.x] = B[(First + threadIdx.y) * Size + Column];
    __syncthreads();
    for (int K = 0; K < TileSize; K += 4) {
      float4 Four = *reinterpret_cast<const float4 *>(&TileA[threadIdx.y][K]);
      Sum += Four.x * TileB[K][threadIdx.x];
      Sum += Four.y * TileB[K + 1][threadIdx.x];
      Sum += Four.z * TileB[K + 2][threadIdx.x];
      Sum += Four.w * TileB[K + 3][threadIdx.x];
    }
    __syncthreads();
  }
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
