//===- kernels/random-index/sweep.cu - Indices that are data --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every lane loads an index and accesses that element. Of indices that are
/// drawn independently, hardware/RandomRequest.h says the mean, which 2048
/// requests must meet within 3 %; of one index for the whole warp, the cost, to
/// the unit; of others, sorted ones or those of which some are frequent,
/// bounds.
///
//===----------------------------------------------------------------------===//

#include "hardware/RandomRequest.h"
#include "kernels/trial/Access.cuh"

#include <algorithm>
#include <cmath>
#include <cuda_runtime.h>
#include <random>

namespace cudalint {

static constexpr unsigned Threads = 256;
static constexpr unsigned Requests = TrialMemory::IndexCount / WarpSize;
static_assert(TrialMemory::IndexCount % Threads == 0);

/// What a lane does with its element. Atomics: a constant 1, which the compiler
/// counts by words; what differs from lane to lane; a comparison.
template <typename T, RequestKind Kind>
static __device__ void touch(T *P, const T *Other, const TrialMemory &Memory) {
  if constexpr (Kind == RequestKind::Increment)
    atomicAdd(P, T(1));
  else if constexpr (Kind == RequestKind::Atomic)
    atomicAdd(P, T(threadIdx.x + 1));
  else if constexpr (Kind == RequestKind::CompareAndSwap)
    atomicCAS(P, T(Memory.Never), T(Memory.Never + 1));
  else
    access<T, Kind>(P, Other, Memory);
}

template <typename T, RequestKind Kind>
static __global__ void indexedGlobal(TrialMemory Memory) {
  T *Elements = reinterpret_cast<T *>(Memory.Global);
  const unsigned I = Memory.Indices[blockIdx.x * Threads + threadIdx.x];
  touch<T, Kind>(&Elements[I], Elements, Memory);
}

template <typename T, RequestKind Kind>
static __global__ void indexedShared(TrialMemory Memory) {
  extern __shared__ __align__(128) unsigned char Bytes[];
  T *Elements = reinterpret_cast<T *>(Bytes);
  const unsigned I = Memory.Indices[blockIdx.x * Threads + threadIdx.x];
  touch<T, Kind>(&Elements[I], Elements, Memory);
}

/// How the indices of a warp are drawn.
enum class Drawn {
  Uniform,  ///< Independent of each other.
  Fours,    ///< One for each four lanes.
  Rows,     ///< Eight lanes side by side in a row of 16, each row drawn.
  Constant, ///< One for all lanes.
  Sorted,   ///< Independent, in ascending order.
  Zipf      ///< Number k with a chance that falls with 1 / (k + 1).
};

static constexpr std::pair<Drawn, const char *> AllDrawn[] = {
    {Drawn::Uniform, "uniform"}, {Drawn::Fours, "fours"},
    {Drawn::Rows, "rows"},       {Drawn::Constant, "constant"},
    {Drawn::Sorted, "sorted"},   {Drawn::Zipf, "zipf"}};

/// Elements of a row, and lanes side by side in one, of Drawn::Rows.
static constexpr unsigned RowPitch = 16, RowLanes = 8;

/// The same numbers on every platform.
static std::uint64_t below(std::mt19937 &Random, std::uint64_t Values) {
  return (std::uint64_t(Random()) * Values) >> 32;
}

static std::vector<unsigned> drawIndices(Drawn How, std::uint64_t Values) {
  std::mt19937 Random(20261122);
  std::vector<double> Until; // Chances of a Zipf distribution, added up.
  if (How == Drawn::Zipf)
    for (std::uint64_t K = 0; K < Values; ++K)
      Until.push_back((K ? Until.back() : 0) + 1.0 / double(K + 1));
  auto Draw = [&]() -> unsigned {
    if (How != Drawn::Zipf)
      return static_cast<unsigned>(below(Random, Values));
    const double Sum = Until.back() * (double(Random()) / 4294967296.0);
    return static_cast<unsigned>(
        std::upper_bound(Until.begin(), Until.end() - 1, Sum) - Until.begin());
  };
  std::vector<unsigned> Out(TrialMemory::IndexCount);
  for (unsigned First = 0; First < Out.size(); First += WarpSize) {
    for (unsigned L = 0; L < WarpSize; ++L) {
      const unsigned Shared = How == Drawn::Constant ? WarpSize
                              : How == Drawn::Fours  ? 4
                              : How == Drawn::Rows   ? RowLanes
                                                     : 1;
      unsigned &Index = Out[First + L];
      Index = L % Shared == 0      ? Draw()
              : How == Drawn::Rows ? (Out[First + L - L % Shared]) / RowPitch
                                   : Out[First + L - 1];
      if (How == Drawn::Rows)
        Index = Index * RowPitch + L % RowLanes;
    }
    if (How == Drawn::Sorted)
      std::sort(&Out[First], &Out[First] + WarpSize);
  }
  return Out;
}

static RandomRequest requestOf(RequestMemory Memory, RequestKind Kind,
                               unsigned Bytes, Drawn How,
                               std::uint64_t Values) {
  RandomRequest R;
  R.Memory = Memory;
  R.Known.Kind = Kind;
  R.Known.BytesPerLane = Bytes;
  RandomNumber N = RandomNumber::ofEachLane(Bytes, Values);
  for (unsigned L = 0; L < WarpSize; ++L) {
    if (How == Drawn::Fours)
      N.Draw[L] = static_cast<std::uint8_t>(L / 4);
    if (How == Drawn::Rows) {
      N.Draw[L] = static_cast<std::uint8_t>(L / RowLanes);
      N.Bytes[L] = std::int64_t(Bytes) * RowPitch;
      R.Known.Address[L] = std::uint64_t(Bytes) * (L % RowLanes);
    }
  }
  R.Numbers.push_back(N);
  return R;
}

static std::uint64_t rounded(double X) {
  return static_cast<std::uint64_t>(std::llround(X));
}

/// One side of what is measured: so many sectors or wavefronts for each
/// request, and the loads of the indices, which are 4 sectors.
static Counts countsOf(RequestMemory Memory, double Each, double Ideal) {
  Counts Out;
  Out.Sectors = Out.IdealSectors = std::uint64_t(4) * Requests;
  if (Memory == RequestMemory::Shared) {
    Out.Wavefronts = rounded(Each * Requests);
    Out.IdealWavefronts = rounded(Ideal * Requests);
  } else {
    Out.Sectors += rounded(Each * Requests);
    Out.IdealSectors += rounded(Ideal * Requests);
  }
  return Out;
}

/// The prediction of a point, with as much room as its kind of data has.
static void predict(Point &P, const Architecture &Arch, RequestMemory Memory,
                    RequestKind Kind, unsigned Bytes, Drawn How,
                    std::uint64_t Values) {
  constexpr double Tolerance = 0.03, Never = 0, Any = 32;
  const RandomCost C =
      randomCost(Arch, requestOf(Memory, Kind, Bytes, How, Values));
  switch (How) {
  case Drawn::Uniform:
  case Drawn::Fours:
  case Drawn::Rows:
    P.Predicted = countsOf(Memory, C.Mean, C.Ideal);
    P.Within = {
        countsOf(Memory, C.Mean * (1 - Tolerance), C.Ideal * (1 - Tolerance)),
        countsOf(Memory, C.Mean * (1 + Tolerance), C.Ideal * (1 + Tolerance))};
    P.IsMean = true;
    break;
  case Drawn::Constant:
    // Whatever lanes would need side by side, it is no more than they cost.
    P.Predicted = countsOf(Memory, C.IfEqual, C.IfEqual);
    P.Within = {countsOf(Memory, C.IfEqual, Never),
                countsOf(Memory, C.IfEqual, Any)};
    break;
  case Drawn::Sorted:
  case Drawn::Zipf:
    P.Predicted = countsOf(Memory, C.Mean, C.Ideal);
    P.Within = {countsOf(Memory, C.Least, Never),
                countsOf(Memory, C.Most, Any)};
    break;
  }
}

template <typename T, RequestKind Kind>
static void addIndexed(Sweep &S, const Architecture &Arch,
                       RequestMemory Memory) {
  const bool IsShared = Memory == RequestMemory::Shared;
  for (std::uint64_t Values :
       {2, 8, 32, 33, 64, 100, 256, 1000, 2048, 1 << 16, 1 << 20}) {
    const std::uint64_t Room =
        IsShared ? TrialMemory::SharedBytes : TrialMemory::GlobalBytes;
    for (const auto &[How, HowName] : AllDrawn) {
      const std::uint64_t Elements =
          How == Drawn::Rows ? Values * RowPitch : Values;
      if (Elements * sizeof(T) > Room)
        continue;
      Point P;
      P.Name = words(IsShared ? "shared" : "global", nameOf(Kind), sizeof(T),
                     "B", HowName, "of", Values);
      predict(P, Arch, Memory, Kind, sizeof(T), How, Values);
      P.Launch = [How = How, Values, IsShared](const TrialMemory &Memory) {
        const std::vector<unsigned> Indices = drawIndices(How, Values);
        cudaMemcpy(Memory.Indices, Indices.data(),
                   Indices.size() * sizeof(unsigned), cudaMemcpyHostToDevice);
        constexpr unsigned Blocks = TrialMemory::IndexCount / Threads;
        if (IsShared)
          indexedShared<T, Kind>
              <<<Blocks, Threads, TrialMemory::SharedBytes>>>(Memory);
        else
          indexedGlobal<T, Kind><<<Blocks, Threads>>>(Memory);
      };
      S.Points.push_back(std::move(P));
    }
  }
}

Sweep randomIndexSweep(const Architecture &Arch) {
  Sweep S = {"random-index", "means and bounds at indices that are data", {}};
  forEachAccess([&]<typename T, RequestKind Kind>() {
    addIndexed<T, Kind>(S, Arch, RequestMemory::Global);
    addIndexed<T, Kind>(S, Arch, RequestMemory::Shared);
  });
  addIndexed<unsigned, RequestKind::Atomic>(S, Arch, RequestMemory::Global);
  addIndexed<unsigned long long, RequestKind::Atomic>(S, Arch,
                                                      RequestMemory::Global);
  addIndexed<unsigned, RequestKind::Increment>(S, Arch, RequestMemory::Shared);
  addIndexed<unsigned, RequestKind::Atomic>(S, Arch, RequestMemory::Shared);
  addIndexed<unsigned, RequestKind::CompareAndSwap>(S, Arch,
                                                    RequestMemory::Shared);
  return S;
}

} // namespace cudalint
