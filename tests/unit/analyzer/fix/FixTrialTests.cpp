//===- tests/unit/analyzer/fix/FixTrialTests.cpp - What proves a fix ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/fix/FixTrial.h"
#include "analyzer/fix/ProvedFixes.h"

#include <gmock/gmock.h>

namespace FixTrialTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::HasSubstr;

namespace {
Finding finding(const std::string &Fingerprint, std::vector<Fix> Fixes = {}) {
  Finding F;
  F.Check = "shared-bank-conflict";
  F.Where = {"a.cu", 3, 5};
  F.About.Kind = SubjectKind::Load;
  F.Kernel = "f";
  F.What = {"wavefronts", "too many", {}};
  F.Predicted = Prediction{"wavefronts_per_request", 32, 1};
  F.Fingerprint = Fingerprint;
  F.Fixes = std::move(Fixes);
  return F;
}

/// One kernel `f`, of which a warp moves so many wavefronts of shared memory.
Document document(double Wavefronts, std::vector<Finding> Findings) {
  KernelRecord Kernel;
  Kernel.Name = Kernel.Signature = "f";
  Kernel.Totals.push_back({});
  Kernel.Totals[0].Spaces.push_back({.Space = MemorySpace::Shared,
                                     .Unit = TrafficUnit::Wavefronts,
                                     .Traffic = Wavefronts});
  Kernel.Launches.push_back({.Where = {"a.cu", 9, 1}});
  Kernel.Launches[0].Occupancy = OccupancyRecord{.BlocksPerSM = 2};
  UnitRecord Unit;
  Unit.File = "a.cu";
  Unit.Kernels.push_back(Kernel);
  Unit.Findings = std::move(Findings);
  Document Doc;
  Doc.Units.push_back(Unit);
  return Doc;
}

Fix pad(std::uint64_t Offset, FixSafety Safety = FixSafety::Safe) {
  return {.Description = "pad",
          .Safety = Safety,
          .Edits = {{"a.cu", Offset, 0, "+1"}}};
}

/// Of a fix that mends the first finding.
std::string faultOf(const Document &Before, const Document &After) {
  const OfferedFix Applied{pad(1),
                           {{0, 0, &Before.Units.front().Findings.front()}}};
  return newFault({&Applied, 1}, {&Before, 1}, {&After, 1});
}
} // namespace

