//===- tests/unit/runtime/join/MeasurementTests.cpp - Adding profiles up --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/Measurement.h"

#include "Examples.h"

#include <gmock/gmock.h>

namespace MeasurementTests {

using namespace cudalint;
using testing::IsEmpty;

TEST(Measurement, NoProfilesMeasureNothing) {
  Measurement M = merge({});
  EXPECT_THAT(M.Gpus, IsEmpty());
  EXPECT_FALSE(M.HasCounters);
}

TEST(Measurement, AddsTheProcessesUp) {
  Profile Two[] = {profile({measured(14, 49152, 16384)}),
                   profile({measured(14, 49152, 16384)})};
  Measurement M = merge(Two);
  ASSERT_EQ(M.Gpus.size(), 1u);
  ASSERT_EQ(M.Gpus[0].Kernels.size(), 1u);
  const MeasuredKernel &Kernel = M.Gpus[0].Kernels[0];
  EXPECT_EQ(Kernel.Launches, 2u);
  ASSERT_EQ(Kernel.Lines.size(), 1u);
  EXPECT_EQ(Kernel.Lines[0].Sectors, 98304u);
  EXPECT_EQ(Kernel.Lines[0].Requests, 8192u);
  EXPECT_FALSE(Kernel.Lines[0].Wavefronts.has_value());
  ASSERT_EQ(Kernel.Launched.size(), 1u);
  EXPECT_EQ(Kernel.Launched[0].Number, 2u);
}

TEST(Measurement, EqualGpusAreOneKindOthersAreNot) {
  Profile P = profile({measured(14, 49152, 16384)});
  P.Devices.push_back({.Index = 1,
                       .Name = "NVIDIA H200",
                       .ComputeCapability = "9.0",
                       .SMs = 132});
  P.Devices.push_back({.Index = 2,
                       .Name = "NVIDIA A100",
                       .ComputeCapability = "8.0",
                       .SMs = 108});
  P.Kernels.push_back({Func, 1, 1, 1, true});
  P.Kernels.push_back({Func, 2, 5, 5, true});
  Measurement M = merge(std::span(&P, 1));
  ASSERT_EQ(M.Gpus.size(), 2u);
  EXPECT_EQ(M.Gpus[0].ComputeCapability, "8.0");
  EXPECT_EQ(M.Gpus[0].Kernels.at(0).Launches, 5u);
  EXPECT_EQ(M.Gpus[1].Devices, 2u);
  EXPECT_EQ(M.Gpus[1].Kernels.at(0).Launches, 2u);
}

TEST(Measurement, WhatOneProcessDoesNotKnowTheSumDoesNotKnow) {
  ProfileLine Blind = measured(14, 0, 0);
  Blind.Sectors = std::nullopt;
  Profile P = profile({measured(14, 49152, 16384), Blind});
  CountedLine Line =
      merge(std::span(&P, 1)).Gpus.at(0).Kernels.at(0).Lines.at(0);
  EXPECT_FALSE(Line.Sectors.has_value());
  EXPECT_EQ(Line.IdealSectors, 16384u);
}

TEST(Measurement, InstructionsOfSeveralProcessesAreAddedUp) {
  ProfileInstruction Load = instruction(128, measured(14, 49152, 16384));
  ProfileInstruction Idle = instruction(256, measured(15, 0, 0), 16);
  Idle.Counts = {.Space = MemorySpace::Global, .Op = AccessOp::Load};
  Profile Two[] = {profileOf({Load, Idle}), profileOf({Load})};
  Measurement M = merge(Two);
  const MeasuredKernel &Kernel = M.Gpus.at(0).Kernels.at(0);
  EXPECT_TRUE(Kernel.HasCode);
  EXPECT_FALSE(Kernel.CallsOthers);
  ASSERT_EQ(Kernel.Instructions.size(), 2u);
  EXPECT_EQ(Kernel.Instructions[0].Counts.Sectors, 98304u);
  EXPECT_EQ(Kernel.Instructions[0].Bytes, 4u);
  EXPECT_EQ(Kernel.Instructions[0].Where->File, "/build/src/vec3d.cu");
  EXPECT_EQ(Kernel.Instructions[0].Where->Line, 14u);
  EXPECT_FALSE(Kernel.Instructions[1].Counts.Requests.has_value());
  EXPECT_FALSE(Kernel.Instructions[1].hasRun());
  // One has a record of it where the other has none.
  Idle.Counts.Requests = 7;
  Two[1].Code[0].Instructions.push_back(Idle);
  EXPECT_EQ(merge(Two).Gpus.at(0).Kernels.at(0).Instructions[1].Counts.Requests,
            7u);
  // Another width is other code.
  Two[1].Code[0].Instructions[0].Bytes = 8;
  EXPECT_EQ(merge(Two).Gpus.at(0).Kernels.at(0).Instructions.size(), 3u);
  // What one of them does not have, is not known.
  Two[1].Code.clear();
  EXPECT_FALSE(merge(Two).Gpus.at(0).Kernels.at(0).HasCode);
  // If it counted nothing, it has nothing to say.
  Two[1].Kernels[0].MeasuredLaunches = 0;
  EXPECT_TRUE(merge(Two).Gpus.at(0).Kernels.at(0).HasCode);
}

TEST(Measurement, SumsStayAtTheLargestNumber) {
  Profile P = profile({measured(14, UINT64_MAX, 1), measured(14, 2, 1)});
  EXPECT_EQ(
      merge(std::span(&P, 1)).Gpus.at(0).Kernels.at(0).Lines.at(0).Sectors,
      UINT64_MAX);
}

/// A process of several that were started together.
static Profile rank(unsigned Rank, const char *Host, const char *Uuid) {
  Profile P = profile({measured(14, 49152, 16384)});
  P.Host = Host;
  P.Rank = Rank;
  P.Ranks = 4;
  P.Devices[0].Uuid = Uuid;
  return P;
}

TEST(Measurement, EachGpuHasAPart) {
  // Two GPUs of one machine, one of which two processes use, and one of another
  // machine, whose numbers begin at 0 again.
  const Profile All[] = {rank(0, "a", "GPU-1"), rank(3, "a", "GPU-1"),
                         rank(1, "a", "GPU-2"), rank(2, "b", "GPU-3")};
  const Measurement Sum = merge(All);
  ASSERT_EQ(Sum.Gpus.size(), 1u);
  const MeasuredGpu &Gpu = Sum.Gpus[0];
  EXPECT_EQ(Gpu.Devices, 3u);
  ASSERT_EQ(Gpu.Parts.size(), 3u);
  const std::uint64_t Requests = 4096;
  EXPECT_EQ(Gpu.Parts[0].Processes, 2u);
  EXPECT_EQ(Gpu.Parts[0].Ranks, (std::vector<unsigned>{0, 3}));
  EXPECT_EQ(Gpu.Parts[0].Requests, 2 * Requests);
  EXPECT_EQ(Gpu.Parts[2].Host, "b");
  EXPECT_EQ(Gpu.Parts[2].Requests, Requests);
  // Nothing is in two of them, or in none.
  std::uint64_t Launches = 0;
  for (const MeasuredDevice &Each : Gpu.Parts)
    Launches += Each.Launches;
  EXPECT_EQ(Launches, Gpu.Kernels.at(0).Launches);
  EXPECT_EQ(Gpu.Kernels[0].Lines.at(0).Requests, 4 * Requests);
  EXPECT_TRUE(Sum.Problems.empty());
}

TEST(Measurement, ARankThatIsMissingIsALoss) {
  const Profile Three[] = {rank(0, "a", "1"), rank(1, "a", "1"),
                           rank(3, "a", "1")};
  const std::vector<ProfileProblem> Problems = merge(Three).Problems;
  ASSERT_EQ(Problems.size(), 1u);
  EXPECT_EQ(Problems[0].Kind, "ranks-missing");
  EXPECT_TRUE(Problems[0].IsLoss);
  // One alone is measured alone.
  EXPECT_TRUE(merge(std::span(Three).first(1)).Problems.empty());
}

TEST(Measurement, AProblemIsSaidOnce) {
  Profile Two[] = {profile({}), profile({})};
  for (Profile &P : Two)
    P.Problems = {{"insufficient-privileges", "ask for them"}};
  EXPECT_EQ(merge(Two).Problems.size(), 1u);
}

TEST(Measurement, TimesOfEqualLaunchesAreTakenTogether) {
  Profile Two[] = {profile({}), profile({})};
  Two[0].Launches[0].Duration = ProfileDuration{1, 2, 9, {1, 2, 9}};
  Two[1].Launches[0].Duration = ProfileDuration{3, 4, 5, {3, 4}};
  ProfileDuration D =
      *merge(Two).Gpus.at(0).Kernels.at(0).Launched.at(0).Duration;
  EXPECT_EQ(D.Min, 1);
  EXPECT_EQ(D.Median, 3); // of 1 2 3 4 9
  EXPECT_EQ(D.Max, 9);
}

TEST(Measurement, OccupancyOfSeveralProcessesIsWeighted) {
  Profile Three[] = {profile({}), profile({}), profile({})};
  for (int I : {1, 2}) {
    Three[I].IsExtra = true;
    ProfileLaunch &Launch = Three[I].Launches[0];
    Launch.Ranged = I == 1 ? 1 : 3;
    Launch.Achieved = I == 1 ? 0.25 : 0.75;
    Launch.DramBytes = 100;
    Launch.L2Sectors = 8;
    Launch.L2Share = I == 1 ? 0.5 : 0.25;
  }
  Measurement M = merge(Three);
  const ProfileLaunch &Launch = M.Gpus.at(0).Kernels.at(0).Launched.at(0);
  EXPECT_EQ(Launch.Number, 1u);
  EXPECT_EQ(Launch.Ranged, 4u);
  EXPECT_EQ(Launch.Achieved, 0.625);
  EXPECT_EQ(Launch.DramBytes, 200u);
  EXPECT_EQ(Launch.L2Sectors, 16u);
  EXPECT_EQ(Launch.L2Share, 0.3125);
  Three[2].Launches[0].L2Share.reset();
  M = merge(Three);
  EXPECT_FALSE(M.Gpus.at(0).Kernels.at(0).Launched.at(0).L2Share);
}

TEST(Measurement, AKernelOfAnUnlistedDeviceIsKept) {
  Profile P = profile({});
  P.Devices.clear();
  Measurement M = merge(std::span(&P, 1));
  ASSERT_EQ(M.Gpus.size(), 1u);
  EXPECT_EQ(M.Gpus[0].ComputeCapability, "");
  EXPECT_EQ(M.Gpus[0].Kernels.size(), 1u);
}

} // namespace MeasurementTests
