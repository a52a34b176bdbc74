//===- analyzer/checks/NoReuse.cpp - Fetched again by each warp -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/AccessWords.h"
#include "analyzer/model/Thresholds.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace cudalint::no_reuse {
/// As in a plain product of matrices with blocks of 16x16.
static constexpr CheckOption LeastTimes = {
    "no-reuse.LeastTimes", 16, 2, 1e6,
    "times that a block loads each byte from which on it is told"};

static constexpr CheckOption Options[] = {LeastTimes};

namespace {

class NoReuse : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "no-reuse",
      .Level = Maturity::Stable,
      .Default = Severity::Note,
      .Summary = "finds arrays of which the warps of a block load the same "
                 "bytes again and again",
      .Why = R"md(In a plain product of matrices each thread loads a row of one
matrix and a column of the other. With blocks of 32x32 threads each element is
asked for 32 times by its block. Caches keep what is loaded for a while, but each
of these loads is a request to L1 for each step of the sum, and whatever L1 has
lost in between comes from L2 again.

Copied to shared memory piece by piece, with a barrier before and after, each
element is loaded once for the whole block, and the threads take it from there
as often as they like. With several results for each thread, what is in shared
memory is used from registers, too. NVIDIA's CUDA C++ Programming Guide builds
this up for the product of matrices ("Shared Memory"), and its Best Practices
Guide measures it.

A product of n x n floats on an H100, one result for each thread
(`kernels/costs`):

| n | plain, blocks of 16x16 | tiled | plain, 32x32 | tiled |
|--:|--:|--:|--:|--:|
| 512 | 67 us | 48 us | 55 us | 42 us |
| 1024 | 426 us | 287 us | 357 us | 246 us |
| 2048 | 3.2 ms | 2.1 ms | 2.8 ms | 1.9 ms |
| 4096 | 26 ms | 17 ms | 23 ms | 15 ms |)md",
      .Bad = R"cuda(__global__ void shortest(float *c, const float *a,
                         const float *b, int n) {
  int row = blockIdx.y * 16 + threadIdx.y;
  int column = blockIdx.x * 16 + threadIdx.x;
  float least = 1e30f;
  for (int k = 0; k < n; ++k) {
    float way = a[row * n + k] + b[k * n + column];
    least = way < least ? way : least;
  }
  c[row * n + column] = least;
}

void run(float *c, const float *a, const float *b) {
  shortest<<<dim3(64, 64), dim3(16, 16)>>>(c, a, b, 1024);
}
)cuda",
      .Good = R"cuda(__global__ void shortest(float *c, const float *a,
                         const float *b, int n) {
  __shared__ float ofA[16][16], ofB[16][16];
  int row = blockIdx.y * 16 + threadIdx.y;
  int column = blockIdx.x * 16 + threadIdx.x;
  float least = 1e30f;
  for (int first = 0; first < n; first += 16) {
    ofA[threadIdx.y][threadIdx.x] = a[row * n + first + threadIdx.x];
    ofB[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      float way = ofA[threadIdx.y][k] + ofB[k][threadIdx.x];
      least = way < least ? way : least;
    }
    __syncthreads();
  }
  c[row * n + column] = least;
}

void run(float *c, const float *a, const float *b) {
  shortest<<<dim3(64, 64), dim3(16, 16)>>>(c, a, b, 1024);
}
)cuda",
      .Limits = R"md(Speaks of loads in loops, where every address that a block
loads from is known, of arrays of which a block needs more than 16 KB, each byte
16 times or more, and not of those that all lanes of a warp read at one address.
Silent where it seems that one warp reads the same again rather than several, and
where the loads waste sectors, which is to be mended first.
What the caches hold is not known: this is how much is asked of them.)md",
      .ConfirmedBy = Evidence::GlobalSectors,
      .Options = Options};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

/// What the warps of a block load from one array.
struct ArrayUse {
  double Asked = 0;             ///< Bytes that lanes ask for, each its own.
  double Taken = 0;             ///< Each byte of a request once.
  const Access *Most = nullptr; ///< Of its accesses, that asks for the most.
  double MostAsked = 0;
};

} // namespace

