//===- samples/integration/shapes.cu - Launch shapes, timed ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The kernel of after.cu in float for launch shapes from 8 threads to half a
/// million, and the time of each: it falls with the number of threads far
/// beyond the number of arithmetic units, because a warp alone waits nine
/// tenths of the time. The threads of a block are a constant of the kernel, so
/// that each shape is a kernel of its own and is counted by itself.
///
//===----------------------------------------------------------------------===//

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int Strips = 1 << 22;

/// The heights of a run of strips for each thread, added up in double.
template <int BlockThreads> __global__ void integrate(double *Sums) {
  int Threads = gridDim.x * BlockThreads;
  int Thread = blockIdx.x * BlockThreads + threadIdx.x;
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

/// Launches blocks of so many threads, once to load the kernel and once to be
/// timed, and prints what came out.
template <int BlockThreads> static void time(int Blocks, double *DeviceSums) {
  cudaEvent_t Start, Stop;
  require(cudaEventCreate(&Start), "cudaEventCreate");
  require(cudaEventCreate(&Stop), "cudaEventCreate");
  float Milliseconds = 0;
  for (int I = 0; I < 2; ++I) {
    require(cudaEventRecord(Start), "cudaEventRecord");
    integrate<BlockThreads><<<Blocks, BlockThreads>>>(DeviceSums);
    require(cudaEventRecord(Stop), "cudaEventRecord");
    require(cudaEventSynchronize(Stop), "launch");
    require(cudaEventElapsedTime(&Milliseconds, Start, Stop),
            "cudaEventElapsedTime");
  }
  require(cudaEventDestroy(Start), "cudaEventDestroy");
  require(cudaEventDestroy(Stop), "cudaEventDestroy");

  std::vector<double> Sums(Blocks * BlockThreads);
  require(cudaMemcpy(Sums.data(), DeviceSums, Sums.size() * sizeof(double),
                     cudaMemcpyDeviceToHost),
          "copy to the host");
  double Sum = 0;
  for (double Part : Sums)
    Sum += Part;
  const double Pi = 4 * Sum / Strips;
  std::printf("%6d %7d %12.4f %.6f\n", Blocks, BlockThreads, Milliseconds, Pi);
  if (std::fabs(Pi - 3.14159265358979) > 1e-5) {
    std::fprintf(stderr, "wrong: pi is not %.7f\n", Pi);
    std::exit(1);
  }
}

int main() {
  double *DeviceSums = nullptr;
  require(cudaMalloc(&DeviceSums, 1024 * 512 * sizeof(double)), "cudaMalloc");
  std::printf("blocks threads milliseconds pi\n");
  for (int Blocks : {1, 64, 1024}) {
    time<8>(Blocks, DeviceSums);
    time<32>(Blocks, DeviceSums);
    time<128>(Blocks, DeviceSums);
    time<512>(Blocks, DeviceSums);
  }
  require(cudaFree(DeviceSums), "cudaFree");
  return 0;
}
