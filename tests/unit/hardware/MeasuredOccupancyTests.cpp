//===- tests/unit/hardware/MeasuredOccupancyTests.cpp - By an H200 --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 700 launches on an H200: what the runtime said of each and what the profiler
// counted. kernels/occupancy made the file; docs/validation/occupancy-h200.md
// tells how.
//
//===----------------------------------------------------------------------===//

#include "hardware/Waves.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace MeasuredOccupancyTests {

using namespace cudalint;

static unsigned limit(const Occupancy &O, Limiter Which) {
  return O.Limit[static_cast<unsigned>(Which)];
}

/// What the profiler says of a launch that ran.
static void compareCounters(std::istream &In, const Occupancy &O) {
  double Warps = 0, WavesPerSM = 0;
  unsigned ByWarps = 0, ByBlocks = 0, ByRegisters = 0, ByShared = 0,
           ByBarriers = 0, Config = 0;
  ASSERT_TRUE(In >> Warps >> ByWarps >> ByBlocks >> ByRegisters >> ByShared >>
              ByBarriers >> WavesPerSM >> Config);
  EXPECT_EQ(O.WarpsPerSM, Warps) << "theoretical warps";
  EXPECT_EQ(limit(O, Limiter::Warps), ByWarps);
  EXPECT_EQ(limit(O, Limiter::Blocks), ByBlocks);
  EXPECT_EQ(limit(O, Limiter::Registers), ByRegisters);
  // The profiler divides what the driver set for this launch.
  EXPECT_EQ(Config / O.SharedPerBlock, ByShared);
  EXPECT_GE(Config, O.BlocksPerSM * O.SharedPerBlock);
  // It cuts this one off at the blocks of an SM.
  EXPECT_EQ(std::min(limit(O, Limiter::Barriers), ByBlocks), ByBarriers);
  const auto W = waves(1000, 132, O.BlocksPerSM);
  ASSERT_TRUE(W);
  EXPECT_NEAR(W->Count, WavesPerSM, 0.0051) << "two digits are printed";
}

TEST(MeasuredOccupancy, H200) {
  const std::string Path =
      std::string(CUDA_LINT_TEST_DATA) + "/h200-occupancy.txt";
  std::ifstream In(Path);
  std::string Line;
  ASSERT_TRUE(std::getline(In, Line)) << Path;
  unsigned Launches = 0, Running = 0;
  while (std::getline(In, Line)) {
    SCOPED_TRACE(Line);
    std::istringstream Words(Line);
    BlockDemand D;
    int CarveOut = 0, Error = 0;
    unsigned Blocks = 0;
    ASSERT_TRUE(Words >> D.Threads >> D.Registers >> D.StaticShared >>
                D.DynamicShared >> CarveOut >> D.Barriers >> Error >> Blocks);
    if (CarveOut >= 0)
      D.CarveOut = static_cast<unsigned>(CarveOut);
    const Occupancy O = occupancy(*findArchitecture({9, 0}), D);
    EXPECT_EQ(O.BlocksPerSM, Blocks);
    ++Launches;
    if (Error == 0) {
      compareCounters(Words, O);
      ++Running;
      continue;
    }
    EXPECT_EQ(Error, 701) << "out of resources";
    EXPECT_EQ(O.Failure, LaunchFailure::RegistersPerBlock);
  }
  EXPECT_EQ(Launches, 700u);
  EXPECT_EQ(Running, 550u);
}

} // namespace MeasuredOccupancyTests
