//===- tests/unit/report/SummaryTableTests.cpp - The table of kernels -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/SummaryTable.h"

#include <gmock/gmock.h>

#include <sstream>

using namespace cudalint;
using testing::HasSubstr;
using testing::Not;

static KernelRecord kernel(std::string Signature) {
  KernelRecord K;
  K.Signature = std::move(Signature);
  K.Where = {"a.cu", 4, 1};
  K.Resources = ResourceRecord{.Registers = 48, .SharedBytes = 1024};
  K.StaticSharedBytes = 1024;
  LaunchRecord L;
  L.Where = {"a.cu", 30, 3};
  L.Block = {641, 1, 1};
  L.DynamicSharedBytes = 512;
  L.Occupancy = OccupancyRecord{.BlocksPerSM = 1,
                                .WarpsPerSM = 21,
                                .Limiter = "registers",
                                .Waves = 29.0 / 28};
  K.Launches.push_back(std::move(L));
  return K;
}

static std::string table(KernelRecord K) {
  Document Doc;
  Doc.Target.Name = "gtx-1080-ti";
  Doc.Units.emplace_back().Kernels.push_back(std::move(K));
  return summaryTable(std::span(&Doc, 1));
}

/// The line that begins with \p Start, without its runs of spaces.
static std::string line(const std::string &Text, std::string_view Start) {
  std::istringstream Lines(Text);
  for (std::string Line; std::getline(Lines, Line);) {
    EXPECT_LE(Line.size(), 80u) << Line;
    if (!Line.starts_with(Start))
      continue;
    std::istringstream Words(Line);
    std::string Result;
    for (std::string Word; Words >> Word;)
      Result += (Result.empty() ? "" : " ") + Word;
    return Result;
  }
  return {};
}

TEST(SummaryTable, ALaunchIsARow) {
  const std::string Text = table(kernel("spin(float *, int)"));
  EXPECT_THAT(Text, HasSubstr("Registers and occupancy on gtx-1080-ti\n"));
  EXPECT_EQ(line(Text, "kernel"),
            "kernel line regs shared block blk/SM warps limiter waves");
  EXPECT_EQ(line(Text, "spin"), "spin 30 48 1536 641 1 21 registers 1.04");
  EXPECT_THAT(Text, Not(HasSubstr("assumed")));
}

TEST(SummaryTable, WhatIsNotKnownIsNoNumber) {
  KernelRecord K = kernel("spin(float *, int)");
  K.Resources.reset();
  K.StaticSharedBytes.reset();
  K.Launches[0].Block = {32, std::nullopt, 1};
  K.Launches[0].Occupancy.reset();
  EXPECT_EQ(line(table(K), "spin"), "spin 30 ? ? 32x? ? ? ? ?");
}

TEST(SummaryTable, AnAssumedBlockIsMarked) {
  KernelRecord K = kernel("spin(float *, int)");
  K.Launches[0].Where = {};
  K.Launches[0].Source = LaunchSource::Assumed;
  const std::string Text = table(K);
  EXPECT_THAT(line(Text, "spin"), HasSubstr("spin 4 48 1536 641* 1"));
  EXPECT_THAT(Text, HasSubstr("* no launch was found"));
}

TEST(SummaryTable, ALaunchThatFails) {
  KernelRecord K = kernel("spin(float *, int)");
  K.Launches[0].Occupancy = OccupancyRecord{.BlocksPerSM = 0, .WarpsPerSM = 0};
  EXPECT_THAT(line(table(K), "spin"), HasSubstr("641 0 0 none fits ?"));
}

TEST(SummaryTable, LongAndHostileNamesKeepTheColumns) {
  const std::string Text =
      table(kernel("a_kernel_with_a_long_name<int, float>(float *)"));
  EXPECT_THAT(Text, HasSubstr("a_kernel_with_a_lon~    30   48"));
  EXPECT_THAT(table(kernel("k\x1b[31m(int)")), Not(HasSubstr("\x1b")));
}

TEST(SummaryTable, NoKernelsNoTable) {
  EXPECT_EQ(summaryTable({}), "");
  Document Empty;
  EXPECT_EQ(summaryTable(std::span(&Empty, 1)), "");
}

TEST(SummaryTable, AMissingOptInIsMarked) {
  KernelRecord K = kernel("spin(float *, int)");
  K.Launches[0].DynamicSharedBytes = 64 * 1024;
  const auto tableFor = [&](const char *CC) {
    Document Doc;
    Doc.Target = {.Name = "some", .ComputeCapability = CC, .SMs = {}};
    Doc.Units.emplace_back().Kernels.push_back(K);
    return summaryTable(std::span(&Doc, 1));
  };
  const std::string Text = tableFor("9.0");
  EXPECT_EQ(line(Text, "spin"), "spin 30 48 66560! 641 1 21 registers 1.04");
  EXPECT_THAT(Text, HasSubstr("! more than 48 KB: the launch fails unless "
                              "cudaFuncSetAttribute raises"));
  // There is no opt-in on Pascal: the launch fails, and says so elsewhere.
  EXPECT_THAT(tableFor("6.1"), Not(HasSubstr("!")));
  EXPECT_THAT(tableFor("?"), Not(HasSubstr("!")));
  K.Launches[0].SharedMemoryOptIn = true;
  EXPECT_THAT(tableFor("9.0"), Not(HasSubstr("!")));
}
