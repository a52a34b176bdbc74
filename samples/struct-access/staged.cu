//===- samples/struct-access/staged.cu - Structs staged in shared memory --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The program of before.cu with the structs copied to shared memory as plain
/// floats, 4 sectors for each load, and read there field by field: the lanes
/// are then 3 words apart, which is free of conflicts, as 3 and 32 have no
/// common divisor.
///
//===----------------------------------------------------------------------===//

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Vec3 {
  float X, Y, Z;
};

constexpr int Threads = 256;

/// Needs as many structs as there are threads.
__global__ void lengths(const Vec3 *Points, float *Lengths) {
  // The block's structs as plain floats, in the order in which they lie.
  __shared__ float Staged[3 * Threads];
  const float *Floats =
      reinterpret_cast<const float *>(Points + blockIdx.x * Threads);
  for (int K = 0; K < 3; ++K)
    Staged[K * Threads + threadIdx.x] = Floats[K * Threads + threadIdx.x];
  __syncthreads();

  int I = blockIdx.x * Threads + threadIdx.x;
  float X = Staged[threadIdx.x * 3 + 0];
  float Y = Staged[threadIdx.x * 3 + 1];
  float Z = Staged[threadIdx.x * 3 + 2];
  Lengths[I] = sqrtf(X * X + Y * Y + Z * Z);
}

static void require(cudaError_t Status, const char *What) {
  if (Status == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", What, cudaGetErrorString(Status));
  std::exit(1);
}

int main() {
  const int Blocks = 4096;
  const int Count = Blocks * Threads;

  // (2, 3, 6) has the length 7, and so have its multiples: every result is
  // exact, and is compared as such.
  std::vector<Vec3> Points(Count);
  for (int I = 0; I < Count; ++I) {
    float Scale = static_cast<float>(I % 100);
    Points[I] = {2 * Scale, 3 * Scale, 6 * Scale};
  }

  Vec3 *DevicePoints = nullptr;
  float *DeviceLengths = nullptr;
  require(cudaMalloc(&DevicePoints, Count * sizeof(Vec3)), "cudaMalloc");
  require(cudaMalloc(&DeviceLengths, Count * sizeof(float)), "cudaMalloc");
  require(cudaMemcpy(DevicePoints, Points.data(), Count * sizeof(Vec3),
                     cudaMemcpyHostToDevice),
          "copy to the device");

  lengths<<<Blocks, Threads>>>(DevicePoints, DeviceLengths);
  require(cudaGetLastError(), "launch");

  std::vector<float> Lengths(Count);
  require(cudaMemcpy(Lengths.data(), DeviceLengths, Count * sizeof(float),
                     cudaMemcpyDeviceToHost),
          "copy to the host");
  require(cudaFree(DevicePoints), "cudaFree");
  require(cudaFree(DeviceLengths), "cudaFree");

  for (int I = 0; I < Count; ++I) {
    if (Lengths[I] != 7.0f * static_cast<float>(I % 100)) {
      std::fprintf(stderr, "wrong length of vector %d: %g\n", I, Lengths[I]);
      return 1;
    }
  }
  std::printf("%d lengths are right\n", Count);
  return 0;
}
