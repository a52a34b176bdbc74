//===- tests/unit/analyzer/pipeline/LaunchShapesTests.cpp - Shapes --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/KernelNames.h"
#include "analyzer/pipeline/LaunchShapes.h"

#include <gmock/gmock.h>

namespace LaunchShapesTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::SizeIs;

using Block = std::array<std::int64_t, 3>;

static KernelDeclaration kernel(unsigned DimensionsUsed = 1) {
  KernelDeclaration K;
  K.Name = "_Z1kPf";
  K.Signature = "k(float *)";
  K.Where = {.File = "a.cu", .Line = 4, .Column = 17};
  K.DimensionsUsed = DimensionsUsed;
  return K;
}

static Launch launch(Extent BlockShape, unsigned Line = 30) {
  Launch L;
  L.Where = {.File = "a.cu", .Line = Line, .Column = 3};
  L.Kernel = "_Z1kPf";
  L.KernelAsWritten = "k";
  L.Grid = {64, 1, 1};
  L.Block = BlockShape;
  return L;
}

static std::vector<Block> blocks(const KernelShapes &Shapes) {
  std::vector<Block> Result;
  for (const LaunchShape &Shape : Shapes.Shapes)
    Result.push_back(Shape.Block);
  return Result;
}

static KernelShapes choose(const KernelDeclaration &K,
                           std::vector<Launch> Found = {},
                           const ShapeOptions &Options = {}) {
  return chooseShapes(K, Found, Options);
}

//===----------------------------------------------------------------------===//
// Nothing is known
//===----------------------------------------------------------------------===//

TEST(LaunchShapes, theAssumptionFollowsTheDimensionsThatTheKernelUses) {
  EXPECT_THAT(blocks(choose(kernel(1))), ElementsAre(Block{256, 1, 1}));
  EXPECT_THAT(blocks(choose(kernel(2))), ElementsAre(Block{32, 8, 1}));
  EXPECT_THAT(blocks(choose(kernel(3))), ElementsAre(Block{32, 4, 2}));
  EXPECT_EQ(choose(kernel()).Shapes[0].BlockSource, LaunchSource::Assumed);
}

TEST(LaunchShapes, launchBoundsBeatTheAssumption) {
  KernelDeclaration K = kernel();
  K.MaxThreads = 128;
  KernelShapes Shapes = choose(K);
  EXPECT_THAT(blocks(Shapes), ElementsAre(Block{128, 1, 1}));
  EXPECT_EQ(Shapes.Shapes[0].BlockSource, LaunchSource::LaunchBounds);
  K.DimensionsUsed = 2;
  EXPECT_THAT(blocks(choose(K)), ElementsAre(Block{32, 4, 1}));
  K.BlockSize = {16, 8, 1};
  EXPECT_THAT(blocks(choose(K)), ElementsAre(Block{16, 8, 1}));
}

