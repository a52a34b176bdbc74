//===- tests/unit/hardware/ArchitectureTests.cpp - Tables and names ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hardware/Architecture.h"
#include "hardware/UnknownTarget.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace ArchitectureTests {

using namespace cudalint;

static const Architecture &arch(int Major, int Minor) {
  const Architecture *A = findArchitecture({Major, Minor});
  EXPECT_NE(A, nullptr) << Major << "." << Minor;
  return *A;
}

/// Warps, blocks, registers of an SM, shared memory of an SM and by opt-in in
/// KiB: the row of the programming guides' table.
struct GuideRow {
  std::vector<ComputeCapability> CCs;
  unsigned Warps, Blocks, RegistersK, SharedK, OptInK;
};

TEST(Architectures, ResourcesAreThoseOfTheGuides) {
  const GuideRow Rows[] = {
      {{{1, 0}, {1, 1}}, 24, 8, 8, 16, 16},
      {{{1, 2}, {1, 3}}, 32, 8, 16, 16, 16},
      {{{2, 0}, {2, 1}}, 48, 8, 32, 48, 48},
      {{{3, 0}, {3, 2}, {3, 5}}, 64, 16, 64, 48, 48},
      {{{3, 7}}, 64, 16, 128, 112, 48},
      {{{5, 0}, {5, 3}, {6, 0}, {6, 2}}, 64, 32, 64, 64, 48},
      {{{5, 2}, {6, 1}}, 64, 32, 64, 96, 48},
      {{{7, 0}, {7, 2}}, 64, 32, 64, 96, 96},
      {{{7, 5}}, 32, 16, 64, 64, 64},
      {{{8, 0}}, 64, 32, 64, 164, 163},
      {{{8, 6}}, 48, 16, 64, 100, 99},
      {{{8, 7}}, 48, 16, 64, 164, 163},
      {{{8, 9}}, 48, 24, 64, 100, 99},
      {{{9, 0}, {10, 0}, {10, 3}}, 64, 32, 64, 228, 227},
      {{{11, 0}}, 48, 24, 64, 228, 227},
      {{{12, 0}, {12, 1}}, 48, 24, 64, 100, 99},
  };
  std::size_t Seen = 0;
  for (const GuideRow &Row : Rows)
    for (ComputeCapability CC : Row.CCs) {
      SCOPED_TRACE(toString(CC));
      const Architecture &A = arch(CC.Major, CC.Minor);
      EXPECT_EQ(A.WarpsPerSM, Row.Warps);
      EXPECT_EQ(A.ThreadsPerSM, Row.Warps * 32);
      EXPECT_EQ(A.BlocksPerSM, Row.Blocks);
      EXPECT_EQ(A.RegistersPerSM, Row.RegistersK * 1024);
      EXPECT_EQ(A.SharedPerSM, Row.SharedK * 1024);
      EXPECT_EQ(A.SharedPerBlockOptIn, Row.OptInK * 1024);
      EXPECT_EQ(A.SharedPerBlock, CC.Major == 1 ? 16384u : 49152u);
      ++Seen;
    }
  EXPECT_EQ(Seen, architectures().size()) << "a row without a test";
}

TEST(Architectures, RegistersOfABlockAndAThread) {
  for (const Architecture &A : architectures()) {
    SCOPED_TRACE(toString(A.CC));
    // The small chips of Tegra give a block half of the file; 3.7 as well.
    const std::set<ComputeCapability> Half = {{3, 2}, {3, 7}, {5, 3}, {6, 2}};
    EXPECT_EQ(A.RegistersPerBlock,
              A.RegistersPerSM / (Half.contains(A.CC) ? 2 : 1));
    const unsigned PerThread = A.CC.Major == 1                  ? 124
                               : A.CC < ComputeCapability{3, 2} ? 63
                                                                : 255;
    EXPECT_EQ(A.RegistersPerThread, PerThread);
  }
}

TEST(Architectures, LaunchLimitsByGeneration) {
  for (const Architecture &A : architectures()) {
    SCOPED_TRACE(toString(A.CC));
    const unsigned Block = A.CC.Major == 1 ? 512 : 1024;
    EXPECT_EQ(A.ThreadsPerBlock, Block);
    EXPECT_EQ(A.BlockX, Block);
    EXPECT_EQ(A.BlockY, Block);
    EXPECT_EQ(A.BlockZ, 64u);
    EXPECT_EQ(A.GridX, A.CC.Major >= 3 ? 2147483647u : 65535u);
    EXPECT_EQ(A.GridY, 65535u);
    EXPECT_EQ(A.GridZ, A.CC.Major == 1 ? 1u : 65535u);
  }
}

