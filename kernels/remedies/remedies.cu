//===- kernels/remedies/remedies.cu - What remedies gain in time ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Times the remedies that the checks name, each against what it repairs: in
/// DRAM, in L2 and, for shared memory, with nothing else in the way. Prints the
/// median of repeated launches with the smallest and the largest.
///
/// Exit codes: 0 done, 3 a launch failed, 77 no GPU.
///
//===----------------------------------------------------------------------===//

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <functional>
#include <vector>

//===----------------------------------------------------------------------===//
// Fields of structs
//===----------------------------------------------------------------------===//

struct Packed {
  float X, Y, Z;
};
struct alignas(16) Aligned {
  float X, Y, Z;
};

template <typename Vector>
static __global__ void fields(const Vector *Points, float *Out) {
  unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  Vector P = Points[I];
  Out[I] = P.X * P.X + P.Y * P.Y + P.Z * P.Z;
}

/// One field of three: what the other two cost that nobody asked for.
template <typename Vector>
static __global__ void oneField(const Vector *Points, float *Out) {
  unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = Points[I].Y;
}

static __global__ void arrays(const float *Xs, const float *Ys, const float *Zs,
                              float *Out) {
  unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = Xs[I] * Xs[I] + Ys[I] * Ys[I] + Zs[I] * Zs[I];
}

static __global__ void staged(const Packed *Points, float *Out) {
  __shared__ float Floats[3 * 256];
  const float *Mine =
      reinterpret_cast<const float *>(Points + blockIdx.x * 256);
  for (int K = 0; K < 3; ++K)
    Floats[K * 256 + threadIdx.x] = Mine[K * 256 + threadIdx.x];
  __syncthreads();
  const float *P = &Floats[3 * threadIdx.x];
  Out[blockIdx.x * 256 + threadIdx.x] = P[0] * P[0] + P[1] * P[1] + P[2] * P[2];
}

static __global__ void copyOne(const float *In, float *Out) {
  unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = In[I];
}

/// 64 bytes, of which the kernel needs four.
struct alignas(64) Record {
  float Key;
  float Rest[15];
};

static __global__ void keys(const Record *Records, float *Out) {
  unsigned I = blockIdx.x * blockDim.x + threadIdx.x;
  Out[I] = Records[I].Key;
}

/// Which of the block's 256 structs a thread reads in a pass: each warp those
/// of another one, so that nothing stays in registers.
static __device__ unsigned turned(int Pass) {
  return (threadIdx.x + 32 * Pass) % 256;
}

/// The 3 or 4 KB of a block's structs stay in L1.
template <typename Vector>
static __global__ void fieldsAgain(const Vector *Points, float *Out,
                                   int Passes) {
  const Vector *Mine = Points + blockIdx.x * 256;
  float Sum = 0;
  for (int Pass = 0; Pass < Passes; ++Pass) {
    Vector P = Mine[turned(Pass)];
    Sum += P.X * P.Y + P.Z;
  }
  Out[blockIdx.x * 256 + threadIdx.x] = Sum;
}

static __global__ void arraysAgain(const float *Xs, const float *Ys,
                                   const float *Zs, float *Out, int Passes) {
  float Sum = 0;
  for (int Pass = 0; Pass < Passes; ++Pass) {
    unsigned I = blockIdx.x * 256 + turned(Pass);
    Sum += Xs[I] * Ys[I] + Zs[I];
  }
  Out[blockIdx.x * 256 + threadIdx.x] = Sum;
}

static __global__ void stagedAgain(const Packed *Points, float *Out,
                                   int Passes) {
  __shared__ float Floats[3 * 256];
  const float *Mine =
      reinterpret_cast<const float *>(Points + blockIdx.x * 256);
  for (int K = 0; K < 3; ++K)
    Floats[K * 256 + threadIdx.x] = Mine[K * 256 + threadIdx.x];
  __syncthreads();
  float Sum = 0;
  for (int Pass = 0; Pass < Passes; ++Pass) {
    const float *P = &Floats[3 * turned(Pass)];
    Sum += P[0] * P[1] + P[2];
  }
  Out[blockIdx.x * 256 + threadIdx.x] = Sum;
}

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

static __global__ void transposeNaive(const float *In, float *Out, int Size) {
  int Column = blockIdx.x * 32 + threadIdx.x,
      Row = blockIdx.y * 32 + threadIdx.y;
  for (int I = 0; I < 32; I += 8)
    Out[static_cast<size_t>(Column) * Size + Row + I] =
        In[static_cast<size_t>(Row + I) * Size + Column];
}