TEST(FixTrial, WhatIsNewIsAFault) {
  const Document Old = document(64, {finding("1")});
  EXPECT_EQ(faultOf(Old, Old), "");
  EXPECT_EQ(faultOf(Old, document(2, {})), "");
  EXPECT_EQ(faultOf(Old, document(65, {})),
            "more is moved then: 'f': 64 -> 65 shared sectors per warp");
  EXPECT_EQ(faultOf(Old, document(2, {finding("2")})),
            "shared-bank-conflict is found then: too many (line 3)");
  // A second one that looks alike.
  EXPECT_NE(faultOf(Old, document(2, {finding("1"), finding("1")})), "");

  // Another check says the same of a text that is edited.
  Finding Loop = finding("3"), Edited = finding("4");
  Loop.Check = Edited.Check = "lone-thread-loop";
  const Document Both = document(64, {finding("1"), Loop});
  EXPECT_EQ(faultOf(Both, document(2, {Edited})), "");
  EXPECT_NE(faultOf(Both, document(2, {Edited, Edited})), "");
  EXPECT_NE(faultOf(Both, document(2, {Loop, Edited})), "");
  Edited.Where.Line = 4;
  EXPECT_NE(faultOf(Both, document(2, {Edited})), "");

  // A note in its place was behind it; elsewhere it is new.
  Finding Note = finding("2");
  Note.Level = Severity::Note;
  EXPECT_EQ(faultOf(Old, document(2, {Note})), "");
  EXPECT_NE(faultOf(Old, document(2, {finding("1"), Note})), "");
  Note.Where.Line = 4;
  EXPECT_NE(faultOf(Old, document(2, {Note})), "");

  Document Fewer = document(2, {});
  Fewer.Units[0].Kernels[0].Launches[0].Occupancy->BlocksPerSM = 1;
  EXPECT_EQ(faultOf(Old, Fewer), "'f' has 1 block per SM resident then, not 2");

  // In blocks of other sizes, threads count, and traffic of as many.
  const auto withBlocks = [&](std::int64_t Threads, double Traffic,
                              std::uint64_t Blocks) {
    Document Result = document(Traffic, {});
    KernelRecord &Kernel = Result.Units[0].Kernels[0];
    Kernel.Totals[0].Block = {Threads, 1, 1};
    Kernel.Launches[0].Block = {Threads, 1, 1};
    Kernel.Launches[0].Occupancy->BlocksPerSM = Blocks;
    return Result;
  };
  Document Eight = withBlocks(8, 1, 32);
  Eight.Units[0].Findings = {finding("1")};
  EXPECT_EQ(faultOf(Eight, withBlocks(128, 4, 16)), "");
  EXPECT_EQ(faultOf(Eight, withBlocks(128, 4.03, 16)), "");
  EXPECT_NE(faultOf(Eight, withBlocks(128, 4.05, 16)), "");
  EXPECT_EQ(faultOf(Eight, withBlocks(128, 5, 16)),
            "more is moved then: 'f': 1 -> 5 shared sectors per warp");
  EXPECT_EQ(faultOf(Eight, withBlocks(128, 4, 1)),
            "'f' has 128 threads per SM resident then, not 256");

  Document Broken = document(2, {});
  Broken.Units[0].Errors.push_back({{"a.cu", 4, 1}, "expected ';'"});
  EXPECT_EQ(faultOf(Old, Broken),
            "it does not compile then: expected ';' (line 4)");
  Document Other = document(2, {});
  Other.Units[0].Kernels[0].Name = Other.Units[0].Kernels[0].Signature = "g";
  EXPECT_EQ(faultOf(Old, Other), "'f' is another kernel then");
}

TEST(FixTrial, AKernelWithOtherParametersIsTheSame) {
  const auto named = [](double Wavefronts, const std::string &Name,
                        const std::string &Signature) {
    Document Result = document(Wavefronts, {});
    Result.Units[0].Kernels[0].Name = Name;
    Result.Units[0].Kernels[0].Signature = Signature;
    return Result;
  };
  Document Old = named(64, "_Z1fP1P", "f(P *)");
  Old.Units[0].Findings = {finding("1")};
  Old.Units[0].Findings[0].Kernel = "_Z1fP1P";
  const Document New = named(2, "_Z1f7PArrays", "f(PArrays)");
  EXPECT_EQ(faultOf(Old, New), "");
  EXPECT_EQ(faultOf(Old, named(65, "_Z1f7PArrays", "f(PArrays)")),
            "more is moved then: 'f': 64 -> 65 shared sectors per warp");
  const OfferedFix Applied{pad(1), {{0, 0, &Old.Units[0].Findings[0]}}};
  EXPECT_EQ(gainOf(Applied, {&Old, 1}, {&New, 1}).Words,
            "'f': 64 -> 2 shared sectors per warp");
  // Of several with one name, nobody knows which is which.
  Document Two = New;
  Two.Units[0].Kernels.push_back(Two.Units[0].Kernels[0]);
  Two.Units[0].Kernels[1].Name = "_Z1fPf";
  Two.Units[0].Kernels[1].Signature = "f(float *)";
  EXPECT_EQ(faultOf(Old, Two), "'f' is another kernel then");
  Document Was = Two;
  Was.Units[0].Kernels[0] = Old.Units[0].Kernels[0];
  Was.Units[0].Findings = Old.Units[0].Findings;
  EXPECT_EQ(faultOf(Was, Two), "'f' is another kernel then");
}

