//===- tests/unit/runtime/join/JoinTests.cpp - From numbers to verdicts ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/Join.h"

#include "Examples.h"

#include <gmock/gmock.h>

namespace JoinTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

static JoinResult joined(const Document &Doc, const Profile &P) {
  return join(std::span(&Doc, 1), merge(std::span(&P, 1)), {});
}

/// The only verdict on a line.
static LineVerdict only(const JoinResult &Result) {
  EXPECT_EQ(Result.Gpus.size(), 1u);
  EXPECT_EQ(Result.Gpus.at(0).Lines.size(), 1u);
  return Result.Gpus.at(0).Lines.at(0);
}

static VerdictKind kindOf(const JoinResult &Result) {
  return only(Result).Kind;
}

//===----------------------------------------------------------------------===//
// Lines
//===----------------------------------------------------------------------===//

TEST(Join, ConfirmsTheSeed) {
  // A field of a 12-byte struct: 12 sectors where 4 would do.
  JoinResult R = joined(document({access(14, 12, 4)}),
                        profile({measured(14, 49152, 16384)}));
  LineVerdict V = only(R);
  EXPECT_EQ(V.Kind, VerdictKind::Confirmed);
  EXPECT_EQ(V.Where.File, "vec3d.cu");
  EXPECT_EQ(V.Requests, 4096u);
  EXPECT_EQ(R.lineCounts().Confirmed, 1u);
  EXPECT_EQ(R.refuted(), 0u);
  EXPECT_EQ(R.Gpus[0].TargetName, "h200");
}

TEST(Join, AKernelThatDidNotRunIsNotMeasured) {
  Profile P = profile({});
  P.Kernels[0].Kernel = "_Z5otherv";
  P.Launches[0].Kernel = "_Z5otherv";
  LineVerdict V = only(joined(document({access(14, 12, 4)}), P));
  EXPECT_EQ(V.Kind, VerdictKind::NotMeasured);
  EXPECT_EQ(V.Why, "the kernel did not run");
}

TEST(Join, ARemovedAccessIsInconclusive) {
  LineVerdict V = only(joined(document({access(14, 12, 4)}),
                              profile({measured(30, 4096, 4096)})));
  EXPECT_EQ(V.Kind, VerdictKind::Inconclusive);
  EXPECT_THAT(V.Why, HasSubstr("no global load of this line was executed"));
}

TEST(Join, PointsToTheOtherLineOfAStatement) {
  Profile P = profile({measured(12, 49152, 49152)});
  LineVerdict V = only(joined(document({access(14, 12, 4)}), P));
  EXPECT_THAT(V.Why, HasSubstr("(there is one in line 12)"));
}

TEST(Join, OtherSourcesAreInconclusive) {
  Profile P = profile({measured(14, 49152, 16384)});
  P.Lines[0].File = "/build/other.cu";
  // Nothing was missed: nobody predicted that file.
  LineVerdict V = only(joined(document({access(14, 12, 4)}), P));
  EXPECT_EQ(V.Kind, VerdictKind::Inconclusive);
  EXPECT_THAT(V.Why, HasSubstr("comes from a file called vec3d.cu"));
}

TEST(Join, FilesOfOneNameAreToldApartOrNot) {
  ProfileLine A = measured(14, 49152, 16384), B = A;
  A.File = "/p/x/util.cuh";
  B.File = "/p/y/util.cuh";
  B.Sectors = 16384;
  AccessRecord Access = access(14, 4, 4);
  Access.Where.File = "y/util.cuh";
  JoinResult R = joined(document({Access}), profile({A, B}));
  // The other file is measured bad and was not predicted.
  EXPECT_EQ(R.lineCounts().Confirmed, 1u);
  EXPECT_EQ(R.lineCounts().Missed, 1u);
  Access.Where.File = "util.cuh";
  R = joined(document({Access}), profile({A, B}));
  EXPECT_EQ(R.lineCounts().Inconclusive, 1u);
  // One of them may be the one that was predicted: neither was missed.
  EXPECT_EQ(R.lineCounts().Missed, 0u);
  // No line 15 was predicted in any file of the name, and no store.
  ProfileLine Other = A, Store = A;
  Other.Line = 15;
  Store.Op = AccessOp::Store;
  R = joined(document({Access}), profile({A, Other, Store, B}));
  EXPECT_EQ(R.lineCounts().Inconclusive, 1u);
  EXPECT_EQ(R.lineCounts().Missed, 2u);
}