template <int Pad, bool Swizzle>
static __global__ void transposeTiled(const float *In, float *Out, int Size) {
  __shared__ float Tile[32][32 + Pad];
  const int X = threadIdx.x, Y = threadIdx.y;
  for (int I = 0; I < 32; I += 8)
    Tile[Y + I][Swizzle ? X ^ (Y + I) : X] =
        In[static_cast<size_t>(blockIdx.y * 32 + Y + I) * Size +
           blockIdx.x * 32 + X];
  __syncthreads();
  for (int I = 0; I < 32; I += 8)
    Out[static_cast<size_t>(blockIdx.x * 32 + Y + I) * Size + blockIdx.y * 32 +
        X] = Tile[X][Swizzle ? (Y + I) ^ X : Y + I];
}

//===----------------------------------------------------------------------===//
// Shared memory with nothing else in the way
//===----------------------------------------------------------------------===//

/// Rows of Columns + Pad floats, one row for each thread, read over and over.
template <int Columns, int Pad>
static __global__ void rows(float *Out, int Passes) {
  __shared__ float Tile[128][Columns + Pad];
  for (int Column = 0; Column < Columns; ++Column)
    Tile[threadIdx.x][Column] = static_cast<float>(Column);
  __syncthreads();
  float Sum = 0;
  for (int Pass = 0; Pass < Passes; ++Pass) {
    for (int Column = 0; Column < Columns; ++Column)
      Sum += *const_cast<volatile float *>(&Tile[threadIdx.x][Column]);
  }
  Out[blockIdx.x * blockDim.x + threadIdx.x] = Sum;
}

