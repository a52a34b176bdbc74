//===- tests/unit/occupancy/TableTests.cpp - The table of launches --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "occupancy/Reports.h"
#include "report/Names.h"

#include <gmock/gmock.h>

#include <set>
#include <sstream>

namespace TableTests {

using namespace cudalint;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

static LaunchInput launch(std::string Kernel) {
  return {.Kernel = std::move(Kernel),
          .Where = {"a.cu", 30, 3},
          .Block = Shape{641, 1, 1},
          .Grid = Shape{29, 1, 1},
          .Registers = 48,
          .StaticShared = 1024,
          .DynamicShared = 512};
}

static std::string table(const std::vector<LaunchInput> &Inputs,
                         const char *Gpu = "gtx-1080-ti", unsigned Width = 0) {
  std::vector<LaunchFigures> All;
  for (const LaunchInput &Input : Inputs)
    All.push_back(figuresOf(*parseTarget(Gpu), Input));
  return occupancyTable(All, Width);
}

/// The first line that begins with \p Start, without its runs of spaces.
static std::string line(const std::string &Text, std::string_view Start) {
  std::istringstream Lines(Text);
  for (std::string Line; std::getline(Lines, Line);) {
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

TEST(LaunchTable, ALaunchIsARow) {
  const std::string Text = table({launch("spin(float *, int)")});
  EXPECT_EQ(line(Text, "kernel"),
            "kernel launch grid block regs shared blocks warps of most limit "
            "waves rounds tail");
  // 29 blocks, one on each of 28 SMs: the second round has 27 places left.
  EXPECT_EQ(line(Text, "spin"), "spin a.cu:30 29 641 48 1536 1 21 32.8 % "
                                "registers 1.04 2 48.2 %");
  EXPECT_THAT(Text, Not(HasSubstr("assumed")));
  EXPECT_THAT(Text, Not(HasSubstr("at most")));
}

// 1 of 28 places is 0.04; of 28 x 32, less than two figures can say.
TEST(LaunchTable, AFewBlocksAreNotZeroWaves) {
  LaunchInput Input = launch("spin(float *, int)");
  Input.Grid = Shape{1, 1, 1};
  EXPECT_THAT(line(table({Input}), "spin"), HasSubstr(" 0.04 1 "));
  Input.Block = Shape{32, 1, 1};
  EXPECT_THAT(line(table({Input}), "spin"), HasSubstr(" <0.01 1 "));
}

TEST(LaunchTable, WhatIsNotKnownIsNoNumber) {
  LaunchInput Input = launch("spin(float *, int)");
  Input.Registers.reset();
  Input.StaticShared.reset();
  std::string Text = table({Input});
  EXPECT_EQ(line(Text, "spin"),
            "spin a.cu:30 29 641 - - <=3 <=63 <=98.4 % - - - -");
  EXPECT_THAT(Text, HasSubstr("<= at most"));
  Input.Block.reset();
  EXPECT_EQ(line(table({Input}), "spin"),
            "spin a.cu:30 29 - - - - - - - - - -");
}

TEST(LaunchTable, AnAssumedBlockIsMarked) {
  LaunchInput Input = launch("spin(float *, int)");
  Input.BlockIsAssumed = true;
  const std::string Text = table({Input});
  EXPECT_THAT(line(Text, "spin"), HasSubstr(" 641* 48 "));
  EXPECT_THAT(Text, HasSubstr("* this block is assumed"));
}

TEST(LaunchTable, ALaunchThatFails) {
  LaunchInput Input = launch("spin(float *, int)");
  Input.Block = Shape{2048, 1, 1};
  EXPECT_THAT(line(table({Input}), "spin"),
              HasSubstr(" 2048 48 1536 0 - - fails - - -"));
}

TEST(LaunchTable, NamesAreCutInTheirMiddleOnATerminal) {
  std::vector<LaunchInput> Inputs;
  for (int I = 0; I != 30; ++I)
    Inputs.push_back(launch("a_namespace_of_some_length::kernel_number_" +
                            std::to_string(I) + "_of_a_family(float *)"));
  const std::string Whole = table(Inputs);
  for (const LaunchInput &Input : Inputs)
    EXPECT_THAT(Whole,
                HasSubstr(std::string(withoutParameters(Input.Kernel)) + " "));
  for (unsigned Width : {40, 60, 80}) {
    std::istringstream Lines(table(Inputs, "gtx-1080-ti", Width));
    std::set<std::string> Names;
    std::string Line;
    std::getline(Lines, Line);
    for (int I = 0; I != 30; ++I) {
      std::getline(Lines, Line);
      EXPECT_THAT(Line, StartsWith("a_"));
      EXPECT_LE(Line.size(), std::max(Width, 64u)) << Line;
      Names.insert(Line.substr(0, Line.find(' ')));
    }
    EXPECT_EQ(Names.size(), 30u) << Width;
  }
}

TEST(LaunchTable, HostileNamesAreHarmless) {
  EXPECT_THAT(table({launch("k\x1b[31m(int)")}), Not(HasSubstr("\x1b")));
  std::string Wide = table({launch("k\x1b[31m(int)")}, "h200", 20);
  EXPECT_THAT(Wide, Not(HasSubstr("\x1b")));
}

TEST(LaunchTable, AMissingOptInIsMarked) {
  LaunchInput Input = launch("spin(float *, int)");
  Input.DynamicShared = 64 * 1024;
  const std::string Text = table({Input}, "h200");
  EXPECT_THAT(line(Text, "spin"), HasSubstr(" 48 66560! 1 21 "));
  EXPECT_THAT(Text, HasSubstr("! more than 48 KB: the launch fails unless "
                              "cudaFuncSetAttribute raises"));
  // There is no opt-in on Pascal: the launch fails.
  EXPECT_THAT(table({Input}), Not(HasSubstr("!")));
  EXPECT_THAT(table({Input}), HasSubstr("fails"));
  Input.SharedMemoryOptIn = true;
  EXPECT_THAT(table({Input}, "h200"), Not(HasSubstr("!")));
}

} // namespace TableTests