TEST(Join, FilesOfOneNameDoNotTakeEachOthersLines) {
  // The line of y/util.h is measured, that of x/util.h was removed.
  AccessRecord X = access(14, 32, 4), Y = access(14, 4, 4);
  X.Where.File = "x/util.h";
  Y.Where.File = "y/util.h";
  ProfileLine Row = measured(14, 16384, 16384);
  Row.File = "/b/y/util.h";
  JoinResult R = joined(document({X, Y}), profile({Row}));
  ASSERT_EQ(R.Gpus.at(0).Lines.size(), 2u);
  EXPECT_EQ(R.Gpus[0].Lines[0].Kind, VerdictKind::Inconclusive);
  EXPECT_THAT(R.Gpus[0].Lines[0].Why, HasSubstr("a file called x/util.h"));
  EXPECT_EQ(R.Gpus[0].Lines[1].Kind, VerdictKind::Confirmed);
}

/// Adds a unit \p File with a kernel of the same name, that reads \p Sectors
/// per request in its line 14 and takes \p Registers.
static void addVariant(Document &Doc, const char *File, double Sectors,
                       unsigned Registers) {
  UnitRecord Unit = document({access(14, Sectors, 4)}).Units[0];
  Unit.File = File;
  Unit.Kernels[0].Where.File = File;
  Unit.Kernels[0].Accesses[0].Where.File = File;
  Unit.Kernels[0].Resources->Registers = Registers;
  Doc.Units.push_back(Unit);
}

TEST(Join, OfKernelsBeforeAndAfterAChangeTheOneThatRanIsMeant) {
  Document Doc = document({});
  Doc.Units.clear();
  addVariant(Doc, "after.cu", 4, 40);
  addVariant(Doc, "before.cu", 12, 12);
  ProfileLine Row = measured(14, 49152, 16384);
  Row.File = "/build/before.cu";
  JoinResult R = joined(Doc, profile({Row}));
  EXPECT_EQ(only(R).Where.File, "before.cu");
  EXPECT_EQ(only(R).Kind, VerdictKind::Confirmed);
  ASSERT_EQ(R.Gpus[0].Kernels.size(), 1u);
  EXPECT_EQ(R.Gpus[0].Kernels[0].Registers, VerdictKind::Confirmed);
  // Both ran, and nvcc names them alike.
  ProfileLine Other = measured(14, 16384, 16384);
  Other.File = "/build/after.cu";
  R = joined(Doc, profile({Other, Row}));
  EXPECT_EQ(R.lineCounts().Confirmed, 2u);
  EXPECT_EQ(R.lineCounts().Missed, 0u);
}

TEST(Join, StaticKernelsOfTwoUnitsAreMeasuredTogether) {
  Document Doc = document({});
  Doc.Units.clear();
  addVariant(Doc, "a.cu", 4, 12);
  addVariant(Doc, "b.cu", 12, 12);
  for (UnitRecord &Unit : Doc.Units)
    Unit.Kernels[0].Name = "_ZL4funcP5vec3dPf";
  ProfileLine A = measured(14, 16384, 16384), B = measured(14, 49152, 16384);
  A.File = "/build/a.cu";
  B.File = "/build/b.cu";
  JoinResult R = joined(Doc, profile({A, B}));
  EXPECT_EQ(R.lineCounts().Confirmed, 2u);
  EXPECT_EQ(R.lineCounts().Missed, 0u);
  // The launches stand there once.
  ASSERT_EQ(R.Gpus[0].Kernels.size(), 1u);
  EXPECT_EQ(R.Gpus[0].LaunchCounts.Confirmed, 1u);
}

TEST(Join, ALineOfTwoInstantiationsIsJudgedForEach) {
  // A header's line in two kernels: as predicted in one of them alone.
  Document Doc = document({access(14, 12, 4)});
  KernelRecord Wide = Doc.Units[0].Kernels[0];
  Wide.Name = "_Z4wideIdEvPT_";
  Wide.Accesses[0].PerRequest = 24;
  Doc.Units[0].Kernels.push_back(Wide);
  Profile P = profile({measured(14, 49152, 16384), measured(14, 32768, 16384)});
  P.Lines[1].Kernel = Wide.Name;
  P.Kernels.push_back({Wide.Name, 0, 1, 1, true});
  P.Launches.push_back(P.Launches[0]);
  P.Launches[1].Kernel = Wide.Name;
  JoinResult R = joined(Doc, P);
  EXPECT_EQ(R.lineCounts().Confirmed, 1u);
  EXPECT_EQ(R.lineCounts().Refuted, 1u);
  EXPECT_EQ(R.Gpus[0].Lines[1].Kernel, Wide.Name);
}

