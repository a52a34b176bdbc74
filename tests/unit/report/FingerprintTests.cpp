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

namespace FingerprintTests {

using namespace cudalint;

static Finding tileColumn() {
  Finding F;
  F.Check = "shared-bank-conflict";
  F.Where = {"src/a.cu", 12, 9};
  F.Kernel = "_Z4tileILi32EEvPf";
  F.KernelSignature = "tile<32>(float *)";
  F.About = {SubjectKind::Load, "tile", "rows[x][i+32]"};
  F.What = {"wavefronts",
            "{access} takes {wavefronts} wavefronts",
            {{"access", "load of 'rows[x][i + 32]'"}, {"wavefronts", 32}}};
  F.Cause = {"strided-lanes", "apart", {}};
  return F;
}

static Finding at(unsigned Line) {
  Finding F = tileColumn();
  F.Where.Line = Line;
  return F;
}

/// Of each finding of each unit, `0123456789abcdef:1`.
static std::vector<std::string>
fingerprints(std::vector<std::vector<Finding>> Units) {
  Document Doc;
  for (std::vector<Finding> &Each : Units)
    Doc.Units.push_back({.File = "a.cu", .Findings = std::move(Each)});
  addFingerprints(Doc);
  std::vector<std::string> Out;
  for (const UnitRecord &Unit : Doc.Units)
    for (const Finding &F : Unit.Findings)
      Out.push_back(F.Fingerprint + ":" + std::to_string(F.Occurrence));
  return Out;
}

static std::string after(const std::function<void(Finding &)> &Change) {
  Finding F = tileColumn();
  Change(F);
  return fingerprints({{F}}).front();
}

TEST(Fingerprint, IsSixteenHexadecimalDigits) {
  const std::string Text = after([](Finding &) {});
  EXPECT_THAT(Text, testing::MatchesRegex("[0-9a-f]+:1"));
  EXPECT_EQ(Text.size(), 18u);
}

TEST(Fingerprint, SurvivesWhatIsNoOtherRemark) {
  const std::string Is = after([](Finding &) {});
  EXPECT_EQ(after([](Finding &F) { F.Where.Line += 40, F.Where.Column = 1; }),
            Is);
  EXPECT_EQ(after([](Finding &F) { F.Where.File = "/other/folder/a.cu"; }), Is);
  // What is said of it has other words and numbers.
  EXPECT_EQ(after([](Finding &F) { F.What.Values.clear(); }), Is);
  EXPECT_EQ(after([](Finding &F) { F.Cause.Id = "rows-of-lanes"; }), Is);
  EXPECT_EQ(after([](Finding &F) { F.About.Name = "rows[x][i+0x7f]"; }), Is);
  EXPECT_EQ(after([](Finding &F) { F.KernelSignature = "tile<8>(float *)"; }),
            Is);
  EXPECT_EQ(after([](Finding &F) { F.Level = Severity::Note; }), Is);
}

TEST(Fingerprint, TellsRemarksApart) {
  std::set<std::string> All = {
      after([](Finding &) {}),
      after([](Finding &F) { F.Check = "global-uncoalesced"; }),
      after([](Finding &F) { F.Where.File = "src/b.cu"; }),
      after([](Finding &F) { F.About.Function = "S::tile"; }),
      after([](Finding &F) { F.About.Kind = SubjectKind::Store; }),
      after([](Finding &F) { F.What.Id = "lone-thread"; }),
      // Digits of a name are no number.
      after([](Finding &F) { F.About.Name = "rows2[x][i+32]"; }),
      after([](Finding &F) { F.About.Name = "rows3[x][i+32]"; })};
  EXPECT_EQ(All.size(), 8u);
}

TEST(Fingerprint, PlacesOfAUnitAreCounted) {
  const std::string Is = fingerprints({{tileColumn()}}).front();
  const std::string Hash = Is.substr(0, 16);
  EXPECT_THAT(fingerprints({{at(12), at(20), at(30)}}),
              testing::ElementsAre(Hash + ":1", Hash + ":2", Hash + ":3"));
}

TEST(Fingerprint, InstantiationsOfAPlaceAreOneRemark) {
  Finding Other = at(12);
  Other.Kernel = "_Z4tileILi8EEvPf";
  const std::vector<std::string> Without = fingerprints({{at(12), at(20)}});
  const std::vector<std::string> With = fingerprints({{at(12), Other, at(20)}});
  EXPECT_EQ(With.at(0), Without.at(0));
  EXPECT_EQ(With.at(1), Without.at(0));
  EXPECT_EQ(With.at(2), Without.at(1));
}

TEST(Fingerprint, OtherFilesOfTheRunDoNotMatter) {
  const std::vector<std::string> Alone = fingerprints({{at(12), at(20)}});
  // A header of both, and a file of the same name in another folder.
  Finding Far = at(3);
  Far.Where.File = "other/a.cu";
  const std::vector<std::string> Beside =
      fingerprints({{Far}, {at(12)}, {at(12), at(20)}});
  EXPECT_THAT(Beside,
              testing::ElementsAre(Alone[0], Alone[0], Alone[0], Alone[1]));
}

} // namespace FingerprintTests
