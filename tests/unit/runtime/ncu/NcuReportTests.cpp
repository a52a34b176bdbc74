//===- tests/unit/runtime/ncu/NcuReportTests.cpp - Real exports -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Expected numbers are those of tests/ncu/Mixed.cu.txt, computed by hand: a
/// warp of `field` touches 12 sectors where 4 would do, and so on.
///
//===----------------------------------------------------------------------===//

#include "runtime/ncu/NcuReport.h"

#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

namespace NcuReportTests {

using namespace cudalint;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

static NcuPage page(const std::string &Name) {
  std::ifstream In(CUDA_LINT_NCU_EXPORTS "/" + Name);
  std::ostringstream Text;
  Text << In.rdbuf();
  EXPECT_FALSE(Text.str().empty()) << Name;
  return {Name, Text.str()};
}

static Profile read(const std::vector<NcuPage> &Pages) {
  NcuRead Out = readNcu(Pages);
  EXPECT_THAT(Out.Errors, IsEmpty());
  return Out.Value.value_or(Profile());
}

static ProfileLine lineOf(const Profile &In, std::string_view Kernel,
                          unsigned Line, MemorySpace Space, AccessOp Op) {
  for (const ProfileLine &Each : In.Lines)
    if (Each.Kernel.find(Kernel) != std::string::npos && Each.Line == Line &&
        Each.Space == Space && Each.Op == Op)
      return Each;
  ADD_FAILURE() << Kernel << ":" << Line;
  return {};
}

static const ProfileKernel &kernel(const Profile &In, std::string_view Name) {
  for (const ProfileKernel &Each : In.Kernels)
    if (Each.Kernel.find(Name) != std::string::npos)
      return Each;
  ADD_FAILURE() << Name;
  return In.Kernels.front();
}

TEST(NcuReport, LinesOfAllLaunches) {
  const Profile P = read({page("mixed.lines.csv"), page("mixed.raw.csv")});
  EXPECT_TRUE(P.HasCounters);
  EXPECT_THAT(P.Problems, IsEmpty());
  EXPECT_THAT(P.Kernels, SizeIs(6));
  // Two launches: 32 blocks of 128 threads, 64 of 256; 640 warps.
  const std::string Gather = "gatherILi32E";
  EXPECT_EQ(2u, kernel(P, Gather).Launches);
  EXPECT_EQ(2u, kernel(P, Gather).MeasuredLaunches);
  EXPECT_EQ(640u * 32, kernel(P, Gather).Threads);
  const ProfileLine Field =
      lineOf(P, Gather, 2, MemorySpace::Global, AccessOp::Load);
  EXPECT_EQ("/tmp/b/Mixed.h", Field.File);
  EXPECT_EQ(640u, Field.Requests);
  EXPECT_EQ(640u * 12, Field.Sectors);
  EXPECT_EQ(640u * 4, Field.IdealSectors);
  // A column of 32 floats a row: 32 banks become one.
  const ProfileLine Store =
      lineOf(P, Gather, 7, MemorySpace::Shared, AccessOp::Store);
  EXPECT_EQ(640u * 32, Store.Wavefronts);
  EXPECT_EQ(640u, Store.IdealWavefronts);
  EXPECT_FALSE(Store.Sectors);
  // __ldg() stands in a header of the toolkit as well.
  const ProfileLine Ldg =
      lineOf(P, Gather, 9, MemorySpace::Global, AccessOp::Load);
  EXPECT_EQ(640u * 4, Ldg.Sectors);
}

TEST(NcuReport, AtomicsFunctionsAndGenericPointers) {
  const Profile P = read({page("mixed.lines.csv"), page("mixed.raw.csv")});
  // 25500 threads, all on one address: a sector for each of 797 warps.
  const ProfileLine Atomic =
      lineOf(P, "count", 107, MemorySpace::Global, AccessOp::Atomic);
  EXPECT_EQ(797u, Atomic.Sectors);
  EXPECT_EQ(25500u, Atomic.Lanes);
  // A function that is called; ncu's sums of its line are twice that.
  const ProfileLine Called =
      lineOf(P, "calls", 18, MemorySpace::Global, AccessOp::Load);
  EXPECT_EQ(512u, Called.Requests);
  EXPECT_EQ(512u * 8, Called.Sectors);
  const ProfileLine Either =
      lineOf(P, "either", 31, MemorySpace::Generic, AccessOp::Load);
  EXPECT_EQ(32u, Either.Requests);
  EXPECT_TRUE(Either.Sectors);
  EXPECT_TRUE(Either.Wavefronts);
}

TEST(NcuReport, RequestsOfLanesThatWereSwitchedOff) {
  // 4 * 256 threads, of which those below 900, 836, 772 and 708 load: 29, 27,
  // 25 and 23 warps have one.
  const Profile P = read({page("mixed.lines.csv")});
  const ProfileLine Guarded =
      lineOf(P, "guarded", 38, MemorySpace::Global, AccessOp::Load);
  EXPECT_EQ(128u, Guarded.Instructions);
  EXPECT_EQ(104u, Guarded.Requests);
  EXPECT_EQ(900u + 836 + 772 + 708, Guarded.Lanes);
  // 4096 blocks; of their 8 warps, in 8 turns: 8, 8, 8, ... less those that
  // are through. The probe counted 98304 requests.
  const Profile R = read({page("reduction.lines.csv")});
  EXPECT_EQ(
      98304u,
      lineOf(R, "blockSums", 34, MemorySpace::Shared, AccessOp::Load).Requests);
}

TEST(NcuReport, AsynchronousCopiesAndMatrices) {
  const Profile P = read({page("async.lines.csv"), page("async.raw.csv")});
  // 16000 of 16384 threads copy 4 bytes each, with a stride of 2: 500 warps.
  const ProfileLine Load =
      lineOf(P, "partly", 190, MemorySpace::Global, AccessOp::Load);
  EXPECT_EQ(512u, Load.Instructions);
  EXPECT_EQ(500u, Load.Requests);
  EXPECT_EQ(500u * 8, Load.Sectors);
  EXPECT_EQ(500u * 4, Load.IdealSectors);
  EXPECT_FALSE(Load.Wavefronts);
  const ProfileLine Store =
      lineOf(P, "partly", 190, MemorySpace::Shared, AccessOp::Store);
  EXPECT_EQ(500u, Store.Requests);
  EXPECT_FALSE(Store.Sectors);
  // ldmatrix of four matrices, whose rows are all in the same banks.
  const ProfileLine Matrix =
      lineOf(P, "matrix", 30, MemorySpace::Shared, AccessOp::Load);
  EXPECT_EQ(32u, Matrix.Requests);
  EXPECT_EQ(32u * 32, Matrix.Wavefronts);
  EXPECT_EQ(32u * 4, Matrix.IdealWavefronts);
}

TEST(NcuReport, InstructionsWithoutLinesCountAlike) {
  // Each launch stands there twice.
  const Profile Sass = read({page("mixed.sass.csv"), page("mixed.raw.csv")});
  const Profile Lines = read({page("mixed.lines.csv"), page("mixed.raw.csv")});
  EXPECT_EQ(2u, kernel(Sass, "gatherILi32E").MeasuredLaunches);
  EXPECT_FALSE(kernel(Sass, "gatherILi32E").HasLines);
  auto sectors = [](const Profile &In) {
    std::uint64_t Sum = 0;
    for (const ProfileLine &Each : In.Lines)
      Sum += Each.Sectors.value_or(0) + Each.Wavefronts.value_or(0);
    return Sum;
  };
  EXPECT_EQ(sectors(Lines), sectors(Sass));
  // Of both, those with lines count.
  const Profile Both = read(
      {page("mixed.sass.csv"), page("mixed.lines.csv"), page("mixed.raw.csv")});
  EXPECT_EQ(sectors(Lines), sectors(Both));
  EXPECT_TRUE(kernel(Both, "gatherILi32E").HasLines);
}

TEST(NcuReport, LaunchesOfTheRawPage) {
  const Profile P = read({page("mixed.raw.csv")});
  EXPECT_FALSE(P.HasCounters);
  ASSERT_THAT(P.Launches, SizeIs(7));
  const ProfileLaunch &First = P.Launches[0];
  EXPECT_EQ("_ZN3app6gatherILi1EEEvPKfPf", First.Kernel);
  EXPECT_THAT(First.Grid, ElementsAre(64, 1, 1));
  EXPECT_THAT(First.Block, ElementsAre(256, 1, 1));
  EXPECT_EQ(16u, First.Registers);
  // 32 floats, which ncu shows as 0.128 Kbyte.
  EXPECT_EQ(128u, First.StaticShared);
  EXPECT_EQ(0u, First.DynamicShared);
  EXPECT_EQ(8u, First.BlocksPerSM); // 64 warps of 8.
  EXPECT_EQ(2624, First.Duration->Median);
  EXPECT_NEAR(0.123, *First.Achieved, 0.0005);
  EXPECT_FALSE(First.DramBytes);
  EXPECT_FALSE(First.L2Sectors);
  EXPECT_FALSE(First.L2Share);
  ASSERT_THAT(P.Devices, SizeIs(1));
  EXPECT_EQ("NVIDIA H200", P.Devices[0].Name);
  EXPECT_EQ("9.0", P.Devices[0].ComputeCapability);
  EXPECT_EQ(132, P.Devices[0].SMs);
}

TEST(NcuReport, LaunchesHaveWhatL2AndDramDid) {
  const Profile P = read(
      {{"raw.csv",
        R"csv("ID","Kernel Name","Block Size",)csv"
        R"csv("Grid Size","sm__warps_active.avg.pct_of_peak_sustained_active",)csv"
        R"csv("dram__bytes_read.sum","dram__bytes_write.sum","lts__t_sectors.sum",)csv"
        R"csv("lts__t_sectors.avg.pct_of_peak_sustained_elapsed"
"","","","","%","Mbyte","Kbyte","sector","%"
"0","f","(256, 1, 1)","(64, 1, 1)","50.0","2.5","8.0","81,920","12.5"
"1","g","(256, 1, 1)","(64, 1, 1)","50.0","2.5","8.0","","n/a"
)csv"}});
  ASSERT_THAT(P.Launches, SizeIs(2));
  EXPECT_EQ(1u, P.Launches[0].Ranged);
  EXPECT_EQ(2508000u, P.Launches[0].DramBytes);
  EXPECT_EQ(81920u, P.Launches[0].L2Sectors);
  EXPECT_EQ(0.125, P.Launches[0].L2Share);
  EXPECT_FALSE(P.Launches[1].L2Sectors);
  EXPECT_FALSE(P.Launches[1].L2Share);
}

TEST(NcuReport, ThreadsStayAtTheLargestNumber) {
  NcuPage Raw = page("mixed.raw.csv");
  const std::string Most = "(4294967295, 4294967295, 4294967295)";
  for (const char *Shape : {"\"(256, 1, 1)\"", "\"(64, 1, 1)\""})
    Raw.Text.replace(Raw.Text.find(Shape), std::string_view(Shape).size(),
                     '"' + Most + '"');
  EXPECT_EQ(UINT64_MAX, kernel(read({Raw}), "gatherILi1E").Threads);
}

TEST(NcuReport, KernelsThatTheSourcePageLacksAreNamed) {
  NcuRead Out =
      readNcu(std::vector{page("mixed.lines.csv"), page("nolines.raw.csv")});
  ASSERT_TRUE(Out.Value);
  ASSERT_THAT(Out.Value->Problems, SizeIs(1));
  EXPECT_THAT(Out.Value->Problems[0].Message,
              HasSubstr("_Z9transposePKfPf of the raw page has no counts"));
  EXPECT_EQ(0u, kernel(*Out.Value, "transpose").MeasuredLaunches);
}

static std::string errorOf(const std::string &Text) {
  const NcuPage In = {"x.csv", Text};
  const NcuRead Out = readNcu({&In, 1});
  EXPECT_FALSE(Out.Value);
  return Out.Errors.empty() ? std::string() : Out.Errors[0];
}

TEST(NcuReport, BadPagesSayWhatToDo) {
  EXPECT_THAT(errorOf(page("nolines.lines.csv").Text),
              HasSubstr("'x.csv', line 1: its kernels have no line numbers"));
  for (const std::string &Text :
       {std::string(), std::string("hello\n"), std::string("{\"a\": 1}"),
        std::string(1000, '"')})
    EXPECT_THAT(errorOf(Text), HasSubstr("neither a source page nor a raw"));
  EXPECT_THAT(errorOf(std::string("PK\x03\x04\0\0", 6)),
              HasSubstr("line 1: bytes that are no text"));
  EXPECT_THAT(errorOf("\"File Name\",\"/a.cu\"\n\"Line No\",\"Source\"\n"
                      "\"1\",\"\"\n"),
              HasSubstr("the page has no counts"));
  EXPECT_THAT(errorOf("\"ID\",\"Kernel Name\"\n"),
              HasSubstr("line 1: there is no column 'Grid Size'"));
  const std::string Raw = "\"ID\",\"Kernel Name\",\"Grid Size\","
                          "\"Block Size\",\"gpu__time_duration.sum\"\n";
  EXPECT_THAT(errorOf(Raw + "\"0\",\"f\",\"(1, 1, 1)\"\n"),
              HasSubstr("line 2: 3 of 5 fields"));
  EXPECT_THAT(errorOf(Raw + "\"0\",\"f\",\"(1, 1)\",\"(1, 1, 1)\",\"1\"\n"),
              HasSubstr("column 'Grid Size' is '(1, 1)'"));
  EXPECT_THAT(errorOf(Raw + "\"0\",\"f\",\"(1, 1, 1)\",\"(0, 1, 1)\",\"1\"\n"),
              HasSubstr("column 'Block Size'"));
  EXPECT_THAT(
      errorOf(Raw + "\"\",\"\",\"\",\"\",\"weeks\"\n"
                    "\"0\",\"f\",\"(1, 1, 1)\",\"(1, 1, 1)\",\"1\"\n"),
      HasSubstr("line 3: the unit 'weeks' of 'gpu__time_duration.sum' is not "
                "known: export it with --print-units base"));
  EXPECT_THAT(
      errorOf(Raw + "\"0\",\"f\",\"(1, 1, 1)\",\"(1, 1, 1)\",\"nan\"\n"),
      HasSubstr("line 2: column 'gpu__time_duration.sum' is 'nan'"));
  EXPECT_THAT(errorOf(Raw + "\"0\",\"\",\"(1, 1, 1)\",\"(1, 1, 1)\",\"1\"\n"),
              HasSubstr("line 2: the kernel has no name"));
}

TEST(NcuReport, DemangledNamesAreTold) {
  const NcuPage In = {"x.csv",
                      "\"Kernel Name\",\"f(float *)\",\n\"Address\",\"Source\","
                      "\"Instructions Executed\"\n\"0x10\",\"LDG\",\"4\"\n"};
  const NcuRead Out = readNcu({&In, 1});
  ASSERT_TRUE(Out.Value);
  ASSERT_THAT(Out.Value->Problems, SizeIs(1));
  EXPECT_EQ("demangled-names", Out.Value->Problems[0].Kind);
}

TEST(NcuReport, HugeCountsDoNotBeginAgainAtZero) {
  const NcuPage In = {"x.csv", "\"Kernel Name\",\"f\",\n\"Address\",\"Source\","
                               "\"Instructions Executed\"\n"
                               "\"0x10\",\"LDG\",\"18446744073709551615\"\n"
                               "\"0x20\",\"LDG\",\"18446744073709551615\"\n"};
  const NcuRead Out = readNcu({&In, 1});
  ASSERT_THAT(Out.Value->Lines, SizeIs(1));
  EXPECT_EQ(UINT64_MAX, Out.Value->Lines[0].Instructions);
}

} // namespace NcuReportTests