TEST(Join, TheFoldersOfASymbolicLinkDiffer) {
  AccessRecord Access = access(14, 12, 4);
  for (const char *File : {"/link/src/vec3d.cu", "src/vec3d.cu",
                           "./../src/./vec3d.cu", "/build/src/vec3d.cu"}) {
    Access.Where.File = File;
    EXPECT_EQ(kindOf(joined(document({Access}),
                            profile({measured(14, 49152, 16384)}))),
              VerdictKind::Confirmed)
        << File;
  }
}

TEST(Join, SpaceAndOpAreParts) {
  AccessRecord Store = access(14, 4, 4);
  Store.Op = AccessOp::Store;
  ProfileLine Row = measured(14, 16384, 16384);
  Row.Op = AccessOp::Store;
  JoinResult R = joined(document({access(14, 12, 4), Store}),
                        profile({measured(14, 49152, 16384), Row}));
  EXPECT_EQ(R.lineCounts().Confirmed, 2u);
}

TEST(Join, AGenericInstructionStandsForAKnownSpace) {
  ProfileLine Row = measured(14, 49152, 16384);
  Row.Space = MemorySpace::Generic;
  EXPECT_EQ(kindOf(joined(document({access(14, 12, 4)}), profile({Row}))),
            VerdictKind::Confirmed);
}

TEST(Join, ConstantMemoryIsNotCounted) {
  AccessRecord Constant = access(14, std::nullopt, std::nullopt);
  Constant.Space = MemorySpace::Constant;
  EXPECT_EQ(kindOf(joined(document({Constant}), profile({}))),
            VerdictKind::NotMeasured);
}

TEST(Join, MissedIsBadAndNotPredicted) {
  // 1.5 times the ideal is bad, 1.49 is not.
  JoinResult R =
      joined(document({access(14, 12, 4)}),
             profile({measured(14, 49152, 16384), measured(15, 24576, 16384),
                      measured(16, 24412, 16384)}));
  EXPECT_EQ(R.lineCounts().Missed, 1u);
  EXPECT_EQ(R.Gpus[0].Lines.at(1).Where.Line, 15u);
  ProfileLine Few = measured(15, 70, 7);
  Few.Instructions = Few.Requests = 7;
  R = joined(document({access(14, 12, 4)}),
             profile({measured(14, 49152, 16384), Few}));
  EXPECT_EQ(R.lineCounts().Missed, 0u);
}

TEST(Join, LinesOfKernelsThatNobodyPredictedAreNotMissed) {
  Profile P = profile({measured(14, 49152, 16384)});
  P.Kernels.push_back({"_Z7libraryv", 0, 3, 3, true});
  P.Lines.push_back(measured(99, 131072, 16384));
  P.Lines.back().Kernel = "_Z7libraryv";
  JoinResult R = joined(document({access(14, 12, 4)}), P);
  EXPECT_EQ(R.lineCounts().Missed, 0u);
  ASSERT_EQ(R.Gpus[0].Kernels.size(), 2u);
  EXPECT_FALSE(R.Gpus[0].Kernels[1].WasPredicted);
  EXPECT_EQ(R.Gpus[0].Kernels[1].Signature, "library()");
}

TEST(Join, ATemplateInTwoUnitsIsPredictedOnce) {
  Document Doc = document({access(14, 4, 4), access(14, 32, 4)});
  Doc.Units.push_back(Doc.Units[0]);
  Doc.Units[1].File = "other.cu";
  LineVerdict V = only(joined(Doc, profile({measured(14, 18 * 4096, 16384)})));
  EXPECT_EQ(V.Accesses, 2u);
  EXPECT_EQ(V.Kind, VerdictKind::Confirmed);
}

TEST(Join, OnlyTheBlocksThatRanCount) {
  AccessRecord Narrow = access(14, 8, 4);
  Narrow.Block = {16, 16, 1};
  Document Doc = document({access(14, 12, 4), Narrow});
  LineVerdict V = only(joined(Doc, profile({measured(14, 49152, 16384)})));
  EXPECT_EQ(V.Kind, VerdictKind::Confirmed);
  EXPECT_EQ(V.Accesses, 1u);
}

TEST(Join, AShapeOfEqualCostNeedsNoAccessOfItsOwn) {
  // The analyzer writes an access once for all shapes of the same cost.
  Document Doc = document({access(14, 12, 4)});
  LaunchRecord Other = Doc.Units[0].Kernels[0].Launches[0];
  Other.Block = {512, 1, 1};
  Doc.Units[0].Kernels[0].Launches.push_back(Other);
  Profile P = profile({measured(14, 49152, 16384)});
  P.Launches[0].Block = {512, 1, 1};
  LineVerdict V = only(joined(Doc, P));
  EXPECT_EQ(V.Kind, VerdictKind::Confirmed);
  EXPECT_THAT(V.Why, IsEmpty());
}

