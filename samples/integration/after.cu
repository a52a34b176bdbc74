//===- samples/integration/after.cu - A quarter circle by many threads ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The program of before.cu with blocks of 256 threads, eight for each of the
/// 132 SMs of an H200, in float throughout. Each thread adds up few strips, so
/// that a float suffices.
///
//===----------------------------------------------------------------------===//

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int Strips = 1 << 24;
constexpr int Blocks = 8 * 132;
constexpr int Threads = 256;

/// The heights of every so many strips for each thread, added up.
__global__ void integrate(float *Sums) {
  int Thread = blockIdx.x * Threads + threadIdx.x;
  float Sum = 0;
  for (int I = Thread; I < Strips; I += Blocks * Threads) {
    float X = I * (1.0f / Strips);
    Sum += sqrtf(1.0f - X * X);
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
  if (std::fabs(Pi - 3.14159265358979) > 1e-5) {
    std::fprintf(stderr, "wrong: pi is not %.7f\n", Pi);
    return 1;
  }
  std::printf("pi is %.7f\n", Pi);
  return 0;
}