TEST(FixTrial, IndexesStayInTheirRows) {
  const auto withRows = [](std::uint64_t Row, std::uint64_t Last) {
    Document Result = document(2, {});
    Result.Units[0].Kernels[0].Rows = {
        {"_Zt", "tile", Row, Last, {"a.cu", 7, 5}}};
    return Result;
  };
  Document Old = withRows(128, 127);
  Old.Units[0].Findings = {finding("1")};
  // The last element of a row, and the first that is none.
  EXPECT_EQ(faultOf(Old, withRows(132, 127)), "");
  EXPECT_EQ(faultOf(Old, withRows(132, 131)),
            "an index runs over the end of its row of 'tile', into what is "
            "another element then (line 7)");
  EXPECT_EQ(faultOf(Old, withRows(128, 127)), "");
  const Document Longer = withRows(260, 131), Fits = withRows(260, 127);
  EXPECT_NE(leftRows({&Old, 1}, {&Longer, 1}), "");
  EXPECT_EQ(leftRows({&Old, 1}, {&Fits, 1}), "");
}

TEST(FixTrial, FindingsCountByTheirFingerprints) {
  const Document Old = document(
      64, {finding("1", {pad(1)}), finding("1", {pad(2)}), finding("2")});
  const std::vector<OfferedFix> Fixes = offeredFixes({&Old, 1});
  ASSERT_EQ(Fixes.size(), 2u);
  const auto areGoneIn = [&](const Document &New) {
    return areGone(Fixes[0], std::span(Fixes).first(1), {&Old, 1}, {&New, 1});
  };
  EXPECT_FALSE(areGoneIn(Old));
  EXPECT_TRUE(areGoneIn(document(2, {finding("1"), finding("2")})));
  const Document Both = document(2, {finding("1"), finding("2")});
  EXPECT_FALSE(areGone(Fixes[0], Fixes, {&Old, 1}, {&Both, 1}));
  EXPECT_TRUE(areGoneIn(document(2, {})));
}

TEST(FixTrial, TheGainIsThatOfTheKernel) {
  const Document Old = document(1056, {finding("1", {pad(1)})}),
                 New = document(64, {});
  const std::vector<OfferedFix> Fixes = offeredFixes({&Old, 1});
  const FixGain Gain = gainOf(Fixes[0], {&Old, 1}, {&New, 1});
  EXPECT_EQ(Gain.Words, "'f': 1056 -> 64 shared sectors per warp");
  EXPECT_FALSE(Gain.IsMissing);
  EXPECT_TRUE(gainOf(Fixes[0], {&Old, 1}, {&Old, 1}).IsMissing);
}

// Fewer accesses are a promise of a rule, as long as no compiler made them.
TEST(FixTrial, WhatTheCompilerDecidesItsCodeProves) {
  Finding InAll = finding("1", {pad(1)});
  InAll.Predicted->Metric = "sectors_per_warp";
  const Document Old = document(1056, {InAll});
  const std::vector<OfferedFix> Fixes = offeredFixes({&Old, 1});
  Document New = document(64, {});
  EXPECT_TRUE(gainOf(Fixes[0], {&Old, 1}, {&New, 1}).IsMissing);
  AccessRecord Made;
  Made.Compiled = MachineInstruction{};
  New.Units[0].Kernels[0].Accesses = {Made};
  EXPECT_FALSE(gainOf(Fixes[0], {&Old, 1}, {&New, 1}).IsMissing);
}

TEST(OfferedFixes, OneForEachChange) {
  Finding Dear = finding("4", {pad(9)});
  Dear.Group = 1;
  const Document Doc =
      document(64, {finding("1", {pad(1)}),
                    finding("2", {pad(1, FixSafety::Layout)}), Dear});
  const std::vector<OfferedFix> Fixes = offeredFixes({&Doc, 1});
  ASSERT_EQ(Fixes.size(), 2u);
  EXPECT_EQ(Fixes[0].first().Fingerprint, "4");
  EXPECT_EQ(Fixes[1].Mends.size(), 2u);
  EXPECT_EQ(Fixes[1].What.Safety, FixSafety::Layout);
}

namespace {
class Proving : public testing::Test {
protected:
  /// Proves the fixes of `Old`; `Judge` is the analysis.
  ProvedFixes prove(const Document &Old,
                    std::function<Document(const std::string &)> Judge,
                    FixSafety Most = FixSafety::Safe) {
    return proveFixes(
        {&Old, 1},
        {.Most = Most,
         .Original = [this](const std::string &Name)
             -> std::optional<std::string_view> {
           if (Name == "a.cu")
             return Text;
           return std::nullopt;
         },
         .WhyNotOurs = [](const std::string &) { return std::string(); }},
        [&](const std::map<std::string, std::string> &Texts) {
          ++Analyses;
          return std::vector{Judge(Texts.at("a.cu"))};
        });
  }

