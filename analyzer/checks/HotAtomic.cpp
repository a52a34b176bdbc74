//===- analyzer/checks/HotAtomic.cpp - A grid updates one address ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/AccessWords.h"
#include "analyzer/model/LittleCost.h"
#include "analyzer/model/Thresholds.h"

#include <cmath>

namespace cudalint::hot_atomic {
/// Below these an H100 needs no more than 7 us, and 50 us, for all of them.
static constexpr CheckOption LeastUpdatesByLanes = {
    "hot-atomic.LeastUpdatesByLanes", 4096, 1, 1e18,
    "updates of the address by a launch from which on it is told, where the "
    "lanes of a warp make them"};

static constexpr CheckOption LeastUpdatesByWarps = {
    "hot-atomic.LeastUpdatesByWarps", 65536, 1, 1e18,
    "the same, where one lane of a warp makes them"};

static constexpr CheckOption Options[] = {LeastUpdatesByLanes,
                                          LeastUpdatesByWarps};

namespace {

class HotAtomic : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "hot-atomic",
      .Level = Maturity::Stable,
      .Default = Severity::Warning,
      .Summary = "finds atomics with which many lanes update one address",
      .Why =
          R"md(The L2 cache makes atomic updates of one address one after the
other. An `atomicAdd` of a `float` or `double` on one address is 32 such updates
for each warp, and all warps of all blocks stand in the same queue. Adding up
first, in the warp by shuffles and in the block in shared memory, leaves one
update for each block.

For 32-bit integers nvcc adds up the lanes of a warp itself (`REDUX`, or votes
where all add the same), and one of them makes the update; of 64-bit integers
only where all lanes add the same. What is left is one update for each warp.

A sum of one value of each thread on one address, on an H100 with blocks of 256
threads; without any atomic, the kernel takes 4.8 us and 21 us:

| | 264 blocks | 16,384 blocks |
|---|--:|--:|
| `float` or `double`, each thread an update | 121 us | 7366 us |
| 64-bit integers, each thread an update | 52 us | 3074 us |
| `float`, added up in the warp by shuffles | 6.0 us | 233 us |
| `float`, atomics in shared memory, then one for each block | 5.4 us | 57 us |
| `float`, shuffles, then shared memory, then one for each block | 5.6 us | 32 us |
| `int`, as nvcc adds it up: each warp an update | 5.2 us | 100 us |
| `int`, atomics in shared memory, then one for each block | 5.8 us | 16 us |

With few blocks, updates by each warp cost nothing that one would see; updates
by each thread always do, also where blocks, warps or turns of a loop have an
address each, as sums of rows have. Of `float`, on the same H100, with the
launch (`kernels/costs`):

| | each thread an update | shuffles first |
|---|--:|--:|
| 128 addresses, one in each turn of a loop, 264 blocks | 12.3 ms | 0.25 ms |
| one address for each block, 4096 blocks | 98 us | 15 us |
| one address for each warp, 4096 blocks | 33 us | 13 us |)md",
      .Bad = R"cuda(__global__ void sum(float *total, const float *in) {
  atomicAdd(total, in[blockIdx.x * 256 + threadIdx.x]);
}

void run(float *total, const float *in) {
  sum<<<1024, 256>>>(total, in);
}
)cuda",
      .Good = R"cuda(__global__ void sum(float *total, const float *in) {
  __shared__ float part;
  if (threadIdx.x == 0)
    part = 0;
  __syncthreads();
  float mine = in[blockIdx.x * 256 + threadIdx.x];
  for (int apart = 16; apart > 0; apart /= 2)
    mine += __shfl_down_sync(0xffffffff, mine, apart);
  if (threadIdx.x % 32 == 0)
    atomicAdd(&part, mine);
  __syncthreads();
  if (threadIdx.x == 0)
    atomicAdd(total, part);
}

void run(float *total, const float *in) {
  sum<<<1024, 256>>>(total, in);
}
)cuda",
      .Limits = R"md(Speaks of global memory, and of additions, minima, maxima,
