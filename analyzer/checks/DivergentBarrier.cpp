//===- analyzer/checks/DivergentBarrier.cpp - Who misses a barrier --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/AccessWords.h"
#include "report/ExtentWords.h"

#include <fmt/format.h>

namespace cudalint::divergent_barrier {
namespace {

class DivergentBarriers : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "divergent-barrier",
      .Level = Maturity::Stable,
      .Default = Severity::Error,
      .Summary = "finds barriers that threads of a block reach differently",
      .Why =
          R"md(`__syncthreads()` lets a thread go on when all threads of its
block that have not ended wait at a barrier. In conditional code it is allowed
only if the condition is the same for the whole block: otherwise, says the CUDA
programming guide, "the code execution is likely to hang or produce unintended
side effects".

The side effects are worse than the hang. Threads that go around a barrier stop
at the next one, wherever that is, and release those that wait at the first:
from there on the two halves of the block are one barrier apart, and what is
read behind each of them may not be written yet. On an H100, a loop with a
barrier that each thread leaves after another number of turns hung; threads 0 to
15 at a barrier of their own, with another one behind it, went on with wrong
data now and then, and `compute-sanitizer --tool synccheck` reported both.

Put the condition around the work and leave the barrier outside of it, so that
all threads of the block run into the same one.)md",
      .Bad = R"cuda(__global__ void sum(float *out, const float *in) {
  __shared__ float part[256];
  part[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2)
    if (threadIdx.x < half) {
      part[threadIdx.x] += part[threadIdx.x + half];
      __syncthreads();
    }
  out[blockIdx.x * 256 + threadIdx.x] = part[0];
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
  out[blockIdx.x * 256 + threadIdx.x] = part[0];
}

void run(float *out, const float *in) {
  sum<<<1024, 256>>>(out, in);
}
)cuda",
      .Limits = R"md(Speaks only of blocks that are launched, and only where the
values of the launch prove it: silent where loaded data or an argument that is
not known decides who arrives. A thread that has ended is not waited for from
compute capability 7.0 on, so `if (i >= n) return;` before a barrier is no
fault, nor is a condition around all that is left of the kernel. Silent, too,
where warps wait equally often at different barriers, as those with different
roles do, and in kernels with named barriers, barriers in inline PTX or calls
that are not inlined.)md"};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

/// `in blocks of 256`, with which block where it is not any of them.
static std::string blocksInWords(const DivergentBarrier &D) {
  const std::string Shape = shape(D.Block);
  return D.InLastBlock
             ? fmt::format("in the last block of the grid, of {} threads",
                           Shape)
             : fmt::format("in blocks of {}", Shape);
}

/// Who arrives and who does not.
static Phrase arrivals(const DivergentBarrier &D) {
  if (D.LanesOfWarp)
    return {"parts-warp",
            "{lanes} of the {warp_lanes} lanes of a warp reach this barrier "
            "and the others go on without it {blocks}",
            {{"lanes", D.Lanes},
             {"warp_lanes", D.LanesOfWarp},
             {"blocks", blocksInWords(D)}}};
  return {"parts-block",
          "thread {arrives} waits here and thread {missing} does not {blocks}: "
          "they meet at the barrier of line {line} after {before} and "
          "{before_other} barriers",
          {{"arrives", D.Arrives},
           {"missing", D.Missing},
           {"blocks", blocksInWords(D)},
           {"line", D.Meeting.Line},
           {"before", D.BarriersOfArriving},
           {"before_other", D.BarriersOfMissing}}};
}

void DivergentBarriers::checkKernel(const KernelModel &K,
                                    FindingSink &Out) const {
  for (const DivergentBarrier &D : K.DivergentBarriers) {
    Finding &F =
        Out.report(K, D.Place, SubjectKind::Call, "__syncthreads", arrivals(D));
    if (D.Branch.Line)
      F.Cause = {"branch-parts",
                 "the branch in line {branch_line} parts thread {arrives} from "
                 "thread {missing}",
                 {{"branch_line", D.Branch.Line},
                  {"arrives", D.Arrives},
                  {"missing", D.Missing}}};
    F.Remedy = {"common-barrier",
                "move the barrier to where all threads of the block come",
                {}};
    F.Trust = Certainty::Exact;
  }
}

CUDA_LINT_REGISTER_CHECK(DivergentBarriers)

} // namespace cudalint::divergent_barrier
