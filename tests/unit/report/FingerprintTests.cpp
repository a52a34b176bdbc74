//===- tests/unit/report/FingerprintTests.cpp - Which is the same ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/Fingerprint.h"

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

using namespace cudalint;

static Finding tileColumn() {
  Finding F;
  F.Check = "shared-bank-conflict";
  F.Where = {"src/a.cu", 12, 9};
  F.Kernel = "_Z4tileILi32EEvPf";
  F.KernelSignature = "tile<32>(float *)";
  F.What = {"wavefronts",
            "{access} takes {wavefronts} wavefronts",
            {{"access", "load of 'tile[x][i + 32]'"}, {"wavefronts", 32}}};
  F.Cause = {"strided-lanes", "apart", {}};
  return F;
}

static std::vector<std::string> fingerprints(std::vector<Finding> Findings) {
  Document Doc;
  Doc.Units = {{.File = "a.cu", .Findings = std::move(Findings)}};
  addFingerprints(Doc);
  std::vector<std::string> Out;
  for (const Finding &F : Doc.Units[0].Findings)
    Out.push_back(F.Fingerprint);
  return Out;
}

static std::string after(const std::function<void(Finding &)> &Change) {
  Finding F = tileColumn();
  Change(F);
  return fingerprints({F}).front();
}

TEST(Fingerprint, IsSixteenHexadecimalDigits) {
  EXPECT_THAT(after([](Finding &) {}), testing::MatchesRegex("[0-9a-f]+"));
  EXPECT_EQ(after([](Finding &) {}).size(), 16u);
}

TEST(Fingerprint, SurvivesWhatIsNoOtherRemark) {
  const std::string Is = after([](Finding &) {});
  EXPECT_EQ(after([](Finding &F) { F.Where.Line += 40, F.Where.Column = 1; }),
            Is);
  EXPECT_EQ(after([](Finding &F) { F.Where.File = "/other/folder/a.cu"; }), Is);
  EXPECT_EQ(after([](Finding &F) { F.What.Values[1] = {"wavefronts", 16}; }),
            Is);
  EXPECT_EQ(after([](Finding &F) {
              F.What.Values[0] = {"access", "load of 'tile[x][i + 7]'"};
            }),
            Is);
  EXPECT_EQ(after([](Finding &F) { F.KernelSignature = "tile<8>(float *)"; }),
            Is);
  EXPECT_EQ(after([](Finding &F) { F.Level = Severity::Note; }), Is);
}

TEST(Fingerprint, TellsRemarksApart) {
  std::set<std::string> All = {
      after([](Finding &) {}),
      after([](Finding &F) { F.Check = "global-uncoalesced"; }),
      after([](Finding &F) { F.Where.File = "src/b.cu"; }),
      after([](Finding &F) { F.KernelSignature = "rows<32>(float *)"; }),
      after([](Finding &F) { F.What.Id = "lone-thread"; }),
      after([](Finding &F) {
        F.What.Values[0] = {"access", "load of 'rows[x][i + 32]'"};
      })};
  EXPECT_EQ(All.size(), 6u);
}

TEST(Fingerprint, IsNeverThatOfTwo) {
  Finding Second = tileColumn(), Third = tileColumn();
  Second.Where.Line = 20;
  Third.Where.Line = 30;
  const std::vector<std::string> All =
      fingerprints({tileColumn(), Second, Third});
  EXPECT_EQ(std::set<std::string>(All.begin(), All.end()).size(), 3u);
  // And the first keeps its own when more like it come behind.
  EXPECT_EQ(All.front(), fingerprints({tileColumn()}).front());
}