static __global__ void reduceInterleaved(const int *In, int *Sums) {
  __shared__ int Data[256];
  Data[threadIdx.x] = In[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int Apart = 1; Apart < 256; Apart *= 2) {
    int Index = 2 * Apart * threadIdx.x;
    if (Index < 256)
      Data[Index] += Data[Index + Apart];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    Sums[blockIdx.x] = Data[0];
}

static __global__ void reduceDivergent(const int *In, int *Sums) {
  __shared__ int Data[256];
  Data[threadIdx.x] = In[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int Apart = 1; Apart < 256; Apart *= 2) {
    if (threadIdx.x % (2 * Apart) == 0)
      Data[threadIdx.x] += Data[threadIdx.x + Apart];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    Sums[blockIdx.x] = Data[0];
}

static __global__ void reduceSequential(const int *In, int *Sums) {
  __shared__ int Data[256];
  Data[threadIdx.x] = In[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int Half = 128; Half > 0; Half /= 2) {
    if (threadIdx.x < Half)
      Data[threadIdx.x] += Data[threadIdx.x + Half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    Sums[blockIdx.x] = Data[0];
}

static __global__ void reduceShuffles(const int *In, int *Sums) {
  __shared__ int Data[8];
  int Sum = In[blockIdx.x * 256 + threadIdx.x];
  for (int Apart = 16; Apart > 0; Apart /= 2)
    Sum += __shfl_down_sync(0xffffffff, Sum, Apart);
  if (threadIdx.x % 32 == 0)
    Data[threadIdx.x / 32] = Sum;
  __syncthreads();
  if (threadIdx.x != 0)
    return;
  for (int Warp = 1; Warp < 8; ++Warp)
    Sum += Data[Warp];
  Sums[blockIdx.x] = Sum;
}

static __global__ void reduceAlone(const int *In, int *Sums) {
  __shared__ int Data[256];
  Data[threadIdx.x] = In[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x != 0)
    return;
  int Sum = 0;
  for (int I = 0; I < 256; ++I)
    Sum += Data[I];
  Sums[blockIdx.x] = Sum;
}

//===----------------------------------------------------------------------===//
// Pieces: neighbouring floats of one thread
//===----------------------------------------------------------------------===//

/// Element \p I of those that thread \p Thread has: beside its others, or
/// beside that of its neighbour.
template <int Count, bool IsApart>
static __device__ size_t place(size_t Thread, int I) {
  return IsApart ? I * static_cast<size_t>(gridDim.x) * 256 + Thread
                 : Thread * Count + I;
}

template <int Count, bool IsApart, bool IsLoop>
static __global__ void storePieces(float *Out) {
  const size_t Thread = blockIdx.x * size_t(256) + threadIdx.x;
  float V = threadIdx.x;
#pragma unroll(IsLoop ? 1 : Count)
  for (int I = 0; I < Count; ++I) {
    V = V * 0.5f + 1;
    Out[place<Count, IsApart>(Thread, I)] = V;
  }
}

template <int Count, bool IsApart, bool IsLoop>
static __global__ void loadPieces(const float *In, float *Out) {
  const size_t Thread = blockIdx.x * size_t(256) + threadIdx.x;
  float Sum = 0;
#pragma unroll(IsLoop ? 1 : Count)
  for (int I = 0; I < Count; ++I)
    Sum = Sum * 0.5f + In[place<Count, IsApart>(Thread, I)];
  if (Sum == 12345.678f) // It is zero, and nvcc does not know.
    Out[Thread] = Sum;
}

//===----------------------------------------------------------------------===//
// Measuring
//===----------------------------------------------------------------------===//

static void require(cudaError_t Status, const char *What) {
  if (Status == cudaSuccess)
    return;
  std::fprintf(stderr, "remedies: error: %s: %s\n", What,
               cudaGetErrorString(Status));
  std::exit(3);
}

/// Prints one row: the median of 41 launches, and how it compares.
static double row(const char *Name, double Reference,
                  const std::function<void()> &Launch) {
  cudaEvent_t Start = nullptr, Stop = nullptr;
  require(cudaEventCreate(&Start), "event");
  require(cudaEventCreate(&Stop), "event");
  std::vector<float> Times;
  for (int I = 0; I < 46; ++I) {
    require(cudaEventRecord(Start), Name);
    Launch();
    require(cudaEventRecord(Stop), Name);
    require(cudaEventSynchronize(Stop), Name);
    float Milliseconds = 0;
    require(cudaEventElapsedTime(&Milliseconds, Start, Stop), Name);
    if (I >= 5) // The first ones warm up.
      Times.push_back(1000 * Milliseconds);
  }
  std::sort(Times.begin(), Times.end());
  const double Median = Times[Times.size() / 2];
  std::printf("| %s | %.1f | %.1f … %.1f | %.2f |\n", Name, Median,
              Times.front(), Times.back(),
              Reference == 0 ? 1.0 : Reference / Median);
  cudaEventDestroy(Start);
  cudaEventDestroy(Stop);
  return Median;
}

static void title(const char *What) {
  std::printf("\n| %s | median us | min … max | gain |\n|---|--:|--:|--:|\n",
              What);
}

/// 2^26 floats in DRAM, so many for each thread.
template <int Count> static void pieces(const float *In, float *Out) {
  constexpr unsigned Blocks = (1u << 26) / Count / 256;
  char Title[80];
  std::snprintf(Title, sizeof Title, "%d floats of each thread, 2^26 in all",
                Count);
  title(Title);
  double Before = row("loads side by side", 0, [&] {
    loadPieces<Count, false, false><<<Blocks, 256>>>(In, Out);
  });
  row("neighbours by lane", Before,
      [&] { loadPieces<Count, true, false><<<Blocks, 256>>>(In, Out); });
  Before = row("loads side by side, in turns", 0, [&] {
    loadPieces<Count, false, true><<<Blocks, 256>>>(In, Out);
  });
  row("neighbours by lane, in turns", Before,
      [&] { loadPieces<Count, true, true><<<Blocks, 256>>>(In, Out); });
  Before = row("stores side by side", 0,
               [&] { storePieces<Count, false, false><<<Blocks, 256>>>(Out); });
  row("neighbours by lane", Before,
      [&] { storePieces<Count, true, false><<<Blocks, 256>>>(Out); });
  Before = row("stores side by side, in turns", 0,
               [&] { storePieces<Count, false, true><<<Blocks, 256>>>(Out); });
  row("neighbours by lane, in turns", Before,
      [&] { storePieces<Count, true, true><<<Blocks, 256>>>(Out); });
}

int main() {
  int Devices = 0;
  if (cudaGetDeviceCount(&Devices) != cudaSuccess || Devices == 0) {
    std::fprintf(stderr, "remedies: skipped: no CUDA device\n");
    return 77;
  }
  constexpr size_t Most = size_t(1) << 25;
  float *A = nullptr, *B = nullptr;
  require(cudaMalloc(&A, Most * 16), "cudaMalloc");
  require(cudaMalloc(&B, Most * 8), "cudaMalloc");
  require(cudaMemset(A, 0, Most * 16), "cudaMemset");
  auto *P = reinterpret_cast<const Packed *>(A);
  auto *Q = reinterpret_cast<const Aligned *>(A);

  for (size_t Count : {size_t(1) << 25, size_t(1) << 21}) {
    const auto Blocks = static_cast<unsigned>(Count / 256);
    title(Count == Most ? "three fields, 2^25 structs in DRAM"
                        : "three fields, 2^21 structs in L2");
    double Before =
        row("12-byte struct", 0, [&] { fields<<<Blocks, 256>>>(P, B); });
    row("`__align__(16)`", Before, [&] { fields<<<Blocks, 256>>>(Q, B); });
    row("three arrays", Before,
        [&] { arrays<<<Blocks, 256>>>(A, A + Count, A + 2 * Count, B); });
    row("staged in shared memory", Before,
        [&] { staged<<<Blocks, 256>>>(P, B); });
    title(Count == Most ? "one field, 2^25 structs in DRAM"
                        : "one field, 2^21 structs in L2");
    Before = row("12-byte struct", 0, [&] { oneField<<<Blocks, 256>>>(P, B); });
    row("`__align__(16)`", Before, [&] { oneField<<<Blocks, 256>>>(Q, B); });
    row("an array of its own", Before, [&] { copyOne<<<Blocks, 256>>>(A, B); });
  }

  title("three fields of structs in L1, read 200 times");
  constexpr unsigned Again = 1056, AgainCount = Again * 256;
  double Before =
      row("12-byte struct", 0, [&] { fieldsAgain<<<Again, 256>>>(P, B, 200); });
  row("`__align__(16)`", Before,
      [&] { fieldsAgain<<<Again, 256>>>(Q, B, 200); });
  row("three arrays", Before, [&] {
    arraysAgain<<<Again, 256>>>(A, A + AgainCount, A + 2 * AgainCount, B, 200);
  });
  row("staged in shared memory", Before,
      [&] { stagedAgain<<<Again, 256>>>(P, B, 200); });

  for (size_t Count : {size_t(1) << 23, size_t(1) << 19}) {
    const auto Blocks = static_cast<unsigned>(Count / 256);
    title(Count >> 20 ? "one of 64 bytes, 2^23 structs in DRAM"
                      : "one of 64 bytes, 2^19 structs in L2");
    auto *Records = reinterpret_cast<const Record *>(A);
    Before =
        row("64-byte struct", 0, [&] { keys<<<Blocks, 256>>>(Records, B); });
    row("an array of its own", Before, [&] { copyOne<<<Blocks, 256>>>(A, B); });
  }

  for (int Size : {8192, 2048}) {
    title(Size == 8192 ? "transpose of 8192 x 8192 floats in DRAM"
                       : "transpose of 2048 x 2048 floats in L2");
    const dim3 Grid(Size / 32, Size / 32), Block(32, 8);
    double Before =
        row("naive", 0, [&] { transposeNaive<<<Grid, Block>>>(A, B, Size); });
    row("tile, rows of 32", Before,
        [&] { transposeTiled<0, false><<<Grid, Block>>>(A, B, Size); });
    row("tile, rows of 33", Before,
        [&] { transposeTiled<1, false><<<Grid, Block>>>(A, B, Size); });
    row("tile, swizzled", Before,
        [&] { transposeTiled<0, true><<<Grid, Block>>>(A, B, Size); });
  }

  title("rows in shared memory, read 200 times");
  Before = row("rows of 16", 0, [&] { rows<16, 0><<<1056, 128>>>(B, 200); });
  row("rows of 17", Before, [&] { rows<16, 1><<<1056, 128>>>(B, 200); });
  Before = row("rows of 32", 0, [&] { rows<32, 0><<<1056, 128>>>(B, 100); });
  row("rows of 33", Before, [&] { rows<32, 1><<<1056, 128>>>(B, 100); });

  const int *Ints = reinterpret_cast<const int *>(A);
  int *Sums = reinterpret_cast<int *>(B);
  for (unsigned Blocks : {131072u, 264u}) {
    title(Blocks == 264 ? "sums of 264 blocks of 256"
                        : "sums of 131072 blocks of 256");
    Before = row("divergent: thread % 2s == 0", 0,
                 [&] { reduceDivergent<<<Blocks, 256>>>(Ints, Sums); });
    row("interleaved: 2 s thread", Before,
        [&] { reduceInterleaved<<<Blocks, 256>>>(Ints, Sums); });
    row("sequential", Before,
        [&] { reduceSequential<<<Blocks, 256>>>(Ints, Sums); });
    row("shuffles in each warp", Before,
        [&] { reduceShuffles<<<Blocks, 256>>>(Ints, Sums); });
    row("thread 0 alone", Before,
        [&] { reduceAlone<<<Blocks, 256>>>(Ints, Sums); });
  }

  pieces<2>(A, B);
  pieces<3>(A, B);
  pieces<4>(A, B);
  pieces<6>(A, B);
  pieces<8>(A, B);
  pieces<12>(A, B);
  pieces<16>(A, B);
  pieces<32>(A, B);
  require(cudaDeviceSynchronize(), "the end");
  return 0;
}