  static std::vector<FixState> states(const ProvedFixes &Proved) {
    std::vector<FixState> Result;
    for (const TriedFix &Each : Proved.Fixes)
      Result.push_back(Each.State);
    return Result;
  }

  std::string Text = "abcdefgh";
  unsigned Analyses = 0;
};
} // namespace

TEST_F(Proving, AllAtOnce) {
  const Document Old =
      document(64, {finding("1", {pad(1)}), finding("2", {pad(2)})});
  const ProvedFixes Proved =
      prove(Old, [](const std::string &) { return document(2, {}); });
  EXPECT_THAT(states(Proved), ElementsAre(FixState::Proved, FixState::Proved));
  EXPECT_EQ(Proved.Texts.at("a.cu"), "a+1b+1cdefgh");
  EXPECT_EQ(Analyses, 1u);
  EXPECT_EQ(Proved.After.size(), 1u);
  EXPECT_EQ(Proved.Fixes[0].Words, "'f': 64 -> 2 shared sectors per warp");
}

TEST_F(Proving, OneThatDoesNotHoldKeepsNoOther) {
  const Document Old =
      document(64, {finding("1", {pad(1)}), finding("2", {pad(2)})});
  // The first brings a finding.
  const ProvedFixes Proved = prove(Old, [](const std::string &Now) {
    std::vector<Finding> Left;
    if (Now.find("a+1") != Now.npos)
      Left.push_back(finding("9"));
    else
      Left.push_back(finding("1"));
    if (Now.find("b+1") == Now.npos)
      Left.push_back(finding("2"));
    return document(Now.find("b+1") == Now.npos ? 64 : 2, Left);
  });
  EXPECT_THAT(states(Proved), ElementsAre(FixState::Refused, FixState::Proved));
  EXPECT_THAT(Proved.Fixes[0].Words, HasSubstr("is found then"));
  EXPECT_EQ(Proved.Texts.at("a.cu"), "ab+1cdefgh");
}

TEST_F(Proving, WhatFailedMayBeSlowThen) {
  Finding Failing = finding("1", {pad(1)});
  Failing.Level = Severity::Error;
  const Document Old = document(64, {Failing});
  // It spills, which is a warning.
  EXPECT_THAT(states(prove(Old,
                           [](const std::string &) {
                             return document(64 - 32, {finding("9")});
                           })),
              ElementsAre(FixState::Proved));
  EXPECT_THAT(states(prove(Old,
                           [](const std::string &) {
                             Finding Other = finding("9");
                             Other.Level = Severity::Error;
                             return document(32, {Other});
                           })),
              ElementsAre(FixState::Refused));
}

TEST_F(Proving, WhatIsNotWishedIsNotTried) {
  const Document Old =
      document(64, {finding("1", {pad(1, FixSafety::Layout)}),
                    finding("2", {pad(2, FixSafety::Rounding)})});
  const auto Judge = [](const std::string &) { return document(2, {}); };
  EXPECT_THAT(states(prove(Old, Judge)),
              ElementsAre(FixState::NotWished, FixState::NotWished));
  EXPECT_EQ(Analyses, 0u);
  EXPECT_THAT(states(prove(Old, Judge, FixSafety::Layout)),
              ElementsAre(FixState::Proved, FixState::Proved));
}

TEST_F(Proving, AFindingThatStaysRefusesTheFix) {
  const Document Old = document(64, {finding("1", {pad(1)})});
  const ProvedFixes Proved = prove(
      Old, [](const std::string &) { return document(2, {finding("1")}); });
  EXPECT_THAT(states(Proved), ElementsAre(FixState::Refused));
  EXPECT_EQ(Proved.Fixes[0].Words, "the finding stays");
  EXPECT_TRUE(Proved.Texts.empty());
}

} // namespace FixTrialTests
