//===- analyzer/checks/LoneThreadLoop.cpp - One thread works, all wait ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/AccessWords.h"
#include "analyzer/model/LittleCost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace cudalint::lone_thread_loop {
/// Fewer turns than a warp has lanes cost about as much as its shuffles and the
/// barrier behind them.
static constexpr CheckOption LeastTurns = {
    "lone-thread-loop.LeastTurns", WarpSize, 2, 1e9,
    "turns of the loop from which on it is told"};

/// Sums of 256 values took 4 % less time by shuffles on an H200
/// (docs/validation/h200.md).
static constexpr CheckOption WarningTurns = {
    "lone-thread-loop.WarningTurns", 257, 2, 1e9,
    "the same, from which on it is a warning"};

static constexpr CheckOption Options[] = {LeastTurns, WarningTurns};

namespace {

class LoneThreadLoop : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "lone-thread-loop",
      .Level = Maturity::Stable,
      .Default = Severity::Warning,
      .Summary = "finds loops over shared memory that one thread runs alone",
      .Why =
          R"md(After a barrier, `if (threadIdx.x == 0) for (...) sum += s[i];`
lets one lane of one warp load value after value, each load waiting for the one
before, while all other warps of the block have nothing to do. Shuffles add the
32 values of each warp in five steps; one value of each warp is left for shared
memory, with one barrier. A tree in shared memory needs log2(n) steps, each with
a barrier.

Fewer steps are not always less time. Sums of 256 values took on an H200
(`docs/validation/h200.md`; an H100 was 1 to 5 % slower with many blocks):

| | 131,072 blocks | 264 blocks |
|---|--:|--:|
| thread 0 alone | 101.2 us | 6.1 us |
| a tree in shared memory | 146.9 us | 6.0 us |
| shuffles in each warp | 97.7 us | 5.9 us |

With many blocks, the seven warps that end at once make room for other blocks,
and a tree loses (0.69). Shuffles gain 1.04 against thread 0 alone, 1.5 against
the tree and 1.9 against interleaved sums. With few blocks it is the launch
that takes the time. Longer loops were not measured, nor kernels whose other
warps have work left behind the next barrier.)md",
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
  __shared__ float part[8];
  float total = in[blockIdx.x * 256 + threadIdx.x];
  for (int apart = 16; apart > 0; apart /= 2)
    total += __shfl_down_sync(0xffffffff, total, apart);
  if (threadIdx.x % 32 == 0)
    part[threadIdx.x / 32] = total;
  __syncthreads();
  if (threadIdx.x < 32) {
    total = threadIdx.x < 8 ? part[threadIdx.x] : 0;
    for (int apart = 4; apart > 0; apart /= 2)
      total += __shfl_down_sync(0xffffffff, total, apart);
    if (threadIdx.x == 0)
      out[blockIdx.x] = total;
  }
}

void run(float *out, const float *in) {
  sum<<<1024, 256>>>(out, in);
}
)cuda",
      .Limits = R"md(Looks at loads from shared memory in kernels that have a
barrier and run with more than one warp to the block. Silent when the loop has
fewer than 32 turns or an unknown number of them, when a lane of each warp has a
loop of its own, and when other lanes load as often at the same depth of loops:
that may be the same loop, in which one thread has a turn of its own. A note where
the loop takes less than a tenth of the time in which a warp issues what is on the
shortest way through the kernel: by that, loops that turn nobody knows how often
turn a hundred times where a parameter of the kernel decides, else twice, and
those around other loops once.)md",
      .ConfirmedBy = Evidence::ActiveThreadsPerInstruction,
      .Options = Options};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

/// Thread 0 does one thing in each turn of a loop that all threads run: then
/// others work as often, or the address is the same in all turns.
static bool isInSharedLoop(const KernelModel &K, const Access &A) {
  if (A.Samples.size() < 2)
    return true;
  return std::ranges::any_of(K.Accesses, [&](const Access &B) {
    return B.Block == A.Block && B.Place.Loop == A.Place.Loop && B.Predicted &&
           B.Predicted->Lanes > 1 &&
           B.Predicted->Requests == A.Predicted->Requests;
  });
}

