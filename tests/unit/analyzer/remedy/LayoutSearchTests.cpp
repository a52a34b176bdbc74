//===- tests/unit/analyzer/remedy/LayoutSearchTests.cpp - Other layouts ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What may be proposed for an array, and above all what may not. The numbers
/// are counted by hand: bank = word % 32.
///
//===----------------------------------------------------------------------===//

#include "analyzer/remedy/LayoutSearch.h"

#include "analyzer/remedy/BankRemedy.h"
#include "analyzer/remedy/SharedLayout.h"
#include "tests/unit/analyzer/checks/ModelBuilder.h"

#include <gmock/gmock.h>

namespace LayoutSearchTests {

using namespace cudalint;
using testing::HasSubstr;
using testing::IsEmpty;

static constexpr MemorySpace Shared = MemorySpace::Shared;

/// `tile[Rows][Columns]` of floats, declared at line 2.
static AccessFact tile(std::uint64_t Rows, std::uint64_t Columns) {
  AccessFact F;
  F.Text = "tile[i][j]";
  F.Object = "tile";
  F.Subscripts = 2;
  F.Array = ArrayFact{{Rows, Columns}, 4, {"a.cu", 2, 20}, {"a.cu", 60}};
  return F;
}

namespace {
/// `float tile[32][32]` of which a column is read: 32 ways.
class Column : public testing::Test {
protected:
  Column() {
    K.StaticSharedBytes = 4096;
    K.Shared = {{.Name = "array", .Bytes = 4096, .Widest = 4}};
    Load = makeAccess(K, Shared, 5, 4, [](auto L) { return 128 * L; });
    Load.Source = tile(32, 32);
    Load.Executions = 1;
    K.Accesses = {Load};
  }

  BankRemedy remedy() const { return BankRemedies(K).find(K.Accesses.front()); }
  double pad() const {
    const BankRemedy Found = remedy();
    const NamedValue *Pad = Found.Said.find("pad_elements");
    return Pad ? std::get<double>(Pad->What) : 0;
  }

