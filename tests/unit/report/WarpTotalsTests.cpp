//===- tests/unit/report/WarpTotalsTests.cpp - What a kernel does ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/WarpTotals.h"

#include "report/JsonReader.h"
#include "report/JsonWriter.h"
#include "tests/unit/report/ContractDocument.h"

#include <gmock/gmock.h>

namespace WarpTotalsTests {

using namespace cudalint;
using testing::HasSubstr;

/// y = a * x + y by 16 warps: three requests of 4 sectors, 64 operations.
static WarpTotals saxpy() {
  return {.Block = {256, 1, 1},
          .Grid = {2, 1, 1},
          .Warps = 16,
          .Spaces = {{.Space = MemorySpace::Global,
                      .Requests = 3,
                      .Traffic = 12,
                      .Ideal = 12,
                      .Bytes = 384}},
          .Operations = OperationCount{.Float = 64}};
}

static Document withTotals(WarpTotals T) {
  Document Doc = contractDocument();
  Doc.Units[0].Kernels[0].Totals = {std::move(T)};
  return Doc;
}

// 64 operations for 384 bytes.
TEST(WarpTotals, Intensity) {
  WarpTotals T = saxpy();
  EXPECT_DOUBLE_EQ(*intensityOf(T), 1 / 6.0);
  T.Spaces[0].Traffic.reset();
  EXPECT_FALSE(intensityOf(T));
  T.Spaces[0].Traffic = 0;
  EXPECT_FALSE(intensityOf(T));
  T = saxpy();
  T.Operations.reset();
  EXPECT_FALSE(intensityOf(T));
}

// Sums of a block that nobody launches must not be taken for those of a launch.
TEST(WarpTotals, ABlockThatIsAssumedIsSaidToBe) {
  WarpTotals T = saxpy();
  EXPECT_THAT(totalsTable(withTotals(T), 0),
              HasSubstr("block 256x1x1, 16 warps"));
  T.Source = LaunchSource::Assumed;
  EXPECT_THAT(totalsTable(withTotals(T), 0),
              HasSubstr("block 256x1x1 (assumed), 16 warps"));
  T.Source = LaunchSource::Usual;
  EXPECT_THAT(totalsTable(withTotals(T), 0),
              HasSubstr("block 256x1x1 unless input changes it, 16 warps"));
}

TEST(WarpTotals, TheLaunchIsAllOfItsWarps) {
  const std::string Text = toJson(std::vector{withTotals(saxpy())});
  EXPECT_THAT(Text, HasSubstr(R"("per_warp":{"requests":3.0,"traffic":12.0,)"
                              R"("ideal":12.0,"bytes":384.0})"));
  EXPECT_THAT(Text, HasSubstr(R"("per_launch":{"requests":48.0,)"
                              R"("traffic":192.0,"ideal":192.0,)"
                              R"("bytes":6144.0})"));
  EXPECT_THAT(Text, HasSubstr(R"("float":1024.0)"));
}

TEST(WarpTotals, AreReadBack) {
  WarpTotals Unknown = saxpy();
  Unknown.Warps.reset();
  Unknown.Grid = {};
  Unknown.Spaces[0].Traffic.reset();
  Unknown.Spaces[0].WhyNotKnown = "line 3: data";
  Unknown.Operations.reset();
  Unknown.WhyNotCounted = "a loop";
  for (const WarpTotals &T : {saxpy(), Unknown}) {
    const std::string Text = toJson(std::vector{withTotals(T)});
    EXPECT_THAT(Text, T.Warps ? HasSubstr(R"("warps":16.0)")
                              : HasSubstr(R"("per_launch":null)"));
    const DocumentsRead Read = readDocuments(Text);
    ASSERT_EQ(Read.Error, "");
    const KernelRecord &Kernel = Read.Documents[0].Units[0].Kernels[0];
    ASSERT_EQ(Kernel.Totals.size(), 1u);
    EXPECT_EQ(Kernel.Totals[0].Spaces[0].Traffic, T.Spaces[0].Traffic);
    EXPECT_EQ(Kernel.Totals[0].Spaces[0].WhyNotKnown, T.Spaces[0].WhyNotKnown);
    EXPECT_EQ(Kernel.Totals[0].Operations, T.Operations);
    EXPECT_EQ(Kernel.Totals[0].WhyNotCounted, T.WhyNotCounted);
  }
}

/// Of a tile of a product: 8 of 64 kilobytes are different ones.
static BlockFootprint tile() {
  return {.Loads = {.Requested = 65536, .Bytes = 8192, .Sectors = 256},
          .Stores = {.Requested = 1024,
                     .Bytes = {},
                     .Sectors = {},
                     .WhyNotKnown = "line 3: data"},
          .Arrays = {{.Name = "a", .Bytes = 4096, .Sectors = 128},
                     {.Name = "", .Bytes = 4096, .Sectors = {}}},
          .Assumptions = {"arrays do not overlap"}};
}

TEST(WarpTotals, FootprintsAreReadBack) {
  WarpTotals T = saxpy();
  T.Footprint = tile();
  const std::string Text = toJson(std::vector{withTotals(T)});
  EXPECT_THAT(Text, HasSubstr(R"("loads":{"requested":65536.0,"distinct":)"
                              R"(8192.0,"sectors":256.0,)"
                              R"("not_known_because":null})"));
  EXPECT_THAT(Text, HasSubstr(R"({"name":"a","op":"load","distinct":4096.0,)"
                              R"("sectors":128.0})"));
  const DocumentsRead Read = readDocuments(Text);
  ASSERT_EQ(Read.Error, "");
  const std::optional<BlockFootprint> &F =
      Read.Documents[0].Units[0].Kernels[0].Totals[0].Footprint;
  ASSERT_TRUE(F);
  EXPECT_EQ(F->Loads.Requested, 65536);
  EXPECT_EQ(F->Loads.Bytes, 8192);
  EXPECT_EQ(F->Loads.Sectors, 256);
  EXPECT_EQ(F->Stores.Bytes, std::nullopt);
  EXPECT_EQ(F->Stores.WhyNotKnown, "line 3: data");
  ASSERT_EQ(F->Arrays.size(), 2u);
  EXPECT_EQ(F->Arrays[0].Name, "a");
  EXPECT_EQ(F->Arrays[1].Sectors, std::nullopt);
  EXPECT_EQ(F->Assumptions, tile().Assumptions);
}

// Documents of earlier versions have none.
TEST(WarpTotals, WithoutAFootprint) {
  const std::string Text = toJson(std::vector{withTotals(saxpy())});
  EXPECT_THAT(Text, HasSubstr(R"("footprint":null)"));
  std::string Earlier = Text;
  Earlier.erase(Earlier.find(R"("footprint":null,)"), 17);
  for (const std::string &Each : {Text, Earlier}) {
    const DocumentsRead Read = readDocuments(Each);
    ASSERT_EQ(Read.Error, "");
    EXPECT_FALSE(Read.Documents[0].Units[0].Kernels[0].Totals[0].Footprint);
  }
}

TEST(WarpTotals, FootprintInTheTable) {
  WarpTotals T = saxpy();
  T.Footprint = tile();
  EXPECT_THAT(
      totalsTable(withTotals(T)),
      HasSubstr("\n  a block loads 6.554e+04 bytes, 8192 distinct (each "
                "8 times) in 256 sectors; stores 1024 bytes, ? "
                "distinct (line 3: data)\n"));
  T.Footprint->Loads = {.Requested = 0, .Bytes = 0, .Sectors = 0};
  EXPECT_THAT(totalsTable(withTotals(T)), HasSubstr("\n  a block stores "));
  T.Footprint->Stores = {.Requested = 0, .Bytes = 0, .Sectors = 0};
  EXPECT_THAT(totalsTable(withTotals(T)), testing::Not(HasSubstr("a block ")));
  // The reason stands above, in the row of the space.
  T.Footprint->Stores = {.WhyNotKnown = "line 3: data"};
  EXPECT_THAT(totalsTable(withTotals(T)), testing::Not(HasSubstr("a block ")));
  // What is used once needs no word.
  T.Footprint->Stores = {.Requested = 1024, .Bytes = 1024, .Sectors = 32};
  EXPECT_THAT(totalsTable(withTotals(T)),
              HasSubstr("  a block stores 1024 bytes, 1024 distinct in 32 "
                        "sectors\n"));
}

TEST(WarpTotals, Table) {
  EXPECT_THAT(totalsTable(withTotals(saxpy())),
              HasSubstr("12 sectors        12 ideal       384 bytes; of the "
                        "launch 192 sectors\n"
                        "  floating-point operations: 64 float; 0.167 for each "
                        "byte of global sectors\n"));
  WarpTotals T = saxpy();
  T.Bounds = {
      {Resource::Dram, 20.85}, {Resource::L1, 3}, {Resource::Float, 1.25}};
  EXPECT_THAT(
      totalsTable(withTotals(T)),
      HasSubstr("  bound by DRAM if no cache helps, by L1 if caches keep "
                "all, if nothing waits; clocks of an SM for each warp: "
                "DRAM 20.85, L1 3, float 1.25\n"));
  T.Bounds = {{Resource::Shared, 33}, {Resource::Issue, 0.5}};
  T.Spaces[0].Traffic.reset();
  EXPECT_THAT(
      totalsTable(withTotals(T)),
      HasSubstr("  bound by shared, or by what is not known, if nothing "
                "waits; "));
  T = saxpy();
  T.Spaces[0].Traffic.reset();
  T.Spaces[0].WhyNotKnown = "line 3: data";
  T.Operations.reset();
  T.WhyNotCounted = "a loop";
  const std::string Text = totalsTable(withTotals(T));
  EXPECT_THAT(Text, HasSubstr("? sectors"));
  EXPECT_THAT(Text, HasSubstr("; line 3: data\n  floating-point operations are "
                              "not known: a loop\n"));
}

} // namespace WarpTotalsTests
