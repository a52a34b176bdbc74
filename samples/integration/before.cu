//===- samples/integration/before.cu - A quarter circle by few threads ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A quarter circle is integrated in 2^24 strips by 64 blocks of 8 threads: a
/// quarter of each warp is used, and half of the SMs of a large GPU. The
/// literal 1.0 turns the float arithmetic into double arithmetic, and 32768
/// strips added up in one float lose digits.
///
//===----------------------------------------------------------------------===//

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int Strips = 1 << 24;
constexpr int Blocks = 64;
constexpr int Threads = 8;

/// The heights of a run of strips for each thread, added up.
__global__ void integrate(float *Sums) {
  int Thread = blockIdx.x * Threads + threadIdx.x;
  int Each = Strips / (Blocks * Threads);
  float Sum = 0;
  for (int I = 0; I < Each; ++I) {
    float X = (Thread * Each + I) * (1.0f / Strips);
    Sum += sqrt(1.0 - X * X);
  }
  Sums[Thread] = Sum;
}

static void require(cudaError_t Status, const char *What) {
  if (Status == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", What, cudaGetErrorString(Status));
  std::exit(1);
}

int main() {
  std::vector<float> Sums(Blocks * Threads);
  float *DeviceSums = nullptr;
  require(cudaMalloc(&DeviceSums, Sums.size() * sizeof(float)), "cudaMalloc");
  integrate<<<Blocks, Threads>>>(DeviceSums);
  require(cudaGetLastError(), "launch");
  require(cudaMemcpy(Sums.data(), DeviceSums, Sums.size() * sizeof(float),
                     cudaMemcpyDeviceToHost),
          "copy to the host");
  require(cudaFree(DeviceSums), "cudaFree");

  double Sum = 0;
  for (float Part : Sums)
    Sum += Part;
  const double Pi = 4 * Sum / Strips;
  if (std::fabs(Pi - 3.14159265358979) > 1e-2) {
    std::fprintf(stderr, "wrong: pi is not %.7f\n", Pi);
    return 1;
  }
  std::printf("pi is %.7f\n", Pi);
  return 0;
}
