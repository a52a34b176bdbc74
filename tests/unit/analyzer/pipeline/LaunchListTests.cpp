//===- tests/unit/analyzer/pipeline/LaunchListTests.cpp - Tests -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/LaunchList.h"

#include "tests/unit/report/JsonMutator.h"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>

namespace LaunchListTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

static LaunchList parse(const std::string &Text) {
  LaunchListRead Read = parseLaunchList(Text);
  EXPECT_EQ(Read.Error, "") << Text;
  return std::move(Read.Value);
}

static std::string errorOf(const std::string &Text) {
  LaunchListRead Read = parseLaunchList(Text);
  EXPECT_THAT(Read.Value.Kernels, IsEmpty()) << Text;
  return Read.Error;
}

/// Of a list with this launch of kernel k.
static std::string errorOfLaunch(const std::string &Members) {
  return errorOf(R"([{"kernel": "k", )" + Members + "}]");
}

static ListedShape shapeOf(const std::string &Members) {
  LaunchList List = parse(R"([{"kernel": "k", )" + Members + "}]");
  if (List.Kernels.size() != 1 || List.Kernels[0].Launches.size() != 1) {
    ADD_FAILURE() << Members;
    return {};
  }
  return List.Kernels[0].Launches[0].Shape;
}

//===----------------------------------------------------------------------===//
// What is read
//===----------------------------------------------------------------------===//

TEST(LaunchList, AListAlone) {
  LaunchList List = parse(R"json([
    {"kernel": "k(int *, int)", "grid": [64, 2], "block": [32, 8, 1],
     "dynamic_shared_bytes": 4096, "arguments": [null, -7, true, 0.5]},
    {"kernel": "m", "block": 256}])json");
  ASSERT_EQ(List.Kernels.size(), 2U);
  EXPECT_EQ(List.Kernels[0].Name, "k(int *, int)");
  ASSERT_EQ(List.Kernels[0].Launches.size(), 1U);
  const ListedLaunch &L = List.Kernels[0].Launches[0];
  EXPECT_EQ(L.Shape.Grid, (Extent{64, 2, 1}));
  EXPECT_THAT(L.Shape.Block, ElementsAre(32, 8, 1));
  EXPECT_EQ(L.Shape.DynamicSharedBytes, 4096);
  EXPECT_THAT(L.Shape.Arguments,
              ElementsAre(ListedArgument{}, ListedArgument{.Integer = -7},
                          ListedArgument{.Integer = 1},
                          ListedArgument{.IsFraction = true}));
  EXPECT_FALSE(L.WasRun);
  EXPECT_THAT(L.Place, HasSubstr("/0"));
  EXPECT_EQ(List.Kernels[1].Launches[0].Shape.Grid, Extent());
  EXPECT_THAT(List.Kernels[1].Launches[0].Place, HasSubstr("/1"));
}

TEST(LaunchList, AnObjectWithItsSchema) {
  // Members of an object have no order.
  LaunchList List = parse(R"({"launches": [{"kernel": "k", "block": 64}],
                              "schema": "cuda-lint-launches/1"})");
  ASSERT_EQ(List.Kernels.size(), 1U);
  EXPECT_FALSE(List.Kernels[0].WasRun);
}

TEST(LaunchList, AProfile) {
  LaunchList List = parse(R"({
    "schema": "cuda-lint-profile/1",
    "process": {"pid": 1, "command": ["./app"]}, "collect": "counters",
    "kernels": [{"kernel": "_Z1kPf", "launches": 12}],
    "lines": [{"kernel": "_Z1kPf", "line": 4}],
    "launches": [{"kernel": "_Z1kPf", "device": 0, "grid": [64, 1, 1],
                  "block": [256, 1, 1], "registers": 12,
                  "static_shared_bytes": 0, "dynamic_shared_bytes": null,
                  "count": 12, "duration_ns": null}]})");
  ASSERT_EQ(List.Kernels.size(), 1U);
  EXPECT_TRUE(List.Kernels[0].WasRun);
  const ListedLaunch &L = List.Kernels[0].Launches[0];
  EXPECT_TRUE(L.WasRun);
  EXPECT_EQ(L.Count, 12U);
  EXPECT_EQ(L.Shape.DynamicSharedBytes, std::nullopt);
  EXPECT_THAT(L.Shape.Arguments, IsEmpty());
}

