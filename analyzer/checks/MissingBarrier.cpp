//===- analyzer/checks/MissingBarrier.cpp - Races in shared memory --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/AccessWords.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace cudalint::missing_barrier {
namespace {

class MissingBarrier : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "missing-barrier",
      .Level = Maturity::Stable,
      .Default = Severity::Warning,
      .Summary = "finds shared memory that one warp stores to while another "
                 "loads",
      .Why =
          R"md(Warps of a block run in any order. What a thread stores to shared
memory, threads of other warps can rely on only behind a `__syncthreads()` that
comes after the store; and what a thread still has to load, others may replace
only behind one that comes after the load. Without it, the result depends on
which warp the GPU happens to run first: it is right in nearly every run, and
wrong on the next GPU, with another block size or under a profiler.

The second case hides in loops: a barrier between filling a tile and using it,
and none between using it and filling it again.

`compute-sanitizer --tool racecheck` reports the same when the code is run.)md",
      .Bad = R"cuda(__global__ void reverse(float *data) {
  __shared__ float tile[256];
  tile[threadIdx.x] = data[blockIdx.x * 256 + threadIdx.x];
  data[blockIdx.x * 256 + threadIdx.x] = tile[255 - threadIdx.x];
}

void run(float *data) {
  reverse<<<1024, 256>>>(data);
}
)cuda",
      .Good = R"cuda(__global__ void reverse(float *data) {
  __shared__ float tile[256];
  tile[threadIdx.x] = data[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  data[blockIdx.x * 256 + threadIdx.x] = tile[255 - threadIdx.x];
}

void run(float *data) {
  reverse<<<1024, 256>>>(data);
}
)cuda",
      .Limits = R"md(Speaks only of blocks that are launched, and where both
threads surely come and both addresses are known: silent where loaded data or an
argument that is not known decides, behind a barrier in a loop whose number of
turns only the run tells, about threads of one warp, about volatile and atomic
accesses, of less than 4 bytes, and about a thread that has stored there itself
since the barrier. Silent in kernels with named barriers, barriers in inline PTX
or calls that are not inlined.)md"};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

/// Whether one barrier ends both: it comes behind both stores and before both
/// loads, or the reverse. Between two blocks of code, that is wherever one
/// ends.
static bool areOfOneBarrier(const SharedRace &A, const SharedRace &B) {
  if (A.Store.Place.Block != B.Store.Place.Block ||
      A.Load.Place.Block != B.Load.Place.Block)
    return false;
  const auto [FirstStore, LastStore] =
      std::minmax(A.Store.UserWhere, B.Store.UserWhere);
  const auto [FirstLoad, LastLoad] =
      std::minmax(A.Load.UserWhere, B.Load.UserWhere);
  return A.Store.Place.Block != A.Load.Place.Block || LastStore < FirstLoad ||
         LastLoad < FirstStore;
}

/// Where the barrier goes: a condition around both may leave threads out of it.
static Phrase remedy(const SharedRace &R) {
  if (!R.OnTheWay)
    return {"add-barrier-to-loop",
            "put a __syncthreads() at the end of the loop's body, outside of "
            "conditions",
            {}};
  const bool IsInStatement = R.Load.UserWhere.File == R.Store.UserWhere.File &&
                             R.Load.UserWhere.Line == R.Store.UserWhere.Line;
  Phrase Said = {"add-barrier", "put a __syncthreads() in between", {}};
  if (IsInStatement)
    Said = {"part-statement",
            "load to a variable, and store behind a __syncthreads() that all "
            "threads reach",
            {}};
  if (R.BetweenTurns)
    Said.append(", ", {"add-barrier-to-loop",
                       "and put another at the end of the loop's body",
                       {}});
  return Said;
}

void MissingBarrier::checkKernel(const KernelModel &K, FindingSink &Out) const {
  // One missing barrier lets many accesses race: one of each load is told.
  std::set<Location> Told;
  for (const SharedRace &R : K.SharedRaces) {
    if (!Told.insert(R.Load.UserWhere).second)
      continue;
    const auto First =
        std::ranges::find_if(K.SharedRaces, [&](const SharedRace &Other) {
          return &Other == &R || areOfOneBarrier(Other, R);
        });
    Finding &F = Out.report(
        K, R.Load,
        {"race",
         "{access} races with the store in line {line}: no barrier is between "
         "the load by thread {loading} and the {store} by thread {storing}",
         {{"access", name(R.Load)},
          {"loading", R.Loading},
          {"store", name(R.Store)},
          {"storing", R.Storing},
          {"line", R.Store.UserWhere.Line},
          {"barrier_before", First->Load.UserWhere.Line}}});
    F.Cause = {"warps-in-any-order",
               "they are in different warps, which run in any order",
               {}};
    F.Remedy = remedy(R);
  }
}

CUDA_LINT_REGISTER_CHECK(MissingBarrier)

} // namespace cudalint::missing_barrier
