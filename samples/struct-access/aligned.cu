//===- samples/struct-access/aligned.cu - One 16-byte load ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The program of before.cu with the struct aligned to 16 bytes: the compiler
/// reads all three fields in one load of 16 bytes. Four bytes of 16 are never
/// used: a third more memory is moved, for a third of the requests.
///
//===----------------------------------------------------------------------===//

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct __align__(16) Vec3 {
  float X, Y, Z;
};

__global__ void lengths(const Vec3 *Points, float *Lengths, int Count) {
  int I = blockIdx.x * blockDim.x + threadIdx.x;
  if (I >= Count)
    return;
  float X = Points[I].X;
  float Y = Points[I].Y;
  float Z = Points[I].Z;
  Lengths[I] = sqrtf(X * X + Y * Y + Z * Z);
}

static void require(cudaError_t Status, const char *What) {
  if (Status == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", What, cudaGetErrorString(Status));
  std::exit(1);
}

int main() {
  const int Threads = 256;
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

  lengths<<<Blocks, Threads>>>(DevicePoints, DeviceLengths, Count);
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
