//===- kernels/waves/waves.cu - Rounds of a spinning kernel ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// How often the GPU must be filled to run a grid, told by the clock: every
/// block spins for the same time, so a launch takes as many times that as it
/// has rounds. Threads, registers and shared memory are swept around the grids
/// that just fit; hardware/Occupancy.h and hardware/Waves.h say the rounds.
///
/// Exit codes: 0 all equal, 1 a launch differs, 3 not measured, 77 no GPU.
///
//===----------------------------------------------------------------------===//

#include "hardware/Occupancy.h"
#include "hardware/Waves.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

using namespace cudalint;

/// About 0.6 ms on a GPU of today: long beside a launch, short in a sweep.
static constexpr long long SpinCycles = 1 << 20;

/// Keeps Values registers alive while it spins.
template <unsigned Values> static __global__ void spin(unsigned *Sink) {
  unsigned V[Values];
  for (unsigned I = 0; I < Values; ++I)
    V[I] = threadIdx.x * (I + 3);
  const long long Start = clock64();
  // The values are only held: to compute with them would take the longer the
  // more warps there are.
  while (clock64() - Start < SpinCycles)
#pragma unroll
    for (unsigned I = 0; I < Values; ++I)
      asm volatile("" : "+r"(V[I]));
  unsigned Sum = 0;
  for (unsigned I = 0; I < Values; ++I)
    Sum ^= V[I];
  // Never so, but for all that the compiler knows the values are needed.
  if (Sum == 0xdeadbeef && blockDim.x == 0)
    *Sink = Sum;
}

namespace {
struct Tally {
  unsigned Measured = 0;
  unsigned Equal = 0;
  unsigned Failed = 0;
};
} // namespace

/// The time of one launch in milliseconds; negative when it fails.
static float timeOf(void (*Kernel)(unsigned *), unsigned Grid, unsigned Block,
                    unsigned Shared, cudaEvent_t Start, cudaEvent_t Stop) {
  cudaEventRecord(Start);
  Kernel<<<Grid, Block, Shared>>>(nullptr);
  cudaEventRecord(Stop);
  float Milliseconds = -1;
  if (cudaGetLastError() != cudaSuccess ||
      cudaEventSynchronize(Stop) != cudaSuccess ||
      cudaEventElapsedTime(&Milliseconds, Start, Stop) != cudaSuccess)
    return -1;
  return Milliseconds;
}

/// Grids that fill one and two rounds, and one block more.
static void sweep(void (*Kernel)(unsigned *), unsigned Block, unsigned Shared,
                  const Architecture &Arch, int SMs, Tally &T) {
  cudaFuncAttributes Attributes = {};
  if (cudaFuncGetAttributes(&Attributes, Kernel) != cudaSuccess ||
      cudaFuncSetAttribute(Kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                           static_cast<int>(Shared)) != cudaSuccess) {
    ++T.Failed;
    return;
  }
  BlockDemand Demand;
  Demand.Threads = Block;
  Demand.Registers = static_cast<unsigned>(Attributes.numRegs);
  Demand.StaticShared = Attributes.sharedSizeBytes;
  Demand.DynamicShared = Shared;
  const Occupancy Fits = occupancy(Arch, Demand);
  cudaEvent_t Start = nullptr, Stop = nullptr;
  cudaEventCreate(&Start);
  cudaEventCreate(&Stop);
  auto Time = [&](unsigned Grid) {
    // The smaller of two: nothing makes a launch faster than it is.
    return std::min(timeOf(Kernel, Grid, Block, Shared, Start, Stop),
                    timeOf(Kernel, Grid, Block, Shared, Start, Stop));
  };
  const float One = Time(1);
  const unsigned Resident = Fits.BlocksPerSM * static_cast<unsigned>(SMs);
  for (unsigned Grid :
       {Resident, Resident + 1, 2 * Resident, 2 * Resident + 1}) {
    const float Milliseconds = Time(Grid);
    auto Predicted = waves(Grid, SMs, Fits.BlocksPerSM);
    if (One <= 0 || Milliseconds <= 0 || !Predicted) {
      ++T.Failed;
      std::printf("  not measured: %u blocks of %u threads, %d registers, %u "
                  "bytes: %s\n",
                  Grid, Block, Attributes.numRegs, Shared,
                  cudaGetErrorString(cudaGetLastError()));
      continue;
    }
    const auto Rounds =
        static_cast<std::uint64_t>(std::lround(Milliseconds / One));
    ++T.Measured;
    if (Rounds == Predicted->Rounds) {
      ++T.Equal;
      continue;
    }
    std::printf("  %u blocks of %u threads, %d registers, %u bytes: predicted "
                "%llu rounds, measured %.2f (%.3f ms, one block %.3f ms)\n",
                Grid, Block, Attributes.numRegs, Shared,
                static_cast<unsigned long long>(Predicted->Rounds),
                Milliseconds / One, Milliseconds, One);
  }
  cudaEventDestroy(Start);
  cudaEventDestroy(Stop);
}

