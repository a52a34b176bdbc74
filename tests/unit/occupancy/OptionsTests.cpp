//===- tests/unit/occupancy/OptionsTests.cpp - What is understood and what ===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "occupancy/Options.h"

#include <gmock/gmock.h>

namespace OptionsTests {

using namespace cudalint;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

using Words = std::vector<std::string>;

static std::string refusal(const Words &Arguments) {
  ParsedOccupancy Parsed = parseOccupancy(Arguments);
  EXPECT_FALSE(Parsed.Run) << testing::PrintToString(Arguments);
  EXPECT_EQ(Parsed.Code, 2);
  EXPECT_EQ(Parsed.Out, "");
  EXPECT_THAT(Parsed.Err, StartsWith("cuda-lint: error: "));
  return Parsed.Err;
}

static std::string refusalOf(const char *Option, const char *Value) {
  Words Arguments = {"--block=256", "--grid=1"};
  Arguments.push_back(std::string(Option) + "=" + Value);
  return refusal(Arguments);
}

TEST(OccupancyNumbers, Counts) {
  std::string Error;
  EXPECT_EQ(parseCount("0", 0, 9, Error), 0u);
  EXPECT_EQ(parseCount("9", 0, 9, Error), 9u);
  for (const char *Bad : {"", "-1", "+1", "10", "1.5", "1e3", "12abc", " 1",
                          "0x8", "18446744073709551616"})
    EXPECT_EQ(parseCount(Bad, 0, 9, Error), std::nullopt) << Bad;
  EXPECT_THAT(Error, HasSubstr("is too large; use a whole number from 0 to 9"));
}

TEST(OccupancyNumbers, Bytes) {
  std::string Error;
  EXPECT_EQ(parseBytes("36864", Error), 36864u);
  EXPECT_EQ(parseBytes("36K", Error), 36864u);
  EXPECT_EQ(parseBytes("36k", Error), 36864u);
  EXPECT_EQ(parseBytes("36KB", Error), 36864u);
  EXPECT_EQ(parseBytes("36KiB", Error), 36864u);
  EXPECT_EQ(parseBytes("1M", Error), 1048576u);
  EXPECT_EQ(parseBytes("12b", Error), 12u);
  for (const char *Bad : {"", "K", "-1K", "1.5K", "1e99", "3000000K", "36Q",
                          "9223372036854775807M"})
    EXPECT_EQ(parseBytes(Bad, Error), std::nullopt) << Bad;
}

TEST(OccupancyNumbers, Shapes) {
  std::string Error;
  EXPECT_EQ(parseShape("256", Error), (Shape{256, 1, 1}));
  EXPECT_EQ(parseShape("16,8", Error), (Shape{16, 8, 1}));
  EXPECT_EQ(parseShape("16x8x2", Error), (Shape{16, 8, 2}));
  for (const char *Bad : {"", "0", "16,", ",16", "1,2,3,4", "16x-1", "2 x 2",
                          "1e99", "2147483648", "2147483647x2147483647x4"})
    EXPECT_EQ(parseShape(Bad, Error), std::nullopt) << Bad;
}

TEST(OccupancyOptions, AreRead) {
  ParsedOccupancy Parsed = parseOccupancy(
      {"--gpu", "GTX 1080 Ti", "--registers", "48", "--shared", "36K",
       "--dynamic-shared=1K", "--barriers", "2", "--carve-out", "50", "--block",
       "32,20", "--grid", "29", "--format=json", "--output=x.json"});
  ASSERT_TRUE(Parsed.Run) << Parsed.Err;
  const OccupancyOptions &Run = *Parsed.Run;
  ASSERT_EQ(Run.Gpus.size(), 1u);
  EXPECT_EQ(Run.Gpus[0].Name, "gtx-1080-ti");
  EXPECT_EQ(Run.Input.Registers, 48u);
  EXPECT_EQ(Run.Input.StaticShared, 36864u);
  EXPECT_EQ(Run.Input.DynamicShared, 1024u);
  EXPECT_EQ(Run.Input.Barriers, 2u);
  EXPECT_EQ(Run.Input.CarveOut, 50u);
  EXPECT_EQ(Run.Input.Block, (Shape{32, 20, 1}));
  EXPECT_EQ(Run.Input.Grid, (Shape{29, 1, 1}));
  EXPECT_EQ(Run.Format, OccupancyFormat::Json);
  EXPECT_EQ(Run.Output, "x.json");
}

TEST(OccupancyOptions, SMsOfAnArchitecture) {
  ParsedOccupancy Parsed =
      parseOccupancy({"--gpu=sm_61", "--sms=28", "--block=641", "--grid=29"});
  ASSERT_TRUE(Parsed.Run) << Parsed.Err;
  EXPECT_EQ(Parsed.Run->Gpus[0].SMs, 28);
}

TEST(OccupancyOptions, WhatIsNotGivenIsNotKnown) {
  ParsedOccupancy Parsed = parseOccupancy({"--block=256"});
  ASSERT_TRUE(Parsed.Run) << Parsed.Err;
  EXPECT_EQ(Parsed.Run->Input.Registers, std::nullopt);
  EXPECT_EQ(Parsed.Run->Input.Grid, std::nullopt);
}

TEST(OccupancyOptions, FilesAreForTheAnalyzer) {
  EXPECT_TRUE(parseOccupancy({"--gpu=h200", "kernel.cu"}).IsForFiles);
  EXPECT_TRUE(parseOccupancy({"--registers", "48", "a.cu"}).IsForFiles);
  EXPECT_TRUE(parseOccupancy({"--", "-DN=1"}).IsForFiles);
  EXPECT_FALSE(parseOccupancy({"--block=256"}).IsForFiles);
}

TEST(OccupancyOptions, BadNumbersAreRefused) {
  struct {
    const char *Option, *Value, *Fragment;
  } Cases[] = {
      {"--registers", "-1", "--registers '-1' is negative"},
      {"--registers", "0", "--registers '0' is too small"},
      {"--registers", "12abc", "'12abc' is no whole number"},
      {"--registers", "1e99", "'1e99' is no whole number"},
      {"--registers", "99999999999999999999", "is too large"},
      {"--shared", "-36K", "--shared '-36K' is no number of bytes"},
      {"--shared", "36Q", "write 36864 or 36K"},
      {"--dynamic-shared", "1e99", "--dynamic-shared '1e99'"},
      {"--barriers", "-1", "--barriers '-1' is negative"},
      {"--carve-out", "101", "--carve-out '101' is too large"},
      {"--block", "0", "--block '0' is too small"},
      {"--block", "-256", "is negative"},
      {"--block", "1,2,3,4", "'1,2,3,4' has 4 dimensions"},
      {"--grid", "0", "--grid '0' is too small"},
      {"--grid", "2147483647x2147483647x2147483647", "more than 2^63"},
      {"--sms", "0", "--sms '0' is too small"},
      {"--sms", "many", "'many' is no whole number"},
      {"--sweep", "warps", "use block, registers or shared"},
      {"--format", "xml", "use text, json or csv"},
      {"--color", "blue", "use auto, always or never"},
      {"--output", "", "--output"},
      {"--model", "24,1", "say how much with --elements"},
      {"--elements", "0", "--elements '0' is too small"},
  };
  for (const auto &Case : Cases)
    EXPECT_THAT(refusalOf(Case.Option, Case.Value), HasSubstr(Case.Fragment))
        << Case.Option << "=" << Case.Value;
}

TEST(OccupancyOptions, UnknownGpusGetTheNearest) {
  EXPECT_THAT(
      refusal({"--block=256", "--gpu=gtx-1080-tj"}),
      AllOf(HasSubstr("unknown GPU 'gtx-1080-tj'"), HasSubstr("gtx-1080-ti")));
  EXPECT_THAT(refusal({"--block=256", "--gpu=sm_91"}), HasSubstr("sm_90"));
}

TEST(OccupancyOptions, WhatMeansNothingIsRefused) {
  EXPECT_THAT(refusal({}), HasSubstr("how many threads has a block?"));
  EXPECT_THAT(refusal({"--block=256", "--sms=28"}),
              HasSubstr("without --grid"));
  EXPECT_THAT(
      refusal({"--block=256", "--grid=1", "--sms=2", "--gpu=h200", "--gpu=t4"}),
      HasSubstr("--gpu names several"));
  EXPECT_THAT(refusal({"--sweep=registers"}), HasSubstr("--block N"));
  EXPECT_THAT(refusal({"--block=256", "--output=x.svg"}),
              HasSubstr("plot of a sweep"));
  EXPECT_THAT(refusal({"--block=256", "--frobnicate"}),
              HasSubstr("unknown option '--frobnicate'"));
  EXPECT_THAT(refusal({"--rank", "--elements=9", "--gpu=sm_90"}),
              HasSubstr("its SMs with --sms"));
  EXPECT_THAT(refusal({"--rank", "--elements=9", "--gpu=h200", "--model=0,1"}),
              HasSubstr("--model '0,1'"));
  EXPECT_THAT(refusal({"--rank", "--elements=9", "--gpu=h200", "--model=2"}),
              HasSubstr("--model '2'"));
  for (const char *Bad :
       {"1e308,1e308", "1e16,1", "1,1e-13", "inf,1", "nan,nan", "1,nan",
        "1,1,1e308", "1,1,0,inf", "1,1,-1", "1e999,1", "1,1,0,0,0"})
    EXPECT_THAT(refusal({"--rank", "--elements=9", "--gpu=h200",
                         std::string("--model=") + Bad}),
                HasSubstr("each from 1e-12 to 1e+15"))
        << Bad;
  // Control characters of a hostile command line are not sent to the terminal.
  EXPECT_THAT(refusal({"--block=256", "--gpu=\x1b[2J"}), HasSubstr("<U+001B>"));
}

TEST(OccupancyOptions, Help) {
  ParsedOccupancy Parsed = parseOccupancy({"--help"});
  EXPECT_EQ(Parsed.Code, 0);
  EXPECT_FALSE(Parsed.Run);
  EXPECT_THAT(Parsed.Out, HasSubstr("--dynamic-shared BYTES"));
  std::istringstream Lines(Parsed.Out);
  for (std::string Line; std::getline(Lines, Line);)
    EXPECT_LE(Line.size(), 79u) << Line;
}

} // namespace OptionsTests
