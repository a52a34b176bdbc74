//===- samples/integration/shapes.cu - Launch shapes, timed ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The kernel of after.cu in float for launch shapes from one thread to many,
/// and the time of each: it falls with the number of threads far beyond the
/// number of arithmetic units, because a warp alone waits nine tenths of the
/// time.
///
//===----------------------------------------------------------------------===//

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int Strips = 1 << 22;

/// The heights of a run of strips for each thread, added up in double.
__global__ void integrate(double *Sums) {
  int Threads = gridDim.x * blockDim.x;
  int Thread = blockIdx.x * blockDim.x + threadIdx.x;
  int Each = Strips / Threads;
  double Sum = 0;
  for (int I = 0; I < Each; ++I) {
    float X = (Thread * Each + I) * (1.0f / Strips);
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
  double *DeviceSums = nullptr;
  require(cudaMalloc(&DeviceSums, 1024 * 1024 * sizeof(double)), "cudaMalloc");
  cudaEvent_t Start, Stop;
  require(cudaEventCreate(&Start), "cudaEventCreate");
  require(cudaEventCreate(&Stop), "cudaEventCreate");
  integrate<<<1, 32>>>(DeviceSums); // Loads the kernel.
  std::printf("blocks threads milliseconds pi\n");
  for (int Blocks : {1, 64, 1024}) {
    for (int Threads : {8, 32, 128, 512}) {
      require(cudaEventRecord(Start), "cudaEventRecord");
      integrate<<<Blocks, Threads>>>(DeviceSums);
      require(cudaEventRecord(Stop), "cudaEventRecord");
      require(cudaEventSynchronize(Stop), "launch");
      float Milliseconds = 0;
      require(cudaEventElapsedTime(&Milliseconds, Start, Stop),
              "cudaEventElapsedTime");
      std::vector<double> Sums(Blocks * Threads);
      require(cudaMemcpy(Sums.data(), DeviceSums, Sums.size() * sizeof(double),
                         cudaMemcpyDeviceToHost),
              "copy to the host");
      double Sum = 0;
      for (double Part : Sums)
        Sum += Part;
      const double Pi = 4 * Sum / Strips;
      std::printf("%6d %7d %12.4f %.6f\n", Blocks, Threads, Milliseconds, Pi);
      if (std::fabs(Pi - 3.14159265358979) > 1e-5) {
        std::fprintf(stderr, "wrong: pi is not %.7f\n", Pi);
        return 1;
      }
    }
  }
  require(cudaFree(DeviceSums), "cudaFree");
  return 0;
}