  KernelModel K = makeKernel();
  Access Load;
};
} // namespace

TEST_F(Column, IsPaddedByOneElement) {
  const BankRemedy R = remedy();
  EXPECT_EQ(R.Said.Id, "pad-rows");
  EXPECT_EQ(pad(), 1);
  ASSERT_TRUE(R.Effect);
  // 8 warps of 32 wavefronts each become 8 of one; 32 rows of 4 bytes more.
  EXPECT_EQ(R.Effect->Unit, "wavefronts_per_block");
  EXPECT_EQ(R.Effect->Before, 256);
  EXPECT_EQ(R.Effect->After, 8);
  EXPECT_EQ(R.Effect->MoreSharedBytes, 128u);
  ASSERT_TRUE(R.Edit);
  EXPECT_EQ(R.Edit->Edits.at(0).Text, " + 1");
}

// One more float in a row, and each second float4 store faults.
TEST_F(Column, IsPaddedByWholeVectorsWhereTheyAreStored) {
  Access Store = makeAccess(K, Shared, 4, 16, [](auto L) { return 16 * L; });
  Store.Op = AccessOp::Store;
  Store.Kind = RequestKind::Store;
  Store.Executions = 1;
  // `*(float4 *)&tile[i][j]`: of the declaration it knows nothing.
  Store.Source.Object = "tile";
  Store.Source.Subscripts = 2;
  K.Shared[0].Widest = 16;
  K.Accesses.push_back(Store);
  const BankRemedy R = remedy();
  EXPECT_EQ(pad(), 4);
  // Rows of 36 words: lanes 0, 8, 16 and 24 meet in one bank.
  EXPECT_EQ(R.Effect->After, 8 * 4 + 8 * 4);
  EXPECT_FALSE(R.Edit);
}

// What no evaluated block reaches must not fault either.
TEST_F(Column, KeepsTheAlignmentOfWhatIsNotReached) {
  K.Shared[0].Widest = 16;
  K.Shared[0].HasUnreached = true;
  EXPECT_EQ(pad(), 4);
  EXPECT_FALSE(remedy().Edit);
}

TEST_F(Column, IsLeftAloneWhereAnIndexMayRunOverItsRows) {
  // `tile[0][i]`
  Access Flat = makeAccess(K, Shared, 4, 4, [](auto L) { return 4 * L; });
  Flat.Source = tile(32, 32);
  Flat.Source.MayLeaveRow = true;
  Flat.Source.Text = "tile[0][i]";
  K.Accesses.push_back(Flat);
  EXPECT_EQ(inWords(remedy().Said), "no other layout is proposed, as "
                                    "'tile[0][i]' may run over its rows");
  EXPECT_FALSE(remedy().Edit);
  // `((float4 *)tile)[i]`
  K.Accesses.back().Source = {};
  K.Accesses.back().Source.Object = "tile";
  EXPECT_THAT(inWords(remedy().Said), HasSubstr("as if it had no rows"));
}

// The kernel was run: in the launches of the source it does not.
TEST_F(Column, IsPaddedWhereNoIndexRunsOverItsRows) {
  Access InRow = makeAccess(K, Shared, 4, 4, [](auto L) { return 4 * L; });
  InRow.Source = tile(32, 32);
  InRow.Source.MayLeaveRow = true;
  InRow.StaysInRow = true;
  InRow.Executions = 1;
  K.Accesses.push_back(InRow);
  EXPECT_EQ(pad(), 1);
  EXPECT_TRUE(remedy().Edit);
  ASSERT_TRUE(remedy().Edit);
  EXPECT_EQ(remedy().Edit->Safety, FixSafety::Safe);
  // The program's blocks may be wider: that is for people to see.
  K.Accesses.back().BlockSource = LaunchSource::Assumed;
  EXPECT_EQ(pad(), 1);
  ASSERT_TRUE(remedy().Edit);
  EXPECT_EQ(remedy().Edit->Safety, FixSafety::Layout);
}

TEST_F(Column, OfAStructsMemberIsLeftAlone) {
  K.Shared[0].Bytes = 4096 + 128; // There is something else in it.
  EXPECT_THAT(inWords(remedy().Said), HasSubstr("part of a larger object"));
}

// Eight bytes that the compiler makes of two floats may come apart again; but
// two words after every 32 keep them whole, with half the instructions, and
// cost no more than one word.
TEST_F(Column, KeepsWholeWhatTheCompilerMergedWhereThatIsNoDearer) {
  Access Pairs = makeAccess(K, Shared, 5, 8, [](auto L) { return 128 * L; });
  Pairs.Source.Object = "flat";
  Pairs.Source.Bytes = 4;
  Pairs.Executions = 1;
  K.Accesses = {Pairs};
  const BankRemedy R = remedy();
  ASSERT_TRUE(R.Effect);
  EXPECT_EQ(std::get<double>(R.Said.find("pitch")->What), 34);
  EXPECT_EQ(R.Effect->After, 8 * 2); // Two requests without conflicts each.
}

TEST_F(Column, IsLeftAloneWhereAnotherTypeViewsIt) {
  Access View = makeAccess(K, Shared, 4, 8, [](auto L) { return 8 * L; });
  View.Source.Object = "doubles";
  K.Accesses.push_back(View);
  EXPECT_THAT(
      inWords(remedy().Said),
      HasSubstr("as it is also accessed through 'doubles', 8 bytes at a "
                "time and not 4"));
  // Where only the machine code has a name for it, as an asm does, it must
  // follow, which no edit sees to.
  K.Accesses.back().Source.Object.clear();
  EXPECT_EQ(remedy().Said.Id, "pad-rows");
  EXPECT_THAT(inWords(remedy().Said),
              HasSubstr("and let the addresses that are computed elsewhere "
                        "follow"));
  EXPECT_FALSE(remedy().Edit);
  // Nor where all of it is done so.
  Load.Source = {};
  K.Shared[0].PlainName = "tile";
  K.Accesses = {Load, Load};
  EXPECT_THAT(inWords(remedy().Said), HasSubstr("its address alone"));
}

// A pointer may begin elsewhere, as `row = sums + 1` does: what `i + i / 32` is
// for one of them is another word for the other.
TEST_F(Column, OfAFlatArrayIsLeftAloneWhereAPointerIsIntoIt) {
  Load.Source = {};
  Load.Source.Object = "sums";
  Access Other = makeAccess(K, Shared, 4, 4, [](auto L) { return 4 * L; });
  Other.Source.Object = "row";
  K.Accesses = {Load, Other};
  EXPECT_EQ(remedy().Said.Id, "layout-not-judged");
  EXPECT_THAT(inWords(remedy().Said), HasSubstr("also reached by 'row'"));
}

TEST_F(Column, IsLeftAloneWhereItsAddressEscapes) {
  K.Shared[0].Unseen = "its address is passed to 'f'";
  const BankRemedy R = remedy();
  EXPECT_EQ(R.Said.Id, "layout-not-judged");
  EXPECT_THAT(inWords(R.Said), HasSubstr("passed to 'f'"));
  EXPECT_FALSE(R.Edit);
}

TEST_F(Column, IsLeftAloneWhereSomeAddressIsNotKnown) {
  Access Unknown = Load;
  Unknown.Predicted.reset();
  Unknown.Samples.clear();
  Unknown.Trust = Certainty::Unknown;
  Unknown.Source = {};
  Unknown.Source.Object = "p";
  K.Accesses.push_back(Unknown);
  EXPECT_EQ(remedy().Said.Id, "layout-not-judged");
  // One that names the array in full is right wherever the rows begin.
  K.Accesses.back().Source = tile(32, 32);
  EXPECT_EQ(pad(), 1);
  EXPECT_TRUE(remedy().Edit);
}

// Groups of four lanes read 8 floats each, one after the other: the eighth
// group is in the bank of the fourth. Rows of 9 floats part them as well as 4
// floats after every 32 do, but leave none of the two vectors of a lane whole.
TEST(LayoutOfRuns, KeepsTheVectorsThatALaneTakesInTurns) {
  KernelModel K = makeKernel();
  K.StaticSharedBytes = 4096;
  K.Shared = {{.Name = "array", .Bytes = 4096, .Widest = 4}};
  std::vector<RequestSample> Turns;
  for (int I = 0; I < 8; ++I)
    Turns.push_back(makeSample([=](auto L) { return 32 * (L / 4) + 4 * I; }));
  Access A = makeAccess(K, Shared, 5, 4, Turns);
  A.Source.Object = "s";
  A.Source.Subscripts = 1;
  A.Source.Bytes = 4;
  A.Executions = 8;
  A.LoopDepth = 1;
  K.Accesses = {A};
  EXPECT_THAT(inWords(BankRemedies(K).find(K.Accesses.front()).Said),
              HasSubstr("leave 4 elements free after every 32"));
  // Each is an instruction of its own: there is no vector to keep.
  K.Accesses.front().Instructions = {MachineInstruction()};
  EXPECT_THAT(inWords(BankRemedies(K).find(K.Accesses.front()).Said),
              HasSubstr("let the rows be 9 elements apart, not 8"));
}

// Four lanes of 8 bytes in each of 8 rows of 256 bytes, which no declaration
// tells: rows of 288 bytes put those of four rows, half of the lanes, side by
// side.
TEST(RowsOfMatrices, AreMadeLonger) {
  KernelModel K = makeKernel();
  K.Shared = {{.Name = "array", .Bytes = 0, .Widest = 16, .HasMatrices = true}};
  Access A = makeAccess(K, Shared, 5, 8,
                        [](auto L) { return 256 * (L / 4) + 8 * (L % 4); });
  A.Source.Object = "s";
  A.Source.Subscripts = 1;
  A.Source.Bytes = 8;
  A.Executions = 1;
  K.Accesses = {A};
  const BankRemedy R = BankRemedies(K).find(K.Accesses.front());
  EXPECT_EQ(R.Said.Id, "longer-rows");
  EXPECT_EQ(std::get<double>(R.Said.find("bytes")->What), 32);
  EXPECT_FALSE(R.Edit);
}

// 64 KiB an SM on a T4: 16 blocks of 4096 bytes, 15 with 128 bytes more. The
// swizzle takes none.
TEST_F(Column, IsSwizzledWherePaddingCostsABlock) {
  K.Gpu = parseTarget("t4").value();
  K.Accesses.front() = Load;
  K.Launches = {makeLaunch({64, 1, 1}, {64, 1, 1})};
  LaunchVerdict Runs;
  Runs.Fit = LaunchFit();
  Runs.Fit->Demand = {.Threads = 64, .Registers = 16, .StaticShared = 4096};
  Runs.Fit->OnSM = occupancy(*K.Gpu.Arch, Runs.Fit->Demand);
  ASSERT_EQ(Runs.Fit->OnSM.BlocksPerSM, 16u);
  K.Verdicts = {Runs};
  const BankRemedy R = remedy();
  EXPECT_EQ(R.Said.Id, "swizzle-columns");
  EXPECT_EQ(R.Effect->MoreSharedBytes, 0u);
  EXPECT_EQ(R.Effect->BlocksPerSMBefore, 16u);
  EXPECT_EQ(R.Effect->BlocksPerSMAfter, 16u);
}

// Another kernel has the same array, and rows of 33 words cost it what they
// save here: two rows of 16 lanes begin in neighbouring banks.
TEST_F(Column, IsNotMendedAtTheCostOfAnotherKernel) {
  KernelModel Other = makeKernel();
  Other.Declaration.Name = "_Z5otherv";
  Other.Shared = K.Shared;
  // Lanes 0 .. 31 at words 32 * (lane / 2 * 2) + lane: each in a bank of its
  // own, with rows of 33 as well as with a swizzle some meet.
  Access Skewed = makeAccess(Other, Shared, 9, 4,
                             [](auto L) { return 4 * (32 * (L / 2 * 2) + L); });
  ASSERT_EQ(Skewed.Predicted->PerRequest, 1);
  Skewed.Source = tile(32, 32);
  Skewed.Executions = 1;
  Other.Accesses = {Skewed};
  const std::vector<const KernelModel *> Unit = {&K, &Other};
  K.Unit = Other.Unit = Unit;
  const BankRemedy R = remedy();
  // With k words more, lane L is at bank k * (L / 2 * 2) + L: for k = 1 lanes 2
  // and 1 + ... meet; only what keeps all 32 apart may be said.
  if (R.Effect) {
    const double K2 = pad();
    std::set<std::int64_t> Banks;
    for (std::int64_t L = 0; L != 32; ++L)
      Banks.insert((static_cast<std::int64_t>(K2) * (L / 2 * 2) + L) % 32);
    EXPECT_EQ(Banks.size(), 32u);
  }
  EXPECT_NE(pad(), 1);
}

// Instances of a template have rows of their own lengths.
TEST_F(Column, IsPaddedInEachInstanceByItsOwnRows) {
  KernelModel Other = makeKernel();
  Other.Declaration.Name = "_Z1kILi64EEvv";
  Other.Shared = {{.Name = "array64", .Bytes = 32 * 64 * 4, .Widest = 4}};
  Access Wider =
      makeAccess(Other, Shared, 5, 4, [](auto L) { return 256 * L; });
  Wider.Variable = "array64";
  Wider.Source = tile(32, 64);
  Wider.Executions = 1;
  Other.Accesses = {Wider};
  const std::vector<const KernelModel *> Unit = {&K, &Other};
  K.Unit = Unit;
  const BankRemedy R = remedy();
  EXPECT_EQ(pad(), 1);
  EXPECT_THAT(inWords(R.Said), HasSubstr("no access to it conflicts"));
}

// Where one has an odd number of columns, one more is no help to it.
TEST_F(Column, IsPaddedInInstancesWithEvenRowsAlone) {
  KernelModel Odd = makeKernel();
  Odd.Declaration.Name = "_Z1kILi31EEvv";
  Odd.Shared = {{.Name = "array31", .Bytes = 32 * 31 * 4, .Widest = 4}};
  Access Narrow = makeAccess(Odd, Shared, 5, 4, [](auto L) { return 124 * L; });
  Narrow.Variable = "array31";
  Narrow.Source = tile(32, 31);
  Narrow.Executions = 1;
  Odd.Accesses = {Narrow};
  const std::vector<const KernelModel *> Unit = {&K, &Odd};
  K.Unit = Unit;
  const BankRemedy R = remedy();
  EXPECT_EQ(R.Said.Id, "odd-rows");
  EXPECT_FALSE(R.Edit);
  EXPECT_THAT(inWords(R.Said), HasSubstr("no access to it conflicts"));
  // Rows of 33 words in the one, as they were in the other.
  ASSERT_TRUE(R.Effect);
  EXPECT_EQ(R.Effect->After, 8);
  EXPECT_EQ(R.Effect->MoreSharedBytes, 128u);
  // It would move what is read as a pair.
  K.Shared[0].Widest = 8;
  EXPECT_NE(remedy().Said.Id, "odd-rows");
}

// Two arrays that are carved from one piece: the floats of one may move, but
// the double that follows must stay aligned.
TEST_F(Column, OfDynamicMemoryKeepsItsNeighboursAligned) {
  K.Shared = {{.Name = "array", .Bytes = 0, .Widest = 8}};
  Load.Source = {};
  Load.Source.Object = "sums";
  Access Other = makeAccess(K, Shared, 7, 8, [](auto L) { return 8 * L; });
  Other.Source.Object = "weights";
  K.Accesses = {Load, Other};
  const BankRemedy R = remedy();
  ASSERT_TRUE(R.Effect);
  EXPECT_THAT(inWords(R.Said), HasSubstr("leave 8 bytes free"));
  EXPECT_THAT(inWords(R.Said), HasSubstr("let the launch pass"));
  EXPECT_FALSE(R.Edit);
}

// A row of another length tears the fill's warps apart, outside of the loop.
TEST_F(Column, MayCostTheFillALittleOfWhatLoopsSave) {
  Load.Source = {};
  Load.Source.Object = "s";
  Load.LoopDepth = 1;
  Load.Executions.reset();
  Access Fill = makeAccess(K, Shared, 4, 4, [](auto L) { return 4 * L + 64; });
  Fill.Op = AccessOp::Store;
  Fill.Source.Object = "s";
  Fill.Executions.reset();
  K.Accesses = {Load, Fill};
  const BankRemedy R = remedy();
  EXPECT_EQ(R.Said.Id, "change-pitch");
  EXPECT_THAT(inWords(R.Said), HasSubstr("what loops save is more than"));
  EXPECT_FALSE(R.Effect); // Nobody knows the sum.
  // Where the load is in no loop, nothing may cost more.
  K.Accesses[0].LoopDepth = 0;
  EXPECT_THAT(inWords(remedy().Said), Not(HasSubstr("what loops save")));
}

// `extern __shared__ float s[]` is another array in each kernel.
TEST_F(Column, OfDynamicMemoryIsThatOfItsKernel) {
  K.Shared = {{.Name = "array", .Bytes = 0, .Widest = 4}};
  Load.Source = {};
  Load.Source.Object = "s";
  K.Accesses = {Load};
  KernelModel Other = makeKernel();
  Other.Declaration.Name = "_Z5otherv";
  Other.Shared = {{.Name = "array", .Bytes = 0, .Widest = 16}};
  Other.Accesses = {
      makeAccess(Other, Shared, 9, 16, [](auto L) { return 16 * L; })};
  Other.Accesses[0].Source.Object = "s";
  const std::vector<const KernelModel *> Unit = {&K, &Other};
  K.Unit = Unit;
  EXPECT_EQ(remedy().Said.Id, "change-pitch");
  EXPECT_EQ(remedy().Effect->After, 8);
}

// Each 32nd of 1024 floats, of which a gap has no room.
TEST_F(Column, OfAFlatArrayIsSwizzledWhereNoGapHasRoom) {
  Load.Source.Object = "flat";
  Load.Source.Subscripts = 1;
  Load.Source.Array = ArrayFact{{1024}, 4, {"a.cu", 2, 20}, {"a.cu", 60}};
  K.Accesses = {Load};
  EXPECT_EQ(remedy().Said.Id, "change-pitch");
  K.StaticSharedBytes = K.Gpu.Arch->SharedPerBlock;
  const BankRemedy R = remedy();
  EXPECT_THAT(inWords(R.Said),
              HasSubstr("keep element i of 'flat' at i ^ (i / 32 % 32)"));
  EXPECT_EQ(R.Effect->After, 8);
  EXPECT_EQ(R.Effect->MoreSharedBytes, 0u);
  EXPECT_TRUE(R.MayCostMore);
  // The last ones would leave an array of 1022.
  K.Shared[0].Bytes = 4088;
  K.Accesses.front().Source.Array->Dimensions = {1022};
  EXPECT_EQ(remedy().Said.Id, "no-layout-helps");
}

// A transform of doubles in pairs, whose lanes are 1, 8 and 64 pairs apart: 8
// banks of 16 bytes.
TEST_F(Column, OfAFlatArrayIsFoldedWhereSeveralStridesMeet) {
  K.Shared = {{.Name = "array", .Bytes = 32768, .Widest = 16}};
  K.StaticSharedBytes = K.Gpu.Arch->SharedPerBlock;
  K.Accesses.clear();
  for (const int Stride : {1, 8, 64}) {
    Access A =
        makeAccess(K, Shared, 5, 16, [=](auto L) { return 16 * (L * Stride); });
    A.Source.Object = "pairs";
    A.Source.Subscripts = 1;
    A.Source.Bytes = 16;
    A.Source.Array = ArrayFact{{2048}, 16, {"a.cu", 2, 20}, {"a.cu", 60}};
    A.Executions = 1;
    K.Accesses.push_back(A);
  }
  const BankRemedy R = BankRemedies(K).find(K.Accesses[1]);
  EXPECT_THAT(inWords(R.Said), HasSubstr("keep element i of 'pairs' at i ^ (i "
                                         "/ 8 % 8) ^ (i / 64 % 8)"));
  // 8 warps of four wavefronts for each of the three; 4 + 32 + 32 before.
  EXPECT_EQ(R.Effect->Before, 8 * (4 + 32 + 32));
  EXPECT_EQ(R.Effect->After, 8 * (4 + 4 + 4));
}

// Lanes 8 floats apart fill what others read one by one, from any float on: a
// gap, or a swizzle, is within the words of some warp that reads.
TEST_F(Column, OfAFlatArrayStaysWhereOtherWarpsWouldMeetAGap) {
  K.Shared = {{.Name = "array", .Bytes = 8192, .Widest = 4}};
  Access Fill = makeAccess(K, Shared, 4, 4, [](auto L) { return 32 * L; });
  Access Read = makeAccess(K, Shared, 6, 4, [](auto L) { return 4 * L + 4; });
  for (Access *Each : {&Fill, &Read}) {
    Each->Source.Object = "flat";
    Each->Source.Subscripts = 1;
    Each->Source.Bytes = 4;
    Each->Source.Array = ArrayFact{{2048}, 4, {"a.cu", 2, 20}, {"a.cu", 60}};
  }
  Fill.Executions = 8;
  Read.Executions = 2;
  K.Accesses = {Fill, Read};
  EXPECT_EQ(remedy().Said.Id, "change-pitch");
  K.Accesses[1].Executions = 1000;
  EXPECT_EQ(remedy().Said.Id, "no-layout-helps");
}

// What is said of index i is where the layout has it.
TEST(Swizzles, AreWhatTheirIndicesSay) {
  const Layout Once = swizzled(4, 32, 32, 2), Folded = folded(16, 8);
  for (std::int64_t I = 0; I < 4096; ++I) {
    EXPECT_EQ(Once(4 * I + 3), 4 * (I ^ (I / 64 % 32)) + 3);
    EXPECT_EQ(Folded(16 * I + 5), 16 * (I ^ (I / 8 % 8) ^ (I / 64 % 8)) + 5);
  }
}

// Lanes have 16 bytes each, and take them in two loads of 8: 2 times 4
// wavefronts, of which half the banks are idle in each. One float4 takes 4.
TEST(Runs, OfSharedMemoryAreTakenInVectors) {
  KernelModel K = makeKernel();
  K.StaticSharedBytes = K.Gpu.Arch->SharedPerBlock;
  K.Shared = {{.Name = "array", .Bytes = 4096, .Widest = 8}};
  Access A = makeAccess(K, Shared, 5, 8,
                        {makeSample([](auto L) { return 16 * L; }),
                         makeSample([](auto L) { return 16 * L + 8; })});
  A.Source.Object = "s";
  A.Source.Subscripts = 1;
  A.Source.Bytes = 4;
  A.Executions = 2;
  K.Accesses = {A};
  const BankRemedy R = BankRemedies(K).find(K.Accesses.front());
  EXPECT_EQ(inWords(R.Said), "load what a lane has in vectors of 4 elements, "
                             "of an array that is aligned to 16 bytes");
  // Half of each is what it wants.
  K.Accesses.front().Samples.resize(1);
  EXPECT_EQ(BankRemedies(K).find(K.Accesses.front()).Said.Id,
            "no-layout-helps");
}

// `a = all` and `b = all + 512`, with rows of 32 floats each: each is laid out
// by itself, where the other is beside it.
TEST_F(Column, OfAPartOfAnArrayMovesWhatIsBehind) {
  K.Accesses.clear();
  for (const std::int64_t Begin : {0, 2048}) {
    Access A = makeAccess(K, Shared, 5, 4,
                          [=](auto L) { return Begin + 128 * (L % 16); });
    A.Source.Object = Begin ? "b" : "a";
    A.Source.Subscripts = 1;
    A.Source.Bytes = 4;
    A.Executions = 1;
    A.Reach = ByteReach{Begin, Begin + 15 * 128 + 4};
    K.Accesses.push_back(A);
  }
  const BankRemedy R = remedy();
  EXPECT_THAT(inWords(R.Said),
              HasSubstr("leave 4 bytes free after every 128 bytes, in an array "
                        "of 64 bytes more, and what lies behind 'a' as much "
                        "further"));
  EXPECT_EQ(R.Effect->After, 8);
  EXPECT_FALSE(R.Edit);
  EXPECT_THAT(inWords(BankRemedies(K).find(K.Accesses[1]).Said),
              HasSubstr("behind 'b' as much further"));
  // Half of it is that of the other, or some of it may be.
  K.Accesses[1].Reach->Begin = 1024;
  EXPECT_EQ(remedy().Said.Id, "layout-not-judged");
  K.Accesses[1].Reach.reset();
  EXPECT_EQ(remedy().Said.Id, "layout-not-judged");
}

TEST_F(Column, OfWhatLeavesItsArrayIsNotLaidOutAnew) {
  K.Accesses.front().Reach = ByteReach{0, 4096};
  EXPECT_EQ(pad(), 1);
  K.Accesses.front().Reach = ByteReach{0, 4100};
  EXPECT_EQ(inWords(remedy().Said),
            "no other layout is proposed, as 'tile[i][j]' goes beyond the 4096 "
            "bytes that it has");
  K.Accesses.front().Reach = ByteReach{-4, 4096};
  EXPECT_THAT(inWords(remedy().Said), HasSubstr("begins before it"));
}

TEST_F(Column, ThatNothingHelpsIsSaid) {
  // All lanes update or read words of one bank whatever their rows are: one
  // column of 31 words of padding is no candidate, so nothing is left.
  Access Own = makeAccess(K, Shared, 5, 4, [](auto L) { return 128 * L; });
  Own.Source = {};
  Own.Source.Object = "flat";
  Access Inverse = makeAccess(K, Shared, 6, 16, [](auto L) { return 16 * L; });
  Inverse.Source.Object = "flat"; // A cast of its elements.
  K.Shared[0].Widest = 16;
  K.StaticSharedBytes = K.Gpu.Arch->SharedPerBlock;
  K.Accesses = {Own, Inverse};
  const BankRemedy R = remedy();
  EXPECT_EQ(R.Said.Id, "no-layout-helps");
  EXPECT_FALSE(R.Effect);
}

} // namespace LayoutSearchTests