TEST(Join, AnotherBlockIsInconclusive) {
  Profile P = profile({measured(14, 32768, 16384)});
  P.Launches[0].Block = {100, 1, 1};
  LineVerdict V = only(joined(document({access(14, 12, 4)}), P));
  EXPECT_EQ(V.Kind, VerdictKind::Inconclusive);
  EXPECT_THAT(V.Why, HasSubstr("it was launched with blocks of 100, predicted "
                               "for 256"));
}

TEST(Join, AStaticKernelIsFoundUnderTheNameOfNvcc) {
  Document Doc = document({access(14, 12, 4)});
  Doc.Units[0].Kernels[0].Name = "_ZL4funcP5vec3dPf";
  EXPECT_EQ(kindOf(joined(Doc, profile({measured(14, 49152, 16384)}))),
            VerdictKind::Confirmed);
}

//===----------------------------------------------------------------------===//
// What could not be measured
//===----------------------------------------------------------------------===//

TEST(Join, WithoutCountersOccupancyIsStillJudged) {
  Profile P = profile({});
  P.HasCounters = false;
  P.Problems = {{"insufficient-privileges", "counters need permission"}};
  P.Kernels[0].MeasuredLaunches = 0;
  JoinResult R = joined(document({access(14, 12, 4)}), P);
  EXPECT_EQ(only(R).Kind, VerdictKind::NotMeasured);
  EXPECT_EQ(only(R).Why, "there were no counters");
  EXPECT_EQ(R.Gpus[0].LaunchCounts.Confirmed, 1u);
  EXPECT_EQ(R.Problems.at(0).Kind, "insufficient-privileges");
}

TEST(Join, WithoutLineinfoTheKernelIsJudgedAsAWhole) {
  ProfileLine Row = measured(0, 49152, 16384);
  Row.File.clear();
  Profile P = profile({Row});
  P.Kernels[0].HasLines = false;
  JoinResult R = joined(document({access(14, 12, 4), access(15, 12, 4)}), P);
  ASSERT_EQ(R.Gpus.at(0).Lines.size(), 3u);
  const LineVerdict &Whole = R.Gpus[0].Lines[0];
  EXPECT_TRUE(Whole.IsWholeKernel);
  EXPECT_EQ(Whole.Kind, VerdictKind::Confirmed);
  EXPECT_EQ(Whole.Where.Line, 12u);
  EXPECT_EQ(R.Gpus[0].Lines[1].Kind, VerdictKind::NotMeasured);
  EXPECT_THAT(R.Gpus[0].Lines[1].Why, HasSubstr("-lineinfo"));
  // Of lines that differ, the right mean proves nothing.
  R = joined(document({access(14, 4, 4), access(15, 20, 4)}), P);
  EXPECT_EQ(R.Gpus[0].Lines[0].Kind, VerdictKind::Inconclusive);
}

//===----------------------------------------------------------------------===//
// Launches and registers
//===----------------------------------------------------------------------===//

static CheckedLaunch launchVerdict(const Document &Doc, const Profile &P) {
  return joined(Doc, P).Gpus.at(0).Kernels.at(0).Launched.at(0);
}

TEST(Join, OccupancyIsACountAndMustBeEqual) {
  Document Doc = document({});
  Profile P = profile({});
  CheckedLaunch V = launchVerdict(Doc, P);
  EXPECT_EQ(V.Kind, VerdictKind::Confirmed);
  EXPECT_EQ(V.MeasuredWarps, 64u);
  EXPECT_DOUBLE_EQ(*V.MeasuredWaves, 512.0 / 1056);
  EXPECT_DOUBLE_EQ(*V.PredictedWaves, 512.0 / 1056);
  P.Launches[0].BlocksPerSM = 7;
  EXPECT_EQ(launchVerdict(Doc, P).Kind, VerdictKind::Refuted);
  EXPECT_EQ(joined(Doc, P).refuted(), 1u);
  P.Launches[0].BlocksPerSM = std::nullopt;
  EXPECT_EQ(launchVerdict(Doc, P).Kind, VerdictKind::NotMeasured);
}

TEST(Join, OtherRegistersMakeTheOccupancyInconclusive) {
  Profile P = profile({});
  P.Launches[0].BlocksPerSM = 5;
  P.Launches[0].Registers = 48;
  JoinResult R = joined(document({}), P);
  EXPECT_EQ(R.Gpus[0].Kernels[0].Registers, VerdictKind::Refuted);
  EXPECT_EQ(R.Gpus[0].LaunchCounts.Inconclusive, 1u);
  EXPECT_EQ(R.refuted(), 1u);
}

