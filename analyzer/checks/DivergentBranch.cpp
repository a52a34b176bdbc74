//===- analyzer/checks/DivergentBranch.cpp - Warps on both sides ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "analyzer/model/Thresholds.h"

#include <algorithm>
#include <cmath>

namespace cudalint::divergent_branch {
static constexpr CheckOption LeastPercent = {
    "divergent-branch.LeastPercent", 1, 0, 100,
    "per cent of the kernel's issue slots, lost, from which on it is told"};

static constexpr CheckOption WarningPercent = {
    "divergent-branch.WarningPercent", 10, 0, 100,
    "the same, from which on it is a warning"};

static constexpr CheckOption Options[] = {LeastPercent, WarningPercent};

namespace {

class DivergentBranches : public Check {
public:
  static constexpr CheckInfo Info = {
      .Name = "divergent-branch",
      .Level = Maturity::Stable,
      .Default = Severity::Note,
      .Summary = "finds branches of which the lanes of a warp take both sides",
      .Why = R"md(A warp has one instruction at a time for all of its lanes.
Where some lanes take one side of a branch and others the other, it issues the
instructions of both, one after the other, each with the other lanes idle.
`if (threadIdx.x % 2)` makes every warp do so. If all 32 lanes of a warp go the
same way, as by `if (threadIdx.x / 32 % 2)`, just as many threads take each side
and each warp issues one of them.

Which thread takes which side is often a matter of numbering: what threads work
on can be numbered anew, so that those that do the same are neighbours; or each
thread takes one of each kind, and there is no branch. What neighbouring lanes
load and store should be neighbours then, too.

On an H100, a kernel that loads and stores a value and does so many instructions
on either side, where lanes part or whole warps do (`kernels/costs`). Where it
waits for memory, hardly anything is lost:

| instructions of a side | times | by lane | by warp |
|--:|--:|--:|--:|
| 8 | 1 | 70 us | 69 us |
| 128 | 1 | 170 us | 112 us |
| 8 | 1024 | 231 us | 133 us |
| 32 | 1024 | 690 us | 378 us |
| 128 | 1024 | 2.35 ms | 1.22 ms |)md",
      .Bad = R"cuda(__global__ void filter(float *out, const float *in) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float x = in[i];
  if (threadIdx.x % 2 == 0) {
    for (int k = 0; k < 16; ++k)
      x = x * x + 0.5f;
  } else {
    for (int k = 0; k < 16; ++k)
      x = 1 - x * 0.25f;
  }
  out[i] = x;
}

void run(float *out, const float *in) {
  filter<<<2048, 256>>>(out, in);
}
)cuda",
      .Good = R"cuda(// Each thread has one of each kind.
__global__ void filter(float2 *out, const float2 *in) {
  int i = blockIdx.x * 256 + threadIdx.x;
  float2 pair = in[i];
  for (int k = 0; k < 16; ++k)
    pair.x = pair.x * pair.x + 0.5f;
  for (int k = 0; k < 16; ++k)
    pair.y = 1 - pair.y * 0.25f;
  out[i] = pair;
}

void run(float2 *out, const float2 *in) {
  filter<<<1024, 256>>>(out, in);
}
)cuda",
      .Limits =
          R"md(Speaks of launched blocks and of conditions that are known for
each lane: what is loaded decides about none of them. Each of two sides has a
dozen instructions or more that whoever is on it comes to in any case, and two
lanes or more; at half of the visits of the branch or more, lanes part; and what
is lost is 1 % of the issue slots of the kernel or more. Instructions are those
of LLVM's code: about as many as the machine has. A loop of which it is not known
how often it turns counts as one turn. Silent about sides with barriers or
shuffles, and where a branch leaves a loop. How much of the time a kernel issues
instructions at all is not looked at: one that waits for memory loses less.)md",
      .ConfirmedBy = Evidence::ActiveThreadsPerInstruction,
      .Options = Options};
  const CheckInfo &info() const override { return Info; }
  void checkKernel(const KernelModel &K, FindingSink &Out) const override;
};

} // namespace

static bool isWorthSaying(const DivergentBranch &B, double Least) {
  return B.Parting >= threshold::MostWarps && B.LostOfKernel >= Least &&
         std::ranges::none_of(B.Sides, [](const DivergentBranch::Side &S) {
           return S.Lanes < threshold::LanesOfSide;
         });
}

static double sumOf(const DivergentBranch &B) {
  double Sum = 0;
  for (const DivergentBranch::Side &S : B.Sides)
    Sum += S.Instructions;
  return Sum;
}

/// What is said of two sides, or of more.
static Phrase whatOf(const DivergentBranch &B) {
  const double Lost = std::round(100 * (1 - B.Needed / B.Issued));
  if (B.Sides.size() == 2)
    return {"both-sides",
            "{lanes lane} of a warp take one side and {other_lanes} the other, "
            "of {about} {instructions} and {other_instructions} instructions, "
            "which loses {lost} % of their issue slots",
            {{"lanes", B.Sides[0].Lanes},
             {"other_lanes", B.Sides[1].Lanes},
             {"about", B.IsAtLeast ? "at least" : "about"},
             {"instructions", std::round(B.Sides[0].Instructions)},
             {"other_instructions", std::round(B.Sides[1].Instructions)},
             {"lost", Lost}}};
  return {"several-sides",
          "the lanes of a warp take {sides} sides of {about} {issued} "
          "instructions together, which loses {lost} % of their issue slots",
          {{"sides", B.Sides.size()},
           {"about", B.IsAtLeast ? "at least" : "about"},
           {"issued", std::round(sumOf(B))},
           {"lost", Lost}}};
}

void DivergentBranches::checkKernel(const KernelModel &K,
                                    FindingSink &Out) const {
  for (const DivergentBranch &B : K.DivergentBranches) {
    if (!isWorthSaying(B, Out.value(LeastPercent) / 100))
      continue;
    Finding &F = Out.report(K, B.Place, SubjectKind::Call, "branch", whatOf(B));
    F.Cause = {"lanes-part",
               "a warp issues {issued}, one that agrees {agreed} at most",
               {{"issued", std::round(sumOf(B))},
                {"agreed", std::round(std::ranges::max_element(
                                          B.Sides, {},
                                          &DivergentBranch::Side::Instructions)
                                          ->Instructions)}}};
    // Whether threads may be numbered anew, the program knows.
    F.Remedy = {"agree-by-warp",
                "let the 32 lanes of a warp agree, as by '(threadIdx.x / 32) % "
                "2', or give each thread one element of each kind, which takes "
                "no branch: which thread takes which side is often a matter of "
                "numbering",
                {}};
    F.Trust = Certainty::Assumed;
    F.Assumptions = {"issuing instructions takes a good part of its time"};
    const bool AreLong =
        std::ranges::all_of(B.Sides, [](const DivergentBranch::Side &S) {
          return S.Instructions >= threshold::LongSide;
        });
    if (AreLong && 100 * B.LostOfKernel >= Out.value(WarningPercent))
      F.Level = Severity::Warning;
  }
}

CUDA_LINT_REGISTER_CHECK(DivergentBranches)

} // namespace cudalint::divergent_branch
