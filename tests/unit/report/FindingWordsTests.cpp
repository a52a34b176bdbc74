//===- tests/unit/report/FindingWordsTests.cpp - A problem in few words ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/FindingWords.h"

#include "report/Ranking.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <fmt/format.h>
#include <gmock/gmock.h>

namespace FindingWordsTests {

using namespace cudalint;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;

static Finding makeFinding() {
  Finding F;
  F.Check = "shared-bank-conflict";
  F.Where = {"a.cu", 5, 3};
  F.About = {SubjectKind::Store, "k", "tile[(4*i+3)*Rows+lane]", "tile",
             "tile"};
  F.What = {"wavefronts",
            "{access} takes {wavefronts} wavefronts per request, ideal {ideal}",
            {{"access", "store to 'tile[(4 * i + 3) * Rows + lane]'"},
             {"wavefronts", 4},
             {"ideal", 1}}};
  F.Remedy = {"skip-bytes",
              "leave 16 bytes free after every 1024 bytes: no conflict then",
              {}};
  return F;
}

static unsigned linesOf(const Headline &H, unsigned Column, unsigned Width) {
  const std::string Text = wrapped(H.Text, Column, Width);
  return static_cast<unsigned>(std::ranges::count(Text, '\n')) + 1;
}

TEST(Headline, IsWholeWhereThereIsRoom) {
  EXPECT_EQ(headlineOf(makeFinding(), 0, 200).Text,
            "store to 'tile' takes 4 wavefronts per request, ideal 1; leave 16 "
            "bytes free after every 1024 bytes: no conflict then "
            "[shared-bank-conflict]");
}

TEST(Headline, LeavesOutWhatIsMissedLeast) {
  // What the remedy brings; the unit; the name of the check, which the label
  // has then, and the unit stays.
  EXPECT_EQ(headlineOf(makeFinding(), 20, 80).Text,
            "store to 'tile' takes 4 wavefronts per request, ideal 1; leave 16 "
            "bytes free after every 1024 bytes [shared-bank-conflict]");
  EXPECT_EQ(headlineOf(makeFinding(), 40, 80).Text,
            "store to 'tile' takes 4 wavefronts, ideal 1; leave 16 bytes free "
            "after every 1024 bytes [shared-bank-conflict]");
  Headline H = headlineOf(makeFinding(), 46, 80);
  EXPECT_EQ(H.Text, "store to 'tile' takes 4 wavefronts per request, ideal 1; "
                    "leave 16 bytes free after every 1024 bytes");
  EXPECT_FALSE(H.HasCheck);
  EXPECT_EQ(headlineOf(makeFinding(), 62, 80).Text,
            "store to 'tile' takes 4 wavefronts, ideal 1; leave 16 bytes free "
            "after every 1024 bytes");
}

TEST(Advice, IsCauseAndRemedy) {
  Finding F = makeFinding();
  F.Cause = {"apart", "the rows are 1024 bytes apart, 32 of them", {}};
  EXPECT_EQ(adviceOf(F, 3, 80),
            "the rows are 1024 bytes apart, 32 of them; leave 16 bytes free "
            "after every 1024 bytes: no conflict then");
  // What the remedy brings goes, then what the cause adds.
  EXPECT_EQ(adviceOf(F, 60, 80),
            "the rows are 1024 bytes apart, 32 of them; leave 16 bytes free "
            "after every 1024 bytes");
  EXPECT_EQ(adviceOf(F, 3, 44), "the rows are 1024 bytes apart; leave 16 bytes "
                                "free after every 1024 bytes");
  // Of what has no cause, what is wrong; and no remedy is none.
  F.Cause = {};
  F.Remedy = {};
  EXPECT_EQ(adviceOf(F, 3, 80),
            "store to 'tile' takes 4 wavefronts per request, ideal 1");
}

TEST(Headline, NeverTakesMoreThanTwoLines) {
  Finding F = makeFinding();
  F.Remedy.Text = "first do this, which takes some time and some more words "
                  "than fit, and then that, of which nobody knows how, and "
                  "what more there is to do in the end";
  for (unsigned Width : {40u, 80u, 120u})
    for (unsigned Column = 8; Column < Width - 16; ++Column)
      EXPECT_LE(linesOf(headlineOf(F, Column, Width), Column, Width), 2u)
          << Width << ' ' << Column;
}

// Nobody is left with half a sentence.
TEST(Headline, WhatIsCutGoesOnBelow) {
  Finding F = makeFinding();
  F.What = {"busy",
            "each turn of the loop keeps shared memory busy for 6 times the "
            "clocks of its multiplications that wait for what they load",
            {}};
  const Headline H = headlineOf(F, 50, 80);
  EXPECT_TRUE(H.Text.ends_with("...")) << H.Text;
  EXPECT_TRUE(H.Below.starts_with("...")) << H.Below;
  const std::string Rest =
      H.Below.substr(0, H.Below.find("; leave 16 bytes free"));
  EXPECT_NE(Rest, H.Below);
  EXPECT_EQ(H.Text.substr(0, H.Text.size() - 3) + " " + Rest.substr(3),
            "each turn of the loop keeps shared memory busy for 6 times the "
            "clocks of its multiplications that wait for what they load");
}

TEST(Headline, AnErrorIsWhole) {
  Finding F = makeFinding();
  F.Level = Severity::Error;
  F.What = {"fails", std::string(200, 'w') + "; at most 64 registers", {}};
  EXPECT_THAT(headlineOf(F, 30, 80).Text,
              HasSubstr("at most 64 registers; leave 16 bytes free after every "
                        "1024 bytes: no conflict then [shared-bank"));
}

TEST(Headline, RemarksAreLeftOutBeforeTheRemedy) {
  Finding F = makeFinding();
  F.About = {SubjectKind::Launch, "sum"};
  F.What = {"few-warps",
            "'sum<128, 128, 16, 64, 64, 4, 8, 4, 128, 1>' in blocks of 128 has "
            "8 of 64 warps resident on an SM, 16 cover the latency",
            {}};
  F.Remedy = {
      "change", "at 128 registers (129 to 176 gain nothing) two fit", {}};
  EXPECT_EQ(
      headlineOf(F, 26, 80).Text,
      "'sum<128, 128, 16, ...>' in blocks of 128 has 8 of 64 warps resident "
      "on an SM, 16 cover the latency; at 128 registers two fit");
}

TEST(Headline, AListIsWholeOrLeftOut) {
  Finding F = makeFinding();
  F.Cause = {};
  F.What = {"powers",
            "load of 's' has bank conflicts of 2 ways at least, where n is one "
            "of 1, 2, 8, 16 or 64",
            {}};
  for (unsigned Column = 0; Column != 70; ++Column) {
    const std::string Text = headlineOf(F, Column, 80).Text;
    if (Text.find("one of 1") != Text.npos)
      EXPECT_THAT(Text, HasSubstr("1, 2, 8, 16 or 64")) << Column;
  }
}

TEST(Headline, CallsAreNotCutWithinTheirArguments) {
  Finding F = makeFinding();
  F.What = {"spills", std::string(60, 'w'), {}};
  F.Remedy = {"relax",
              "__launch_bounds__(1024, 1) allows 64 registers, with which "
              "nothing is spilled, as far as is known",
              {}};
  // What has no room is below, and whole.
  const Headline H = headlineOf(F, 30, 80);
  EXPECT_THAT(H.Text, Not(HasSubstr("__launch_bounds__")));
  EXPECT_EQ(H.Below, inWords(F.Remedy));
}

// The pad is all that matters of it.
TEST(Headline, WhatIsToBeWrittenStaysWhole) {
  Finding F = makeFinding();
  F.What.Values[0].What = "store to 'A_thread_block_tile_transposed'";
  F.Remedy = {
      "pad-rows", "declare 'A_thread_block_tile_transposed[16][132]'", {}};
  for (unsigned Column = 10; Column < 80; Column += 4) {
    const Headline H = headlineOf(F, Column, 80);
    EXPECT_THAT(H.Text + H.Below,
                HasSubstr("'A_thread_block_tile_transposed[16][132]'"))
        << Column;
    EXPECT_LE(linesOf(H, Column, 80), 2u) << Column;
  }
  EXPECT_THAT(adviceOf(F, 3, 80), HasSubstr("_transposed[16][132]'"));
  // Less than nothing is no list of arguments.
  F.Remedy.Text = "write 'first_of_all < last_of_all && last_of_all > nothing'";
  EXPECT_THAT(adviceOf(F, 3, 80), HasSubstr("< last_of_all && last_of_all >"));
}

// What ends with a clause is not broken off; why goes with the remedy.
TEST(Headline, TheReasonOfALaunchGoesBelowWithItsRemedy) {
  Finding F = makeFinding();
  F.About = {SubjectKind::Launch, "sum"};
  F.What = {"few-warps",
            "'sum' in blocks of 384 threads has 12 of 64 warps resident on an "
            "SM, 16 cover the latency",
            {}};
  F.Cause = {"registers", "90 registers x 12 warps: 2 blocks need 24", {}};
  F.Remedy = {"change", "at 80 registers (81 to 88 gain nothing) two fit", {}};
  const Headline H = headlineOf(F, 70, 80);
  EXPECT_EQ(H.Text, "'sum' in blocks of 384 threads has 12 of 64 warps "
                    "resident on an SM");
  EXPECT_EQ(H.Below, "90 registers x 12 warps; at 80 registers two fit");
  F.Remedy = {};
  EXPECT_EQ(headlineOf(F, 70, 80).Below, "90 registers x 12 warps");
}

TEST(Headline, AFormulaStaysWhole) {
  Finding F = makeFinding();
  F.Remedy = {
      "swizzle-columns",
      "keep element (row, col) of 'tile' at column col ^ (row % 16): no "
      "access to it conflicts then",
      {}};
  for (unsigned Column = 10; Column != 70; Column += 4) {
    const Headline H = headlineOf(F, Column, 80);
    EXPECT_THAT(H.Text + H.Below, HasSubstr("(row, col) of 'tile' at column "
                                            "col ^ (row % 16)"))
        << Column;
  }
}

TEST(Headline, TellsTheCauseWhereThereIsRoomOrNoRemedy) {
  Finding F = makeFinding();
  F.Cause = {"strided", "4-way bank conflict, lanes are 4 words apart", {}};
  EXPECT_THAT(headlineOf(F, 10, 200).Text,
              HasSubstr("ideal 1: 4-way bank conflict, lanes are 4 words "
                        "apart; leave 16"));
  EXPECT_THAT(headlineOf(F, 30, 80).Text, Not(HasSubstr("4-way")));
  F.Remedy = {};
  EXPECT_THAT(headlineOf(F, 30, 80).Text, HasSubstr("4-way"));
  EXPECT_THAT(headlineOf(F, 50, 80).Text, HasSubstr("4-way"));
}

TEST(Headline, LongNamesAreCutAndHostileOnesShown) {
  Finding F = makeFinding();
  F.About.Kind = SubjectKind::Load;
  F.About.Object = std::string(300, 'a');
  EXPECT_THAT(headlineOf(F, 10, 80).Text, HasSubstr("load of 'aaa"));
  EXPECT_LE(linesOf(headlineOf(F, 10, 80), 10, 80), 2u);
  F.About.Object = "\x1b[31m";
  EXPECT_THAT(headlineOf(F, 10, 80).Text, Not(HasSubstr("\x1b")));
}

TEST(Assumptions, OnlyOfTheProgram) {
  for (const AssumptionKind Each :
       {AssumptionKind::LargeSize, AssumptionKind::RoundSize,
        AssumptionKind::Program})
    EXPECT_TRUE(isWorthSaying(Assumption("so", Each)));
  for (const AssumptionKind Each :
       {AssumptionKind::Model, AssumptionKind::Compiler,
        AssumptionKind::Alignment, AssumptionKind::AnyOffset})
    EXPECT_FALSE(isWorthSaying(Assumption("so", Each)));
}

//===----------------------------------------------------------------------===//
// Labels
//===----------------------------------------------------------------------===//

static std::string label(const std::vector<Finding> &Findings,
                         const std::string &Headline = {}) {
  KernelRecord K;
  K.Name = "k";
  K.Signature = "k(int)";
  UnitRecord Unit;
  Unit.Kernels = {K};
  Unit.Findings = Findings;
  const Document Doc = {"0.1.0", {"h200", "9.0", 132}, {Unit}};
  const KernelIndex Known(Doc);
  return labelOf(groupFindings(std::span(&Doc, 1), Known).front(), Known,
                 std::span(&Doc, 1), {Headline, true});
}

static Finding ofKernel(unsigned Line, std::optional<double> Share) {
  Finding F = makeFinding();
  F.Kernel = "k";
  F.Where.Line = Line;
  F.Wasted = Waste{.Unit = "wavefronts", .OfKernel = Share};
  return F;
}

TEST(Label, TellsTheShareAndOfWhat) {
  EXPECT_EQ(label({ofKernel(5, 0.604)}),
            "wastes 60 % of the wavefronts of 'k'");
  EXPECT_EQ(label({ofKernel(5, 0.001)}),
            "wastes <1 % of the wavefronts of 'k'");
  EXPECT_EQ(label({ofKernel(5, std::nullopt)}), "in 'k'");
  Finding F = ofKernel(5, 0.6);
  F.Wasted->OfProgram = 0.2;
  EXPECT_EQ(
      label({F}),
      "wastes 60 % of the wavefronts of 'k', 20 % of all launches, each once");
  F.Wasted->OfProgram = 0.6; // of one kernel
  EXPECT_EQ(label({F}), "wastes 60 % of the wavefronts of 'k'");
  F = ofKernel(5, std::nullopt);
  F.Wasted->Estimate = 0.4;
  EXPECT_EQ(label({F}), "wastes ~40 % of the wavefronts of 'k'");
  F.Wasted->IsMost = true;
  EXPECT_EQ(label({F}), "wastes up to 40 % of the wavefronts of 'k'");
  F.Wasted->IsRough = true;
  EXPECT_EQ(label({F}), "how often loops turn decides what it wastes of 'k'");
}

static ShareWords shareIn(const Finding &F) {
  UnitRecord Unit;
  Unit.Findings = {F};
  const Document Doc = {"0.1.0", {"h200", "9.0", 132}, {Unit}};
  const KernelIndex Known(Doc);
  return shareInWords(groupFindings(std::span(&Doc, 1), Known).front(), Known);
}

TEST(Share, SaysWhatIsKnownOfIt) {
  EXPECT_EQ(shareIn(makeFinding()).Kind, ShareKind::None);
  Finding F = ofKernel(5, std::nullopt);
  EXPECT_EQ(shareIn(F).Kind, ShareKind::Kernel);
  EXPECT_EQ(shareIn(F).Kernel, "'k'");
  EXPECT_FALSE(shareIn(F).isOfCost());
  F.Wasted->Estimate = 0.4;
  EXPECT_EQ(shareIn(F).Kind, ShareKind::Known);
  F.Wasted->IsRough = true;
  EXPECT_EQ(shareIn(F).Kind, ShareKind::ByLoops);
  EXPECT_TRUE(shareIn(F).isOfCost());
}

/// A store that takes 5 of 10 wavefronts of a warp in blocks of 32, and 5 of as
/// many as \p OfLarge in blocks of 1024.
static std::string labelOfTwoBlocks(double OfLarge,
                                    const std::string &Shape = {}) {
  static constexpr BlockShape Small = {32, 1, 1}, Large = {1024, 1, 1};
  Finding F = makeFinding();
  F.Kernel = "k";
  F.Predicted = Prediction{"wavefronts_per_request", 5, 1};
  F.What.Values.emplace_back("shape", Shape);
  F.Block = Small;
  KernelRecord K;
  K.Name = "k";
  K.Accesses = {{.Where = F.Where,
                 .Space = MemorySpace::Shared,
                 .Op = AccessOp::Store,
                 .Unit = TrafficUnit::Wavefronts,
                 .PerRequest = 5,
                 .Ideal = 1,
                 .Block = Small,
                 .Executions = 1,
                 .Counts = {{Small, 1}, {Large, 1}}}};
  for (const auto &[Block, Traffic] :
       {std::pair(Small, 10.0), std::pair(Large, OfLarge)})
    K.Totals.push_back({.Block = Block,
                        .Spaces = {{.Space = MemorySpace::Shared,
                                    .Unit = TrafficUnit::Wavefronts,
                                    .Traffic = Traffic}}});
  UnitRecord Unit;
  Unit.Kernels = {K};
  Unit.Findings = {F};
  Document Doc = {"0.1.0", {"h200", "9.0", 132}, {Unit}};
  addWaste(Doc);
  const KernelIndex Known(Doc);
  return shareInWords(groupFindings(std::span(&Doc, 1), Known).front(), Known)
      .Text;
}

// 4 of 10, and 4 of 100.
TEST(Share, SaysOfWhichBlocksItIs) {
  EXPECT_EQ(labelOfTwoBlocks(100),
            "wastes 40 % of the wavefronts of 'k' in blocks of 32");
  EXPECT_EQ(labelOfTwoBlocks(100, " in blocks of 32"),
            "wastes 40 % of the wavefronts of 'k' in such blocks");
  EXPECT_EQ(labelOfTwoBlocks(10), "wastes 40 % of the wavefronts of 'k'");
}

TEST(Label, TellsNoKernelThatTheHeadlineNames) {
  const Finding F = ofKernel(5, std::nullopt);
  EXPECT_EQ(label({F}, "store to 'tile' in 'k'"), "");
  EXPECT_EQ(label({F}, "store to 'k2'"), "in 'k'");
}

// Each instance has its own.
TEST(Label, TellsTheSharesOfAllKernels) {
  const auto of = [](std::string Kernel, double Share) {
    Finding F = ofKernel(5, Share);
    F.Kernel = std::move(Kernel);
    return F;
  };
  EXPECT_EQ(label({of("k", 0.76), of("k2", 0.06), of("k3", 0.5)}),
            "wastes 6 to 76 % of the wavefronts of 'k' and 2 more kernels");
  EXPECT_EQ(label({of("k", 0.76), of("k2", 0.001)}),
            "wastes <1 to 76 % of the wavefronts of 'k' and 1 more kernel");
  EXPECT_EQ(label({of("k", 0.76), of("k2", 0.762)}),
            "wastes 76 % of the wavefronts of 'k2' and 1 more kernel");
  Finding Estimated = of("k2", 0);
  Estimated.Wasted->OfKernel.reset();
  Estimated.Wasted->Estimate = 0.5;
  EXPECT_EQ(label({of("k", 0.76), Estimated}),
            "wastes ~50 to 76 % of the wavefronts of 'k' and 1 more kernel");
  Finding Unknown = Estimated;
  Unknown.Wasted->IsRough = true;
  EXPECT_EQ(label({of("k", 0.76), Unknown}),
            "wastes 76 % of the wavefronts, where that is known, of 'k' and 1 "
            "more kernel");
  // A bound is one for all of them.
  Estimated.Wasted->IsMost = true;
  EXPECT_EQ(label({of("k", 0.76), Estimated}),
            "wastes up to 76 % of the wavefronts of 'k' and 1 more kernel");
  Estimated.Wasted->Estimate = 0.9;
  EXPECT_EQ(label({of("k", 0.76), Estimated}),
            "wastes up to 90 % of the wavefronts of 'k2' and 1 more kernel");
}

// Of a stride that may as well be 1.
TEST(Label, TellsNoShareOfWhatMayNotBe) {
  Finding F = ofKernel(5, 0.6);
  F.Level = Severity::Note;
  F.What = {"traffic-of-stride",
            "{access} touches up to {traffic} sectors, {when}",
            {{"access", "load"},
             {"traffic", 32},
             {"when", "unless n is 1"},
             {"symbol", "n"}}};
  EXPECT_EQ(label({F}), "in 'k'");
  F.Wasted->OfKernel.reset();
  F.Wasted->Estimate = 0.4;
  F.Wasted->IsRough = true;
  EXPECT_EQ(label({F}), "in 'k'");
}

TEST(Label, ListsOtherPlaces) {
  EXPECT_THAT(label({ofKernel(5, 0.1), ofKernel(12, 0.1)}),
              EndsWith("; also at line 12"));
  // Sorted as numbers, each once.
  EXPECT_THAT(label({ofKernel(5, 0.2), ofKernel(100, 0.1), ofKernel(12, 0.1),
                     ofKernel(12, 0.1)}),
              EndsWith("; also at lines 12, 100"));
  // Others of its line by their columns, each once.
  Finding Here = ofKernel(5, 0.1);
  Here.Where.Column += 20;
  EXPECT_THAT(label({ofKernel(5, 0.2), Here, Here}),
              EndsWith(fmt::format("; also at column {}", Here.Where.Column)));
  EXPECT_THAT(
      label({ofKernel(5, 0.2), Here, ofKernel(12, 0.1)}),
      EndsWith(fmt::format("; also at column {}, line 12", Here.Where.Column)));
  std::vector<Finding> Many;
  for (unsigned I = 0; I != 30; ++I)
    Many.push_back(ofKernel(5 + I, 0.01));
  EXPECT_THAT(label(Many),
              EndsWith("; also at lines 6, 7, 8, 9, 10, 11, 12, 13 and 21 "
                       "more"));
}

TEST(Label, TellsWhatTheRemedyBrings) {
  Finding F = ofKernel(5, 0.5);
  F.Effect = RemedyEffect{.Object = "tile",
                          .Unit = "wavefronts_per_block",
                          .Before = 1056,
                          .After = 64,
                          .BlocksPerSMBefore = std::nullopt,
                          .BlocksPerSMAfter = std::nullopt};
  EXPECT_EQ(label({F}),
            "wastes 50 % of the wavefronts of 'k'; with the remedy, 64 "
            "wavefronts of a block instead of 1056");
  F.Effect->Unit = "sectors_per_warp";
  EXPECT_THAT(label({F}), EndsWith("64 sectors of a warp instead of 1056"));
  F.Effect->After = 1;
  EXPECT_THAT(label({F}), EndsWith("1 sector of a warp instead of 1056"));
  // Each of its loops turns once in that, however often it does.
  F.Effect->Unit = "wavefronts_per_warp";
  EXPECT_EQ(label({F}), "wastes 50 % of the wavefronts of 'k'");
}

TEST(Label, TellsWhereItIsCalled) {
  Finding F = ofKernel(5, std::nullopt);
  F.InlinedAt = {{F.Where.File, 12, 1}};
  EXPECT_THAT(label({F}), EndsWith("called at line 12"));
  // A helper in a header says little without the call.
  F.InlinedAt = {{F.Where.File, 12, 1}, {"src/main.cu", 40, 1}};
  EXPECT_THAT(label({F}), EndsWith("called at line 12, main.cu:40"));
  F.InlinedAt = {{"src/main.cu", 40, 1}};
  EXPECT_THAT(label({F}), EndsWith("called at main.cu:40"));
}

TEST(Label, TellsWhatMayBeWrong) {
  Finding F = ofKernel(5, std::nullopt);
  F.Executions = 64;
  F.Others = 2;
  F.Assumptions = {
      {"'n' is a multiple of 32", AssumptionKind::RoundSize, "'n'"},
      {"'n' is large", AssumptionKind::LargeSize, "'n'"},
      {"'m' is large", AssumptionKind::LargeSize, "'m'"},
      "index arithmetic does not overflow"};
  EXPECT_EQ(label({F}), "in 'k'; 64 times a warp; so do 2 more accesses of "
                        "this kernel; assumes 'n' is a large multiple of 32 "
                        "and 'm' is large");
}

} // namespace FindingWordsTests
