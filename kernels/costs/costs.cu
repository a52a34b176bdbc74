//===- kernels/costs/costs.cu - What the faults of some checks cost -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Times the faults that hot-atomic, narrow-access, no-reuse,
/// divergent-branch, shared-bound-loop, wait-in-launch-loop and
/// allocation-in-launch-loop name, each beside what mends it: the tables on
/// their pages. Prints the least of several runs.
///
/// Exit codes: 0 done, 3 a call failed, 77 no GPU.
///
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <functional>

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

/// So much work of each thread before it updates one address; or that alone.
template <int Multiplications, bool Updates>
static __global__ void addBehind(float *To, const float *In) {
  float V = In[blockIdx.x * 256 + threadIdx.x];
  for (int I = 0; I < Multiplications; ++I)
    V = V * V + 0.5f;
  if (Updates)
    atomicAdd(To, V);
  else if (V == 12345)
    *To = V;
}

static __device__ float sumOfWarp(float V) {
  for (int Apart = 16; Apart > 0; Apart /= 2)
    V += __shfl_down_sync(0xffffffff, V, Apart);
  return V;
}

/// One address in each turn, for all that the grid has.
template <bool IsByWarp>
static __global__ void addInTurns(float *To, const float *In, int Turns) {
  const int Thread = blockIdx.x * 256 + threadIdx.x;
  for (int I = 0; I < Turns; ++I) {
    float V = In[static_cast<size_t>(I) * gridDim.x * 256 + Thread];
    if (IsByWarp)
      V = sumOfWarp(V);
    if (!IsByWarp || threadIdx.x % 32 == 0)
      atomicAdd(&To[I], V);
  }
}

/// One address for each so many threads.
template <bool IsByWarp, int Threads>
static __global__ void addOf(float *To, const float *In) {
  const int Thread = blockIdx.x * 256 + threadIdx.x;
  float V = In[Thread];
  if (IsByWarp)
    V = sumOfWarp(V);
  if (!IsByWarp || threadIdx.x % 32 == 0)
    atomicAdd(&To[Thread / Threads], V);
}

//===----------------------------------------------------------------------===//
// Loads
//===----------------------------------------------------------------------===//

/// Four floats of each turn, of each lane's own or of all lanes.
template <bool IsVector, bool IsUniform>
static __global__ void quads(const float *Table, float *Out, int Mask) {
  float Sum = threadIdx.x;
  for (int I = 0; I < 1024; ++I) {
    const int At = IsUniform ? I : threadIdx.x + I * 37;
    const float *P = Table + 4 * (At & Mask);
    float4 V;
    if (IsVector)
      V = *reinterpret_cast<const float4 *>(P);
    else
      V = make_float4(P[0], P[1], P[2], P[3]);
    Sum = (Sum * V.x + V.y) * V.z + V.w;
  }
  Out[blockIdx.x * 256 + threadIdx.x] = Sum;
}

static __global__ void product(const float *A, const float *B, float *C,
                               int Size) {
  const int Column = blockIdx.x * blockDim.x + threadIdx.x;
  const int Row = blockIdx.y * blockDim.y + threadIdx.y;
  float Sum = 0;
  for (int K = 0; K < Size; ++K)
    Sum += A[Row * Size + K] * B[K * Size + Column];
  C[Row * Size + Column] = Sum;
}

template <int Side>
static __global__ void tiledProduct(const float *A, const float *B, float *C,
                                    int Size) {
  __shared__ float OfA[Side][Side], OfB[Side][Side];
  const int X = threadIdx.x, Y = threadIdx.y;
  const int Column = blockIdx.x * Side + X, Row = blockIdx.y * Side + Y;
  float Sum = 0;
  for (int K = 0; K < Size; K += Side) {
    OfA[Y][X] = A[Row * Size + K + X];
    OfB[Y][X] = B[(K + Y) * Size + Column];
    __syncthreads();
    for (int I = 0; I < Side; ++I)
      Sum += OfA[Y][I] * OfB[I][X];
    __syncthreads();
  }
  C[Row * Size + Column] = Sum;
}