/// By the names of arrays; empty unless that is all that the block loads.
static std::map<std::string, ArrayUse>
usesOf(const KernelModel &K, const WarpTotals &T, double Warps) {
  std::map<std::string, ArrayUse> Uses;
  double All = 0;
  for (const Access &A : K.Accesses) {
    if (A.Space != MemorySpace::Global || A.Op != AccessOp::Load ||
        A.Block != T.Block || !A.Predicted || !A.Executions)
      continue;
    ArrayUse &Use = Uses[A.Source.Object];
    const double Times = *A.Executions * Warps;
    const double Asked = Times * A.Predicted->Lanes * A.Bytes;
    All += Asked;
    Use.Asked += Asked;
    Use.Taken += Times * A.Predicted->BytesUsed;
    if (Asked > Use.MostAsked) {
      Use.Most = &A;
      Use.MostAsked = Asked;
    }
  }
  const DistinctBytes &Loads = T.Footprint->Loads;
  if (!Loads.Requested || std::abs(All - *Loads.Requested) > 0.01 * All)
    return {};
  return Uses;
}

/// Several warps of the block come to the same bytes, each of them once, with
/// lanes that are at bytes of their own.
static bool isShared(const ArrayUse &Use, double Bytes, double Warps) {
  const double Sharing = Use.Taken / Bytes;
  const Traffic &Most = *Use.Most->Predicted;
  return Sharing >= threshold::SeveralWarps && Sharing <= 1.02 * Warps &&
         Use.Most->LoopDepth > 0 && Most.BytesUsed >= 8.0 * Use.Most->Bytes &&
         Most.PerRequest < threshold::WorthAnEdit * Most.Ideal;
}

static void report(const KernelModel &K, const ArrayFootprint &Array,
                   const ArrayUse &Use, FindingSink &Out) {
  constexpr double Kilo = 1024;
  Finding &F = Out.report(
      K, *Use.Most,
      {"asked-again",
       "the warps of a block load each byte of '{array}' {warps time}, "
       "{loaded_kb} KB for {distinct_kb} KB, and its threads use it {times "
       "time}{shape}",
       {{"array", Array.Name},
        {"warps", std::round(Use.Taken / Array.Bytes)},
        {"times", std::round(Use.Asked / Array.Bytes)},
        {"loaded_kb", std::round(Use.Taken / Kilo)},
        {"distinct_kb", std::round(Array.Bytes / Kilo)},
        {"shape", shapeNote(K.hasSeveralShapes(), *Use.Most)}}});
  F.Remedy = {"tile-in-shared",
              "load a tile of it into shared memory once for all of them",
              {}};
}

void NoReuse::checkKernel(const KernelModel &K, FindingSink &Out) const {
  std::map<std::string, const Access *> Reported;
  for (const WarpTotals &T : K.Totals) {
    if (!T.Footprint || !T.Footprint->Loads.Bytes)
      continue;
    const double Warps = std::ceil(
        static_cast<double>(T.Block[0] * T.Block[1] * T.Block[2]) / WarpSize);
    const std::map<std::string, ArrayUse> Uses = usesOf(K, T, Warps);
    for (const ArrayFootprint &Array : T.Footprint->Arrays) {
      const auto Use = Uses.find(Array.Name);
      // A name that several arrays have, as two pointers of one function, says
      // nothing of either.
      const auto IsNamesake = [&](const ArrayFootprint &Each) {
        return Each.Op == AccessOp::Load && Each.Name == Array.Name;
      };
      if (Array.Op != AccessOp::Load || Array.Name.empty() ||
          Use == Uses.end() || Array.Bytes <= threshold::FitsInL1 ||
          Use->second.Asked < Out.value(LeastTimes) * Array.Bytes ||
          !isShared(Use->second, Array.Bytes, Warps) ||
          std::ranges::count_if(T.Footprint->Arrays, IsNamesake) != 1)
        continue;
      // Of several shapes the first one says it all.
      if (Reported.try_emplace(Array.Name, Use->second.Most).second)
        report(K, Array, Use->second, Out);
    }
  }
}

CUDA_LINT_REGISTER_CHECK(NoReuse)

} // namespace cudalint::no_reuse
