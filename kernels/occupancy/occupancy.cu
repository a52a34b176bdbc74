//===- kernels/occupancy/occupancy.cu - Launches of many demands ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Launches kernels of many register counts, static shared memory and barriers
/// with drawn block sizes, dynamic shared memory and carve-outs, and prints one
/// line for each: what it asked for, by cudaFuncGetAttributes, and the blocks
/// that the runtime says fit an SM. Each is launched once, for a profiler.
///
/// usage: occupancy [seed [count [running]]]
///
/// `running` leaves out the launches that cannot run: ncu ends at a launch that
/// fails.
///
//===----------------------------------------------------------------------===//

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

static constexpr int Grid = 1000;
static constexpr int OptIn = 227 * 1024;

template <int Id> __device__ void wait() {
  asm volatile("bar.sync %0;" ::"n"(Id));
}

template <int... Ids>
__device__ void waitAtAll(std::integer_sequence<int, Ids...>) {
  (wait<Ids>(), ...);
}

/// `Live` values are needed from one iteration to the next, so each has a
/// register. The host passes 0 iterations, which the compiler does not know.
template <int Live, int StaticBytes, int Barriers>
__global__ void ask(const float *In, float *Out, int Iterations) {
  float V[Live];
#pragma unroll
  for (int I = 0; I < Live; ++I)
    V[I] = In[I];
#pragma unroll 1
  for (int K = 0; K < Iterations; ++K)
#pragma unroll
    for (int I = 0; I < Live; ++I)
      V[I] = V[I] * V[(I + 7) % Live] + In[K];
  float Sum = 0;
#pragma unroll
  for (int I = 0; I < Live; ++I)
    Sum += V[I];
  if constexpr (StaticBytes != 0) {
    __shared__ float Static[StaticBytes / 4];
    if (Iterations != 0) {
      Static[threadIdx.x % (StaticBytes / 4)] = Sum;
      Sum += Static[Iterations % (StaticBytes / 4)];
    }
  }
  waitAtAll(std::make_integer_sequence<int, Barriers>());
  if (Iterations != 0)
    Out[threadIdx.x] = Sum;
}

struct Kernel {
  const void *Function;
  int Barriers;
};

template <int StaticBytes, int Barriers, int... Lives>
static void add(std::vector<Kernel> &All,
                std::integer_sequence<int, Lives...>) {
  (All.push_back(
       {reinterpret_cast<const void *>(&ask<Lives, StaticBytes, Barriers>),
        Barriers}),
   ...);
}

static std::vector<Kernel> kernels() {
  using Many = std::integer_sequence<int, 2, 8, 14, 20, 26, 32, 38, 44, 52, 60,
                                     68, 76, 88, 100, 120, 140, 160, 190, 220>;
  using Few = std::integer_sequence<int, 2, 20, 44>;
  std::vector<Kernel> All;
  add<0, 0>(All, Many());
  add<0, 1>(All, Many());
  add<3000, 1>(All, Many());
  add<20000, 1>(All, Many());
  add<0, 2>(All, Few());
  add<0, 3>(All, Few());
  add<0, 5>(All, Few());
  add<0, 9>(All, Few());
  add<0, 16>(All, Few());
  add<49152, 1>(All, Few());
  return All;
}

static void check(cudaError_t Error, const char *What) {
  if (Error == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", What, cudaGetErrorString(Error));
  std::exit(1);
}

int main(int Count, char **Values) {
  std::mt19937_64 Engine(Count > 1 ? std::strtoull(Values[1], nullptr, 10) : 1);
  const int Launches = Count > 2 ? std::atoi(Values[2]) : 700;
  auto UpTo = [&](int Most) {
    return static_cast<int>(Engine() % (static_cast<unsigned>(Most) + 1));
  };
  const std::vector<Kernel> All = kernels();
  float *In = nullptr, *Out = nullptr;
  check(cudaMalloc(&In, 4096), "cudaMalloc");
  check(cudaMalloc(&Out, 4096), "cudaMalloc");
  check(cudaMemset(In, 0, 4096), "cudaMemset");

  std::puts("threads,registers,static,dynamic,carve_out,barriers,launch_error,"
            "blocks");
  for (int L = 0; L < Launches; ++L) {
    const Kernel &K = All[UpTo(static_cast<int>(All.size()) - 1)];
    cudaFuncAttributes A;
    check(cudaFuncGetAttributes(&A, K.Function), "cudaFuncGetAttributes");
    const int Threads = UpTo(1) != 0 ? 32 * (1 + UpTo(31)) : 1 + UpTo(1023);
    const int Most = OptIn - static_cast<int>(A.sharedSizeBytes);
    const int Kind = UpTo(3); // None, little, any.
    const int Dynamic = Kind == 0   ? UpTo(Most)
                        : Kind == 1 ? UpTo(16 * 1024)
                                    : 0;
    const int CarveOut = UpTo(3) == 0 ? UpTo(100) : -1;
    check(cudaFuncSetAttribute(
              K.Function, cudaFuncAttributeMaxDynamicSharedMemorySize, Most),
          "opt-in");
    check(cudaFuncSetAttribute(K.Function,
                               cudaFuncAttributePreferredSharedMemoryCarveout,
                               CarveOut),
          "carve-out");
    int Blocks = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&Blocks, K.Function,
                                                        Threads, Dynamic),
          "occupancy");
    if (Count > 3 && Blocks == 0)
      continue;
    int Iterations = 0;
    void *Arguments[] = {&In, &Out, &Iterations};
    const cudaError_t Error = cudaLaunchKernel(
        K.Function, dim3(Grid), dim3(Threads), Arguments, Dynamic, nullptr);
    cudaGetLastError(); // A launch that fails is a result.
    check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    std::printf("%d,%d,%zu,%d,%d,%d,%d,%d\n", Threads, A.numRegs,
                A.sharedSizeBytes, Dynamic, CarveOut, K.Barriers,
                static_cast<int>(Error), Blocks);
  }
}
