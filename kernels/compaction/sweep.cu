//===- kernels/compaction/sweep.cu - Lanes that count others --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every lane loads whether it says yes, counts the lanes below that do, and
/// accesses that element behind some base: all lanes, or those that say yes
/// alone. Where each says yes or no independently, which is equally likely,
/// hardware/CountedRequest.h says the mean, which 2048 requests must meet
/// within 3 %; where rather few or many do, bounds; where in each warp so many
/// do, whichever these are, the cost, to the unit, if no wide elements of
/// shared memory are served by parts of a warp.
///
//===----------------------------------------------------------------------===//

#include "hardware/CountedRequest.h"
#include "kernels/trial/Access.cuh"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cuda_runtime.h>
#include <random>
#include <vector>

namespace cudalint {

static constexpr unsigned Threads = 256;
static constexpr unsigned Requests = TrialMemory::IndexCount / WarpSize;
static_assert(TrialMemory::IndexCount % Threads == 0);

template <typename T, RequestKind Kind, bool OnlyYes>
static __device__ void countAndAccess(T *Elements, unsigned Base,
                                      const TrialMemory &Memory) {
  const bool Yes = Memory.Indices[blockIdx.x * Threads + threadIdx.x] != 0;
  const unsigned Mask = __ballot_sync(~0u, Yes);
  const unsigned Rank = __popc(Mask & ((1u << threadIdx.x % WarpSize) - 1));
  if (!OnlyYes || Yes)
    access<T, Kind>(&Elements[Base + Rank], Elements, Memory);
}

template <typename T, RequestKind Kind, bool OnlyYes>
static __global__ void countedGlobal(TrialMemory Memory, unsigned Base) {
  countAndAccess<T, Kind, OnlyYes>(reinterpret_cast<T *>(Memory.Global), Base,
                                   Memory);
}

template <typename T, RequestKind Kind, bool OnlyYes>
static __global__ void countedShared(TrialMemory Memory, unsigned Base) {
  extern __shared__ __align__(128) unsigned char Bytes[];
  countAndAccess<T, Kind, OnlyYes>(reinterpret_cast<T *>(Bytes), Base, Memory);
}

/// How many lanes of a warp say yes.
struct Share {
  unsigned OutOf = 2, Yes = 1; ///< Each lane's chance.
  unsigned Exactly = 0;        ///< Or so many in each warp; 0: that chance.
};

/// For each lane, whether it says yes; the same on every platform.
static std::vector<unsigned> drawVotes(Share S) {
  std::mt19937 Random(20261124);
  auto Below = [&](std::uint64_t Values) {
    return static_cast<unsigned>((std::uint64_t(Random()) * Values) >> 32);
  };
  std::vector<unsigned> Out(TrialMemory::IndexCount);
  for (unsigned First = 0; First < Out.size(); First += WarpSize)
    for (unsigned L = 0, Left = S.Exactly; L < WarpSize; ++L)
      if (!S.Exactly)
        Out[First + L] = Below(S.OutOf) < S.Yes;
      else if (Below(WarpSize - L) < Left) {
        Out[First + L] = 1;
        --Left;
      }
  return Out;
}

/// Warps of which some lane says yes.
static unsigned warpsWithAny(const std::vector<unsigned> &Votes) {
  unsigned Warps = 0;
  for (auto First = Votes.begin(); First != Votes.end(); First += WarpSize)
    Warps += std::any_of(First, First + WarpSize, [](unsigned V) { return V; });
  return Warps;
}

static CountedRequest requestOf(RequestMemory Memory, RequestKind Kind,
                                unsigned Bytes, bool OnlyYes, unsigned Base) {
  CountedRequest R;
  R.Memory = Memory;
  R.Known.Kind = Kind;
  R.Known.BytesPerLane = Bytes;
  R.Known.Address.fill(std::uint64_t(Bytes) * Base);
  R.Voters = R.Known.ActiveMask = ~0u;
  R.Bytes = Bytes;
  R.OnlyYes = OnlyYes;
  for (unsigned L = 0; L < WarpSize; ++L)
    R.Counted[L] = (1u << L) - 1;
  return R;
}

static std::uint64_t rounded(double X) {
  return static_cast<std::uint64_t>(std::llround(X));
}

/// So many sectors or wavefronts for each of some requests, and the loads of
/// the votes, which are 4 sectors for every warp.
static Counts countsOf(RequestMemory Memory, double Each, double Ideal,
                       unsigned Made = Requests) {
  Counts Out;
  Out.Sectors = Out.IdealSectors = std::uint64_t(4) * Requests;
  if (Memory == RequestMemory::Shared) {
    Out.Wavefronts = rounded(Each * Made);
    Out.IdealWavefronts = rounded(Ideal * Made);
  } else {
    Out.Sectors += rounded(Each * Made);
    Out.IdealSectors += rounded(Ideal * Made);
  }
  return Out;
}

static void predict(Point &P, const Architecture &Arch, const CountedRequest &R,
                    Share S) {
  constexpr double Tolerance = 0.03, Never = 0, Any = 32;
  const CountedCost C = *countedCost(Arch, R);
  P.Predicted = countsOf(R.Memory, C.Mean, C.Ideal);
  if (S.Exactly && R.OnlyYes && C.IsExact) {
    WarpRequest W = R.Known;
    W.ActiveMask = S.Exactly == WarpSize ? ~0u : (1u << S.Exactly) - 1;
    for (unsigned L = 0; L < WarpSize; ++L)
      W.Address[L] += static_cast<std::uint64_t>(R.Bytes) * L;
    const RequestCosts Each = costIn(R.Memory, Arch, W);
    P.Predicted = countsOf(R.Memory, Each.Cost, Each.Ideal);
  } else if (!S.Exactly && S.OutOf == 2) {
    P.Within = {
        countsOf(R.Memory, C.Mean * (1 - Tolerance), C.Ideal * (1 - Tolerance)),
        countsOf(R.Memory, C.Mean * (1 + Tolerance),
                 C.Ideal * (1 + Tolerance))};
    P.IsMean = true;
  } else {
    const unsigned Made =
        R.OnlyYes && !S.Exactly ? warpsWithAny(drawVotes(S)) : Requests;
    P.Within = {countsOf(R.Memory, C.Least, Never, Made),
                countsOf(R.Memory, C.Most, Any, Made)};
  }
}

template <typename T, RequestKind Kind, bool OnlyYes>
static void addPoint(Sweep &S, const Architecture &Arch, RequestMemory Memory,
                     unsigned Base, Share Of) {
  const bool IsShared = Memory == RequestMemory::Shared;
  Point P;
  P.Name =
      words(IsShared ? "shared" : "global", nameOf(Kind), sizeof(T), "B",
            OnlyYes ? "those that say yes," : "all lanes,",
            Of.Exactly ? "exactly" : "each", Of.Exactly ? Of.Exactly : Of.Yes,
            "of", Of.Exactly ? WarpSize : Of.OutOf, "base", Base);
  predict(P, Arch, requestOf(Memory, Kind, sizeof(T), OnlyYes, Base), Of);
  P.Launch = [Of, Base, IsShared](const TrialMemory &Memory) {
    const std::vector<unsigned> Votes = drawVotes(Of);
    cudaMemcpy(Memory.Indices, Votes.data(), Votes.size() * sizeof(unsigned),
               cudaMemcpyHostToDevice);
    constexpr unsigned Blocks = TrialMemory::IndexCount / Threads;
    if (IsShared)
      countedShared<T, Kind, OnlyYes>
          <<<Blocks, Threads, TrialMemory::SharedBytes>>>(Memory, Base);
    else
      countedGlobal<T, Kind, OnlyYes><<<Blocks, Threads>>>(Memory, Base);
  };
  S.Points.push_back(std::move(P));
}

template <typename T, RequestKind Kind>
static void addCounted(Sweep &S, const Architecture &Arch,
                       RequestMemory Memory) {
  constexpr Share Shares[] = {{2, 1}, {8, 1}, {8, 7}};
  for (const unsigned Base : {0u, 1u, 3u, 7u}) {
    for (const Share Each : Shares) {
      addPoint<T, Kind, true>(S, Arch, Memory, Base, Each);
      addPoint<T, Kind, false>(S, Arch, Memory, Base, Each);
    }
    for (unsigned Yes = 1; Yes <= WarpSize; ++Yes)
      addPoint<T, Kind, true>(S, Arch, Memory, Base, {.Exactly = Yes});
  }
}

Sweep compactionSweep(const Architecture &Arch) {
  Sweep S = {"compaction", "means and bounds where lanes count others", {}};
  forEachAccess([&]<typename T, RequestKind Kind>() {
    addCounted<T, Kind>(S, Arch, RequestMemory::Global);
    addCounted<T, Kind>(S, Arch, RequestMemory::Shared);
  });
  addCounted<unsigned, RequestKind::Atomic>(S, Arch, RequestMemory::Global);
  return S;
}

} // namespace cudalint