TEST(LaunchShapes, absurdLaunchBoundsAreNoHelp) {
  KernelDeclaration K = kernel();
  for (std::int64_t Bound : {0, -1, 4096}) {
    K.MaxThreads = Bound;
    EXPECT_THAT(blocks(choose(K)), ElementsAre(Block{256, 1, 1}));
  }
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

TEST(LaunchShapes, eachDifferentShapeIsEvaluatedOnce) {
  KernelShapes Shapes =
      choose(kernel(), {launch({256, 1, 1}, 30), launch({128, 1, 1}, 31),
                        launch({256, 1, 1}, 32)});
  EXPECT_THAT(blocks(Shapes), ElementsAre(Block{256, 1, 1}, Block{128, 1, 1}));
  EXPECT_EQ(Shapes.Shapes[0].BlockSource, LaunchSource::Launch);
  EXPECT_THAT(Shapes.Launches, SizeIs(3)) << "each place is reported";
}

TEST(LaunchShapes, argumentsMakeAnotherShape) {
  Launch A = launch({256, 1, 1}), B = launch({256, 1, 1});
  A.Arguments = {std::nullopt, 1};
  B.Arguments = {std::nullopt, 2};
  EXPECT_THAT(choose(kernel(), {A, B, A}).Shapes, SizeIs(2));
  EXPECT_THAT(launchRecords(kernel(), choose(kernel(), {A, B})), SizeIs(1))
      << "to the reader of the report they are the same launch";
}

TEST(LaunchShapes, differentBlocksComeBeforeDifferentArguments) {
  std::vector<Launch> Found;
  for (int N = 0; N != 20; ++N) {
    Found.push_back(launch({256, 1, 1}));
    Found.back().Arguments = {N};
  }
  Found.push_back(launch({64, 1, 1}));
  KernelShapes Shapes = choose(kernel(), Found);
  ASSERT_THAT(Shapes.Shapes, SizeIs(MaxShapes));
  EXPECT_EQ(Shapes.Shapes[1].Block, (Block{64, 1, 1}));
}

TEST(LaunchShapes, anUnknownBlockKeepsWhatIsKnownOfTheLaunch) {
  Launch L = launch({std::nullopt, 4, 1});
  L.Arguments = {std::nullopt, 1024};
  KernelShapes Shapes = choose(kernel(2), {L});
  ASSERT_THAT(Shapes.Shapes, SizeIs(1));
  EXPECT_EQ(Shapes.Shapes[0].Block, (Block{64, 4, 1}));
  EXPECT_EQ(Shapes.Shapes[0].BlockSource, LaunchSource::Assumed);
  EXPECT_EQ(Shapes.Shapes[0].Arguments[1], 1024);
  EXPECT_EQ(Shapes.Shapes[0].Grid, (Extent{64, 1, 1}));
  std::vector<LaunchRecord> Records = launchRecords(kernel(2), Shapes);
  ASSERT_THAT(Records, SizeIs(1));
  EXPECT_EQ(Records[0].Block, (Extent{std::nullopt, 4, 1}))
      << "the report says what is not known, not what was assumed";
  EXPECT_EQ(Records[0].Source, LaunchSource::Launch);
}

TEST(LaunchShapes, whatIsAssumedOfABlockIsOpen) {
  using Open = std::array<bool, 3>;
  EXPECT_EQ(choose(kernel()).Shapes[0].IsOpen, (Open{true, true, true}));
  EXPECT_EQ(choose(kernel(), {launch({std::nullopt, 1, 1})}).Shapes[0].IsOpen,
            (Open{true, false, false}));
  EXPECT_EQ(choose(kernel(), {launch({64, 1, 1})}).Shapes[0].IsOpen, Open());
  KernelDeclaration Bounded = kernel();
  Bounded.MaxThreads = 128;
  EXPECT_EQ(choose(Bounded).Shapes[0].IsOpen, Open());
}

TEST(LaunchShapes, whatIsSmallInOneLaunchMayBeSoInAnother) {
  Launch A = launch({256, 1, 1}, 30), B = launch({256, 1, 1}, 31),
         C = launch({256, 1, 1}, 32);
  A.Arguments = {std::nullopt, 4, std::nullopt, std::nullopt, std::nullopt};
  B.Arguments = {std::nullopt, std::nullopt, 64, 8, -1};
  C.Arguments = {std::nullopt, 512, 1, 8, -1};
  const KernelShapes Shapes = choose(kernel(), {A, B, C});
  ASSERT_THAT(Shapes.Shapes, SizeIs(3));
  EXPECT_THAT(Shapes.Shapes[0].SmallElsewhere, ElementsAre(2u));
  EXPECT_THAT(Shapes.Shapes[1].SmallElsewhere, ElementsAre(1u));
  EXPECT_THAT(Shapes.Shapes[2].SmallElsewhere, ElementsAre())
      << "all of it is given";
}

TEST(LaunchShapes, aKnownBlockBesideAnUnknownOneIsTheOneToEvaluate) {
  KernelShapes Shapes =
      choose(kernel(), {launch(Extent()), launch({96, 1, 1}, 31)});
  EXPECT_THAT(blocks(Shapes), ElementsAre(Block{96, 1, 1}));
  EXPECT_THAT(Shapes.Launches, SizeIs(2));
}

TEST(LaunchShapes, theUsualSizesStandInForThoseThatInputMayChange) {
  Launch L = launch({std::nullopt, 1, 1}, 1);
  L.Grid = {std::nullopt, 1, 1};
  L.Arguments = {std::nullopt};
  L.Usual =
      LaunchSizes{.Grid = {8, 1, 1}, .Block = {128, 1, 1}, .Arguments = {128}};
  const KernelShapes Shapes = choose(kernel(), {L, launch({64, 1, 1}, 2)});
  EXPECT_THAT(blocks(Shapes), ElementsAre(Block{128, 1, 1}, Block{64, 1, 1}));
  EXPECT_EQ(Shapes.Shapes[0].BlockSource, LaunchSource::Usual);
  EXPECT_EQ(Shapes.Shapes[0].Grid, (Extent{8, 1, 1}));
  EXPECT_THAT(Shapes.Shapes[0].Arguments, ElementsAre(128));
  const std::vector<LaunchRecord> Records = launchRecords(kernel(), Shapes);
  EXPECT_EQ(Records.at(0).Block, (Extent{128, 1, 1}));
  EXPECT_EQ(Records.at(0).Source, LaunchSource::Usual);
  // What the user says counts, and what never runs says nothing.
  ShapeOptions Options;
  Options.Block = Block{256, 1, 1};
  EXPECT_THAT(blocks(choose(kernel(), {L}, Options)),
              ElementsAre(Block{256, 1, 1}));
  L.NeverRuns = true;
  EXPECT_EQ(choose(kernel(), {L}).Shapes[0].BlockSource, LaunchSource::Assumed);
}

// One number is assumed, not two.
TEST(LaunchShapes, anArgumentThatIsASizeOfTheBlockIsThat) {
  Launch L = launch({std::nullopt, 1, 1}, 1);
  L.Arguments = {std::nullopt, std::nullopt};
  // An index may be hostile.
  L.BlockSizes = {{1, 0}, {7, 0}};
  EXPECT_THAT(choose(kernel(), {L}).Shapes[0].Arguments,
              ElementsAre(std::nullopt, 256));
  ShapeOptions Options;
  Options.Block = Block{96, 1, 1};
  EXPECT_THAT(choose(kernel(), {L}, Options).Shapes[0].Arguments,
              ElementsAre(std::nullopt, 96));
  L.IfLarge = LaunchSizes{.Grid = {}, .Block = {128, 1, 1}, .Arguments = {}};
  EXPECT_THAT(choose(kernel(), {L}).Shapes[0].Arguments,
              ElementsAre(std::nullopt, 128));
  // Two elements for each thread.
  L.TimesOfBlockSize = {{1, 2}};
  EXPECT_THAT(choose(kernel(), {L}).Shapes[0].Arguments,
              ElementsAre(std::nullopt, 256));
}

TEST(LaunchShapes, aBlockThatIsBoundIsAsLargeAsThatAllows) {
  Launch L = launch({std::nullopt, std::nullopt, 1}, 1);
  L.IfLarge = LaunchSizes{.Grid = {}, .Block = {128, 1, 1}, .Arguments = {}};
  L.LargeName = "'n'";
  L.Alignments = {{0, 4}};
  const KernelShapes Shapes = choose(kernel(), {L});
  ASSERT_THAT(blocks(Shapes), ElementsAre(Block{128, 1, 1}));
  EXPECT_EQ(Shapes.Shapes[0].BlockSource, LaunchSource::Assumed);
  EXPECT_EQ(Shapes.Shapes[0].BlockReason, "as 'n' is large");
  EXPECT_EQ(Shapes.Shapes[0].IsOpen, (std::array<bool, 3>{}));
  EXPECT_EQ(Shapes.Shapes[0].Alignments, L.Alignments);
  // It is an assumption: another launch that is known is better.
  EXPECT_THAT(blocks(choose(kernel(), {L, launch({64, 1, 1}, 2)})),
              ElementsAre(Block{64, 1, 1}));
  ShapeOptions Options;
  Options.Block = Block{256, 1, 1};
  EXPECT_THAT(blocks(choose(kernel(), {L}, Options)),
              ElementsAre(Block{256, 1, 1}));
}

TEST(LaunchShapes, sizesThatGoTogetherKeepTheirThreads) {
  Launch L = launch({std::nullopt, std::nullopt, 1}, 1);
  L.Paired = PairedSizes{.Threads = 512, .Quotient = 0, .Divisor = 1};
  L.Arguments = {std::nullopt, std::nullopt};
  L.BlockSizes = {{1, 1}};
  const KernelShapes Shapes = choose(kernel(), {L});
  ASSERT_THAT(blocks(Shapes), ElementsAre(Block{32, 16, 1}));
  EXPECT_EQ(Shapes.Shapes[0].BlockSource, LaunchSource::Assumed);
  EXPECT_EQ(Shapes.Shapes[0].IsOpen, (std::array<bool, 3>{}));
  ASSERT_TRUE(Shapes.Shapes[0].Paired);
  EXPECT_EQ(Shapes.Shapes[0].Paired->Threads, 512);
  EXPECT_EQ(Shapes.Shapes[0].Paired->Arguments,
            (std::map<unsigned, unsigned>{{1, 1}}));
  EXPECT_THAT(Shapes.Shapes[0].Arguments, ElementsAre(std::nullopt, 16));
}

TEST(LaunchShapes, aBlockThatCannotRunIsReportedButNotEvaluated) {
  for (std::int64_t X : {0, 2048, -1}) {
    KernelShapes Shapes = choose(kernel(), {launch({X, 1, 1})});
    EXPECT_THAT(blocks(Shapes), ElementsAre(Block{256, 1, 1}));
    EXPECT_EQ(Shapes.Launches.at(0).Block[0], X);
  }
}

TEST(LaunchShapes, noLaunchGivesARecordOfWhatWasEvaluated) {
  std::vector<LaunchRecord> Records =
      launchRecords(kernel(2), choose(kernel(2)));
  ASSERT_THAT(Records, SizeIs(1));
  EXPECT_EQ(Records[0].Where, kernel().Where);
  EXPECT_EQ(Records[0].Block, (Extent{32, 8, 1}));
  EXPECT_EQ(Records[0].Grid, Extent());
  EXPECT_EQ(Records[0].Source, LaunchSource::Assumed);
}

TEST(LaunchShapes, aLaunchThatNeverRunsIsNone) {
  Launch Dead = launch({2000, 1, 1});
  Dead.NeverRuns = true;
  KernelShapes Shapes = choose(kernel(), {Dead, launch({96, 1, 1}, 31)});
  EXPECT_THAT(blocks(Shapes), ElementsAre(Block{96, 1, 1}));
  EXPECT_THAT(Shapes.Launches, SizeIs(1));
}

TEST(LaunchShapes, aLaunchThatNeverRunsHintsAtTheShapeOfAKernelWithoutOthers) {
  Launch Dead = launch({96, 1, 1});
  Dead.NeverRuns = true;
  KernelShapes Shapes = choose(kernel(), {Dead});
  EXPECT_THAT(blocks(Shapes), ElementsAre(Block{96, 1, 1}));
  EXPECT_EQ(Shapes.Shapes[0].BlockSource, LaunchSource::Assumed);
  EXPECT_THAT(Shapes.Launches, SizeIs(0));
  EXPECT_EQ(launchRecords(kernel(), Shapes)[0].Where, kernel().Where);
  ShapeOptions Options;
  Options.Block = Block{64, 1, 1};
  Shapes = choose(kernel(), {Dead}, Options);
  EXPECT_THAT(blocks(Shapes), ElementsAre(Block{64, 1, 1}));
  EXPECT_EQ(Shapes.Shapes[0].BlockSource, LaunchSource::User);
}

TEST(LaunchShapes, anInstanceThatIsLaunchedNowhereNeverRuns) {
  Launch Dead = launch({96, 1, 1});
  Dead.NeverRuns = true;
  KernelDeclaration Instance = kernel();
  Instance.Template = "k";
  EXPECT_TRUE(choose(Instance, {Dead}).NeverRuns);
  EXPECT_FALSE(choose(Instance, {Dead, launch({96, 1, 1}, 31)}).NeverRuns);
  EXPECT_FALSE(choose(Instance).NeverRuns) << "others may launch it";
  EXPECT_FALSE(choose(kernel(), {Dead}).NeverRuns);
  ShapeOptions Options;
  Options.Launches.push_back({.Kernel = "*", .Block = {64, 1, 1}});
  EXPECT_FALSE(choose(Instance, {Dead}, Options).NeverRuns)
      << "the user launches it";
  Instance.IsUsedOtherwise = true;
  EXPECT_FALSE(choose(Instance, {Dead}).NeverRuns);
}

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

static ShapeOptions option(LaunchOption Given) {
  ShapeOptions Options;
  Options.Launches.push_back(std::move(Given));
  return Options;
}

TEST(LaunchShapes, launchOptionIsLaidOverTheLaunchFound) {
  KernelShapes Shapes = choose(kernel(), {launch({256, 1, 1})},
                               option({"k", {}, {64, 1, 1}, {}}));
  EXPECT_THAT(blocks(Shapes), ElementsAre(Block{64, 1, 1}));
  EXPECT_EQ(Shapes.Shapes[0].Grid, (Extent{64, 1, 1})) << "? keeps the grid";
  EXPECT_EQ(Shapes.Shapes[0].BlockSource, LaunchSource::User);
  EXPECT_EQ(Shapes.Launches.at(0).Where.Line, 30u);
}

TEST(LaunchShapes, launchOptionWithoutALaunchStandsAtTheKernel) {
  KernelShapes Shapes =
      choose(kernel(), {}, option({"k", {8, 1, 1}, {64, 1, 1}, 4096}));
  ASSERT_THAT(Shapes.Launches, SizeIs(1));
  EXPECT_EQ(Shapes.Launches[0].Where, kernel().Where);
  EXPECT_EQ(Shapes.Launches[0].DynamicSharedBytes, 4096);
  EXPECT_THAT(blocks(Shapes), ElementsAre(Block{64, 1, 1}));
}

TEST(LaunchShapes, aNamedKernelBeatsTheStar) {
  ShapeOptions Options = option({"k", {1, 1, 1}, {64, 1, 1}, {}});
  Options.Launches.push_back(
      option({"*", {1, 1, 1}, {32, 1, 1}, {}}).Launches[0]);
  EXPECT_THAT(blocks(choose(kernel(), {}, Options)),
              ElementsAre(Block{64, 1, 1}));
  Options = option({"other", {1, 1, 1}, {64, 1, 1}, {}});
  EXPECT_THAT(blocks(choose(kernel(), {}, Options)),
              ElementsAre(Block{256, 1, 1}));
}

TEST(LaunchShapes, blockOptionGivesOnlyWhatTheSourceDoesNot) {
  ShapeOptions Options;
  Options.Block = Block{96, 1, 1};
  EXPECT_THAT(blocks(choose(kernel(), {launch({256, 1, 1})}, Options)),
              ElementsAre(Block{256, 1, 1}));
  KernelShapes Filled = choose(kernel(), {launch(Extent())}, Options);
  EXPECT_THAT(blocks(Filled), ElementsAre(Block{96, 1, 1}));
  EXPECT_EQ(Filled.Shapes[0].BlockSource, LaunchSource::User);
  KernelDeclaration Bounded = kernel();
  Bounded.MaxThreads = 128;
  EXPECT_THAT(blocks(choose(Bounded, {}, Options)),
              ElementsAre(Block{96, 1, 1}));
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

TEST(LaunchShapes, aKernelGoesByManyNames) {
  KernelDeclaration K;
  K.Name = "_ZN2ns1kILi4EEEvPfi";
  K.Signature = "ns::k<4>(float *, int)";
  for (const char *Name :
       {"_ZN2ns1kILi4EEEvPfi", "ns::k<4>(float *, int)", "ns::k<4>(float*,int)",
        "ns::k<4>", "ns::k", "k<4>", "k"})
    EXPECT_TRUE(namesKernel(Name, K)) << Name;
  for (const char *Name : {"", "s::k", "k<8>", "ns::k<4", "ns", "kk", "*"})
    EXPECT_FALSE(namesKernel(Name, K)) << Name;
}

TEST(LaunchShapes, namesWithBracketsInside) {
  KernelDeclaration K;
  K.Name = "x";
  K.Signature = "(anonymous namespace)::apply<ns::Op<int>>(void (*)(int), int)";
  EXPECT_TRUE(namesKernel("apply", K));
  EXPECT_TRUE(namesKernel("apply<ns::Op<int>>", K));
  EXPECT_TRUE(namesKernel("(anonymous namespace)::apply", K));
  EXPECT_FALSE(namesKernel("Op<int>", K));
}

//===----------------------------------------------------------------------===//
// Launches in other files
//===----------------------------------------------------------------------===//

TEST(LaunchShapes, aLaunchInAnotherFileIsJoinedByTheLinkageName) {
  std::array<UnitIndex, 2> Units;
  auto &[Defines, Launches] = Units;
  Defines.Kernels = {kernel()};
  Launches.Launches = {launch({64, 1, 1})};
  std::vector<Launch> Found = launchesOf(kernel(), 0, Units);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_EQ(Found[0].Block, (Extent{64, 1, 1}));
}

TEST(LaunchShapes, withoutALinkageNameTheWrittenNameJoins) {
  std::array<UnitIndex, 2> Units;
  auto &[Defines, Launches] = Units;
  Defines.Kernels = {kernel()};
  Launches.Launches = {launch({64, 1, 1})};
  Launches.Launches[0].Kernel.clear();
  EXPECT_THAT(launchesOf(kernel(), 0, Units), SizeIs(1));
  Launches.Launches[0].KernelAsWritten = "other";
  EXPECT_THAT(launchesOf(kernel(), 0, Units), SizeIs(0));
}

TEST(LaunchShapes, aStaticKernelOfTheSameNameLaunchesItsOwn) {
  std::array<UnitIndex, 2> Units;
  auto &[Mine, Other] = Units;
  Mine.Kernels = {kernel()};
  Other.Kernels = {kernel()};
  Other.Kernels[0].Where.File = "b.cu";
  Other.Launches = {launch({64, 1, 1})};
  EXPECT_THAT(launchesOf(kernel(), 0, Units), SizeIs(0));
  EXPECT_THAT(launchesOf(Other.Kernels[0], 1, Units), SizeIs(1));
}

TEST(LaunchShapes, aKernelFromAHeaderIsTheSameInBothFiles) {
  std::array<UnitIndex, 3> Units;
  auto &[Mine, Other, Third] = Units;
  Mine.Kernels = {kernel()};
  Mine.Kernels[0].Where.File = "k.cuh";
  Other.Kernels = Mine.Kernels;
  Other.Launches = {launch({64, 1, 1})};
  EXPECT_THAT(launchesOf(Mine.Kernels[0], 0, Units), SizeIs(1));
  // Files of several folders spell it differently.
  Mine.Kernels[0].Where.File = "src/../k.cuh";
  Other.Kernels[0].Where.File = "./k.cuh";
  EXPECT_THAT(launchesOf(Mine.Kernels[0], 0, Units), SizeIs(1));
  // Where both launch it, each launches its own copy: 2 launches, not 4.
  Mine.Launches = {launch({128, 1, 1})};
  for (std::size_t Unit : {0, 1}) {
    std::vector<Launch> Found = launchesOf(Mine.Kernels[0], Unit, Units);
    ASSERT_THAT(Found, SizeIs(1));
    EXPECT_EQ(Found[0].Block, Units[Unit].Launches[0].Block);
  }
  // One that only sees a declaration launches either.
  Third.Launches = {launch({256, 1, 1})};
  EXPECT_THAT(launchesOf(Mine.Kernels[0], 0, Units), SizeIs(2));
}

TEST(LaunchShapes, OptInsOfOtherFilesCount) {
  std::array<UnitIndex, 2> Units;
  auto &[Other, Home] = Units;
  Home.Kernels = {kernel()};
  Home.Launches = {launch({64, 1, 1})};
  Home.Launches[0].Raised = SharedMemoryRaise{60000, true, {}};
  EXPECT_FALSE(launchesOf(kernel(), 1, Units).at(0).SharedMemoryOptIn);
  EXPECT_TRUE(launchesOf(kernel(), 1, Units).at(0).Raised);
  Other.SharedMemoryOptIns = {"_Z5otherPf"};
  EXPECT_FALSE(launchesOf(kernel(), 1, Units).at(0).SharedMemoryOptIn);
  EXPECT_TRUE(launchesOf(kernel(), 1, Units).at(0).Raised);
  // For some kernel: what is known of this one is not all.
  Other.SharedMemoryOptIns = {""};
  EXPECT_FALSE(launchesOf(kernel(), 1, Units).at(0).SharedMemoryOptIn);
  EXPECT_FALSE(launchesOf(kernel(), 1, Units).at(0).Raised);
  Other.SharedMemoryOptIns = {"_Z1kPf"};
  EXPECT_TRUE(launchesOf(kernel(), 1, Units).at(0).SharedMemoryOptIn);
  EXPECT_FALSE(launchesOf(kernel(), 1, Units).at(0).Raised);
  // A static kernel of the same name is another one.
  Other.Kernels = {kernel()};
  Other.Kernels[0].Where.File = "b.cu";
  EXPECT_FALSE(launchesOf(kernel(), 1, Units).at(0).SharedMemoryOptIn);
}

TEST(LaunchShapes, TheKernelsFileMayOptInForALaunchElsewhere) {
  std::array<UnitIndex, 2> Units;
  auto &[Home, Other] = Units;
  Home.Kernels = {kernel()};
  Home.SharedMemoryOptIns = {"_Z1kPf"};
  Other.Launches = {launch({64, 1, 1})};
  EXPECT_TRUE(launchesOf(kernel(), 0, Units).at(0).SharedMemoryOptIn);
}

TEST(LaunchShapes, FunctionsWithoutABodyMayRaiseMore) {
  std::array<UnitIndex, 2> Units;
  auto &[Home, Other] = Units;
  Home.Kernels = {kernel()};
  Home.Launches = {launch({64, 1, 1})};
  Home.Launches[0].Raised = SharedMemoryRaise{60000, false, {}};
  Home.Program.Functions["run"].Uses = {"init"};
  Other.Program.Functions["init"];
  EXPECT_FALSE(launchesOf(kernel(), 0, Units).at(0).Raised->MayBeMore);
  Other.Program.Functions["init"].Uses = {"gone"};
  EXPECT_TRUE(launchesOf(kernel(), 0, Units).at(0).Raised->MayBeMore);
}

} // namespace LaunchShapesTests