TEST(LaunchList, WhatIsLeftOut) {
  // As in k<<<grid, block>>>.
  EXPECT_EQ(shapeOf(R"("block": 64)").DynamicSharedBytes, 0);
  EXPECT_EQ(shapeOf(R"("block": 64, "dynamic_shared_bytes": null)")
                .DynamicSharedBytes,
            std::nullopt);
  EXPECT_EQ(shapeOf(R"("block": 64, "grid": null)").Grid, Extent());
}

TEST(LaunchList, EqualLaunchesAreOneAndTheMostFrequentComesFirst) {
  LaunchList List = parse(R"([
    {"kernel": "k", "block": 32}, {"kernel": "k", "block": 64},
    {"kernel": "m", "block": 1},
    {"kernel": "k", "block": [64, 1]}, {"kernel": "k", "block": 96},
    {"kernel": "k", "block": 128, "count": 5},
    {"kernel": "k", "block": 128, "count": 18446744073709551615}])");
  ASSERT_EQ(List.Kernels.size(), 2U);
  EXPECT_EQ(List.Kernels[0].Different, 4U);
  std::vector<std::int64_t> Blocks;
  for (const ListedLaunch &L : List.Kernels[0].Launches)
    Blocks.push_back(L.Shape.Block[0]);
  EXPECT_THAT(Blocks, ElementsAre(128, 64, 32, 96));
  EXPECT_EQ(List.Kernels[0].Launches[0].Count, UINT64_MAX);
  EXPECT_EQ(List.Kernels[0].Launches[1].Count, 2U);
}

TEST(LaunchList, ManyDifferentLaunchesAreBounded) {
  std::string Text = "[";
  for (int I = 1; I <= 3000; ++I)
    Text += fmt::format(R"({{"kernel": "k", "block": 32, "grid": {}}},)", I);
  Text += R"({"kernel": "k", "block": 32, "grid": 700},)";
  Text += R"({"kernel": "m", "block": 32}])";
  LaunchList List = parse(Text);
  ASSERT_EQ(List.Kernels.size(), 2U);
  const ListedKernel &K = List.Kernels[0];
  EXPECT_EQ(K.Launches.size(), MostListedLaunches);
  EXPECT_EQ(K.Launches[0].Shape.Grid[0], 700);
  EXPECT_EQ(K.Launches[1].Shape.Grid[0], 1);
  EXPECT_EQ(K.Different, MostTrackedLaunches);
  EXPECT_TRUE(K.MayBeMore);
  EXPECT_FALSE(List.Kernels[1].MayBeMore);
}

TEST(LaunchList, TooManyKernels) {
  std::string Text = "[";
  for (std::size_t I = 0; I != MostListedKernels; ++I)
    Text += fmt::format(R"({{"kernel": "k{}", "block": 32}},)", I);
  EXPECT_EQ(parse(Text + R"({"kernel": "k0", "block": 64}])").Kernels.size(),
            MostListedKernels);
  EXPECT_THAT(errorOf(Text + R"({"kernel": "m", "block": 32}])"),
              HasSubstr("/65536/kernel: is one more than the 65536 kernels"));
}

TEST(LaunchList, LargestShapes) {
  EXPECT_EQ(
      shapeOf(R"("block": [1, 1, 64], "grid": [2147483647, 65535, 65535])")
          .Grid[0],
      2147483647);
  EXPECT_THAT(shapeOf(R"("block": [16, 64])").Block, ElementsAre(16, 64, 1));
}