// As the profiler printed the attributes of an H200.
TEST(Architectures, AttributesOfAnH200) {
  const Architecture &A = arch(9, 0);
  EXPECT_EQ(A.BlocksPerSM, 32u);
  EXPECT_EQ(A.RegistersPerBlock, 65536u);
  EXPECT_EQ(A.RegistersPerSM, 65536u);
  EXPECT_EQ(A.RegistersPerThread, 255u);
  EXPECT_EQ(A.SharedPerBlock, 49152u);
  EXPECT_EQ(A.SharedPerBlockOptIn, 232448u);
  EXPECT_EQ(A.SharedPerSM, 233472u);
  EXPECT_EQ(A.SharedReserved, 1024u);
  EXPECT_EQ(A.ThreadsPerSM, 2048u);
  EXPECT_EQ(A.WarpsPerSM, 64u);
  EXPECT_EQ(A.ThreadsPerBlock, 1024u);
  EXPECT_EQ(A.GridX, 2147483647u);
  EXPECT_EQ(A.Partitions, 4u);
  EXPECT_EQ(parseTarget("NVIDIA H200")->SMs, 132);
}

TEST(Architectures, UnitsOfAllocation) {
  EXPECT_EQ(arch(1, 1).RegisterUnit, 256u);
  EXPECT_EQ(arch(1, 3).RegisterUnit, 512u);
  EXPECT_EQ(arch(2, 0).RegisterUnit, 64u);
  EXPECT_EQ(arch(1, 0).SharedUnit, 512u);
  EXPECT_EQ(arch(2, 1).SharedUnit, 128u);
  EXPECT_EQ(arch(7, 5).SharedUnit, 256u);
  EXPECT_EQ(arch(8, 0).SharedUnit, 128u);
  EXPECT_EQ(arch(7, 5).SharedReserved, 0u);
  EXPECT_EQ(arch(8, 6).SharedReserved, 1024u);
  EXPECT_EQ(arch(2, 0).Partitions, 2u);
  EXPECT_EQ(arch(6, 0).Partitions, 2u);
  EXPECT_EQ(arch(6, 1).Partitions, 4u);
}

