//===- samples/transpose/before.cu - A transpose without a tile -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A matrix is transposed element by element: a warp reads along a row, and
/// writes 32 elements that are a whole row apart, each in a sector of its own.
///
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int Size = 1024; // Rows and columns of the matrix.
constexpr int TileSize = 32;
constexpr int TileRows = 8; // Rows that a block handles at a time.

/// Turns the rows of \p In into the columns of \p Out.
__global__ void transpose(const float *In, float *Out) {
  int Column = blockIdx.x * TileSize + threadIdx.x;
  int Row = blockIdx.y * TileSize + threadIdx.y;
  for (int I = 0; I < TileSize; I += TileRows)
    Out[Column * Size + Row + I] = In[(Row + I) * Size + Column];
}

static void require(cudaError_t Status, const char *What) {
  if (Status == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", What, cudaGetErrorString(Status));
  std::exit(1);
}

int main() {
  const size_t Bytes = Size * Size * sizeof(float);
  // Every element is another integer, and all of them are exact as a float.
  std::vector<float> In(Size * Size), Out(Size * Size);
  for (int I = 0; I < Size * Size; ++I)
    In[I] = static_cast<float>(I);

  float *DeviceIn = nullptr;
  float *DeviceOut = nullptr;
  require(cudaMalloc(&DeviceIn, Bytes), "cudaMalloc");
  require(cudaMalloc(&DeviceOut, Bytes), "cudaMalloc");
  require(cudaMemcpy(DeviceIn, In.data(), Bytes, cudaMemcpyHostToDevice),
          "copy to the device");

  dim3 Grid(Size / TileSize, Size / TileSize);
  dim3 Block(TileSize, TileRows);
  transpose<<<Grid, Block>>>(DeviceIn, DeviceOut);
  require(cudaGetLastError(), "launch");

  require(cudaMemcpy(Out.data(), DeviceOut, Bytes, cudaMemcpyDeviceToHost),
          "copy to the host");
  require(cudaFree(DeviceIn), "cudaFree");
  require(cudaFree(DeviceOut), "cudaFree");

  for (int Row = 0; Row < Size; ++Row) {
    for (int Column = 0; Column < Size; ++Column) {
      if (Out[Row * Size + Column] != In[Column * Size + Row]) {
        std::fprintf(stderr, "wrong element in row %d, column %d\n", Row,
                     Column);
        return 1;
      }
    }
  }
  std::printf("%d x %d elements are right\n", Size, Size);
  return 0;
}