/// Thousands of lists and profiles that were changed at random, always in the
/// same way: each is refused with a message or read, and the sanitizers see the
/// rest.
TEST(LaunchList, ChangedAtRandom) {
  const nlohmann::json Launch = {{"kernel", "k(int *, int)"},
                                 {"grid", {64, 2, 1}},
                                 {"block", 32},
                                 {"dynamic_shared_bytes", 4096},
                                 {"arguments", {nullptr, -7, true, 0.5}},
                                 {"count", 3}};
  const nlohmann::json Good[] = {
      nlohmann::json::array({Launch, Launch}),
      {{"schema", "cuda-lint-launches/1"},
       {"launches", nlohmann::json::array({Launch})}},
      {{"schema", "cuda-lint-profile/1"},
       {"kernels", nlohmann::json::array({Launch})},
       {"launches", nlohmann::json::array({Launch, Launch})}}};
  unsigned Refused = 0, Read = 0;
  JsonMutator Changes(/*Seed=*/22);
  for (int I = 0; I != 6000; ++I) {
    const std::string Text = Changes.mutate(Good[I % 3]);
    const LaunchListRead Out = parseLaunchList(Text);
    ++(Out.Error.empty() ? Read : Refused);
    EXPECT_EQ(Out.Error.find('\n'), std::string::npos) << Text;
    EXPECT_TRUE(Out.Error.empty() || Out.Value.Kernels.empty()) << Text;
  }
  // The changes are neither so small nor so large that nothing is tested.
  EXPECT_GT(Refused, 1000U);
  EXPECT_GT(Read, 200U);
}

//===----------------------------------------------------------------------===//
// What is refused
//===----------------------------------------------------------------------===//