TEST(Join, SixteenRegistersAreTheLeastThatIsReported) {
  Profile P = profile({});
  P.Launches[0].Registers = 16; // Predicted are 12.
  EXPECT_EQ(joined(document({}), P).Gpus[0].Kernels[0].Registers,
            VerdictKind::Confirmed);
}

TEST(Join, ABlockThatNobodyPredictedHasNoVerdict) {
  Profile P = profile({});
  P.Launches.push_back(launch({1, 1, 1}, {64, 2, 1}));
  JoinResult R = joined(document({}), P);
  EXPECT_EQ(R.Gpus[0].LaunchCounts.Confirmed, 1u);
  EXPECT_EQ(R.Gpus[0].LaunchCounts.Inconclusive, 1u);
  EXPECT_EQ(R.Gpus[0].Kernels[0].Launched[0].Why,
            "no prediction for blocks of 64x2");
}

//===----------------------------------------------------------------------===//
// Sums
//===----------------------------------------------------------------------===//

/// Predictions of one access that each warp makes once, under each shape.
static Document shapes(
    std::initializer_list<std::pair<Extent, std::array<std::int64_t, 3>>> All) {
  AccessRecord Access = access(14, 12, 4);
  Access.Executions = 1;
  Document Doc = document({Access});
  for (const auto &[Grid, Block] : All)
    Doc.Units[0].Kernels[0].Totals.push_back({.Block = Block, .Grid = Grid});
  return Doc;
}

// The profile has 4096 requests of 512 blocks of 8 warps.
TEST(Join, SumsAreThoseOfTheShapeThatWasLaunched) {
  const Profile P = profile({measured(14, 49152, 16384)});
  EXPECT_EQ(only(joined(shapes({{{512, 1, 1}, {256, 1, 1}}}), P)).Sums,
            VerdictKind::Confirmed);
  EXPECT_EQ(only(joined(shapes({{{std::nullopt, 1, 1}, {256, 1, 1}}}), P)).Sums,
            VerdictKind::Confirmed);
  EXPECT_EQ(only(joined(shapes({{{64, 1, 1}, {256, 1, 1}}}), P)).Sums,
            VerdictKind::NotMeasured);
  EXPECT_EQ(only(joined(shapes({{{512, 1, 1}, {256, 1, 1}},
                                {{64, 1, 1}, {256, 1, 1}}}),
                        P))
                .Sums,
            VerdictKind::NotMeasured);
  EXPECT_EQ(only(joined(shapes({}), P)).Sums, VerdictKind::NotMeasured);
}

TEST(Join, LaunchesOfSeveralShapesHaveNoSums) {
  Profile P = profile({measured(14, 49152, 16384)});
  P.Launches.push_back(launch({2, 1, 1}, {256, 1, 1}));
  EXPECT_EQ(only(joined(shapes({{{std::nullopt, 1, 1}, {256, 1, 1}}}), P)).Sums,
            VerdictKind::NotMeasured);
}

//===----------------------------------------------------------------------===//
// GPUs
//===----------------------------------------------------------------------===//

TEST(Join, TheDocumentOfTheGpuIsChosen) {
  std::vector<Document> Docs(3, document({access(14, 12, 4)}));
  Docs[0].Target = {"t4", "7.5", 40};
  Docs[1].Target = {"sm_90", "9.0", std::nullopt};
  Profile P = profile({measured(14, 49152, 16384)});
  JoinResult R = join(Docs, merge(std::span(&P, 1)), {});
  EXPECT_EQ(R.Gpus.at(0).TargetName, "h200");
  EXPECT_THAT(R.Notes, IsEmpty());
  R = join(std::span(Docs).first(2), merge(std::span(&P, 1)), {});
  EXPECT_EQ(R.Gpus.at(0).TargetName, "sm_90");
}

TEST(Join, SaysWhichGpuToPredictFor) {
  Profile P = profile({measured(14, 49152, 16384)});
  P.Devices[0] = {
      .Index = 0, .Name = "NVIDIA A10", .ComputeCapability = "8.6", .SMs = 72};
  JoinResult R = joined(document({access(14, 12, 4)}), P);
  EXPECT_THAT(R.Notes,
              ElementsAre("the program ran on NVIDIA A10 (compute capability "
                          "8.6), the predictions are for h200: make them with "
                          "--gpu sm_86"));
  EXPECT_THAT(R.Gpus.at(0).Lines, IsEmpty());
  EXPECT_EQ(R.Gpus[0].Kernels.size(), 1u);
}

} // namespace JoinTests