/// `s[i] += x` in each turn: nothing is added up over the turns.
static bool isElementwise(const KernelModel &K, const Access &A) {
  return std::ranges::any_of(K.Accesses, [&](const Access &B) {
    return B.Space == MemorySpace::Shared && B.Op == AccessOp::Store &&
           B.Block == A.Block && B.Place.Loop == A.Place.Loop && B.Predicted &&
           B.Predicted->Requests == A.Predicted->Requests &&
           std::ranges::equal(
               B.Samples, A.Samples,
               [](const RequestSample &X, const RequestSample &Y) {
                 return X.ActiveMask == Y.ActiveMask && X.Offset == Y.Offset;
               });
  });
}

static bool hasShuffles(const Architecture &Arch) {
  return Arch.CC >= ComputeCapability{3, 0};
}

/// Shuffles first: with many blocks on an H200, a tree in shared memory took
/// longer than the lone thread, which lets the other warps end at once.
static Phrase remedy(const Architecture &Arch, const Traffic &T, double Values,
                     bool IsElementwise) {
  if (IsElementwise)
    return {"spread-values",
            hasShuffles(Arch)
                ? "let each value be some thread's own, or, where one needs "
                  "the one before it, scan them: with shuffles in each warp, "
                  "then one value of each warp"
                : "let each value be some thread's own, or, where one needs "
                  "the one before it, scan them in a tree",
            {}};
  if (Values <= WarpSize && !T.MoreRequests && hasShuffles(Arch))
    return {
        "add-in-one-warp",
        "if it is a sum, let each lane of one warp take a value, and add by "
        "shuffles",
        {}};
  // A tree halves what is left in each step.
  const char *const Tree = T.MoreRequests
                               ? "which halves the values in each step"
                               : "{steps} steps for {values} values";
  const bool HasShuffles = hasShuffles(Arch);
  return {HasShuffles ? "add-with-shuffles" : "add-in-tree",
          fmt::format(
              fmt::runtime(
                  HasShuffles
                      ? "if it is a sum, add with shuffles in each warp, then "
                        "one value of each warp; a tree in "
                        "shared memory, {}, can take longer "
                        "than the loop when many blocks run"
                      : "if it is a sum, add in a tree, {}"),
              Tree),
          {{"steps", std::ceil(std::log2(Values))}, {"values", Values}}};
}

void LoneThreadLoop::checkKernel(const KernelModel &K, FindingSink &Out) const {
  const bool SeveralShapes = K.hasSeveralShapes();
  if (K.Barriers == 0)
    return;
  // Several loads of one loop are one finding.
  std::set<unsigned> Loops;
  for (const Access *A : K.judgeable(MemorySpace::Shared)) {
    const Traffic &T = *A->Predicted;
    const std::int64_t Threads = A->Block[0] * A->Block[1] * A->Block[2];
    // A request may hold several of the values that the source loads.
    const double Values =
        T.Requests * A->Bytes / static_cast<double>(bytesAsWritten(*A));
    if (A->Op != AccessOp::Load || A->LoopDepth == 0 || T.Lanes != 1 ||
        Values < Out.value(LeastTurns) || T.Warps > 1 || Threads <= 32)
      continue;
    const bool Elementwise = isElementwise(K, *A);
    if (isInSharedLoop(K, *A) || !Loops.insert(A->Place.Loop).second)
      continue;
    const std::string How =
        fmt::format("{{access}} runs {}{{turns}} times in one thread{} while "
                    "the other {{idle_threads}} threads of the block have "
                    "nothing to do{{shape}}",
                    T.MoreRequests ? "at least " : "",
                    Values > T.Requests ? ", for {values} values," : "");
    Finding &F = Out.report(K, *A,
                            {"lone-thread",
                             How,
                             {{"access", name(*A)},
                              {"turns", T.Requests},
                              {"values", Values},
                              {"idle_threads", Threads - 1},
                              {"shape", shapeNote(SeveralShapes, *A)}}});
    F.Remedy = remedy(*K.Gpu.Arch, T, Values, Elementwise);
    if (Values < Out.value(WarningTurns) && !T.MoreRequests)
      F.Level = Severity::Note;
    setMostOfKernel(F, mostOfLoneLoop(K, *A, T.Requests));
    F.Predicted = predicted(Info.ConfirmedBy, *K.Gpu.Arch, T.Lanes, WarpSize);
    F.LanePattern = sectorPattern(*A);
  }
}

CUDA_LINT_REGISTER_CHECK(LoneThreadLoop)

} // namespace cudalint::lone_thread_loop