TEST(LaunchList, NoListAtAll) {
  EXPECT_THAT(errorOf(""), HasSubstr("is empty"));
  EXPECT_THAT(errorOf(R"([{"kernel": "k", "blo)"), HasSubstr("is not JSON"));
  EXPECT_THAT(errorOf("17"), HasSubstr("is no list of launches"));
  EXPECT_THAT(errorOf("{}"), HasSubstr("/schema: is missing"));
  EXPECT_THAT(errorOf(R"({"schema": "cuda-lint/1", "units": []})"),
              HasSubstr("/schema: is 'cuda-lint/1'; launches are in"));
  EXPECT_THAT(errorOf(R"({"schema": "cuda-lint-launches/1"})"),
              HasSubstr("/launches: is missing"));
  EXPECT_THAT(errorOf(R"({"schema": "cuda-lint-profile/1", "launches": {}})"),
              HasSubstr("/launches: is not an array"));
  EXPECT_THAT(errorOf("[1]"), HasSubstr("/0: is not an object"));
}

TEST(LaunchList, WrongTypes) {
  EXPECT_THAT(errorOf(R"([{"block": 1}])"), HasSubstr("/0/kernel: is missing"));
  EXPECT_THAT(errorOf(R"([{"kernel": 1, "block": 1}])"),
              HasSubstr("/0/kernel: is not a string"));
  EXPECT_THAT(errorOf(R"([{"kernel": " ", "block": 1}])"),
              HasSubstr("/0/kernel: is empty"));
  EXPECT_THAT(errorOfLaunch(R"("grid": 1)"), HasSubstr("/0/block: is missing"));
  for (const char *Block : {"null", "\"64\"", "64.5", "1e2", "true", "{}"})
    EXPECT_THAT(errorOfLaunch(fmt::format(R"("block": {})", Block)),
                HasSubstr("/0/block: is "))
        << Block;
  EXPECT_THAT(errorOfLaunch(R"("block": [])"), HasSubstr("has no dimension"));
  EXPECT_THAT(errorOfLaunch(R"("block": [1, 1, 1, 1])"),
              HasSubstr("more than 3 dimensions"));
  EXPECT_THAT(errorOfLaunch(R"("block": [1, null])"),
              HasSubstr("/0/block/1: is not a whole number"));
  EXPECT_THAT(errorOfLaunch(R"("block": 1, "dynamic_shared_bytes": "4 KB")"),
              HasSubstr("/0/dynamic_shared_bytes: is not a whole number"));
  EXPECT_THAT(errorOfLaunch(R"("block": 1, "arguments": {"n": 1})"),
              HasSubstr("/0/arguments: is not an array"));
  EXPECT_THAT(errorOfLaunch(R"("block": 1, "arguments": [1, "2"])"),
              HasSubstr("/0/arguments/1: is no number, true, false or null"));
  EXPECT_THAT(errorOfLaunch(R"("block": 1, "count": 0)"),
              HasSubstr("/0/count: is 0; leave out"));
  EXPECT_THAT(errorOfLaunch(R"("block": 1, "count": -1)"),
              HasSubstr("/0/count: is not a whole number"));
}

TEST(LaunchList, SizesThatNoGpuTakes) {
  EXPECT_THAT(errorOfLaunch(R"("block": 0)"),
              HasSubstr("/0/block: is 0; a GPU takes 1 to 1024 as x"));
  EXPECT_THAT(errorOfLaunch(R"("block": -32)"), HasSubstr("is -32; a GPU"));
  EXPECT_THAT(errorOfLaunch(R"("block": 1025)"), HasSubstr("is 1025; a GPU"));
  EXPECT_THAT(errorOfLaunch(R"("block": [1, 1, 65])"),
              HasSubstr("/0/block/2: is 65; a GPU takes 1 to 64 as z"));
  EXPECT_THAT(errorOfLaunch(R"("block": [32, 33])"),
              HasSubstr("/0/block: has 1056 threads; a GPU takes up to 1024"));
  EXPECT_THAT(errorOfLaunch(R"("block": 1, "grid": 0)"),
              HasSubstr("/0/grid: is 0; a GPU takes 1 to 2147483647 as x"));
  EXPECT_THAT(errorOfLaunch(R"("block": 1, "grid": 2147483648)"),
              HasSubstr("/0/grid: is 2147483648"));
  EXPECT_THAT(errorOfLaunch(R"("block": 1, "grid": [1, 65536])"),
              HasSubstr("/0/grid/1: is 65536"));
  EXPECT_THAT(errorOfLaunch(R"("block": 1, "grid": 18446744073709551615)"),
              HasSubstr("/0/grid: is too large"));
  EXPECT_THAT(errorOfLaunch(R"("block": 1, "grid": 1e400)"),
              HasSubstr("is not JSON"));
  EXPECT_THAT(
      errorOfLaunch(R"("block": 1, "dynamic_shared_bytes": 4294967296)"),
      HasSubstr("/0/dynamic_shared_bytes: is 4294967296, more than"));
  EXPECT_THAT(errorOfLaunch(R"("block": 1, "dynamic_shared_bytes": -1)"),
              HasSubstr("/0/dynamic_shared_bytes: is not a whole number"));
  EXPECT_THAT(
      errorOfLaunch(R"("block": 1, "arguments": [9223372036854775808])"),
      HasSubstr("/0/arguments/0: is too large"));
}

TEST(LaunchList, MembersThatMeanNothing) {
  EXPECT_THAT(errorOfLaunch(R"("block": 1, "blocks": 2)"),
              HasSubstr("/0: has 'blocks', which is not known here"));
  EXPECT_THAT(errorOf(R"({"launches": [{"kernel": "k", "block": 1},
                                       {"kernel": "k", "block": 1, "args": []}],
                          "schema": "cuda-lint-launches/1"})"),
              HasSubstr("/launches/1: has 'args'"));
  EXPECT_THAT(errorOfLaunch(R"("block": 1, "block": 2)"),
              HasSubstr("/0: has the key 'block' twice"));
}

TEST(LaunchList, NamesThatAreTooLong) {
  auto named = [](std::size_t Bytes) {
    return R"([{"kernel": ")" + std::string(Bytes, 'k') + R"(", "block": 1}])";
  };
  EXPECT_EQ(parse(named(MostNameBytes)).Kernels.size(), 1U);
  EXPECT_THAT(errorOf(named(MostNameBytes + 1)),
              HasSubstr("/0/kernel: is longer than 65536 bytes"));
}

TEST(LaunchList, TextOfTheFileIsPrintable) {
  EXPECT_THAT(errorOf("{\"schema\": \"\\u001b[31m\"}"),
              testing::Not(HasSubstr("\x1b")));
}

TEST(LaunchList, FilesThatAreNone) {
  EXPECT_THAT(readLaunchList("/nowhere/a.json").Error,
              HasSubstr("cannot read '/nowhere/a.json': No such file"));
  for (const char *Device : {"/dev/zero", "/dev/null"})
    EXPECT_THAT(readLaunchList(Device).Error,
                HasSubstr("it is not a regular file"));
}

} // namespace LaunchListTests