`and` and `or` whose old value nobody uses. Silent where loaded data decides
which lanes take part or which address it is, where whole warps have an address
each, below 4096 updates of a launch by single lanes, and below 65,536 by whole warps.
What the compiler does with a loop around `atomicCAS` is not looked at.)md",
      .ConfirmedBy = Evidence::ActiveThreadsPerInstruction,
      .Options = Options};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

/// Updates of the address by one block; empty where that is not known.
static std::optional<double> updatesOfBlock(const Access &A, double Lanes) {
  if (!A.Executions)
    return std::nullopt;
  const double Threads = static_cast<double>(A.Block[0]) *
                         static_cast<double>(A.Block[1]) *
                         static_cast<double>(A.Block[2]);
  return Lanes * *A.Executions * std::ceil(Threads / WarpSize);
}

void HotAtomic::checkKernel(const KernelModel &K, FindingSink &Out) const {
  const bool SeveralShapes = K.hasSeveralShapes();
  for (const Access *A : K.costliestPerPlace(MemorySpace::Global)) {
    if (!A->Target || A->Samples.empty())
      continue;
    const double Lanes = A->Target->IsAddedUp ? 1 : A->Predicted->Lanes;
    const bool ByLanes = Lanes >= threshold::LanesOfCrowd;
    // Whole warps that go to addresses of their own do not wait for each other.
    if (!A->Target->IsOfGrid && !ByLanes)
      continue;
    const std::optional<double> OfBlock = updatesOfBlock(*A, Lanes);
    std::optional<double> OfLaunch;
    if (OfBlock && A->Target->Blocks)
      OfLaunch = *OfBlock * *A->Target->Blocks;
    if (ByLanes ? OfLaunch && *OfLaunch < Out.value(LeastUpdatesByLanes)
                : !OfLaunch || *OfLaunch < Out.value(LeastUpdatesByWarps) ||
                      *OfBlock < threshold::FewUpdatesOfBlock)
      continue;
    Phrase What = {"one-address",
                   "{access} updates one address {times} for each warp{shape}",
                   {{"access", name(*A)},
                    {"times", Lanes},
                    {"shape", shapeNote(SeveralShapes, *A)}}};
    What.Text = ByLanes ? "{access} updates one address with {times lane} of "
                          "each warp, one after the other{shape}"
                        : "{access} updates one address with each warp of each "
                          "block{shape}";
    if (OfLaunch)
      What.append(", ", {"in-launch",
                         "{updates time} in the launch",
                         {{"updates", *OfLaunch}}});
    Finding &F = Out.report(K, *A, std::move(What));
    F.Cause = ByLanes ? Phrase{"compiler-does-not-add",
                               "the compiler does not combine what the lanes "
                               "have for it",
                               {}}
                      : Phrase{"warps-queue",
                               "updates of one address wait for each other",
                               {}};
    // Shuffles and barriers stand where nobody has left: told are all of them.
    F.Remedy = !A->Target->IsOfGrid
                   ? Phrase{"add-up-in-warp",
                            "let all lanes of a warp combine what they have by "
                            "shuffles, and one of them update it",
                            {}}
               : ByLanes
                   ? Phrase{"add-up-in-warp",
                            "let all lanes of a warp combine what they have by "
                            "shuffles, and all warps of the block in shared "
                            "memory, and one thread of the block update it",
                            {}}
                   : Phrase{"add-up-in-block",
                            "let all threads of the block combine what they "
                            "have in shared memory, and one of them update it",
                            {}};
    F.Predicted = Prediction{"active_lanes_per_warp", Lanes, 1.0};
    if (A->Target->IsOfGrid)
      setMostOfKernel(F, mostOfUpdates(K, *A, Lanes));
    if (!ByLanes)
      F.Level = Severity::Note;
  }
}

CUDA_LINT_REGISTER_CHECK(HotAtomic)

} // namespace cudalint::hot_atomic
