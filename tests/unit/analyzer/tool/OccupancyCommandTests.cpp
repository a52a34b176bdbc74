//===- tests/unit/analyzer/tool/OccupancyCommandTests.cpp - Of files ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/OccupancyCommand.h"

#include <gmock/gmock.h>

namespace OccupancyCommandTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

namespace {
struct TakenOptions {
  OccupancyRequest Request;
  std::vector<std::string> Rest; ///< For linting.
  std::string Error;
};
} // namespace

static TakenOptions take(std::vector<std::string> Arguments) {
  TakenOptions Taken;
  Taken.Error = takeOccupancyOptions(Arguments, Taken.Request);
  Taken.Rest = std::move(Arguments);
  return Taken;
}

TEST(OccupancyOfFiles, TakesItsOwnOptionsAndLeavesTheRest) {
  const TakenOptions Taken =
      take({"--gpu", "h200", "--grid=56", "a.cu", "--registers=k=48",
            "--shared", "36K", "-j4", "--carve-out=50", "--sweep", "block",
            "b.cu", "--", "--grid=1", "-Ia"});
  EXPECT_EQ(Taken.Error, "");
  EXPECT_THAT(Taken.Rest,
              ElementsAre("--gpu", "h200", "a.cu", "--registers=k=48", "-j4",
                          "b.cu", "--", "--grid=1", "-Ia"));
  EXPECT_EQ(Taken.Request.Given.Grid, (Shape{56, 1, 1}));
  EXPECT_EQ(Taken.Request.Given.StaticShared, 36u * 1024);
  EXPECT_EQ(Taken.Request.Given.CarveOut, 50u);
  EXPECT_EQ(Taken.Request.Sweep, SweepOver::Block);
  // What is not given is not known: files tell.
  EXPECT_FALSE(Taken.Request.Given.DynamicShared);
  EXPECT_FALSE(Taken.Request.SMs);
}

TEST(OccupancyOfFiles, TheSMsNeedNoGrid) {
  EXPECT_EQ(take({"a.cu", "--sms=28"}).Request.SMs, 28);
}

TEST(OccupancyOfFiles, HelpIsLeftToLinting) {
  EXPECT_THAT(take({"a.cu", "--help"}).Rest, ElementsAre("a.cu", "--help"));
}

TEST(OccupancyOfFiles, OfTheFormatsCsvIsItsOwn) {
  TakenOptions Taken = take({"--format", "csv", "a.cu"});
  EXPECT_TRUE(Taken.Request.AsCsv);
  EXPECT_THAT(Taken.Rest, ElementsAre("a.cu"));
  Taken = take({"--format", "json", "a.cu"});
  EXPECT_FALSE(Taken.Request.AsCsv);
  EXPECT_THAT(Taken.Rest, ElementsAre("a.cu", "--format=json"));
}

TEST(OccupancyOfFiles, SaysWhatIsWrong) {
  // Linting has more formats, in which there is no occupancy to write.
  for (const char *Format : {"sarif", "html", "xml", ""})
    EXPECT_EQ(take({"--format", Format, "a.cu"}).Error,
              std::string("unknown format '") + Format +
                  "' for --format; use text, json or csv");
  EXPECT_EQ(take({"--rank", "a.cu"}).Error,
            "--rank is for bare numbers, not for files");
  EXPECT_EQ(take({"--elements=9", "a.cu"}).Error,
            "--elements is for bare numbers, not for files");
  EXPECT_THAT(take({"--grid=0", "a.cu"}).Error,
              testing::StartsWith("--grid '0' is too small"));
  EXPECT_THAT(take({"--sms=0", "a.cu"}).Error,
              testing::StartsWith("--sms '0' is too small"));
  EXPECT_THAT(take({"a.cu", "--sweep"}).Error,
              testing::StartsWith("--sweep needs a value: --sweep WHAT"));
  EXPECT_THAT(take({"a.cu", "--sweep=warps"}).Error,
              HasSubstr("use block, registers or shared"));
}

//===----------------------------------------------------------------------===//
// Answers
//===----------------------------------------------------------------------===//

static LaunchRecord launch(LaunchState State, std::vector<LaunchReason> Why) {
  return {.Where = {"a.cu", 9, 3},
          .Grid = {64, 1, 1},
          .Block = {256, 1, 1},
          .DynamicSharedBytes = 0,
          .Verdict = LaunchVerdictRecord{State, std::move(Why)}};
}