int main() {
  cudaDeviceProp Properties = {};
  if (cudaGetDeviceProperties(&Properties, 0) != cudaSuccess) {
    std::fprintf(stderr, "wave-trial: skipped: no CUDA device\n");
    return 77;
  }
  const Architecture *Arch =
      findArchitecture({Properties.major, Properties.minor});
  if (!Arch) {
    std::fprintf(stderr,
                 "wave-trial: error: the model does not know compute "
                 "capability %d.%d\n",
                 Properties.major, Properties.minor);
    return 3;
  }
  // The clocks settle, and the kernel is loaded.
  cudaEvent_t Start = nullptr, Stop = nullptr;
  cudaEventCreate(&Start);
  cudaEventCreate(&Stop);
  for (unsigned I = 0; I < 20; ++I)
    timeOf(spin<4>, 132, 1024, 0, Start, Stop);

  Tally T;
  const int SMs = Properties.multiProcessorCount;
  std::printf("%-28s %8s %6s\n", "waves", "measured", "equal");
  auto Report = [&, Before = Tally()](const char *What) mutable {
    std::printf("%-28s %8u %6u\n", What, T.Measured - Before.Measured,
                T.Equal - Before.Equal);
    Before = T;
  };
  void (*const Kernels[])(unsigned *) = {spin<4>, spin<32>, spin<80>,
                                         spin<150>};
  for (auto *Kernel : {Kernels[0]})
    for (unsigned Block = 1; Block <= 1024; Block += Block < 32 ? 31 : 24)
      sweep(Kernel, Block, 0, *Arch, SMs, T);
  Report("threads");
  // 641 threads and 48 registers, as in the experiment that started this.
  for (auto *Kernel : {Kernels[1], Kernels[2], Kernels[3]})
    for (unsigned Block : {32u, 96u, 128u, 160u, 256u, 288u, 352u, 384u})
      sweep(Kernel, Block, 0, *Arch, SMs, T);
  for (unsigned Block : {416u, 417u, 640u, 641u, 672u, 673u})
    sweep(Kernels[1], Block, 0, *Arch, SMs, T);
  Report("registers");
  for (unsigned Kilobytes : {1u, 8u, 16u, 27u, 28u, 36u, 37u, 38u, 48u, 75u,
                             100u, 113u, 114u, 227u}) {
    if (Kilobytes * 1024 > Arch->SharedPerBlockOptIn)
      continue;
    for (unsigned Block : {32u, 256u, 1024u})
      sweep(Kernels[0], Block, Kilobytes * 1024, *Arch, SMs, T);
  }
  Report("shared memory");
  std::printf("%-28s %8u %6u, %u not measured\n", "together", T.Measured,
              T.Equal, T.Failed);
  if (T.Failed != 0)
    return 3;
  return T.Equal == T.Measured ? 0 : 1;
}
