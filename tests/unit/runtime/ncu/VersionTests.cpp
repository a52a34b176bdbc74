//===- tests/unit/runtime/ncu/VersionTests.cpp - Exports of older ncus ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Names of columns, units and the form of numbers are those of the versions;
/// the numbers are made up: a kernel of 128 blocks of 64 threads, 256 warps,
/// that loads with a stride of 2 and stores.
///
//===----------------------------------------------------------------------===//

#include "runtime/ncu/NcuReport.h"

#include <gmock/gmock.h>

namespace VersionTests {

using namespace cudalint;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

static Profile read(const std::vector<NcuPage> &Pages) {
  NcuRead Out = readNcu(Pages);
  EXPECT_THAT(Out.Errors, IsEmpty());
  return Out.Value.value_or(Profile());
}

//===----------------------------------------------------------------------===//
// Raw pages
//===----------------------------------------------------------------------===//

// 2022.3 has neither shapes as a whole, nor the device and its capability, but
// the time of the launch; its units are words, and all numbers have zeros.
static constexpr char Raw2022[] =
    "==PROF== Disconnected from process 7\n"
    "\"ID\",\"Process ID\",\"Process Name\",\"Host Name\",\"Kernel Name\","
    "\"Kernel Time\",\"Context\",\"Stream\","
    "\"device__attribute_compute_capability_major\","
    "\"device__attribute_compute_capability_minor\","
    "\"device__attribute_display_name\","
    "\"device__attribute_multiprocessor_count\",\"dram__bytes_read.sum\","
    "\"dram__bytes_write.sum\",\"gpu__time_duration.sum\","
    "\"launch__block_dim_x\",\"launch__block_dim_y\",\"launch__block_dim_z\","
    "\"launch__block_size\",\"launch__device_id\",\"launch__grid_dim_x\","
    "\"launch__grid_dim_y\",\"launch__grid_dim_z\",\"launch__grid_size\","
    "\"launch__occupancy_limit_blocks\",\"launch__occupancy_limit_warps\","
    "\"launch__registers_per_thread\",\"launch__shared_mem_per_block_static\","
    "\"sm__warps_active.avg.pct_of_peak_sustained_active\"\n"
    "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"Kbyte\","
    "\"byte\",\"usecond\",\"block\",\"block\",\"block\",\"\",\"\",\"\",\"\","
    "\"\",\"\",\"block\",\"block\",\"register/thread\",\"Kbyte/block\",\"%\"\n"
    "\"0\",\"7\",\"a\",\"127.0.0.1\",\"_Z1fPf\",\"2022-May-10 20:02:12\","
    "\"1\",\"7\",\"8\",\"6\",\"GPU X\",\"26\",\"1.500000\",\"96.000000\","
    "\"2.560000\",\"32.000000\",\"2.000000\",\"1.000000\",\"64\",\"1\","
    "\"64\",\"2\",\"1\",\"128\",\"16.000000\",\"24.000000\","
    "\"18.000000\",\"1.024000\",\"25.000000\"\n";

TEST(NcuVersions, ShapesOf2022AreOneColumnForEachDimension) {
  const Profile P = read({{"raw.csv", Raw2022}});
  ASSERT_THAT(P.Launches, SizeIs(1));
  const ProfileLaunch &Launch = P.Launches[0];
  EXPECT_THAT(Launch.Grid, ElementsAre(64, 2, 1));
  EXPECT_THAT(Launch.Block, ElementsAre(32, 2, 1));
  EXPECT_EQ(18u, Launch.Registers);
  EXPECT_EQ(1024u, Launch.StaticShared);
  EXPECT_EQ(16u, Launch.BlocksPerSM);
  EXPECT_EQ(1596u, Launch.DramBytes);
  EXPECT_EQ(2560, Launch.Duration->Median);
  EXPECT_EQ(0.25, Launch.Achieved);
  ASSERT_THAT(P.Devices, SizeIs(1));
  EXPECT_EQ(1u, P.Devices[0].Index);
  EXPECT_EQ("8.6", P.Devices[0].ComputeCapability);
  EXPECT_EQ("GPU X", P.Devices[0].Name);
}

TEST(NcuVersions, AShapeThatIsNotWholeIsTold) {
  std::string Text = Raw2022;
  const std::string_view Last = "launch__grid_dim_z";
  Text.replace(Text.find(Last), Last.size(), "other");
  const NcuRead Out = readNcu(std::vector<NcuPage>{{"raw.csv", Text}});
  ASSERT_THAT(Out.Errors, SizeIs(1));
  EXPECT_THAT(Out.Errors[0], HasSubstr("'launch__grid_dim_' is '64 2 0'"));
}

TEST(NcuVersions, UnitsOf2024AreShort) {
  // 2024.1 has these columns and the words; 2024.2 `us`.
  for (const char *Unit : {"usecond", "us"}) {
    const std::string Text =
        "\"ID\",\"Process ID\",\"Kernel Name\",\"Context\",\"Stream\",\"Block "
        "Size\",\"Grid Size\",\"Device\",\"CC\",\"gpu__time_duration.sum\"\n"
        "\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"\",\"" +
        std::string(Unit) +
        "\"\n"
        "\"0\",\"7\",\"_Z1fPf\",\"1\",\"7\",\"(64, 1, 1)\",\"(128, 1, 1)\","
        "\"0\",\"9.0\",\"2.560000\"\n";
    const Profile P = read({{"raw.csv", Text}});
    ASSERT_THAT(P.Launches, SizeIs(1)) << Unit;
    EXPECT_EQ(2560, P.Launches[0].Duration->Median) << Unit;
  }
}

// What ncu prints without --page has launches, too, but one for each metric.
TEST(NcuVersions, DetailsPagesAreNotRawPages) {
  for (const char *Columns : {"\"Kernel Time\",\"Context\",\"Stream\"",
                              "\"Block Size\",\"Grid Size\",\"CC\""}) {
    const std::string Text =
        "\"ID\",\"Kernel Name\"," + std::string(Columns) +
        ",\"Section Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n"
        "\"0\",\"f\",\"(64, 1, 1)\",\"(1, 1, 1)\",\"9.0\",\"GPU Speed Of "
        "Light Throughput\",\"Duration\",\"us\",\"2.56\"\n";
    const NcuRead Out = readNcu(std::vector<NcuPage>{{"details.csv", Text}});
    EXPECT_FALSE(Out.Value);
    ASSERT_THAT(Out.Errors, SizeIs(1));
    EXPECT_EQ("'details.csv', line 1: this is the details page; export "
              "'--page raw' instead",
              Out.Errors[0]);
  }
}

//===----------------------------------------------------------------------===//
// Source pages
//===----------------------------------------------------------------------===//

static void expectStride(const Profile &P, const char *Version) {
  ASSERT_THAT(P.Lines, SizeIs(1)) << Version;
  EXPECT_EQ(256u, P.Lines[0].Instructions) << Version;
  EXPECT_EQ(256u * 8, P.Lines[0].Sectors) << Version;
  EXPECT_EQ(256u * 4, P.Lines[0].IdealSectors) << Version;
}

/// A source page of columns and the row of one load.
static std::string sass(const std::string &Columns, const std::string &Row) {
  return "\"Kernel Name\",\"_Z1fPf\",\n\"Address\",\"Source\"," + Columns +
         "\n\"0x7f4812fb1180\",\"      LDG.E R2, [R2.64] \"," + Row + "\n";
}

TEST(NcuVersions, ColumnsOfSourcePages) {
  // 2021.3, the first with a source page, does not count threads before
  // predicates.
  expectStride(read({{"", sass("\"Sampling Data (All)\","
                               "\"Instructions Executed\","
                               "\"Predicated-On Thread Instructions Executed\","
                               "\"L2 Theoretical Sectors Global\","
                               "\"L2 Theoretical Sectors Global Ideal\"",
                               "\"3\",\"256\",\"8192\",\"2048\",\"1024\"")}}),
               "2021.3");
  const std::string Memory =
      "\"Thread Instructions Executed\","
      "\"Predicated-On Thread Instructions Executed\",\"Address Space\","
      "\"Access Operation\",\"Access Size\",\"L1 Tag Requests Global\","
      "\"L2 Theoretical Sectors Global Excessive\","
      "\"L2 Theoretical Sectors Global\","
      "\"L2 Theoretical Sectors Global Ideal\"";
  const std::string Numbers = "\"8192\",\"8192\",\"Global\",\"Load\",\"32\","
                              "\"512\",\"1024\",\"2048\",\"1024\"";
  expectStride(
      read({{"", sass("\"Warp Stall Sampling (All Cycles)\","
                      "\"Warp Stall Sampling (Not-issued Cycles)\","
                      "\"Instructions Executed\"," +
                          Memory + ",\"smsp__pcsamp_sample_count\"",
                      "\"14\",\"9\",\"256\"," + Numbers + ",\"14\"")}}),
      "2022.3");
  // Some version between says instructions twice.
  expectStride(
      read({{"", sass("\"Warp Stall Sampling (All Cycles)\","
                      "\"Warp Stall Sampling (Not-issued Cycles)\","
                      "\"Instructions Executed\",\"# Samples\","
                      "\"Instructions Executed\"," +
                          Memory,
                      "\"42\",\"42\",\"256\",\"42\",\"256\"," + Numbers)}}),
      "2023");
  expectStride(read({{"", sass("\"Warp Stall Sampling (All Samples)\","
                               "\"Warp Stall Sampling (Not-issued Samples)\","
                               "\"# Samples\",\"Instructions Executed\"," +
                                   Memory,
                               "\"33\",\"30\",\"33\",\"256\"," + Numbers)}}),
               "2024.1");
}

TEST(NcuVersions, SourcesWithCarriageReturns) {
  const std::string Text =
      "\"File Path\",\"C:\\src\\a.cu\"\r\n\"Function Name\",\"_Z1fPf\"\r\n"
      "\"Line No\",\"Source\",\"Address\",\"Source\",\"Instructions Executed\","
      "\"L2 Theoretical Sectors Global\",\"L2 Theoretical Sectors Global "
      "Ideal\"\r\n"
      "\"40\",\"Out[I] = In[2 * I];\r\",\"-\",\"-\",\"512\",\"2048\",\"1024\""
      "\r\n"
      "\"\",\"\",\"0x7f4812fb1180\",\"      LDG.E R2, [R2.64] \",\"256\","
      "\"2048\",\"1024\"\r\n";
  const Profile P = read({{"", Text}});
  expectStride(P, "Windows");
  EXPECT_EQ(40u, P.Lines[0].Line);
  EXPECT_EQ("C:\\src\\a.cu", P.Lines[0].File);
}

} // namespace VersionTests