static LaunchState stateOf(const OccupancyAnswer &Answer) {
  return Answer.Verdict ? Answer.Verdict->State : LaunchState::Unknown;
}

static OccupancyAnswer answerOn(LaunchRecord Launch,
                                const OccupancyRequest &Request = {}) {
  Document Doc;
  Doc.Units.emplace_back().Kernels = {
      {.Name = "k",
       .Where = {"a.cu", 1, 1},
       .Resources = ResourceRecord{.Registers = 32, .Source = "user"},
       .StaticSharedBytes = 0,
       .Launches = {std::move(Launch)},
       .Accesses = {},
       .Removed = {}}};
  std::vector<OccupancyAnswer> Answers =
      answersFor(Doc, *parseTarget("h200"), Request);
  EXPECT_THAT(Answers, SizeIs(1));
  return Answers.at(0);
}

TEST(OccupancyOfFiles, TellsWhatTheVerdictSays) {
  const OccupancyAnswer Answer = answerOn(launch(
      LaunchState::Fails, {{"not-raised", "one", "nothing else raises it"},
                           {"fits-no-sm", "another", ""}}));
  EXPECT_EQ(stateOf(Answer), LaunchState::Fails);
  EXPECT_THAT(Answer.Figures.Failures, ElementsAre("one", "another"));
  EXPECT_EQ(recordOf(Answer.Figures).BlocksPerSM, 0u);
}

TEST(OccupancyOfFiles, WhatMayBeRaisedElsewhereKeepsItsFigures) {
  LaunchRecord Launch =
      launch(LaunchState::Fails, {{"not-raised", "one", "nothing raises it"}});
  Launch.DynamicSharedBytes = 60'000;
  OccupancyAnswer Answer = answerOn(Launch);
  EXPECT_EQ(stateOf(Answer), LaunchState::Fails);
  EXPECT_THAT(Answer.Figures.Failures, IsEmpty());
  EXPECT_EQ(recordOf(Answer.Figures).BlocksPerSM, 3u);
  EXPECT_FALSE(Answer.Figures.Input.SharedMemoryOptIn);
  // The program looks at the size before.
  Launch.Verdict = LaunchVerdictRecord{LaunchState::Runs, {}};
  Answer = answerOn(Launch);
  EXPECT_EQ(stateOf(Answer), LaunchState::Runs);
  EXPECT_TRUE(Answer.Figures.Input.SharedMemoryOptIn);
}

TEST(OccupancyOfFiles, WhatRunsIsNotJudgedAgain) {
  LaunchRecord Launch = launch(LaunchState::Runs, {});
  Launch.Grid = {1, 65536, 1};
  EXPECT_THAT(answerOn(Launch).Figures.Failures, IsEmpty());
  // Nobody judged it with that.
  OccupancyRequest Request;
  Request.Given.CarveOut = 50;
  EXPECT_THAT(answerOn(Launch, Request).Figures.Failures,
              ElementsAre(HasSubstr("65536 blocks in y")));
}

TEST(OccupancyOfFiles, WhatIsNotKnownIsJudgedByItsNumbers) {
  LaunchRecord Launch = launch(LaunchState::Unknown,
                               {{"dynamic-shared-not-known", "not known", ""}});
  Launch.DynamicSharedBytes.reset();
  EXPECT_THAT(answerOn(Launch).Figures.Failures, IsEmpty());
  OccupancyRequest Request;
  Request.Given.DynamicShared = 1 << 20;
  EXPECT_THAT(answerOn(Launch, Request).Figures.Failures,
              ElementsAre(HasSubstr("1024 KB of shared memory are more")));
}

// Reports of earlier versions, as `merge` reads them, have no verdict.
TEST(OccupancyOfFiles, WithoutAVerdictTheFiguresTell) {
  LaunchRecord Launch = launch(LaunchState::Runs, {});
  Launch.Verdict.reset();
  EXPECT_THAT(answerOn(Launch).Figures.Failures, IsEmpty());
  Launch.Occupancy = OccupancyRecord{.BlocksPerSM = 0u};
  EXPECT_THAT(answerOn(Launch).Figures.Failures,
              ElementsAre(HasSubstr("it breaks a limit of the GPU")));
}

} // namespace OccupancyCommandTests
