//===- analyzer/checks/LoneThreadLoop.cpp - One thread works, all wait ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/AccessWords.h"
#include "analyzer/checks/Check.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

namespace cudalint {
namespace {

class LoneThreadLoop : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "lone-thread-loop",
      .Level = Trust::Stable,
      .Default = Severity::Warning,
      .Summary = "finds loops over shared memory that one thread runs alone",
      .Why =
          R"md(After a barrier, `if (threadIdx.x == 0) for (...) sum += s[i];`
lets one lane of one warp load value after value, each load waiting for the one
before, while all other warps of the block have nothing to do. A tree in shared
memory needs log2(n) steps for the same sum; warp shuffles need no shared memory
for the last five of them.)md",
      .Bad = R"cuda(__global__ void sum(float *out, const float *in) {
  __shared__ float part[256];
  part[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) {
    float total = 0;
    for (int i = 0; i < 256; ++i)
      total += part[i];
    out[blockIdx.x] = total;
  }
}

void run(float *out, const float *in) {
  sum<<<1024, 256>>>(out, in);
}
)cuda",
      .Good = R"cuda(__global__ void sum(float *out, const float *in) {
  __shared__ float part[256];
  part[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = part[0];
}

void run(float *out, const float *in) {
  sum<<<1024, 256>>>(out, in);
}
)cuda",
      .Limits = R"md(Looks at loads from shared memory in kernels that have a
barrier and run with more than one warp to the block. Silent when the loop has
fewer than 8 turns or an unknown number of them, and when a lane of each warp
has a loop of its own.)md",
      .ConfirmedBy = Metric::ActiveThreadsPerInstruction};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

/// Fewer turns than this cost about as much as the steps of a tree.
static constexpr double WorthSaying = 8;

void LoneThreadLoop::checkKernel(const KernelModel &K, FindingSink &Out) const {
  const bool SeveralShapes = K.hasSeveralShapes();
  if (K.Barriers == 0)
    return;
  // Several loads of one loop have the same number of requests: one finding.
  std::set<std::pair<unsigned, double>> Loops;
  for (const Access *A : K.costliestPerPlace(MemorySpace::Shared)) {
    const Traffic &T = *A->Predicted;
    const std::int64_t Threads = A->Block[0] * A->Block[1] * A->Block[2];
    if (A->Op != AccessOp::Load || A->LoopDepth == 0 || T.Lanes != 1 ||
        T.Requests < WorthSaying || T.Warps > 1 || Threads <= 32)
      continue;
    if (!Loops.insert({A->LoopDepth, T.Requests}).second)
      continue;
    // A tree halves what is left in each step.
    const std::string Remedy =
        T.MoreRequests
            ? std::string("add in a tree, which halves the values in each step")
            : fmt::format("add in a tree, {} steps for {} values",
                          number(std::ceil(std::log2(T.Requests))),
                          number(T.Requests));
    Finding &F = Out.report(
        K, *A,
        fmt::format("{} runs {}{} times in one thread while the other {} "
                    "threads of the block have nothing to do{}: {}, or with "
                    "warp shuffles",
                    name(*A), T.MoreRequests ? "at least " : "",
                    number(T.Requests), Threads - 1,
                    shapeNote(SeveralShapes, *A), Remedy));
    F.Predicted = Prediction{"active_lanes_per_warp", T.Lanes, 32.0};
    F.LanePattern = sectorPattern(*A);
  }
}

CUDA_LINT_REGISTER_CHECK(LoneThreadLoop)

} // namespace cudalint
