//===- tests/unit/runtime/join/StallsTests.cpp - Samples added up ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/Measurement.h"

#include <gmock/gmock.h>

namespace StallsTests {

using namespace cudalint;
using testing::SizeIs;

/// What a run for stalls leaves: ten samples of one reason.
static Profile sampled(std::vector<std::string> Reasons, unsigned Device = 0) {
  Profile Out = {.IsExtra = true,
                 .Devices = {{.Index = Device,
                              .Name = "NVIDIA H200",
                              .ComputeCapability = "9.0",
                              .SMs = 132}},
                 .StallReasons = std::move(Reasons)};
  Out.Sampling = {{.Device = Device,
                   .PeriodCycles = 1024,
                   .Samples = 12,
                   .Dropped = 1,
                   .Others = 1}};
  Out.Stalls = {{.Kernel = "f",
                 .Device = Device,
                 .File = "a.cu",
                 .Line = 3,
                 .Reasons = {{.Reason = 0, .Samples = 10, .NotIssued = 4}}}};
  return Out;
}

static const ReasonCount &reason(const SampledLine &Line,
                                 const std::string &Name) {
  for (const ReasonCount &Each : Line.Reasons)
    if (Each.Name == Name)
      return Each;
  static const ReasonCount None;
  ADD_FAILURE() << "no " << Name;
  return None;
}

TEST(Stalls, ProcessesAndGpusAddUpByTheNameOfTheReason) {
  // Each numbers its reasons as they came.
  Profile All[] = {sampled({"wait"}), sampled({"membar", "wait"}, 1),
                   sampled({"wait"})};
  All[1].Stalls[0].Reasons.push_back({.Reason = 1, .Samples = 5});
  All[2].Stalls[0].Line = 4;
  All[2].Sampling[0].PeriodCycles = 2048;
  const Measurement Out = merge(All);
  ASSERT_THAT(Out.Gpus, SizeIs(1));
  ASSERT_THAT(Out.Gpus[0].Kernels, SizeIs(1));
  const std::vector<SampledLine> &Lines = Out.Gpus[0].Kernels[0].Sampled;
  ASSERT_THAT(Lines, SizeIs(2));
  EXPECT_EQ(Lines[0].File, "a.cu");
  EXPECT_EQ(Lines[0].Line, 3u);
  EXPECT_EQ(reason(Lines[0], "wait").Samples, 15u);
  EXPECT_EQ(reason(Lines[0], "wait").NotIssued, 4u);
  EXPECT_EQ(reason(Lines[0], "membar").Samples, 10u);
  EXPECT_EQ(Lines[1].Line, 4u);
  ASSERT_TRUE(Out.Gpus[0].Sampling);
  EXPECT_EQ(Out.Gpus[0].Sampling->Samples, 36u);
  EXPECT_EQ(Out.Gpus[0].Sampling->Dropped, 3u);
  EXPECT_EQ(Out.Gpus[0].Sampling->Others, 3u);
  EXPECT_EQ(Out.Gpus[0].Sampling->LeastPeriod, 1024u);
  EXPECT_EQ(Out.Gpus[0].Sampling->MostPeriod, 2048u);
}

TEST(Stalls, TheRunForThemCountsNoLaunchAgain) {
  Profile Counted = sampled({});
  Counted.IsExtra = false;
  Counted.HasCounters = true;
  Counted.Stalls.clear();
  Counted.Sampling.clear();
  Counted.Kernels = {{.Kernel = "f", .Launches = 3, .MeasuredLaunches = 3}};
  Profile Sampled = sampled({"wait"});
  Sampled.Kernels = {{.Kernel = "f", .Launches = 3}};
  const Profile Both[] = {Counted, Sampled};
  const Measurement Out = merge(Both);
  EXPECT_EQ(Out.Gpus[0].Kernels[0].Launches, 3u);
  EXPECT_THAT(Out.Gpus[0].Kernels[0].Sampled, SizeIs(1));
  // Without it nothing is said to be sampled.
  const Measurement Without = merge({&Counted, 1});
  EXPECT_FALSE(Without.Gpus[0].Sampling);
  EXPECT_THAT(Without.Gpus[0].Kernels[0].Sampled, SizeIs(0));
}

TEST(Stalls, SumsStayAtTheLargestNumber) {
  Profile All[] = {sampled({"wait"}), sampled({"wait"})};
  All[0].Stalls[0].Reasons[0].Samples = UINT64_MAX;
  All[0].Sampling[0].Samples = UINT64_MAX;
  // A device that is not listed.
  All[1].Sampling[0].Device = 7;
  All[1].Stalls[0].Device = 0;
  const Measurement Out = merge(All);
  EXPECT_EQ(Out.Gpus[0].Kernels[0].Sampled[0].Reasons[0].Samples, UINT64_MAX);
  EXPECT_EQ(Out.Gpus[0].Sampling->Samples, UINT64_MAX);
}

} // namespace StallsTests