/// The same with results of 4x4 for each thread of 16x16.
static __global__ void quadProduct(const float *A, const float *B, float *C,
                                   int Size) {
  constexpr int Side = 64, Depth = 16, Each = 4;
  __shared__ float OfA[Depth][Side + 1], OfB[Depth][Side];
  const int X = threadIdx.x % 16, Y = threadIdx.x / 16;
  const int Column = blockIdx.x * Side, Row = blockIdx.y * Side;
  float Sum[Each][Each] = {};
  for (int K = 0; K < Size; K += Depth) {
    for (int I = threadIdx.x; I < Side * Depth; I += 256) {
      OfA[I % Depth][I / Depth] = A[(Row + I / Depth) * Size + K + I % Depth];
      OfB[I / Side][I % Side] = B[(K + I / Side) * Size + Column + I % Side];
    }
    __syncthreads();
    for (int I = 0; I < Depth; ++I) {
      float P[Each], Q[Each];
      for (int J = 0; J < Each; ++J) {
        P[J] = OfA[I][Y * Each + J];
        Q[J] = OfB[I][X + J * 16];
      }
      for (int J = 0; J < Each; ++J)
        for (int L = 0; L < Each; ++L)
          Sum[J][L] += P[J] * Q[L];
    }
    __syncthreads();
  }
  for (int J = 0; J < Each; ++J)
    for (int L = 0; L < Each; ++L)
      C[(Row + Y * Each + J) * Size + Column + X + L * 16] = Sum[J][L];
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

/// Sides of so many instructions each, which every other lane takes, or every
/// other warp; a value is loaded and stored for so many visits of them.
template <bool IsByWarp, int Instructions>
static __global__ void sides(float *Data, int Visits) {
  const int Thread = blockIdx.x * 256 + threadIdx.x;
  const bool IsOdd = (IsByWarp ? threadIdx.x / 32 : threadIdx.x) % 2;
  float V = Data[Thread], W = V + 1;
  for (int I = 0; I < Visits; ++I) {
    if (IsOdd) {
#pragma unroll
      for (int K = 0; K < Instructions; ++K)
        V = V * W + 0.5f;
      W += 1;
    } else {
#pragma unroll
      for (int K = 0; K < Instructions; ++K)
        W = V - W * 0.25f;
      V += 1;
    }
  }
  Data[Thread] = V + W;
}

//===----------------------------------------------------------------------===//
// The host
//===----------------------------------------------------------------------===//

static __global__ void busy(float *Out, int Turns) {
  float V = threadIdx.x;
  for (int I = 0; I < Turns; ++I)
    V = V * 1.0001f + 1;
  Out[blockIdx.x * 256 + threadIdx.x] = V;
}

static void require(cudaError_t Status) {
  if (Status == cudaSuccess)
    return;
  std::fprintf(stderr, "costs: error: %s\n", cudaGetErrorString(Status));
  std::exit(3);
}

/// Microseconds until the GPU is through, the least of seven times.
static double timed(const std::function<void()> &Run) {
  double Least = 1e30;
  for (int I = 0; I < 8; ++I) {
    require(cudaDeviceSynchronize());
    const auto Start = std::chrono::steady_clock::now();
    Run();
    require(cudaDeviceSynchronize());
    const std::chrono::duration<double, std::micro> Time =
        std::chrono::steady_clock::now() - Start;
    if (I > 0) // The first one warms up.
      Least = std::min(Least, Time.count());
  }
  return Least;
}

static void row(const char *What, double With, double Without) {
  std::printf("| %s | %.1f | %.1f |\n", What, With, Without);
}

template <int Multiplications> static void behindWork(float *A, float *B) {
  for (int Blocks : {264, 16384}) {
    char What[80];
    std::snprintf(What, sizeof What,
                  "an update behind %d FMAs, %d blocks, or none",
                  Multiplications, Blocks);
    row(What,
        timed([&] { addBehind<Multiplications, true><<<Blocks, 256>>>(B, A); }),
        timed(
            [&] { addBehind<Multiplications, false><<<Blocks, 256>>>(B, A); }));
  }
}

static void atomics(float *A, float *B) {
  behindWork<0>(A, B);
  behindWork<1000>(A, B);
  behindWork<10000>(A, B);
  behindWork<100000>(A, B);
  row("128 addresses in turn, 264 blocks",
      timed([&] { addInTurns<false><<<264, 256>>>(B, A, 128); }),
      timed([&] { addInTurns<true><<<264, 256>>>(B, A, 128); }));
  row("an address for each of 4096 blocks",
      timed([&] { addOf<false, 256><<<4096, 256>>>(B, A); }),
      timed([&] { addOf<true, 256><<<4096, 256>>>(B, A); }));
  row("an address for each warp of 4096 blocks",
      timed([&] { addOf<false, 32><<<4096, 256>>>(B, A); }),
      timed([&] { addOf<true, 32><<<4096, 256>>>(B, A); }));
}

static void loads(float *A, float *B, float *C) {
  for (int Mask : {1023, 65535})
    row(Mask == 1023 ? "four loads of a table of 16 KB, or a float4"
                     : "the same, 1 MB",
        timed([&] { quads<false, false><<<1056, 256>>>(A, B, Mask); }),
        timed([&] { quads<true, false><<<1056, 256>>>(A, B, Mask); }));
  row("the same, one place for all lanes",
      timed([&] { quads<false, true><<<1056, 256>>>(A, B, 1023); }),
      timed([&] { quads<true, true><<<1056, 256>>>(A, B, 1023); }));
  for (int Size : {512, 1024, 2048, 4096}) {
    char What[80];
    for (int Side : {16, 32}) {
      const dim3 Grid(Size / Side, Size / Side), Block(Side, Side);
      std::snprintf(What, sizeof What,
                    "a product of %d x %d, blocks of %dx%d, or tiled", Size,
                    Size, Side, Side);
      row(What, timed([&] { product<<<Grid, Block>>>(A, B, C, Size); }),
          timed([&] {
            if (Side == 16)
              tiledProduct<16><<<Grid, Block>>>(A, B, C, Size);
            else
              tiledProduct<32><<<Grid, Block>>>(A, B, C, Size);
          }));
    }
  }
}

template <int Instructions> static void branch(float *A) {
  char What[80];
  for (int Visits : {1, 1024}) {
    const int Blocks = Visits == 1 ? 65536 : 1056;
    std::snprintf(What, sizeof What,
                  "sides of %d instructions, %d times, by lane or warp",
                  Instructions, Visits);
    row(What,
        timed([&] { sides<false, Instructions><<<Blocks, 256>>>(A, Visits); }),
        timed([&] { sides<true, Instructions><<<Blocks, 256>>>(A, Visits); }));
  }
}

static void registerTiles(float *A, float *B, float *C) {
  for (int Size : {512, 1024, 2048, 4096}) {
    char What[80];
    for (int Side : {16, 32}) {
      std::snprintf(What, sizeof What,
                    "a product of %d x %d, tiled %dx%d, or 4x4 for each thread",
                    Size, Size, Side, Side);
      const dim3 Grid(Size / Side, Size / Side), Block(Side, Side);
      const dim3 QuadGrid(Size / 64, Size / 64);
      row(What, timed([&] {
            if (Side == 16)
              tiledProduct<16><<<Grid, Block>>>(A, B, C, Size);
            else
              tiledProduct<32><<<Grid, Block>>>(A, B, C, Size);
          }),
          timed([&] { quadProduct<<<QuadGrid, 256>>>(A, B, C, Size); }));
    }
  }
}

static void host(float *A) {
  constexpr int Launches = 100;
  for (int Turns : {100, 10'000, 100'000}) {
    char What[80];
    std::snprintf(What, sizeof What,
                  "100 launches of %d turns, waiting each time or once", Turns);
    row(What, timed([&] {
          for (int I = 0; I < Launches; ++I) {
            busy<<<132, 256>>>(A, Turns);
            require(cudaDeviceSynchronize());
          }
        }),
        timed([&] {
          for (int I = 0; I < Launches; ++I)
            busy<<<132, 256>>>(A, Turns);
        }));
  }
  for (size_t Bytes : {size_t(1) << 12, size_t(1) << 20, size_t(1) << 26}) {
    char What[80];
    std::snprintf(What, sizeof What,
                  "100 launches, %zu bytes allocated each time or once", Bytes);
    float *Extra = nullptr;
    row(What, timed([&] {
          for (int I = 0; I < Launches; ++I) {
            require(cudaMalloc(&Extra, Bytes));
            busy<<<132, 256>>>(A, 1000);
            require(cudaFree(Extra));
          }
        }),
        timed([&] {
          require(cudaMalloc(&Extra, Bytes));
          for (int I = 0; I < Launches; ++I)
            busy<<<132, 256>>>(A, 1000);
          require(cudaFree(Extra));
        }));
  }
}

int main() {
  int Devices = 0;
  if (cudaGetDeviceCount(&Devices) != cudaSuccess || Devices == 0) {
    std::fprintf(stderr, "costs: skipped: no CUDA device\n");
    return 77;
  }
  constexpr size_t Bytes = size_t(1) << 28;
  float *A = nullptr, *B = nullptr, *C = nullptr;
  for (float **Each : {&A, &B, &C}) {
    require(cudaMalloc(Each, Bytes));
    require(cudaMemset(*Each, 0, Bytes));
  }
  std::printf("| what | us | mended, us |\n|---|--:|--:|\n");
  atomics(A, B);
  loads(A, B, C);
  registerTiles(A, B, C);
  branch<8>(A);
  branch<32>(A);
  branch<128>(A);
  host(A);
  return 0;
}