TEST(Architectures, SortedAndFound) {
  EXPECT_TRUE(std::ranges::is_sorted(architectures(), {}, &Architecture::CC));
  for (const Architecture &A : architectures())
    EXPECT_EQ(findArchitecture(A.CC), &A);
  EXPECT_EQ(findArchitecture({0, 0}), nullptr);
  EXPECT_EQ(findArchitecture({4, 0}), nullptr);
  EXPECT_EQ(findArchitecture({9, 1}), nullptr);
  EXPECT_EQ(findArchitecture({99, 0}), nullptr);
  EXPECT_EQ(toString(ComputeCapability{12, 1}), "12.1");
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

// Full chips and cut ones, one of each generation, from data sheets.
TEST(Products, SMCounts) {
  const std::pair<const char *, int> Known[] = {
      {"8800-gt", 14},    {"gtx-280", 30},    {"tesla-s2050", 14},
      {"gtx-560-ti", 8},  {"gtx-680", 8},     {"k40", 15},
      {"k80", 13},        {"gtx-750-ti", 5},  {"gtx-980", 16},
      {"jetson-nano", 1}, {"p100", 56},       {"gtx-1080-ti", 28},
      {"jetson-tx2", 2},  {"v100", 80},       {"jetson-agx-xavier", 8},
      {"t4", 40},         {"a100", 108},      {"rtx-3090", 82},
      {"rtx-4090", 128},  {"l4", 58},         {"jetson-agx-orin", 16},
      {"h100", 132},      {"h100-pcie", 114}, {"h200", 132},
      {"b200", 148},      {"rtx-5090", 170},  {"gb10", 48},
  };
  for (const auto &[Name, SMs] : Known) {
    const auto T = parseTarget(Name);
    ASSERT_TRUE(T) << Name;
    EXPECT_EQ(T->Name, Name);
    EXPECT_EQ(T->SMs, SMs) << Name;
  }
}

TEST(Products, ComputeCapabilities) {
  EXPECT_EQ(parseTarget("8800-gt")->Arch->CC, (ComputeCapability{1, 1}));
  EXPECT_EQ(parseTarget("tesla-s2050")->Arch->CC, (ComputeCapability{2, 0}));
  EXPECT_EQ(parseTarget("gtx-1080-ti")->Arch->CC, (ComputeCapability{6, 1}));
  EXPECT_EQ(parseTarget("a30")->Arch->CC, (ComputeCapability{8, 0}));
  EXPECT_EQ(parseTarget("l40s")->Arch->CC, (ComputeCapability{8, 9}));
  EXPECT_EQ(parseTarget("gh200")->Arch->CC, (ComputeCapability{9, 0}));
  EXPECT_EQ(parseTarget("dgx-spark")->Arch->CC, (ComputeCapability{12, 1}));
}

TEST(Products, EveryOneParsesToItself) {
  std::set<std::string_view> Names;
  for (const Product &P : products()) {
    const auto T = parseTarget(P.Name);
    ASSERT_TRUE(T) << P.Name;
    EXPECT_EQ(T->Name, P.Name);
    ASSERT_NE(T->Arch, nullptr) << P.Name << " has no architecture";
    EXPECT_EQ(T->Arch->CC, P.CC);
    EXPECT_EQ(T->SMs, P.SMs);
    EXPECT_GT(P.SMs, 0);
    EXPECT_TRUE(Names.insert(P.Name).second) << P.Name << " stands twice";
    EXPECT_EQ(P.Name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-"),
              P.Name.npos)
        << P.Name;
  }
  EXPECT_TRUE(std::ranges::is_sorted(products(), {}, &Product::Name));
}

//===----------------------------------------------------------------------===//
// Names that people type
//===----------------------------------------------------------------------===//

TEST(ParseTarget, SpellingsOfAProduct) {
  for (const char *Name :
       {"gtx-1080-ti", "GTX 1080 Ti", "GTX-1080-Ti", "gtx1080ti", "GTX_1080_TI",
        "GeForce GTX 1080 Ti", "NVIDIA GeForce GTX 1080 Ti"}) {
    const auto T = parseTarget(Name);
    ASSERT_TRUE(T) << Name;
    EXPECT_EQ(T->Name, "gtx-1080-ti");
  }
  EXPECT_EQ(parseTarget("Tesla S2050")->Name, "tesla-s2050");
  EXPECT_EQ(parseTarget("s2050")->Name, "tesla-s2050");
  EXPECT_EQ(parseTarget("Tesla T4")->Name, "t4");
}

TEST(ParseTarget, NamesThatDriversPrint) {
  EXPECT_EQ(parseTarget("NVIDIA A100-SXM4-80GB")->Name, "a100");
  EXPECT_EQ(parseTarget("NVIDIA H100 80GB HBM3")->Name, "h100");
  EXPECT_EQ(parseTarget("NVIDIA H100 PCIe")->Name, "h100-pcie");
  EXPECT_EQ(parseTarget("Tesla V100-SXM2-16GB")->Name, "v100");
}

TEST(ParseTarget, ArchitecturesAlone) {
  for (const char *Name :
       {"sm_90", "sm_90a", "SM_90", "sm90", "compute_90", "9.0"}) {
    const auto T = parseTarget(Name);
    ASSERT_TRUE(T) << Name;
    EXPECT_EQ(T->Name, "sm_90");
    EXPECT_EQ(T->Arch, findArchitecture({9, 0}));
    EXPECT_FALSE(T->SMs);
  }
  EXPECT_EQ(parseTarget("sm_121")->Arch->CC, (ComputeCapability{12, 1}));
  EXPECT_EQ(parseTarget("sm_100f")->Arch->CC, (ComputeCapability{10, 0}));
  EXPECT_EQ(parseTarget("1.0")->Name, "sm_10");
  for (const Architecture &A : architectures())
    EXPECT_EQ(parseTarget(toString(A.CC))->Arch, &A);
}

TEST(ParseTarget, UnknownIsEmpty) {
  for (const char *Name : {"",
                           " ",
                           "-",
                           "h",
                           "h2000",
                           "gtx",
                           "sm_",
                           "sm_9",
                           "sm_91",
                           "sm_90aa",
                           "sm+90",
                           "sm_9.0",
                           "9",
                           "90",
                           "9.",
                           ".0",
                           "9.0.0",
                           "4.0",
                           "9.00",
                           "999999999999.0",
                           "compute",
                           "radeon",
                           "rtx-3080-16gb"})
    EXPECT_FALSE(parseTarget(Name)) << Name;
}

TEST(NearestTargets, Misspellings) {
  auto Contains = [](std::string_view Typed, std::string_view Name) {
    const std::string Near = nearestTargets(Typed);
    return (", " + Near + ", ").find(", " + std::string(Name) + ", ") !=
           std::string::npos;
  };
  EXPECT_TRUE(Contains("h20 0x", "h200"));
  EXPECT_TRUE(Contains("gtx-1080-it", "gtx-1080-ti"));
  EXPECT_TRUE(Contains("rtx-4900", "rtx-4090"));
  EXPECT_TRUE(Contains("sm_91", "sm_90"));
  EXPECT_TRUE(Contains("orin", "jetson-agx-orin"));
  EXPECT_TRUE(Contains("V10", "v100"));
  EXPECT_FALSE(nearestTargets("").empty());
}

// Of those that nvcc 13.0 compiles for, 8.8 alone is in no table of NVIDIA's.
TEST(AdviceOnTarget, ArchitecturesWithoutFigures) {
  auto EndsWith = [](std::string_view Name, std::string_view End) {
    return adviceOnTarget(Name).ends_with(End);
  };
  for (const char *Name : {"sm_88", "compute_88", "8.8", "sm_88a"})
    EXPECT_TRUE(EndsWith(Name, ": use sm_86")) << Name;
  EXPECT_TRUE(EndsWith("sm_101", ": use sm_110"));
  for (const char *Name : {"sm_86", "sm_110"})
    EXPECT_TRUE(parseTarget(Name)) << Name;
  EXPECT_TRUE(adviceOnTarget("sm_91").starts_with("did you mean sm_90"));
}

} // namespace ArchitectureTests
