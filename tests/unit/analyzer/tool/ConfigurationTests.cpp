//===- tests/unit/analyzer/tool/ConfigurationTests.cpp - .cuda-lint -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/Configuration.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

namespace cudalint::ConfigurationTests {

static const KnownChecks Known = {
    .Names = {"shared-bank-conflict", "small-grid", "global-uncoalesced"},
    .Options = {{"shared-bank-conflict.LeastRatio", 1, 32},
                {"global-uncoalesced.LeastRatio", 1, 32}}};

static Configuration read(const std::string &Text) {
  const ConfigurationRead Read = parseConfiguration(Text, "c", "/p", Known);
  EXPECT_THAT(Read.Error, IsEmpty()) << Text;
  return Read.Value;
}

static std::string faultOf(const std::string &Text) {
  return parseConfiguration(Text, "c", "/p", Known).Error;
}

TEST(Configuration, OptionsThatAreNone) {
  for (const char *Value : {"0.5", "33", "nan", "many", "''", "[2]", "{}"})
    EXPECT_THAT(faultOf("CheckOptions:\n  shared-bank-conflict.LeastRatio: " +
                        std::string(Value) + "\n"),
                StartsWith("c:2:"))
        << Value;
  EXPECT_THAT(faultOf("CheckOptions: {shared-bank-conflict.LeastRatio: 33}"),
              HasSubstr("c:1:49: error: '33' is no number from 1 to 32"));
  EXPECT_THAT(faultOf("CheckOptions: {shared-bank-conflict.MinRatio: 2}"),
              HasSubstr("no check has an option 'shared-bank-conflict.MinRatio'"
                        "; did you mean 'shared-bank-conflict.LeastRatio'?"));
}

TEST(Configuration, OptionsAreInherited) {
  Configuration C = read("CheckOptions: {shared-bank-conflict.LeastRatio: 3}");
  EXPECT_EQ(read(dumpConfiguration(C)).Options, C.Options);
}

TEST(Configuration, AllThatThereIs) {
  const Configuration C = read(R"(# ours
Checks: '-*,shared-*'
Severities: {shared-bank-conflict: error, small-*: off}
CheckOptions: {shared-bank-conflict.LeastRatio: 2.5}
Gpus: [h200, sm_80]
FailOn: warning
MinOccupancy: 50 %
Exclude:
  - third_party/*
Paths:
  - Match: [tests/*]
    Checks: global-*
    Severities: {shared-*: note}
    CheckOptions:
      shared-bank-conflict.LeastRatio: 4
      global-uncoalesced.LeastRatio: 8
InheritParentConfig: true
)");
  EXPECT_THAT(
      C.optionsFor("/p/src/a.cu"),
      ElementsAre(testing::Pair("shared-bank-conflict.LeastRatio", 2.5)));
  EXPECT_THAT(C.optionsFor("/p/tests/a.cu"),
              ElementsAre(testing::Pair("global-uncoalesced.LeastRatio", 8),
                          testing::Pair("shared-bank-conflict.LeastRatio", 4)));
  EXPECT_EQ(C.Checks, "-*,shared-*");
  EXPECT_THAT(C.Gpus, ElementsAre("h200", "sm_80"));
  EXPECT_EQ(C.FailOn, "warning");
  EXPECT_EQ(C.MinOccupancy, "50");
  EXPECT_TRUE(C.InheritsParent);
  EXPECT_TRUE(C.excludes("/p/third_party/x/a.cu"));
  EXPECT_FALSE(C.excludes("/p/src/third_party.cu"));
  EXPECT_EQ(C.checksFor("/p/src/a.cu"), "-*,shared-*");
  EXPECT_EQ(C.checksFor("/p/tests/a.cu"), "-*,shared-*,global-*");
  EXPECT_EQ(C.levelOf("/p/a.cu", "shared-bank-conflict").value(),
            Severity::Error);
  EXPECT_EQ(C.levelOf("/p/tests/a.cu", "shared-bank-conflict").value(),
            Severity::Note);
  ASSERT_TRUE(C.levelOf("/p/a.cu", "small-grid").has_value());
  EXPECT_FALSE(C.levelOf("/p/a.cu", "small-grid")->has_value());
  EXPECT_FALSE(C.levelOf("/p/a.cu", "global-uncoalesced").has_value());
}

TEST(Configuration, TheNameItselfCountsMoreThanAGlob) {
  const Configuration C = read(
      "Severities: {'*': note, shared-bank-conflict: error, shared-*: off}");
  EXPECT_EQ(C.levelOf("/p/a.cu", "shared-bank-conflict").value(),
            Severity::Error);
  EXPECT_EQ(C.levelOf("/p/a.cu", "small-grid").value(), Severity::Note);
}

TEST(Configuration, OneThatSaysNothing) {
  for (const char *Text : {"", "\n\n", "# nothing\n", "---\n...\n", "{}"}) {
    const Configuration C = read(Text);
    EXPECT_THAT(C.checksFor("/p/a.cu"), IsEmpty());
    EXPECT_FALSE(C.excludes("/p/a.cu"));
  }
}

TEST(Configuration, WhatIsDumpedIsReadBack) {
  const Configuration C = read(R"(Checks: '-*,shared-*'
Severities: {small-grid: off, shared-*: error}
Gpus: [h200]
FailOn: never
MinOccupancy: 7
Exclude: ['a b', 'c:d', '#e']
Paths: [{Match: ['x*'], Checks: '*', Severities: {small-grid: note}}])");
  const std::string Text = dumpConfiguration(C);
  const Configuration Again = read(Text);
  EXPECT_EQ(dumpConfiguration(Again), Text);
  EXPECT_THAT(Again.Exclude, ElementsAre("a b", "c:d", "#e"));
  EXPECT_EQ(Again.Levels, C.Levels);
  EXPECT_EQ(Again.Paths.at(0).Levels, C.Paths.at(0).Levels);
  EXPECT_EQ(Again.FailOn, "never");
  EXPECT_EQ(Again.MinOccupancy, "7");
}

TEST(Configuration, FaultsHaveTheirPlaceAndTheNearestWord) {
  EXPECT_EQ(faultOf("Check: x"),
            "c:1:1: error: unknown key 'Check'; did you mean 'Checks'?");
  EXPECT_EQ(faultOf("FailOn: note\nSeverities:\n  shared-bank-conflit: off"),
            "c:3:24: error: no check matches 'shared-bank-conflit'; did you "
            "mean 'shared-bank-conflict'?");
  EXPECT_EQ(faultOf("Severities: {small-grid: eror}"),
            "c:1:26: error: unknown severity 'eror'; use error, warning, note "
            "or off");
  EXPECT_EQ(faultOf("FailOn: always"),
            "c:1:9: error: unknown level 'always'; use error, warning, note or "
            "never");
  EXPECT_THAT(faultOf("Checks: '-*,smal-grid'"),
              StartsWith("c:1:9: error: no check matches 'smal-grid'; did you "
                         "mean 'small-grid'?"));
  EXPECT_THAT(faultOf("Gpus: [h200, h2000]"),
              StartsWith("c:1:14: error: unknown GPU 'h2000'"));
  EXPECT_THAT(faultOf("MinOccupancy: 0"), StartsWith("c:1:15: error: '0' is"));
  EXPECT_THAT(faultOf("Exclude: ['[']"),
              StartsWith("c:1:11: error: '[' is no glob"));
  EXPECT_THAT(faultOf("Paths: [{Checks: '*'}]"),
              HasSubstr("missing required key 'Match'"));
}

TEST(Configuration, WrongTypesAndNoYaml) {
  for (const char *Text :
       {"[1, 2]", "x", "Checks: [a]", "Gpus: h200", "Severities: [a]",
        "Paths: x", "Checks: '*'\nChecks: '*'", "Checks: [", "Checks: \"x",
        "InheritParentConfig: perhaps", "\t- x", "a: b: c", "\xff\xfe",
        "Checks: &a x\nFailOn: *a"})
    EXPECT_THAT(faultOf(Text), StartsWith("c:")) << Text;
}

TEST(Configuration, WhatWouldTakeAllMemoryIsRefused) {
  EXPECT_THAT(faultOf(std::string(100'000, ' ')), HasSubstr("64 KB"));
  EXPECT_THAT(faultOf("Gpus: " + std::string(20'000, '[')),
              HasSubstr("too deep"));
  EXPECT_THAT(faultOf(std::string(20'000, '{')), HasSubstr("too deep"));
  // References, each of which would hold the one before several times.
  EXPECT_THAT(faultOf("a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]"),
              StartsWith("c:"));
}

class ConfigurationFiles : public testing::Test {
protected:
  void SetUp() override {
    std::string Name = testing::TempDir() + "configuration-XXXXXX";
    ASSERT_NE(::mkdtemp(Name.data()), nullptr);
    Root = std::filesystem::canonical(Name);
    std::filesystem::create_directories(Root / "a/b/c");
  }
  void TearDown() override { std::filesystem::remove_all(Root); }
  void write(const std::string &Folder, const std::string &Text) const {
    std::ofstream(Root / Folder / ConfigurationName) << Text;
  }
  std::string folder(const std::string &Name) const { return Root / Name; }

  std::filesystem::path Root;
};

TEST_F(ConfigurationFiles, TheNearestCounts) {
  write("", "Checks: '-*'\nFailOn: note");
  write("a", "Checks: small-grid");
  Configurations All(Known);
  EXPECT_EQ(All.of(folder("")).Checks, "-*");
  EXPECT_EQ(All.of(folder("a/b/c")).Checks, "small-grid");
  EXPECT_EQ(All.of(folder("a/b/c")).FailOn, "");
  EXPECT_THAT(All.error(), IsEmpty());
}

TEST_F(ConfigurationFiles, OneInheritsIfItSaysSo) {
  write("", "Checks: '-*'\nFailOn: note\nExclude: [a/b/x*]\nSeverities: "
            "{small-grid: off, shared-*: note}");
  write("a/b", "Checks: small-grid\nInheritParentConfig: true\nExclude: [y*]\n"
               "Severities: {small-grid: error}");
  Configurations All(Known);
  const Configuration &C = All.of(folder("a/b/c"));
  EXPECT_EQ(C.Checks, "-*,small-grid");
  EXPECT_EQ(C.FailOn, "note");
  EXPECT_EQ(C.levelOf(folder("a/b/z.cu"), "small-grid").value(),
            Severity::Error);
  EXPECT_EQ(C.levelOf(folder("a/b/z.cu"), "shared-bank-conflict").value(),
            Severity::Note);
  EXPECT_TRUE(C.excludes(folder("a/b/x1.cu")));
  EXPECT_TRUE(C.excludes(folder("a/b/y1.cu")));
  EXPECT_FALSE(C.excludes(folder("a/b/z.cu")));
}

TEST_F(ConfigurationFiles, AFaultIsNamedOnce) {
  write("a", "Checks: [");
  Configurations All(Known);
  All.of(folder("a/b"));
  EXPECT_THAT(All.error(), StartsWith(folder("a") + "/.cuda-lint:1:"));
}

TEST_F(ConfigurationFiles, TheGivenOneCountsForAll) {
  write("a", "Checks: [");
  Configuration Given;
  Given.Checks = "-*";
  Configurations All(Known, Given);
  EXPECT_EQ(All.of(folder("a/b")).Checks, "-*");
  EXPECT_THAT(All.error(), IsEmpty());
}

} // namespace cudalint::ConfigurationTests
