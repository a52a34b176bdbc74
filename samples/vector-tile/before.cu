//===- samples/vector-tile/before.cu - A tile stored by vectors -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A matrix is transposed through tiles in shared memory, in vectors of four
/// floats. A column of a tile lies in one bank, as always; but here one more
/// float in each row would misalign the vectors that are stored: a fault.
///
//===----------------------------------------------------------------------===//

#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int Size = 1024; // Rows and columns of the matrix.
constexpr int TileSize = 32;
constexpr int Threads = 256; // One vector each.

/// Turns the rows of \p In into the columns of \p Out, tile by tile, so that
/// both are accessed along their rows.
__global__ void transpose(const float *In, float *Out) {
  __shared__ float Tile[TileSize][TileSize];

  int Row = threadIdx.x / 8, Column = threadIdx.x % 8 * 4;
  *reinterpret_cast<float4 *>(&Tile[Row][Column]) =
      *reinterpret_cast<const float4 *>(
          &In[(blockIdx.y * TileSize + Row) * Size + blockIdx.x * TileSize +
              Column]);
  __syncthreads();

  float4 Vector;
  Vector.x = Tile[Column][Row];
  Vector.y = Tile[Column + 1][Row];
  Vector.z = Tile[Column + 2][Row];
  Vector.w = Tile[Column + 3][Row];
  *reinterpret_cast<float4 *>(&Out[(blockIdx.x * TileSize + Row) * Size +
                                   blockIdx.y * TileSize + Column]) = Vector;
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
  transpose<<<Grid, Threads>>>(DeviceIn, DeviceOut);
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
