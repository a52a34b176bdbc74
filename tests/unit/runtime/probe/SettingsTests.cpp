//===- tests/unit/runtime/probe/SettingsTests.cpp - The probe's settings --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/Settings.h"

#include <gmock/gmock.h>
#include <map>

namespace cudalint::probe::SettingsTests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

void read(const std::map<std::string, std::string> &Variables, Settings &Out) {
  readSettings(
      [&](const char *Name) -> const char * {
        auto Found = Variables.find(Name);
        return Found == Variables.end() ? nullptr : Found->second.c_str();
      },
      Out);
}

TEST(Settings, NothingSetMeasuresAFewLaunches) {
  Settings S;
  read({}, S);
  EXPECT_EQ(S.Folder, "");
  EXPECT_EQ(S.Collect, CollectKind::Counters);
  EXPECT_TRUE(S.filters());
  EXPECT_TRUE(S.samples());
  EXPECT_EQ(S.Overhead, 0.3);
  EXPECT_THAT(S.Faults, IsEmpty());
  EXPECT_TRUE(S.Kernels.matches("anything"));
}

TEST(Settings, KernelsAreChosenByEitherName) {
  Settings S;
  read({{"CUDA_LINT_PROBE_KERNEL", "^scale\\(float|Z4copy"}}, S);
  EXPECT_TRUE(S.filters());
  EXPECT_TRUE(S.Kernels.matches("_Z5scalePff"));
  EXPECT_TRUE(S.Kernels.matches("_Z4copyPf"));
  EXPECT_FALSE(S.Kernels.matches("_Z7rescalePf"));
  EXPECT_FALSE(S.Kernels.matches("plain_c_name"));
}

TEST(Settings, WhatToCollect) {
  for (auto [Word, Kind] : {std::pair("counters", CollectKind::Counters),
                            std::pair("time", CollectKind::Time),
                            std::pair("occupancy", CollectKind::Occupancy),
                            std::pair("stalls", CollectKind::Stalls)}) {
    Settings S;
    read({{"CUDA_LINT_PROBE_COLLECT", Word}}, S);
    EXPECT_EQ(S.Collect, Kind) << Word;
    EXPECT_STREQ(nameOf(Kind), Word);
    EXPECT_THAT(S.Faults, IsEmpty());
  }
}

TEST(Settings, AWrongValueIsNamedAndTheDefaultUsed) {
  Settings S;
  read({{"CUDA_LINT_PROBE_KERNEL", "(["},
        {"CUDA_LINT_PROBE_COLLECT", "all"},
        {"CUDA_LINT_PROBE_LAUNCHES", "0"}},
       S);
  EXPECT_TRUE(S.samples());
  EXPECT_EQ(S.Collect, CollectKind::Counters);
  EXPECT_THAT(S.Faults,
              ElementsAre(HasSubstr("CUDA_LINT_PROBE_COLLECT is 'all'"),
                          HasSubstr("CUDA_LINT_PROBE_KERNEL is no regular"),
                          HasSubstr("CUDA_LINT_PROBE_LAUNCHES is '0'")));
}

TEST(Settings, LaunchesAreANumber) {
  for (const char *Wrong : {"-1", "2x", "1e3", " 1", "99999999999999999999"}) {
    Settings S;
    read({{"CUDA_LINT_PROBE_LAUNCHES", Wrong}}, S);
    EXPECT_EQ(S.Launches, std::nullopt) << Wrong;
  }
  Settings S;
  read({{"CUDA_LINT_PROBE_LAUNCHES", "3"}}, S);
  EXPECT_EQ(S.Launches, 3u);
  EXPECT_TRUE(S.filters());
  EXPECT_FALSE(S.samples());
}

TEST(Settings, AllLaunches) {
  Settings S;
  read({{"CUDA_LINT_PROBE_LAUNCHES", "all"}}, S);
  EXPECT_TRUE(S.AllLaunches);
  EXPECT_FALSE(S.filters());
  EXPECT_FALSE(S.samples());
  EXPECT_THAT(S.Faults, IsEmpty());
  // Times and occupancy are of all launches in any case.
  Settings Times;
  read({{"CUDA_LINT_PROBE_COLLECT", "time"}}, Times);
  EXPECT_FALSE(Times.samples());
}

TEST(Settings, OverheadIsPerCent) {
  for (auto [Text, Share] :
       {std::pair("0", 0.0), std::pair("12.5", 0.125), std::pair("1e6", 1e4)}) {
    Settings S;
    read({{"CUDA_LINT_PROBE_OVERHEAD", Text}}, S);
    EXPECT_EQ(S.Overhead, Share) << Text;
    EXPECT_THAT(S.Faults, IsEmpty());
  }
  for (const char *Wrong : {"-1", "30%", "nan", "inf", "1e7"}) {
    Settings S;
    read({{"CUDA_LINT_PROBE_OVERHEAD", Wrong}}, S);
    EXPECT_EQ(S.Overhead, 0.3) << Wrong;
    EXPECT_THAT(S.Faults, ElementsAre(HasSubstr("CUDA_LINT_PROBE_OVERHEAD")));
  }
}

TEST(Settings, NumbersAreWholeOrNone) {
  Settings S;
  read({{"CUDA_LINT_PROBE_SKIP", "7"},
        {"CUDA_LINT_PROBE_PART", "3"},
        {"CUDA_LINT_PROBE_COLLECT", "units"}},
       S);
  EXPECT_EQ(S.Skip, 7u);
  EXPECT_EQ(S.Part, 3u);
  EXPECT_EQ(S.Collect, CollectKind::Units);
  EXPECT_THAT(S.Faults, IsEmpty());
  for (const char *Name : {"CUDA_LINT_PROBE_SKIP", "CUDA_LINT_PROBE_PART"})
    for (const char *Wrong : {"3x", "-1", " 3", "99999999999999999999999"}) {
      Settings Bad;
      read({{Name, Wrong}}, Bad);
      EXPECT_EQ(Bad.Skip + Bad.Part, 0u) << Wrong;
      EXPECT_THAT(Bad.Faults, ElementsAre(HasSubstr(Name))) << Wrong;
    }
}

TEST(Settings, SamplesAreOfAllLaunches) {
  for (const char *Name : {"CUDA_LINT_PROBE_SKIP", "CUDA_LINT_PROBE_RANGE"}) {
    Settings S;
    read({{"CUDA_LINT_PROBE_COLLECT", "stalls"}, {Name, "5"}}, S);
    EXPECT_FALSE(S.selects()) << Name;
    EXPECT_THAT(S.Faults, ElementsAre(HasSubstr("sampled in all launches")));
    // With anything else they choose launches.
    Settings Others;
    read({{"CUDA_LINT_PROBE_COLLECT", "time"}, {Name, "5"}}, Others);
    EXPECT_TRUE(Others.selects()) << Name;
    EXPECT_THAT(Others.Faults, IsEmpty());
  }
}

} // namespace
} // namespace cudalint::probe::SettingsTests
