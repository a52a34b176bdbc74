//===- analyzer/checks/LargeBlockBarriers.cpp - All warps wait ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/AccessWords.h"
#include "analyzer/model/LaunchWords.h"
#include "report/OccupancyWords.h"

namespace cudalint::large_block_barriers {
static constexpr CheckOption LeastThreads = {
    "large-block-barriers.LeastThreads", 512, 64, 1024,
    "threads of a block from which on it is told"};

static constexpr CheckOption Options[] = {LeastThreads};

namespace {

class LargeBlockBarriers : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "large-block-barriers",
      .Level = Maturity::Experimental,
      .Default = Severity::Note,
      .Summary = "finds loops with barriers in blocks that have an SM to "
                 "themselves",
      .Why = R"md(At a barrier, a warp waits for the slowest of its block. While
it does, the SM can issue from other blocks only; when one large block has the
SM to itself, the SM runs empty at every barrier. Two blocks of half the size
wait at different times, and each waits for fewer warps.)md",
      .Bad = R"cuda(// Linted with: --registers 40
__global__ void relax(float *data, int steps) {
  __shared__ float row[1024];
  row[threadIdx.x] = data[blockIdx.x * 1024 + threadIdx.x];
  for (int i = 0; i < steps; ++i) {
    __syncthreads();
    float next = row[threadIdx.x] + row[(threadIdx.x + 1) % 1024];
    __syncthreads();
    row[threadIdx.x] = next;
  }
  data[blockIdx.x * 1024 + threadIdx.x] = row[threadIdx.x];
}

void run(float *data, int steps) {
  relax<<<4096, 1024>>>(data, steps);
}
)cuda",
      .Good = R"cuda(// Linted with: --registers 40
__global__ void relax(float *data, int steps) {
  __shared__ float row[256];
  row[threadIdx.x] = data[blockIdx.x * 256 + threadIdx.x];
  for (int i = 0; i < steps; ++i) {
    __syncthreads();
    float next = row[threadIdx.x] + row[(threadIdx.x + 1) % 256];
    __syncthreads();
    row[threadIdx.x] = next;
  }
  data[blockIdx.x * 256 + threadIdx.x] = row[threadIdx.x];
}

void run(float *data, int steps) {
  relax<<<16384, 256>>>(data, steps);
}
)cuda",
      .Limits = R"md(Speaks of blocks of 512 threads and more, of which only one
fits an SM, in kernels with a barrier inside a loop; silent where shared memory
is what keeps a second one out, and where the grid has no more blocks than the
GPU has SMs. Larger blocks may share more data, which this check does not weigh:
hence experimental, and a note.)md",
      .ConfirmedBy = Evidence::BarrierStalls,
      .NeedsResources = true,
      .Options = Options};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

/// The largest block of at most half the threads of which two or more fit.
static std::uint64_t betterBlock(const Architecture &Arch, BlockDemand Demand) {
  const unsigned Now = occupancy(Arch, Demand).WarpsPerSM;
  // Half a block needs half of the memory that its threads share.
  for (std::uint64_t Parts = 2; Parts <= 8; Parts *= 2) {
    BlockDemand Smaller = Demand;
    Smaller.Threads = Demand.Threads / Parts;
    Smaller.StaticShared = Demand.StaticShared / Parts;
    Smaller.DynamicShared = Demand.DynamicShared / Parts;
    if (Smaller.Threads % 32 == 0 && occupancy(Arch, Smaller).WarpsPerSM >= Now)
      return Smaller.Threads;
  }
  return 0;
}

void LargeBlockBarriers::checkKernel(const KernelModel &K,
                                     FindingSink &Out) const {
  if (K.Traits.LoopBarriers.empty())
    return;
  const Architecture &Arch = *K.Gpu.Arch;
  for (const FittedLaunch &L : K.launchesThatRun()) {
    const LaunchFit &Fit = *L.Fit;
    if (Fit.OnSM.BlocksPerSM != 1 ||
        static_cast<double>(Fit.Demand.Threads) < Out.value(LeastThreads) ||
        Fit.OnSM.isLimitedBy(Limiter::SharedMemory) || !fillsGpu(Fit))
      continue;
    const std::uint64_t Better = betterBlock(Arch, Fit.Demand);
    if (Better == 0)
      continue;
    Finding &F = Out.report(
        K, *L.Where,
        {"lone-block",
         "{launch} has an SM of {gpu} to itself{alike}, so that nothing runs "
         "while its {warps} warps wait at the barriers in a loop (line {line})",
         {{"launch", launchName(K, L)},
          {"gpu", K.Gpu.Name},
          {"alike", alikeNote(L, fillsGpu)},
          {"warps", Fit.OnSM.WarpsPerBlock},
          {"line", K.Traits.LoopBarriers.front().Line}}});
    F.Cause = {std::string(nameOf(Fit.OnSM.limiter())),
               limitInWords(Arch, Fit.Demand, Fit.OnSM, Fit.OnSM.limiter()),
               {}};
    F.Remedy = {"smaller-blocks",
                "blocks of {threads} threads or fewer wait at different times",
                {{"threads", Better}}};
    assumeFullGpu(Fit, F);
  }
}

CUDA_LINT_REGISTER_CHECK(LargeBlockBarriers)

} // namespace cudalint::large_block_barriers
