//===- samples/struct-access/after.cu - One array for each field ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The program of before.cu with the vectors stored as three arrays. The lanes
/// of a warp now load neighbouring floats: 4 sectors for each load, all of
/// whose bytes are used.
///
//===----------------------------------------------------------------------===//

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void lengths(const float *Xs, const float *Ys, const float *Zs,
                        float *Lengths, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  float X = Xs[I];
  float Y = Ys[I];
  float Z = Zs[I];
  Lengths[I] = sqrtf(X * X + Y * Y + Z * Z);
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
  const int Threads = 256;
  const int Blocks = 4096;
  const int Count = Blocks * Threads;

  // (2, 3, 6) has the length 7, and so have its multiples: every result is
  // exact, and is compared as such.
  std::vector<float> Xs(Count), Ys(Count), Zs(Count);
  for (int I = 0; I < Count; ++I) {
    float Scale = static_cast<float>(I % 100);
    Xs[I] = 2 * Scale;
    Ys[I] = 3 * Scale;
    Zs[I] = 6 * Scale;
  }

  float *DeviceXs = copyToDevice(Xs);
  float *DeviceYs = copyToDevice(Ys);
  float *DeviceZs = copyToDevice(Zs);
  float *DeviceLengths = nullptr;
  require(cudaMalloc(&DeviceLengths, Count * sizeof(float)), "cudaMalloc");

  lengths<<<Blocks, Threads>>>(DeviceXs, DeviceYs, DeviceZs, DeviceLengths,
                               Count);
  require(cudaGetLastError(), "launch");

  std::vector<float> Lengths(Count);
  require(cudaMemcpy(Lengths.data(), DeviceLengths, Count * sizeof(float),
                     cudaMemcpyDeviceToHost),
          "copy to the host");
  for (float *Pointer : {DeviceXs, DeviceYs, DeviceZs, DeviceLengths})
    require(cudaFree(Pointer), "cudaFree");

  for (int I = 0; I < Count; ++I) {
    if (Lengths[I] != 7.0f * static_cast<float>(I % 100)) {
      std::fprintf(stderr, "wrong length of vector %d: %g\n", I, Lengths[I]);
      return 1;
    }
  }
  std::printf("%d lengths are right\n", Count);
  return 0;
}
