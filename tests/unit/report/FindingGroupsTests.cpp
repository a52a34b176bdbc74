//===- tests/unit/report/FindingGroupsTests.cpp - What is one problem -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/FindingGroups.h"

#include "report/Names.h"

#include <fmt/format.h>
#include <functional>
#include <gmock/gmock.h>

namespace FindingGroupsTests {

using namespace cudalint;
using testing::DoubleEq;
using testing::ElementsAre;
using testing::Optional;

/// A store to the array `tile` in kernel `k` of a.cu.
static Finding makeFinding(unsigned Line = 5) {
  Finding F;
  F.Check = "shared-bank-conflict";
  F.Where = {"a.cu", Line, 3};
  F.Kernel = "k";
  F.About = {SubjectKind::Store, "k", "tile[4*i]", "tile", "tile"};
  F.What = {"wavefronts",
            "{access} takes {wavefronts}",
            {{"access", "store to 'tile[4 * i]'"}, {"wavefronts", 4}}};
  F.Cause = {"strided-lanes", "{words} apart", {{"words", 4}}};
  F.Remedy = {"change-pitch",
              "let the rows be {pitch} long",
              {{"pitch", 5}, {"array", "tile"}}};
  F.Predicted = Prediction{"wavefronts_per_request", 4, 1};
  return F;
}

/// An access by another name.
static void setAccess(Finding &F, SubjectKind Kind, std::string Name,
                      std::string Variable = "tile") {
  F.What.Values[0].What = accessInWords(*opOf(Subject{Kind}), Name);
  F.About = {Kind, "k", std::move(Name), Variable, Variable};
}

static KernelRecord kernel(std::string Name, unsigned Line,
                           std::string Template = {}) {
  KernelRecord K;
  K.Name = std::move(Name);
  K.Template = std::move(Template);
  K.Where = {"a.cu", Line, 1};
  return K;
}

/// Kernels k of line 1, k2 of line 20; f<1>, f<2> of line 40.
static Document withFindings(std::vector<Finding> Findings) {
  UnitRecord Unit;
  Unit.File = "a.cu";
  Unit.Findings = std::move(Findings);
  Unit.Kernels = {kernel("k", 1), kernel("k2", 20), kernel("f<1>", 40, "f"),
                  kernel("f<2>", 40, "f")};
  return {"0.1.0", {"h200", "9.0", 132}, {std::move(Unit)}};
}

static std::vector<FindingGroup> groupsOf(const Document &Doc) {
  return groupFindings(std::span(&Doc, 1), KernelIndex(Doc));
}

static std::size_t countOf(std::vector<Finding> Findings) {
  return groupsOf(withFindings(std::move(Findings))).size();
}

/// A finding and another that a change makes of it.
static std::size_t countWith(const std::function<void(Finding &)> &Change) {
  Finding Other = makeFinding(6);
  Change(Other);
  return countOf({makeFinding(), Other});
}

//===----------------------------------------------------------------------===//
// One problem
//===----------------------------------------------------------------------===//

TEST(FindingGroups, ComponentsOfAVectorAreOne) {
  std::vector<Finding> Findings(4, makeFinding());
  for (unsigned I = 0; I != 4; ++I) {
    Findings[I].Where.Line += I;
    setAccess(Findings[I], SubjectKind::Store, fmt::format("tile[4*i+{}]", I));
  }
  EXPECT_EQ(countOf(Findings), 1u);
}

TEST(FindingGroups, ALoadAndAStoreOfOnePatternAreOne) {
  EXPECT_EQ(
      countWith([](Finding &F) { setAccess(F, SubjectKind::Load, "tile[i]"); }),
      1u);
  // Its fields too.
  EXPECT_EQ(countWith([](Finding &F) {
              setAccess(F, SubjectKind::Load, "tile[i].x");
            }),
            1u);
}

TEST(FindingGroups, OneLayoutForAnArrayIsOneProblem) {
  Finding A = makeFinding(5), B = makeFinding(6);
  B.Cause.Values[0].What = 8.0;
  EXPECT_EQ(countOf({A, B}), 2u);
  for (Finding *Each : {&A, &B})
    Each->Effect = RemedyEffect{.Object = "tile",
                                .Unit = "wavefronts_per_block",
                                .Before = 1056,
                                .After = 64,
                                .BlocksPerSMBefore = std::nullopt,
                                .BlocksPerSMAfter = std::nullopt};
  EXPECT_EQ(countOf({A, B}), 1u);
  B.Remedy.Values[0].What = 9.0;
  EXPECT_EQ(countOf({A, B}), 2u);
}

TEST(FindingGroups, OtherRolesOfThreadsAreOneProblemOfAKernel) {
  Finding A = makeFinding(5), B = makeFinding(6);
  for (Finding *Each : {&A, &B}) {
    Each->Remedy = {"swap-thread-roles", "swap them", {}};
    Each->Effect = RemedyEffect{.Object = {},
                                .Unit = "sectors_per_warp",
                                .Before = 32,
                                .After = 8,
                                .BlocksPerSMBefore = std::nullopt,
                                .BlocksPerSMAfter = std::nullopt};
  }
  setAccess(B, SubjectKind::Load, "other[i]", "other");
  B.Cause.Values[0].What = 8.0;
  EXPECT_EQ(countOf({A, B}), 1u);
  B.Kernel = "k2";
  EXPECT_EQ(countOf({A, B}), 2u);
}

/// The four accesses of a comparator: its parameters are names of that call.
static std::vector<Finding> comparator(std::initializer_list<unsigned> Calls) {
  std::vector<Finding> Findings;
  for (const unsigned Call : Calls)
    for (const auto &[Kind, Name] :
         {std::pair(SubjectKind::Load, "a"), std::pair(SubjectKind::Load, "b"),
          std::pair(SubjectKind::Store, "a"),
          std::pair(SubjectKind::Store, "b")}) {
      Finding F = makeFinding(2);
      F.Where.Column = 3 + static_cast<unsigned>(Findings.size());
      setAccess(F, Kind, Name, Name);
      F.About.Object.clear();
      F.InlinedAt = {{"a.cu", Call, 5}};
      Findings.push_back(F);
    }
  return Findings;
}

TEST(FindingGroups, AccessesOfAComparatorAreOne) {
  EXPECT_EQ(countOf(comparator({30})), 1u);
  // Whatever it is called with: the comparator is mended once.
  EXPECT_EQ(countOf(comparator({30, 31})), 1u);
  std::vector<Finding> Named = comparator({30, 31});
  for (Finding &F : Named)
    F.About.Object = F.InlinedAt[0].Line == 30 ? "s_key" : "s_val";
  EXPECT_EQ(countOf(Named), 1u);
}

TEST(FindingGroups, InstantiationsAreOneWhateverTheNumbers) {
  Finding A = makeFinding(), B = makeFinding();
  A.Kernel = "f<1>";
  B.Kernel = "f<2>";
  B.Predicted->Value = 8;
  B.What.Values[1].What = 8.0;
  B.Cause.Values[0].What = 8.0;
  // Relative to the array: of another size of it.
  B.Remedy.Values[0].What = 9.0;
  const Document Doc = withFindings({A, B});
  const std::vector<FindingGroup> Groups = groupsOf(Doc);
  ASSERT_EQ(Groups.size(), 1u);
  // The worst is told.
  EXPECT_EQ(Groups[0].First, &Doc.Units[0].Findings[1]);
  EXPECT_EQ(Groups[0].range(), "4 to 8 wavefronts per request");
}

TEST(FindingGroups, OfInstancesThatSpillTheWorstIsTold) {
  const auto spills = [](std::string Kernel, unsigned Bytes) {
    Finding F = makeFinding();
    F.Check = "register-spill";
    F.Kernel = std::move(Kernel);
    F.What = {"spills",
              "{stores byte} of stores and {loads byte} of loads",
              {{"stores", Bytes}, {"loads", 2 * Bytes}}};
    F.Predicted.reset();
    return F;
  };
  const Document Doc = withFindings({spills("f<1>", 16), spills("f<2>", 900)});
  const std::vector<FindingGroup> Groups = groupsOf(Doc);
  ASSERT_EQ(Groups.size(), 1u);
  EXPECT_EQ(Groups[0].First, &Doc.Units[0].Findings[1]);
}

// What it may cost is told, not what it does for the sizes that are assumed.
TEST(FindingGroups, TheRangeOfAConditionIsOfWhatItTells) {
  Finding A = makeFinding(), B = makeFinding();
  A.Kernel = "f<1>";
  B.Kernel = "f<2>";
  for (Finding *Each : {&A, &B})
    Each->What = {"traffic-of-stride",
                  "{access} touches up to {traffic} sectors, {when}",
                  {{"access", "store to 'tile[4 * i]'"},
                   {"traffic", Each == &A ? 16 : 32},
                   {"when", "whatever n is"}}};
  EXPECT_EQ(groupsOf(withFindings({A, B}))[0].range(),
            "16 to 32 wavefronts per request");
  for (Finding *Each : {&A, &B}) {
    std::erase_if(Each->What.Values,
                  [](const NamedValue &V) { return V.Name == "when"; });
    Each->What.Id = "traffic-of-any-stride";
    Each->What.Text = "{access} touches up to {traffic} sectors";
  }
  EXPECT_EQ(groupsOf(withFindings({A, B}))[0].range(),
            "16 to 32 wavefronts per request");
  // No number is told, only that there are conflicts.
  for (Finding *Each : {&A, &B})
    Each->What = {
        "conflicts-of-stride",
        "{access} has conflicts {when}",
        {{"access", "store to 'tile[4 * i]'"}, {"when", "if n is even"}}};
  B.Predicted->Value = 8;
  EXPECT_EQ(groupsOf(withFindings({A, B}))[0].range(), "");
  // Arrays of a template have a size in each instance.
  A.Predicted.reset();
  B.Predicted.reset();
  A.What.Values = {{"array_bytes", 96}};
  B.What.Values = {{"array_bytes", 192}};
  const auto Document = withFindings({A, B});
  const FindingGroup Both = groupsOf(Document)[0];
  EXPECT_EQ(Both.range(), "96 to 192 bytes");
  EXPECT_EQ(Both.First->What.number("array_bytes"), 192);
}

// One declaration is padded, whatever that saves in each of them.
TEST(FindingGroups, InstantiationsAreOneWhateverIsGained) {
  std::vector<Finding> Two = {makeFinding(), makeFinding()};
  for (int I : {0, 1}) {
    Two[I].Kernel = I ? "f<2>" : "f<1>";
    Two[I].Cause.Values[0].What = 16.0 * (I + 1);
    Two[I].Remedy.Values = {
        {"pad_elements", 1}, {"before", 512.0 * (I + 1)}, {"after", 32.0}};
  }
  EXPECT_EQ(countOf(Two), 1u);
}

// A line of a helper, called by two kernels with arrays of one name.
TEST(FindingGroups, ALineOfAHelperIsOneWhateverItCosts) {
  const auto countOfTwo = [](const std::function<void(Finding &)> &Change) {
    Finding Other = makeFinding();
    Other.Kernel = "k2";
    Other.Predicted->Value = 8;
    Other.What.Values[1].What = 8.0;
    Other.Cause.Values[0].What = 8.0;
    Change(Other);
    return countOf({makeFinding(), Other});
  };
  EXPECT_EQ(countOfTwo([](Finding &) {}), 1u);
  EXPECT_EQ(countOfTwo([](Finding &F) { F.About.Object = "other"; }), 2u);
  EXPECT_EQ(countOfTwo([](Finding &F) { F.Remedy.Id = "another"; }), 1u);
  EXPECT_EQ(countOfTwo([](Finding &F) { F.Cause.Id = "another"; }), 1u);
}

TEST(FindingGroups, LaunchesOfADispatchLadderAreOne) {
  Finding A;
  A.Check = "low-occupancy";
  A.Level = Severity::Note;
  A.Where = {"a.cu", 60, 5};
  A.Kernel = "f<1>";
  A.About.Kind = SubjectKind::Launch;
  A.What = {"few-warps", "{warps} of 64 warps", {{"warps", 8}}};
  A.Cause = {"registers", "196 registers", {}};
  A.Remedy = {"change-resources", "at 128 registers two fit", {}};
  A.Predicted = Prediction{"warps_per_sm", 8, 16};
  Finding B = A;
  B.Where.Line = 63;
  B.Kernel = "f<2>";
  B.Cause.Text = "168 registers";
  EXPECT_EQ(countOf({A, B}), 1u);
  B.Cause.Id = "shared";
  EXPECT_EQ(countOf({A, B}), 2u);
  B = A;
  B.Where.Line = 70;
  B.Kernel = "k"; // another kernel
  EXPECT_EQ(countOf({A, B}), 2u);
}

TEST(FindingGroups, LaunchesOfOneShapeAreOne) {
  Finding A;
  A.Check = "small-grid";
  A.Where = {"a.cu", 60, 5};
  A.Kernel = "k";
  A.About.Kind = SubjectKind::Launch;
  A.What = {"idle-sms", "grid of {blocks} blocks", {{"blocks", 64}}};
  A.Remedy = {"more-blocks", "use more blocks", {}};
  Finding B = A;
  B.Where.Line = 70;
  B.Kernel = "other";
  EXPECT_EQ(countOf({A, B}), 1u);
  B.What.Values[0].What = 32.0;
  EXPECT_EQ(countOf({A, B}), 2u);
  B = A;
  B.Where = {"b.cu", 70, 5};
  B.Kernel = "other";
  EXPECT_EQ(countOf({A, B}), 2u);
}

TEST(FindingGroups, PointersOfAKernelAreOneProblem) {
  Finding A = makeFinding(5), B = makeFinding(6);
  A.Remedy = B.Remedy = {"restrict", "declare the pointers __restrict__", {}};
  A.Cause = {"may-alias", "'{other}' may lead there", {{"other", "m"}}};
  B.Cause = {"may-alias", "'{other}' may lead there", {{"other", "v"}}};
  B.What.Id = "same-in-each-turn";
  setAccess(B, SubjectKind::Store, "out[i]", "out");
  EXPECT_EQ(countOf({A, B}), 1u);
  B.Kernel = "other";
  EXPECT_EQ(countOf({A, B}), 2u);
}

TEST(FindingGroups, RowsOfOneLengthAreOneProblem) {
  const auto rows = [](std::string Id) {
    Finding A = makeFinding(5), B = makeFinding(6);
    A.Remedy = B.Remedy = {std::move(Id), "let each row begin elsewhere", {}};
    B.Cause.Id = "another";
    setAccess(B, SubjectKind::Store, "out[i]", "out");
    return countOf({A, B});
  };
  EXPECT_EQ(rows("align-rows"), 1u);
  EXPECT_EQ(rows("shift-index"), 2u);
}

TEST(FindingGroups, AccessesAtOneDistanceAreOneProblem) {
  const auto countOfTwo = [](std::string Symbol) {
    Finding A = makeFinding(5), B = makeFinding(6);
    A.What.Values.emplace_back("symbol", "pitch");
    B.What.Values.emplace_back("symbol", Symbol);
    setAccess(B, SubjectKind::Store, "out[i]", "out");
    return countOf({A, B});
  };
  EXPECT_EQ(countOfTwo("pitch"), 1u);
  EXPECT_EQ(countOfTwo("width"), 2u);
}

TEST(FindingGroups, WhichElementsThreadsTakeIsOneProblem) {
  const auto countOfTwo = [](std::string Id, std::string Kernel) {
    Finding A = makeFinding(5), B = makeFinding(6);
    B.Kernel = std::move(Kernel);
    A.Remedy = B.Remedy = {std::move(Id), "let the lanes take others", {}};
    B.Cause.Id = "another";
    setAccess(B, SubjectKind::Store, "out[i]", "out");
    return countOf({A, B});
  };
  const std::string Own = makeFinding(5).Kernel;
  EXPECT_EQ(countOfTwo("row-per-warp", Own), 1u);
  EXPECT_EQ(countOfTwo("row-per-warp", "k2"), 2u);
  // Fields of a struct are those of one struct.
  EXPECT_EQ(countOfTwo("fields-apart", Own), 2u);
}

// In the caller's words, they are different arrays.
TEST(FindingGroups, AnArgumentOfAHelperIsWhateverItIsCalledWith) {
  Finding A = makeFinding(), B = makeFinding();
  B.Kernel = "k2";
  B.About.Object = "other";
  EXPECT_EQ(countOf({A, B}), 2u);
  A.InlinedAt = {{"a.cu", 30, 3}};
  B.InlinedAt = {{"a.cu", 31, 3}};
  EXPECT_EQ(countOf({A, B}), 1u);
}

TEST(FindingGroups, KernelsOfAFileThatDoTheSameAreOne) {
  EXPECT_EQ(countWith([](Finding &F) { F.Kernel = "k2"; }), 1u);
  // Of other numbers, it may be another problem.
  EXPECT_EQ(countWith([](Finding &F) {
              F.Kernel = "k2";
              F.Predicted->Value = 8;
            }),
            2u);
}

TEST(FindingGroups, KernelsOfSeveralFilesAreOneOnlyInAHeader) {
  Document Doc = withFindings({makeFinding()});
  Doc.Units.push_back(Doc.Units[0]);
  Doc.Units[1].File = "b.cu";
  Doc.Units[1].Findings[0].Where.File = "b.cu";
  for (KernelRecord &K : Doc.Units[1].Kernels)
    K.Where.File = "b.cu";
  EXPECT_EQ(groupsOf(Doc).size(), 2u);
  Doc.Units[0].Findings[0].Where.File = "inc/c.cuh";
  Doc.Units[1].Findings[0].Where.File = "src/../inc/c.cuh";
  EXPECT_EQ(groupsOf(Doc).size(), 1u);
}

TEST(FindingGroups, TargetsAreOne) {
  std::vector<Document> Docs(2, withFindings({makeFinding(), makeFinding(9)}));
  for (Document &Doc : Docs)
    setAccess(Doc.Units[0].Findings[1], SubjectKind::Store, "other[i]",
              "other");
  // Another target has other numbers.
  for (Finding &F : Docs[1].Units[0].Findings) {
    F.Predicted->Value = 8;
    F.Cause.Values[0].What = 8.0;
  }
  std::vector<FindingGroup> Groups = groupFindings(Docs, KernelIndex(Docs));
  ASSERT_EQ(Groups.size(), 2u);
  EXPECT_EQ(Groups[0].All.size(), 2u);
  EXPECT_EQ(Groups[0].All[0].In, &Docs[0]);
  EXPECT_EQ(Groups[0].All[1].In, &Docs[1]);
  EXPECT_EQ(Groups[0].range(), ""); // of one target
  // Another remedy does not make another line of it.
  Docs[1].Units[0].Findings[0].Remedy = {"stage", "stage it", {}};
  EXPECT_EQ(groupFindings(Docs, KernelIndex(Docs)).size(), 2u);
}

// All updates at one address take 90 % of a kernel that nothing launches.
TEST(FindingGroups, WhatIsLaunchedComesFirst) {
  const auto updates = [](std::string Kernel, double Percent, unsigned Line) {
    Finding F = makeFinding(Line);
    F.Check = "hot-atomic";
    F.Kernel = std::move(Kernel);
    F.What = {"one-address",
              "{most_percent_of_kernel}",
              {{"most_percent_of_kernel", Percent}}};
    F.Remedy = {"aggregate-" + F.Kernel, "", {}};
    F.Cause = {};
    F.Predicted.reset();
    return F;
  };
  Document Doc = withFindings({updates("never", 90, 5), updates("f", 20, 9)});
  Doc.Units[0].Kernels = {{.Name = "never"}, {.Name = "f"}};
  const auto firstKernel = [&] { return groupsOf(Doc).at(0).First->Kernel; };
  EXPECT_EQ(firstKernel(), "never");
  Doc.Units[0].Kernels[1].Launches = {{.Source = LaunchSource::Launch}};
  EXPECT_EQ(firstKernel(), "f");
}

TEST(FindingGroups, AccessesOfAGroupAreOneAndTheFirstIsTold) {
  Finding Leader = makeFinding(5), Other = makeFinding(9);
  setAccess(Leader, SubjectKind::Load, "x[4*i]", "x");
  setAccess(Other, SubjectKind::Load, "y[4*i]", "y");
  Other.Remedy = {"as-of-group",
                  "see the {leader} at line {line}",
                  {{"leader", "load of 'x[4*i]'"}, {"line", 5}}};
  Other.Wasted = Waste{.Unit = "wavefronts", .OfKernel = 0.5};
  const Document Doc = withFindings({Other, Leader});
  const std::vector<FindingGroup> Groups = groupsOf(Doc);
  ASSERT_EQ(Groups.size(), 1u);
  EXPECT_EQ(Groups[0].First->Where.Line, 5u);
  Other.Remedy.Values[1].What = 6.0; // of another line
  EXPECT_EQ(countOf({Other, Leader}), 2u);
}

TEST(FindingGroups, OneLiteralInSeveralPlacesIsOne) {
  Finding F;
  F.Check = "implicit-double";
  F.Where = {"a.cu", 5, 1};
  F.About = {SubjectKind::Literal, "f", "0.5"};
  F.What = {"double-literal", "'{literal}' is a double", {{"literal", "0.5"}}};
  F.Remedy = {"write-float", "write '0.5f'", {}};
  Finding G = F;
  G.Where.Line = 7;
  EXPECT_EQ(countOf({F, G}), 1u);
  // All that one function writes is one thing to go over.
  G.What.Values[0].What = "2.0";
  EXPECT_EQ(countOf({F, G}), 1u);
  G.About.Function = "g";
  EXPECT_EQ(countOf({F, G}), 2u);
  // Another call is replaced by another one.
  F.What.Values.emplace_back("name", "__mul24");
  G = F;
  G.Where.Line = 7;
  G.About.Name = "__shfl";
  G.What.Values[1].What = "__shfl";
  EXPECT_EQ(countOf({F, G}), 2u);
}

//===----------------------------------------------------------------------===//
// Several problems
//===----------------------------------------------------------------------===//

TEST(FindingGroups, OtherProblemsStayApart) {
  const std::pair<const char *, std::function<void(Finding &)>> Changes[] = {
      {"check", [](Finding &F) { F.Check = "other"; }},
      {"error", [](Finding &F) { F.Level = Severity::Error; }},
      {"object",
       [](Finding &F) {
         setAccess(F, SubjectKind::Store, "other[4*i]", "other");
       }},
      {"declared", [](Finding &F) { F.About.Object = "other"; }},
      {"if data is random", [](Finding &F) { F.Trust = Certainty::Random; }},
  };
  for (const auto &[Name, Change] : Changes)
    EXPECT_EQ(countWith(Change), 2u) << Name;
}

TEST(FindingGroups, OtherWordsOnOneLineAreOneProblem) {
  const std::pair<const char *, std::function<void(Finding &)>> Changes[] = {
      {"what", [](Finding &F) { F.What.Id = "other"; }},
      {"cause", [](Finding &F) { F.Cause.Id = "other"; }},
      {"of the cause", [](Finding &F) { F.Cause.Values[0].What = 8.0; }},
      {"no cause", [](Finding &F) { F.Cause = {}; }},
      {"remedy", [](Finding &F) { F.Remedy.Id = "other"; }},
      {"of the remedy", [](Finding &F) { F.Remedy.Values[0].What = 9.0; }},
      {"no remedy", [](Finding &F) { F.Remedy = {}; }},
      {"fix", [](Finding &F) { F.Fixes = {{"so", FixSafety::Safe, {}}}; }},
  };
  for (const auto &[Name, Change] : Changes) {
    // In another line, they are two.
    EXPECT_EQ(countWith(Change), 2u) << Name;
    EXPECT_EQ(countWith([&Change = Change](Finding &F) {
                Change(F);
                F.Where.Line = makeFinding().Where.Line;
              }),
              1u)
        << Name;
  }
}

TEST(FindingGroups, WhatOneCallLeadsToIsOneProblem) {
  Finding A = makeFinding(), B = makeFinding(6);
  A.Kernel = "f<1>";
  B.Kernel = "f<2>";
  A.InlinedAt = B.InlinedAt = {{"a.cu", 45, 1}};
  A.About.Object = B.About.Object = "";
  EXPECT_EQ(countOf({A, B}), 1u);
  B.InlinedAt = {{"a.cu", 46, 1}};
  EXPECT_EQ(countOf({A, B}), 2u);
}

TEST(FindingGroups, OneIndexIntoSeveralArraysIsOneProblem) {
  Finding A = makeFinding(5), B = makeFinding(6);
  setAccess(B, SubjectKind::Load, "other[4*i]", "other");
  A.Remedy = B.Remedy = {"no-layout-helps", "nothing that was tried helps", {}};
  EXPECT_EQ(countOf({A, B}), 1u);
  B.Predicted->Value = 8;
  EXPECT_EQ(countOf({A, B}), 2u);
  // Each array is declared by itself.
  B = makeFinding(6);
  setAccess(B, SubjectKind::Load, "other[4*i]", "other");
  EXPECT_EQ(countOf({makeFinding(5), B}), 2u);
}

// `sums[K * t] = in[K * t]`: one size, and one line, but two remedies.
TEST(FindingGroups, GlobalAndSharedMemoryAreTwoProblems) {
  Finding A = makeFinding(5), B = makeFinding(5);
  for (Finding *Each : {&A, &B}) {
    Each->Check = "runtime-stride";
    Each->What.Values.push_back({"symbol", "K"});
  }
  setAccess(B, SubjectKind::Load, "in[K*t]", "in");
  EXPECT_EQ(countOf({A, B}), 1u);
  B.Predicted->Metric = "sectors_per_request";
  EXPECT_EQ(countOf({A, B}), 2u);
}

TEST(FindingGroups, WhatOneFunctionComputesIsOneProblem) {
  Finding F = makeFinding(5), G = makeFinding(6);
  for (Finding *Each : {&F, &G}) {
    Each->Check = "slow-division";
    Each->Cause = {};
    Each->Remedy = {"multiply", "multiply by the inverse", {}};
    Each->Predicted.reset();
    Each->About = {SubjectKind::Call, "k", "/", "", ""};
  }
  EXPECT_EQ(countOf({F, G}), 1u);
  G.About.Function = "h";
  EXPECT_EQ(countOf({F, G}), 2u);
}

// They are of one type out of one habit.
TEST(FindingGroups, WhatOneFileDividesIsOneProblem) {
  Finding F = makeFinding(5), G = makeFinding(25);
  for (Finding *Each : {&F, &G}) {
    Each->Check = "slow-division";
    Each->What = {"division", "{what} takes long", {{"what", "a division"}}};
    Each->Cause = {};
    Each->Remedy = {"narrow-division", "divide 32-bit integers", {}};
    Each->Predicted.reset();
    Each->About = {SubjectKind::Call, "k", "/", "", ""};
  }
  G.Kernel = "k2";
  G.About.Function = "k2";
  G.About.Name = "%";
  EXPECT_EQ(countOf({F, G}), 1u);
  G.Where.File = "b.cuh";
  EXPECT_EQ(countOf({F, G}), 2u);
}

TEST(FindingGroups, OneProblemThatIsLessCertainIsOne) {
  EXPECT_EQ(countWith([](Finding &F) { F.Trust = Certainty::Assumed; }), 1u);
  EXPECT_EQ(countWith([](Finding &F) { F.Level = Severity::Note; }), 1u);
}

TEST(FindingGroups, ParametersOfTwoCallsMayBeTwoArrays) {
  Finding A = makeFinding(), B = makeFinding(6);
  A.InlinedAt = {{"a.cu", 30, 1}};
  B.InlinedAt = {{"a.cu", 31, 1}};
  A.About.Object = B.About.Object = "";
  EXPECT_EQ(countOf({A, B}), 2u);
  // A function of a library, that is called here, is no call around it.
  A.InlinedAt = {{"/usr/include/copy.h", 3, 1}, A.Where, {"a.cu", 30, 1}};
  B.InlinedAt = {{"/usr/include/copy.h", 3, 1}, B.Where, {"a.cu", 30, 1}};
  EXPECT_EQ(countOf({A, B}), 1u);
}

//===----------------------------------------------------------------------===//
// Objects
//===----------------------------------------------------------------------===//

TEST(FindingObject, IsTheVariableOfTheKernelWhereItIsKnown) {
  Finding F = makeFinding();
  F.About = {SubjectKind::Load, "k", "p[i].x", "p", "tile"};
  EXPECT_EQ(objectOf(F), "tile");
  F.About.Object.clear();
  EXPECT_EQ(objectOf(F), "p");
  F.About.Variable.clear();
  EXPECT_EQ(objectOf(F), "p[i].x");
  F.About.Name.clear();
  EXPECT_EQ(objectOf(F), "");
}

//===----------------------------------------------------------------------===//
// The order
//===----------------------------------------------------------------------===//

/// The lines of the told findings.
static std::vector<unsigned> order(const std::vector<Finding> &Findings) {
  std::vector<unsigned> Lines;
  const Document Doc = withFindings(Findings);
  for (const FindingGroup &G : groupsOf(Doc))
    Lines.push_back(G.First->Where.Line);
  return Lines;
}

static Finding ranked(unsigned Line, double Share,
                      Severity Level = Severity::Warning) {
  Finding F = makeFinding(Line);
  F.Level = Level;
  setAccess(F, SubjectKind::Load, fmt::format("array{}[i]", Line),
            fmt::format("array{}", Line));
  F.Wasted = Waste{.Unit = "wavefronts", .OfKernel = Share};
  return F;
}

TEST(FindingOrder, ErrorsThenSharesThenNotes) {
  EXPECT_THAT(order({ranked(9, 0.1), ranked(7, 0.9, Severity::Note),
                     ranked(5, 0.5), ranked(4, 0, Severity::Error),
                     ranked(3, 0.1), ranked(8, 0.2, Severity::Note)}),
              ElementsAre(4, 5, 3, 9, 7, 8));
}

TEST(FindingOrder, SharesOfAGroupAddUp) {
  // Two stores of 30 % are dearer than one of 50 %.
  Finding A = ranked(5, 0.3), B = A;
  B.Where.Line = 6;
  EXPECT_THAT(order({ranked(4, 0.5), A, B}), ElementsAre(5, 4));
  Document Doc = withFindings({A, B});
  EXPECT_THAT(groupsOf(Doc)[0].wasted()->OfKernel, Optional(DoubleEq(0.6)));
  // Also where the file includes one of them.
  Doc.Units[0].Findings[1].Where.File = "a.cuh";
  Doc.Units[0].Findings[1].IncludedFrom = {{"a.cu", 1, 0}};
  EXPECT_THAT(groupsOf(Doc)[0].wasted()->OfKernel, Optional(DoubleEq(0.6)));
  Doc = withFindings({A, B});
  // By several ways to one place, it is one share.
  Doc.Units[0].Findings[1].Where.Line = 5;
  EXPECT_THAT(groupsOf(Doc)[0].wasted()->OfKernel, Optional(DoubleEq(0.3)));
  // Also where each call has another name for it.
  Doc.Units[0].Findings[1].About.Name = "next[i]";
  ASSERT_EQ(groupsOf(Doc).size(), 1u);
  EXPECT_THAT(groupsOf(Doc)[0].wasted()->OfKernel, Optional(DoubleEq(0.3)));
  // Of two kernels, the one that is told; of the program, both.
  B.Kernel = "k2";
  A.Wasted->OfProgram = 0.1;
  B.Wasted->OfProgram = 0.2;
  Doc = withFindings({A, B});
  const std::vector<FindingGroup> Groups = groupsOf(Doc);
  ASSERT_EQ(Groups.size(), 1u);
  EXPECT_EQ(Groups[0].First->Kernel, "k2");
  EXPECT_THAT(Groups[0].wasted()->OfKernel, Optional(DoubleEq(0.3)));
  EXPECT_THAT(Groups[0].wasted()->OfProgram, Optional(DoubleEq(0.3)));
}

// What one launch wastes is no part of what another one moves.
TEST(FindingOrder, SharesOfLaunchesInDifferentBlocksDoNotAddUp) {
  Finding A = ranked(5, 0.3), B = A;
  B.Where.Line = 6;
  B.Wasted->OfKernel = 0.2;
  A.Block = {32, 8, 1};
  B.Block = {8, 32, 1};
  A.Wasted->OfProgram = B.Wasted->OfProgram = 0.1;
  Document Doc = withFindings({A, B});
  EXPECT_THAT(groupsOf(Doc)[0].wasted()->OfKernel, Optional(DoubleEq(0.3)));
  EXPECT_THAT(groupsOf(Doc)[0].wasted()->OfProgram, Optional(DoubleEq(0.2)));
  Doc.Units[0].Findings[1].Block = A.Block;
  EXPECT_THAT(groupsOf(Doc)[0].wasted()->OfKernel, Optional(DoubleEq(0.5)));
}

TEST(FindingOrder, APartThatIsNotKnownMakesTheSumAnEstimate) {
  Finding A = ranked(5, 0.3), B = A;
  B.Where.Line = 6;
  B.Wasted->OfKernel.reset();
  B.Wasted->Estimate = 0.2;
  const Document Doc = withFindings({A, B});
  const Waste Sum = *groupsOf(Doc)[0].wasted();
  EXPECT_EQ(Sum.OfKernel, std::nullopt);
  EXPECT_THAT(Sum.Estimate, Optional(DoubleEq(0.5)));
}

// A store in each arm of an `if`, and one behind: no warp makes all three.
TEST(FindingOrder, OfTwoWaysOneIsWasted) {
  Finding A = ranked(5, 0.3);
  A.Wasted->OfKernel.reset();
  A.Wasted->Estimate = 0.2;
  Finding B = A, C = A;
  B.Where.Line = 6;
  B.Wasted->Estimate = 0.3;
  C.Where.Line = 7;
  C.Wasted->Estimate = 0.1;
  A.Wasted->Undecided = 7;
  B.Wasted->Undecided = 8;
  Document Doc = withFindings({A, B, C});
  EXPECT_THAT(groupsOf(Doc)[0].wasted()->Estimate, Optional(DoubleEq(0.4)));
  EXPECT_TRUE(groupsOf(Doc)[0].wasted()->IsMost);
  // Ways of two branches.
  Doc.Units[0].Findings[1].Wasted->Undecided = 9;
  EXPECT_THAT(groupsOf(Doc)[0].wasted()->Estimate, Optional(DoubleEq(0.6)));
  EXPECT_FALSE(groupsOf(Doc)[0].wasted()->IsMost);
}

// Where nobody knows what helps, a small part is to be known, and no more.
TEST(FindingGroups, WhatHasNoRemedyIsAWarningIfItIsMuch) {
  const auto levelOf = [](double Share, Phrase Remedy) {
    Finding F = ranked(5, Share);
    F.Remedy = std::move(Remedy);
    Document Doc = withFindings({F});
    addGroups(std::span(&Doc, 1));
    return Doc.Units[0].Findings[0].Level;
  };
  const Phrase None = {"layout-not-judged", "no other layout is proposed", {}};
  EXPECT_EQ(levelOf(0.3, None), Severity::Note);
  EXPECT_EQ(levelOf(0.4, None), Severity::Warning);
  EXPECT_EQ(levelOf(0.3, {"change-pitch", "let the rows be longer", {}}),
            Severity::Warning);
  // How much it is, nobody knows.
  Finding F = ranked(5, 0.3);
  F.Remedy = None;
  F.Wasted->OfKernel.reset();
  F.Wasted->Estimate = 0.2;
  F.Wasted->IsRough = true;
  Document Doc = withFindings({F});
  addGroups(std::span(&Doc, 1));
  EXPECT_EQ(Doc.Units[0].Findings[0].Level, Severity::Warning);
}

// Before a loop that nobody knows, it may be nothing or all.
TEST(FindingGroups, WhatFadesWithTheTurnsOfALoopIsNoWarning) {
  const auto levelOf = [](double IfMany) {
    Finding F = ranked(5, 0.3);
    F.Wasted->OfKernel.reset();
    F.Wasted->Estimate = 0.2;
    F.Wasted->IsRough = true;
    F.Wasted->IfMany = IfMany;
    F.Remedy = {"change-pitch", "let the rows be longer", {}};
    Document Doc = withFindings({F});
    addGroups(std::span(&Doc, 1));
    return Doc.Units[0].Findings[0].Level;
  };
  EXPECT_EQ(levelOf(0.02), Severity::Note);
  EXPECT_EQ(levelOf(0.4), Severity::Warning);
  // Another kernel may keep it.
  Finding Fades = ranked(5, 0.3), Stays = Fades;
  Fades.Wasted->OfKernel.reset();
  Fades.Wasted->Estimate = 0.4;
  Fades.Wasted->IsRough = true;
  Fades.Wasted->IfMany = 0.02;
  Stays.Kernel = "k2";
  Document Doc = withFindings({Fades, Stays});
  ASSERT_EQ(groupsOf(Doc).size(), 1u);
  addGroups(std::span(&Doc, 1));
  EXPECT_EQ(Doc.Units[0].Findings[0].Level, Severity::Warning);
}

TEST(FindingGroups, WhatWastesLittleInAllIsNoWarning) {
  Document Doc = withFindings({ranked(5, 0.04), ranked(6, 0.3)});
  addGroups(std::span(&Doc, 1));
  EXPECT_EQ(Doc.Units[0].Findings[0].Level, Severity::Note);
  EXPECT_EQ(Doc.Units[0].Findings[1].Level, Severity::Warning);
  // Two parts of one problem are as much as they are together.
  Finding A = ranked(5, 0.06), B = A;
  B.Where.Line = 6;
  Doc = withFindings({A, B});
  addGroups(std::span(&Doc, 1));
  EXPECT_EQ(Doc.Units[0].Findings[0].Level, Severity::Warning);
  // Nobody knows of how much it is, or it is wrong whatever it costs.
  A.Wasted.reset();
  B = ranked(7, 0.001, Severity::Error);
  Doc = withFindings({A, B});
  addGroups(std::span(&Doc, 1));
  EXPECT_EQ(Doc.Units[0].Findings[0].Level, Severity::Warning);
  EXPECT_EQ(Doc.Units[0].Findings[1].Level, Severity::Error);
}

TEST(FindingOrder, GroupsAreNumberedForAllTargets) {
  std::vector<Document> Docs(
      2, withFindings({ranked(5, 0.1), ranked(6, 0.7), ranked(7, 0.4)}));
  Docs[1].Units[0].Findings.pop_back();
  addGroups(Docs);
  std::vector<std::size_t> Numbers;
  for (const Document &Doc : Docs)
    for (const Finding &F : Doc.Units[0].Findings)
      Numbers.push_back(F.Group);
  EXPECT_THAT(Numbers, ElementsAre(3, 1, 2, 3, 1));
}

/// The same, which costs that share of its kernel at most.
static Finding ofShare(unsigned Line, std::optional<double> Percent,
                       std::string Kernel = "k") {
  Finding F = makeFinding(Line);
  if (Percent)
    F.What.Values.push_back({"most_percent_of_kernel", *Percent});
  F.Kernel = std::move(Kernel);
  return F;
}

/// Of the only group of \p Findings.
static bool isMinor(std::vector<Finding> Findings) {
  const Document Doc = withFindings(std::move(Findings));
  const std::vector<FindingGroup> Groups =
      groupFindings(std::span(&Doc, 1), KernelIndex(Doc));
  EXPECT_EQ(Groups.size(), 1u);
  return Groups.front().isMinor();
}

TEST(FindingGroups, WhatTakesATenthOfNoKernelIsMinor) {
  EXPECT_TRUE(isMinor({ofShare(5, 4), ofShare(6, 5)}));
  EXPECT_FALSE(isMinor({ofShare(5, 4), ofShare(6, 7)}));
  // Of one nobody knows.
  EXPECT_FALSE(isMinor({ofShare(5, 4), ofShare(6, std::nullopt)}));
  // Each kernel has its own time.
  EXPECT_TRUE(isMinor({ofShare(5, 6), ofShare(5, 7, "k2")}));
}

} // namespace FindingGroupsTests
