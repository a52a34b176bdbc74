//===- tests/unit/hardware/RooflineTests.cpp - Bounds and peak rates ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "hardware/Roofline.h"

#include <gmock/gmock.h>

#include <string>

namespace RooflineTests {

using namespace cudalint;
using testing::DoubleNear;
using testing::IsEmpty;
using testing::Optional;

static PeakRates peaksOf(const char *Gpu) {
  return peakRatesOf(*parseTarget(Gpu));
}

/// Operations per second of single precision, from NVIDIA's data sheets and
/// product pages: other figures than those of the tables, which must agree.
TEST(Roofline, BoostClocksAreThoseOfDataSheets) {
  EXPECT_EQ(1980, boostMHzOf(*parseTarget("h200")));
  EXPECT_EQ(1410, boostMHzOf(*parseTarget("a100")));
  EXPECT_FALSE(boostMHzOf(*parseTarget("sm_90")));
  for (const char *Name : {"h200", "h100", "a100", "v100", "t4", "l4"})
    EXPECT_TRUE(isBoostTheMost(*parseTarget(Name))) << Name;
  for (const char *Name : {"rtx-3090", "gtx-1080-ti", "titan-v", "sm_90"})
    EXPECT_FALSE(isBoostTheMost(*parseTarget(Name))) << Name;
}

TEST(Roofline, RatesAndClocksGiveTheTeraflopsOfTheDataSheets) {
  const struct {
    const char *Name;
    double Teraflops;
  } Sheets[] = {{"v100", 15.7},        {"a100", 19.5},       {"h100", 66.9},
                {"h200", 66.9},        {"h100-pcie", 51.2},  {"p100", 10.6},
                {"t4", 8.1},           {"a10", 31.2},        {"a30", 10.3},
                {"a40", 37.4},         {"l4", 30.3},         {"l40s", 91.6},
                {"rtx-2080-ti", 13.4}, {"rtx-3090", 35.6},   {"rtx-4090", 82.6},
                {"rtx-5090", 104.8},   {"gtx-1080-ti", 11.3}};
  for (const auto &[Name, Teraflops] : Sheets) {
    const Target Gpu = *parseTarget(Name);
    const PeakRates Peaks = peakRatesOf(Gpu);
    ASSERT_TRUE(Peaks.Float && Peaks.DramSectors) << Name;
    // From DRAM's share of a clock to the clock: by the gigabytes per second.
    const double Clocks = [&] {
      for (const auto &[Of, GBs] : {std::pair("v100", 900.),
                                    {"a100", 2039},
                                    {"h100", 3352},
                                    {"h200", 4813},
                                    {"h100-pcie", 2039},
                                    {"p100", 732},
                                    {"t4", 320},
                                    {"a10", 600},
                                    {"a30", 933},
                                    {"a40", 696},
                                    {"l4", 300},
                                    {"l40s", 864},
                                    {"rtx-2080-ti", 616},
                                    {"rtx-3090", 936},
                                    {"rtx-4090", 1008},
                                    {"rtx-5090", 1792},
                                    {"gtx-1080-ti", 484}})
        if (std::string(Of) == Name)
          return GBs * 1e9 / 32 / *Peaks.DramSectors;
      return 0.;
    }();
    EXPECT_NEAR(Clocks * *Peaks.Float * 2 / 1e12, Teraflops, Teraflops / 100)
        << Name;
  }
}

/// What the profiler says of an H200: peak_sustained of smsp__inst_executed,
/// sm__sass_thread_inst_executed_op_{ffma,dfma,hfma}_pred_on (a half2 is two),
/// l1tex__data_pipe_lsu_wavefronts, and dram__bytes with its clock.
TEST(Roofline, PeaksThatTheProfilerNames) {
  const PeakRates Peaks = peaksOf("h200");
  EXPECT_THAT(Peaks.Instructions, Optional(4.));
  EXPECT_THAT(Peaks.Float, Optional(128.));
  EXPECT_THAT(Peaks.Double, Optional(64.));
  EXPECT_THAT(Peaks.Half, Optional(256.));
  EXPECT_THAT(Peaks.Wavefronts, Optional(1.));
  EXPECT_THAT(Peaks.L1Sectors, Optional(4.));
  EXPECT_THAT(Peaks.DramSectors,
              Optional(DoubleNear(1504 * 3.2e9 / 32 / 132 / 1.98e9, 0.005)));
}

// A kernel that only reads what the L2 keeps took 31,457,280 sectors in 185,194
// clocks of 132 SMs (H200, Nsight Compute): a bound is no less, and no more
// than the 64 bytes that an SM takes in a clock.
TEST(Roofline, TheL2OfTheH200) {
  const std::optional<double> Sectors = peaksOf("h200").L2Sectors;
  ASSERT_TRUE(Sectors);
  EXPECT_GT(*Sectors, 31'457'280. / 185'194 / 132);
  EXPECT_LT(*Sectors, 2);
}

TEST(Roofline, WhatNoSourceGivesIsEmpty) {
  EXPECT_FALSE(peaksOf("sm_90").DramSectors);
  EXPECT_FALSE(peaksOf("sm_90").L2Sectors);
  EXPECT_TRUE(peaksOf("sm_90").L1Sectors);
  EXPECT_FALSE(peaksOf("sm_61").L1Sectors);
  EXPECT_FALSE(peaksOf("sm_30").Instructions);
  for (const Architecture &Each : architectures())
    EXPECT_TRUE(peakRatesOf({.Name = {}, .Arch = &Each, .SMs = {}}).Float)
        << toString(Each.CC);
}

static const PeakRates Simple{.Instructions = 4,
                              .Half = 256,
                              .Float = 128,
                              .Double = 64,
                              .Wavefronts = 1,
                              .L1Sectors = 4,
                              .L2Sectors = 1,
                              .DramSectors = 0.5};

/// y = a * x + y: three requests of 4 sectors, and 32 fused multiply-adds.
TEST(Roofline, AStreamIsBoundByDram) {
  const WarpDemand Saxpy{
      .Requests = 3, .Half = 0, .Float = 64, .Double = 0, .Sectors = 12};
  EXPECT_EQ(boundsOf(Simple, Saxpy),
            (std::vector<ResourceBound>{{Resource::Dram, 24},
                                        {Resource::L2, 12},
                                        {Resource::L1, 3},
                                        {Resource::Issue, 1},
                                        {Resource::Float, 0.25}}));
}

TEST(Roofline, ConflictsAreBoundByTheBanks) {
  const WarpDemand Columns{.Requests = 2, .Wavefronts = 33};
  EXPECT_EQ(boundsOf(Simple, Columns),
            (std::vector<ResourceBound>{{Resource::Shared, 33},
                                        {Resource::Issue, 0.5}}));
}

TEST(Roofline, EachWidthHasItsUnits) {
  const WarpDemand Mixed{
      .Requests = 0, .Half = 512, .Float = 512, .Double = 512};
  EXPECT_EQ(boundsOf(Simple, Mixed),
            (std::vector<ResourceBound>{{Resource::Issue, 5},
                                        {Resource::Double, 4},
                                        {Resource::Float, 2},
                                        {Resource::Half, 1}}));
}

TEST(Roofline, WhatIsNotKnownBoundsNothing) {
  EXPECT_THAT(boundsOf(Simple, {}), IsEmpty());
  EXPECT_THAT(boundsOf({}, {.Requests = 3, .Float = 64, .Sectors = 12}),
              IsEmpty());
  EXPECT_THAT(boundsOf(Simple, {.Requests = 0, .Sectors = 0}), IsEmpty());
}

} // namespace RooflineTests
