//===- tests/unit/analyzer/checks/GlobalAccessTests.cpp - Coalescing -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Phrases.h"
#include "tests/unit/analyzer/checks/ModelBuilder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace GlobalAccessTests {

using namespace cudalint;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

static constexpr MemorySpace Global = MemorySpace::Global;
static std::vector<Finding> uncoalesced(const KernelModel &K) {
  return runCheck("global-uncoalesced", K);
}
static std::vector<Finding> misaligned(const KernelModel &K) {
  return runCheck("global-misaligned", K);
}

/// Loads of the float fields x, y, z, … of `data[tid]`, from line 6 on.
static KernelModel structKernel(std::string_view Gpu, std::int64_t StructBytes,
                                std::initializer_list<int> Offsets) {
  KernelModel K = makeKernel(Gpu);
  unsigned Line = 6;
  for (const int Offset : Offsets) {
    Access A = makeAccess(K, Global, Line++, 4, [=](std::int64_t L) {
      return StructBytes * L + Offset;
    });
    const std::string Field(1, "xyzwuv"[Offset / 4]);
    A.GroupKey = 7;
    A.Source.Text = "data[tid]." + Field;
    A.Source.Object = "data";
    A.Source.Field = FieldFact{"vec3d",
                               static_cast<std::uint64_t>(StructBytes),
                               4,
                               Field,
                               static_cast<std::uint64_t>(Offset),
                               4,
                               {"a.cu", 1, 8},
                               {"a.cu", 7}};
    K.Accesses.push_back(A);
  }
  return K;
}

TEST(GlobalUncoalesced, SilentWhereSectorsAreFull) {
  KernelModel K = makeKernel();
  K.Accesses = {
      makeAccess(K, Global, 1, 4, [](auto L) { return 4 * L; }),
      makeAccess(K, Global, 2, 4, [](auto L) { return 4 * (31 - L); }),
      makeAccess(K, Global, 3, 4, [](auto L) { return 4 * (L ^ 5); }),
      makeAccess(K, Global, 4, 16, [](auto L) { return 16 * L; }),
      makeAccess(K, Global, 5, 4, [](auto) { return 8; }),
      makeAccess(
          K, Global, 6, 4, [](auto L) { return 1024 * L; }, 2),
      // Two rows of 16 floats, each on a sector.
      makeAccess(K, Global, 7, 4,
                 [](auto L) { return L / 16 * 4096 + L % 16 * 4; })};
  EXPECT_THAT(uncoalesced(K), IsEmpty());
}

TEST(GlobalUncoalesced, MisalignedIsNotUncoalesced) {
  KernelModel K = makeKernel();
  // 32 chars from byte 1 on: two sectors where one would do.
  K.Accesses = {makeAccess(K, Global, 1, 1, [](auto L) { return L + 1; })};
  EXPECT_THAT(uncoalesced(K), IsEmpty());
  EXPECT_THAT(misaligned(K), SizeIs(1));
}

TEST(GlobalUncoalesced, RuntimeStrideIsNotSaidTwice) {
  KernelModel K = makeKernel();
  K.Accesses = {makeAccess(K, Global, 1, 4, [](auto L) { return 128 * L; })};
  K.Accesses[0].Stride = RuntimeStride{"n", 4, {}};
  EXPECT_THAT(uncoalesced(K), IsEmpty());
}

TEST(GlobalUncoalesced, FieldsOfAStructAreJudgedTogether) {
  const std::vector<Finding> Found =
      uncoalesced(structKernel("h200", 12, {0, 4, 8}));
  // Told once, and as no fault: an L1 makes up for it.
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_EQ(Found[0].Level, Severity::Note);
  EXPECT_EQ(Found[0].Others, 2u);
  EXPECT_EQ(Found[0].Predicted, (Prediction{"sectors_per_request", 12.0, 4.0}));
  // 128 bytes used of 12 sectors.
  EXPECT_THAT(Found[0].What,
              AllOf(Is("traffic"), Tells("access", "load of 'data[tid].x'"),
                    Tells("traffic", 12), Tells("unit", "sectors"),
                    Tells("ideal", 4)));
  EXPECT_THAT(Found[0].Cause,
              AllOf(Is("strided-lanes"), Tells("stride_bytes", 12),
                    Tells("field", "x"), Tells("field_bytes", 4),
                    Tells("struct", "vec3d"), Tells("struct_bytes", 12),
                    Tells("bytes_used", 128.0 / 12)));
  EXPECT_THAT(Found[0].Remedy,
              AllOf(Is("align-struct"), Tells("alignment", 16),
                    Tells("struct", "vec3d"), Tells("requests_then", 1),
                    Tells("requests", 3), Tells("percent_more", 33),
                    Tells("accesses", 3), Tells("percent_used", 100)));
  EXPECT_THAT(Found[0].Remedy.Text,
              AllOf(HasSubstr("avoid both"), HasSubstr("no time")));
  ASSERT_TRUE(Found[0].Effect.has_value());
  EXPECT_EQ(Found[0].Effect->Unit, "requests_per_warp");
  EXPECT_EQ(Found[0].Effect->Before, 3);
  EXPECT_EQ(Found[0].Effect->After, 1);
  ASSERT_THAT(Found[0].Fixes, SizeIs(1));
  EXPECT_THAT(Found[0].Fixes[0].Edits,
              testing::ElementsAre(Edit{"a.cu", 7, 0, "__align__(16) "}));
  EXPECT_EQ(Found[0].Fixes[0].Safety, FixSafety::Layout);
  EXPECT_THAT(Found[0].Fixes[0].Description,
              AllOf(HasSubstr("from 12 to 16 bytes"), HasSubstr("longer")));
}

TEST(GlobalUncoalesced, AlignmentThatCostsNothing) {
  const std::vector<Finding> Found =
      uncoalesced(structKernel("h200", 16, {0, 4, 8, 12}));
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].Remedy,
              AllOf(Is("align-struct"), Tells("requests_then", 1),
                    Tells("requests", 4), Not(Tells("percent_more"))));
  ASSERT_THAT(Found[0].Fixes, SizeIs(1));
}

// Of four `__nv_bfloat162` nvcc makes four requests, aligned or not.
TEST(GlobalUncoalesced, AlignmentIsNothingToAClassThatCopiesItself) {
  KernelModel K = structKernel("h200", 16, {0, 4, 8, 12});
  for (Access &A : K.Accesses)
    A.Source.Field->CopiesItself = true;
  EXPECT_THAT(uncoalesced(K), IsEmpty());
}

TEST(GlobalUncoalesced, AlignmentMakesOneRequestOfNeighboursAlone) {
  // A probe that reads the value behind a test of the key: nvcc makes no v2 of
  // the two, however the struct is aligned.
  KernelModel K = structKernel("h200", 8, {0, 4});
  EXPECT_THAT(uncoalesced(K).at(0).Remedy,
              AllOf(Is("align-struct"), Tells("requests_then", 1),
                    Tells("requests", 2)));
  K.Accesses[1].Place.Block = 1;
  // Nor do they cost time.
  EXPECT_THAT(uncoalesced(K), IsEmpty());
  // Nor of two with a store between them, which may change the second.
  K = structKernel("h200", 8, {0, 4});
  K.Accesses[1].Place.Stretch = 1;
  EXPECT_THAT(uncoalesced(K), IsEmpty());
}

TEST(GlobalUncoalesced, StoresOfThreeWordsAreTwo) {
  // st.v2 and st: the fourth word is not theirs to write.
  KernelModel K = structKernel("h200", 12, {0, 4, 8});
  for (Access &A : K.Accesses) {
    A.Op = AccessOp::Store;
    A.Kind = RequestKind::Store;
  }
  EXPECT_THAT(uncoalesced(K).at(0).Remedy,
              AllOf(Is("align-struct"), Tells("requests_then", 2),
                    Tells("requests", 3)));
}

// `v[t].at = a; v[t].normal = b;`: each is a copy of three floats.
TEST(GlobalUncoalesced, PiecesOfAFieldAreInWordsOfTheirOwn) {
  KernelModel K = structKernel("h200", 24, {0, 4, 8, 12, 16, 20});
  for (Access &A : K.Accesses) {
    FieldFact &Field = *A.Source.Field;
    Field.Field = Field.FieldOffset < 12 ? "at" : "normal";
    Field.FieldOffset = Field.FieldOffset < 12 ? 0 : 12;
    Field.FieldBytes = 12;
  }
  EXPECT_THAT(uncoalesced(K).at(0).Remedy,
              AllOf(Is("align-struct"), Tells("alignment", 8),
                    Tells("requests_then", 3), Tells("requests", 6)));
}

// Loads in blocks of code of their own stay apart.
TEST(GlobalUncoalesced, AlignmentSavesAThirdOrIsNotAskedFor) {
  KernelModel K = structKernel("h200", 24, {0, 4, 8, 12, 16, 20});
  const auto place = [&](const std::vector<unsigned> &Blocks) {
    for (std::size_t I = 0; I != Blocks.size(); ++I)
      K.Accesses[I].Place.Block = Blocks[I];
  };
  place({0, 0, 0, 1, 1, 1});
  EXPECT_THAT(uncoalesced(K).at(0).Remedy,
              AllOf(Is("align-struct"), Tells("requests_then", 4)));
  place({0, 0, 1, 2, 3, 4});
  EXPECT_THAT(uncoalesced(K), IsEmpty());
}

TEST(GlobalUncoalesced, AnArrayOfItsOwnMustGain) {
  // Every 32nd struct: 8 bytes x 32 or 4 bytes x 32 from lane to lane are 32
  // sectors both.
  KernelModel K = makeKernel();
  Access A = makeAccess(K, Global, 6, 4, [](auto L) { return 256 * L; });
  A.Source.Field = FieldFact{"pair", 8, 4, "x", 0, 4, {}, {}};
  K.Accesses = {A};
  EXPECT_THAT(uncoalesced(K).at(0).Remedy, Is("lay-out-or-tile"));
}

TEST(GlobalUncoalesced, AnArrayInAStructIsUsedByALoop) {
  // for (i = 0; i < 3; ++i) … v[tid].c[i].x …: 3 of 6 doubles, not 1.
  KernelModel K = makeKernel();
  std::vector<RequestSample> Turns;
  for (int I = 0; I < 3; ++I)
    Turns.push_back(makeSample([=](auto L) { return 48 * L + 16 * I; }));
  Access A = makeAccess(K, Global, 6, 8, Turns);
  A.LoopDepth = 1;
  A.Source.Field = FieldFact{"vector", 48, 8, "c.x", 0, 8, {}, {}};
  K.Accesses = {A};
  EXPECT_THAT(uncoalesced(K).at(0).Remedy,
              AllOf(Is("used-fields-apart"), Tells("percent_used", 50),
                    Tells("struct", "vector")));
}

// What all accesses of a warp cost decides, not the one that is told.
TEST(GlobalUncoalesced, RolesAreSwappedWhereAllAccessesGain) {
  const auto column = [](auto L) { return 4096 * L; };
  const auto row = [](auto L) { return 4 * L; };
  KernelModel K = makeKernel();
  const auto set = [&](std::vector<Access> Now, std::vector<Access> Then) {
    for (auto *Each : {&Now, &Then})
      for (Access &A : *Each) {
        A.Block = {32, 8, 1};
        A.Executions = 1;
      }
    K.Accesses = std::move(Now);
    K.Swapped = std::move(Then);
  };
  set({makeAccess(K, Global, 1, 4, column)},
      {makeAccess(K, Global, 1, 4, row)});
  Finding F = uncoalesced(K).at(0);
  EXPECT_EQ(F.Remedy.Id, "swap-thread-roles");
  ASSERT_TRUE(F.Effect.has_value());
  EXPECT_EQ(F.Effect->Unit, "sectors_per_warp");
  EXPECT_EQ(F.Effect->Before, 32);
  EXPECT_EQ(F.Effect->After, 4);
  EXPECT_THAT(F.Remedy, Tells("block", "8x32"));
  // Of a block that is assumed, no number is a remedy.
  K.Accesses[0].BlockSource = LaunchSource::Assumed;
  F = uncoalesced(K).at(0);
  EXPECT_EQ(F.Remedy.Id, "swap-thread-roles");
  EXPECT_EQ(F.Remedy.find("block"), nullptr);
  const auto remedy = [&] { return uncoalesced(K).at(0).Remedy.Id; };
  // Another access loses as much.
  set({makeAccess(K, Global, 1, 4, column), makeAccess(K, Global, 2, 4, row)},
      {makeAccess(K, Global, 1, 4, row), makeAccess(K, Global, 2, 4, column)});
  EXPECT_EQ(remedy(), "tile-for-rows-of-block");
  // It is what a tile is filled with.
  K.Accesses[0].Source.GoesToShared = true;
  EXPECT_EQ(remedy(), "load-along-rows");
  K.Accesses[0].Source.GoesToShared = false;
  // It is made once, and the first in each of ten turns.
  K.Accesses[0].Executions = K.Swapped[0].Executions = 10;
  EXPECT_EQ(remedy(), "swap-thread-roles");
  EXPECT_EQ(uncoalesced(K).at(0).Effect->Before, 324);
  // The launch is another kernel's, too, whose block it would change.
  const std::vector<Launch> Before = K.Launches;
  K.Launches = {makeLaunch({64, 1, 1}, {32, 8, 1})};
  EXPECT_EQ(remedy(), "swap-thread-roles");
  KernelModel Other = makeKernel();
  Other.Declaration.Where = {"a.cu", 90, 1};
  Other.Launches = K.Launches;
  const std::vector<const KernelModel *> Unit = {&K, &Other};
  K.Unit = Unit;
  EXPECT_EQ(remedy(), "tile-for-rows-of-block");
  // Of an instance of the same template, it is the same change.
  Other.Declaration.Where = K.Declaration.Where;
  EXPECT_EQ(remedy(), "swap-thread-roles");
  K.Unit = {};
  K.Launches = Before;
  // A tile gets conflicts.
  K.Accesses[1].Space = K.Swapped[1].Space = MemorySpace::Shared;
  EXPECT_EQ(remedy(), "tile-for-rows-of-block");
  // Nobody knows what one costs.
  set({makeAccess(K, Global, 1, 4, column), makeAccess(K, Global, 2, 4, row)},
      {makeAccess(K, Global, 1, 4, row), makeAccess(K, Global, 2, 4, row)});
  EXPECT_EQ(remedy(), "swap-thread-roles");
  K.Swapped[1].Predicted.reset();
  EXPECT_EQ(remedy(), "neighbours-in-a-row");
}

// A store behind a long computation costs next to nothing.
TEST(GlobalUncoalesced, ItsShareIsOfTheWayToIt) {
  const auto most = [](double Slots, unsigned LoopDepth) {
    KernelModel K = makeKernel("h200");
    K.Accesses = {makeAccess(K, Global, 1, 4, [](auto L) { return 4096 * L; })};
    Access &A = K.Accesses[0];
    A.LoopDepth = LoopDepth;
    K.Traits.Paths = {{.Place = {.Where = A.UserWhere, .InlinedAt = {}},
                       .Op = A.Op,
                       .Slots = {.OfTurn = Slots, .InAll = Slots}}};
    return uncoalesced(K).at(0).What.number("most_percent_of_kernel");
  };
  // 28 sectors of 32 bytes: at 4,800 GB/s, and 1,980 MHz on 132 SMs, 49 clocks
  // of an SM, which issues four instructions in each.
  EXPECT_NEAR(most(4000, 0).value_or(0), 100 * 48.8 / (48.8 + 500), 0.5);
  EXPECT_GT(most(40, 0).value_or(0), 80);
  EXPECT_EQ(most(0, 0), std::nullopt);
  EXPECT_EQ(most(4000, 1), std::nullopt);
}

// Rows of lanes, as far as the turns that were kept show where they begin.
TEST(GlobalUncoalesced, ALongRowMayBeLoadedInVectors) {
  const auto remedy = [](std::int64_t Row, std::int64_t Step) {
    KernelModel K = makeKernel();
    K.Accesses = {makeAccess(K, Global, 1, 4, [=](auto L) { return Row * L; })};
    Access &A = K.Accesses[0];
    A.LoopDepth = 1;
    A.LoopTurns = {1000};
    A.TurnStep = Step;
    const RequestSample First = A.Samples[0];
    for (std::int64_t Turn = 1; Turn != 8; ++Turn) {
      A.Samples.push_back(First);
      for (std::int64_t &Each : A.Samples.back().Offset)
        Each += Turn * Step;
    }
    return inWords(uncoalesced(K).at(0).Remedy);
  };
  EXPECT_THAT(remedy(4096, 4),
              HasSubstr("or at least load 4 elements of a row at once"));
  EXPECT_THAT(remedy(4088, 4),
              HasSubstr("or at least load 2 elements of a row at once"));
  EXPECT_THAT(remedy(4092, 4), Not(HasSubstr("at least")));
  EXPECT_THAT(remedy(4096, 8), Not(HasSubstr("at least")));
}

// Four lanes of a warp for each of eight cases: the others take the rest.
TEST(GlobalUncoalesced, FewLanesWhoseNeighboursTakeTheRest) {
  const auto ofCases = [](unsigned Cases) {
    KernelModel K = makeKernel();
    for (unsigned Case = 0; Case != Cases; ++Case) {
      Access A = makeAccess(
          K, Global, Case + 1, 4, [](auto L) { return 4 * L; },
          0x01010101u << Case);
      A.Source.Text = "out[i]";
      K.Accesses.push_back(A);
    }
    return uncoalesced(K);
  };
  EXPECT_THAT(ofCases(1), IsEmpty());
  const std::vector<Finding> Found = ofCases(8);
  ASSERT_THAT(Found, SizeIs(8));
  EXPECT_EQ(Found[0].Remedy.Id, "one-access-for-both");
}

TEST(GlobalUncoalesced, EverySecondElementIsNoColumn) {
  // Red and black points of a grid in blocks of 32x8.
  KernelModel K = makeKernel();
  K.Accesses = {makeAccess(K, Global, 1, 4, [](auto L) { return 8 * L; })};
  K.Accesses[0].Block = {32, 8, 1};
  EXPECT_THAT(uncoalesced(K).at(0).Remedy, Is("neighbours-side-by-side"));
}

TEST(GlobalUncoalesced, LanesBetweenMayBeInactive) {
  // if (tid % 2 == 0) … a[tid] …
  KernelModel K = makeKernel();
  K.Accesses = {
      makeAccess(K, Global, 1, 4, [](auto L) { return 4 * L; }, 0x55555555)};
  const Finding F = uncoalesced(K).at(0);
  EXPECT_THAT(F.Cause, AllOf(Is("strided-lanes"), Tells("stride_bytes", 8)));
  EXPECT_THAT(F.Cause.Text, HasSubstr("active lanes"));
  EXPECT_THAT(F.Remedy, Is("keep-used-side-by-side"));
}

TEST(GlobalUncoalesced, PiecesOfAVectorTypeThatIsOne) {
  const auto stored = [](int Bytes) {
    KernelModel K = makeKernel();
    for (int Byte = 0; Byte < Bytes; ++Byte) {
      Access A = makeAccess(K, Global, 6 + Byte, 1,
                            [=](auto L) { return Bytes * L + Byte; });
      A.Op = AccessOp::Store;
      A.Kind = RequestKind::Store;
      A.GroupKey = 7;
      K.Accesses.push_back(A);
    }
    return uncoalesced(K).at(0).Remedy;
  };
  // The bytes of a uchar3, one by one: no vector type has three.
  EXPECT_THAT(stored(3),
              AllOf(Is("stage-in-shared"), Not(Tells("vector_elements"))));
  // Four of them are a word.
  EXPECT_THAT(stored(4), AllOf(Is("use-vector"), Tells("vector_elements", 4)));
  EXPECT_THAT(stored(4).Text, Not(HasSubstr("is a multiple of")));
}

/// Lane `t` at the floats `Count * t` and on, one access for each of them.
static KernelModel pieces(int Count, AccessOp Op) {
  KernelModel K = makeKernel();
  for (int I = 0; I < Count; ++I) {
    Access A = makeAccess(K, Global, 6, 4,
                          [=](auto L) { return 4 * Count * L + 4 * I; });
    A.GroupKey = 7;
    A.Op = Op;
    A.Kind = Op == AccessOp::Load ? RequestKind::Load : RequestKind::Store;
    A.Where.Column = A.UserWhere.Column = static_cast<unsigned>(1 + I);
    K.Accesses.push_back(A);
  }
  return K;
}

// Of pixels of four bytes, three: to load the fourth does no harm, to store it
// would.
TEST(GlobalUncoalesced, AVectorOfWhichOnePieceIsLeftOut) {
  for (const AccessOp Op : {AccessOp::Load, AccessOp::Store}) {
    KernelModel K = pieces(4, Op);
    K.Accesses.pop_back();
    EXPECT_EQ(uncoalesced(K).at(0).Remedy.Id == "use-vector",
              Op == AccessOp::Load);
  }
}

// Whether rows begin at a multiple of four is what the numbers assume.
TEST(GlobalUncoalesced, AVectorInRowsIsAlignedOnlyIfTheyAre) {
  KernelModel K = pieces(4, AccessOp::Store);
  for (Access &A : K.Accesses)
    A.Assumptions = {
        {"'pitch' is a multiple of 32", AssumptionKind::RoundSize, "'pitch'"}};
  const Phrase Remedy = uncoalesced(K).at(0).Remedy;
  EXPECT_THAT(Remedy, AllOf(Is("use-vector"), Tells("vector_elements", 4)));
  EXPECT_THAT(Remedy.Text, HasSubstr("is a multiple of {vector_elements}"));
}

// if (n > 3) out[4 * t + 1] = …: a vector would store it always.
TEST(GlobalUncoalesced, AStoreOnAConditionIsOfNoVector) {
  KernelModel K = pieces(4, AccessOp::Store);
  EXPECT_THAT(uncoalesced(K).at(0).Remedy, Is("use-vector"));
  K.Accesses[1].Undecided = 9;
  EXPECT_THAT(uncoalesced(K).at(0).Remedy, Not(Is("use-vector")));
  // To load it, too, does no harm.
  K = pieces(4, AccessOp::Load);
  K.Accesses[1].Undecided = 9;
  for (const Finding &F : uncoalesced(K))
    EXPECT_THAT(F.Remedy, Is("use-vector"));
}

// Bytes 0 to 3 of a pixel, each by an access of its own, and one of them again,
// which only the run knows: the same vector has it.
TEST(GlobalUncoalesced, APieceThatOnlyTheRunKnowsIsOfTheSameVector) {
  KernelModel K = makeKernel();
  for (unsigned Line = 1; Line <= 5; ++Line) {
    Access A = makeAccess(K, Global, Line, 1,
                          [=](auto L) { return 4 * L + (Line - 1) % 4; });
    A.Op = AccessOp::Store;
    A.Kind = RequestKind::Store;
    A.GroupKey = Line == 5 ? 8 : 7;
    A.Source.Object = "pixel";
    K.Accesses.push_back(A);
  }
  const std::vector<Finding> Found = uncoalesced(K);
  EXPECT_EQ(Found.back().Where.Line, 5u);
  EXPECT_THAT(Found.back().Remedy,
              AllOf(Is("use-vector"), Tells("vector_elements", 4)));
  // Without one of the four, nobody knows what the rest of a vector is.
  K.Accesses.erase(K.Accesses.begin());
  EXPECT_THAT(uncoalesced(K).back().Remedy, Not(Tells("vector_elements")));
}

/// A field of a struct of two halves.
static Access half(const KernelModel &K, unsigned Line, std::uint64_t Offset) {
  Access A = makeAccess(K, Global, Line, 2, [=](auto L) {
    return 4 * L + static_cast<std::int64_t>(Offset);
  });
  A.GroupKey = 7;
  A.Source.Object = "a";
  A.Source.Field =
      FieldFact{.Struct = "__half2",
                .StructBytes = 4,
                .StructAlign = 4,
                .Field = Offset ? "y" : "x",
                .FieldOffset = Offset,
                .FieldBytes = 2,
                .StructWhere = {"/usr/include/cuda_fp16.hpp", 9, 1},
                .AlignPoint = {},
                .IsOfSystem = true};
  return A;
}

/// A word of a state of 48 bytes that a library's function loads.
static Access wordOfState(const KernelModel &K) {
  Access A = makeAccess(K, Global, 6, 4, [](auto L) { return 48 * L; });
  A.Where = {"/usr/local/cuda/include/curand_kernel.h", 300, 5};
  A.IsInLibrary = true;
  A.Source.Object = "state";
  A.Source.Bytes = 48;
  A.LoopDepth = 1;
  return A;
}

TEST(GlobalUncoalesced, WhatALibraryTakesIsCopied) {
  KernelModel K = makeKernel();
  K.Accesses = {wordOfState(K)};
  K.Accesses[0].Executions = 1;
  EXPECT_THAT(uncoalesced(K).at(0).Remedy, Is("work-on-local-copy"));
  // Two lanes have one state: what one draws, the other has to see.
  KernelModel Shared = makeKernel();
  Shared.Accesses = {
      makeAccess(Shared, Global, 6, 4, [](auto L) { return 48 * (L / 2); })};
  Shared.Accesses[0].Where = K.Accesses[0].Where;
  Shared.Accesses[0].IsInLibrary = true;
  Shared.Accesses[0].Source = K.Accesses[0].Source;
  Shared.Accesses[0].LoopDepth = 1;
  Shared.Accesses[0].Executions = 1;
  EXPECT_TRUE(uncoalesced(Shared).at(0).Remedy.isEmpty());
  // Where its own loops decide how often and by which lanes, that is not told.
  K.Accesses[0].Executions.reset();
  EXPECT_THAT(uncoalesced(K), SizeIs(1));
  K.Accesses[0].Predicted->Lanes = 17;
  EXPECT_THAT(uncoalesced(K), IsEmpty());
  K.Accesses[0].Executions = 1;
  K.Accesses[0].Predicted->Lanes = 32;
  // A number for each thread: the copy would be loaded and stored as often.
  K.Accesses[0].LoopDepth = 0;
  EXPECT_THAT(uncoalesced(K), IsEmpty());
  K.Accesses[0].LoopDepth = 1;
  // Its own tables are no user's.
  K.Accesses[0].Source = {};
  EXPECT_THAT(uncoalesced(K), IsEmpty());
}

// Nobody lays out the state of a generator of cuRAND.
TEST(GlobalUncoalesced, WhatALibraryDeclaresIsCopiedAsItIs) {
  KernelModel K = makeKernel();
  Access A = makeAccess(K, Global, 6, 8, [](auto L) { return 48 * L; });
  A.Source.Object = "states";
  A.Source.Bytes = 48;
  K.Accesses = {A};
  EXPECT_THAT(uncoalesced(K), SizeIs(1));
  K.Accesses[0].Source.IsOfSystem = true;
  EXPECT_THAT(uncoalesced(K), IsEmpty());
  // A vector of CUDA's is what the user has chosen.
  K.Accesses[0].Source.Bytes = 16;
  EXPECT_THAT(uncoalesced(K), SizeIs(1));
}

// The fields of what others lay down stay where they are.
TEST(GlobalUncoalesced, NothingMovesTheFieldsOfAFormat) {
  KernelModel K = makeKernel();
  Access A = makeAccess(K, Global, 6, 2, [](auto L) { return 34 * L; });
  A.Source.Field = FieldFact{"block", 34, 2, "d", 0, 2, {}, {}};
  K.Accesses = {A};
  EXPECT_THAT(uncoalesced(K).at(0).Remedy, Is("used-fields-apart"));
  K.Accesses[0].Source.Field->IsFixed = true;
  EXPECT_TRUE(uncoalesced(K).at(0).Remedy.isEmpty());
  EXPECT_EQ(uncoalesced(K).at(0).Level, Severity::Note);
}

TEST(GlobalUncoalesced, FieldsOfOneVectorAreTakenAtOnce) {
  KernelModel K = makeKernel();
  K.Accesses = {half(K, 1, 0)};
  EXPECT_THAT(uncoalesced(K).at(0).Remedy,
              AllOf(Is("take-whole-vector"), Tells("struct", "__half2"),
                    Tells("field", "x")));
  K.Accesses.push_back(half(K, 2, 2));
  for (Access &A : K.Accesses) {
    A.Op = AccessOp::Store;
    A.Kind = RequestKind::Store;
  }
  const Phrase Remedy = uncoalesced(K).at(0).Remedy;
  EXPECT_THAT(Remedy, AllOf(Is("take-whole-vector"), Tells("struct", "__half2"),
                            Not(Tells("field"))));
  EXPECT_THAT(Remedy.Text, HasSubstr("variable, and store it"));
}

// `p.x = ...; p.y = ...; p.z = ...` of a uchar4: nvcc stores x and y as one, at
// the place of y.
TEST(GlobalUncoalesced, FieldsThatAreMergedBeginAtAMultipleOfTheirSize) {
  KernelModel K = makeKernel();
  for (const auto &[Line, Field, Offset, Bytes] :
       {std::tuple{1U, "y", 1U, 2U}, {2U, "z", 2U, 1U}}) {
    Access A = makeAccess(K, Global, Line, Bytes, [&](auto L) {
      return 4 * L + (Bytes == 1 ? Offset : 0);
    });
    A.Op = AccessOp::Store;
    A.Kind = RequestKind::Store;
    A.GroupKey = 1;
    A.Source.Field = FieldFact{"uchar4", 4, 4, Field, Offset, 1, {}, {}};
    K.Accesses.push_back(A);
  }
  const Phrase Remedy = uncoalesced(K).at(0).Remedy;
  EXPECT_THAT(Remedy, AllOf(Is("take-whole-vector"), Tells("struct", "uchar4"),
                            Not(Tells("field"))));
  EXPECT_THAT(Remedy.Text, HasSubstr("its other fields hold, and store it"));
}

// As measured: docs/validation/remedies-h200.md.
TEST(GlobalUncoalesced, PiecesThatCostTimeAreWarnings) {
  const auto level = [](int Count, AccessOp Op) {
    return uncoalesced(pieces(Count, Op)).at(0).Level;
  };
  EXPECT_THAT(uncoalesced(pieces(8, AccessOp::Load)), IsEmpty());
  EXPECT_EQ(level(16, AccessOp::Load), Severity::Warning);
  EXPECT_EQ(level(3, AccessOp::Store), Severity::Note);
  EXPECT_EQ(level(4, AccessOp::Store), Severity::Warning);
  const Phrase Remedy = uncoalesced(pieces(4, AccessOp::Store)).at(0).Remedy;
  EXPECT_THAT(Remedy, AllOf(Is("use-vector"), Tells("vector_elements", 4)));
  EXPECT_THAT(Remedy.Text, Not(HasSubstr("no time")));
}

TEST(GlobalUncoalesced, TurnsOfALoopAreLikePieces) {
  const auto found = [](int Count, AccessOp Op) {
    KernelModel K = makeKernel();
    std::vector<RequestSample> Turns;
    for (int I = 0; I < Count; ++I)
      Turns.push_back(
          makeSample([=](auto L) { return 4 * Count * L + 4 * I; }));
    Access A = makeAccess(K, Global, 6, 4, Turns);
    A.LoopDepth = 1;
    A.Op = Op;
    A.Kind = Op == AccessOp::Load ? RequestKind::Load : RequestKind::Store;
    K.Accesses = {A};
    return uncoalesced(K);
  };
  EXPECT_THAT(found(4, AccessOp::Load), IsEmpty());
  // A lane that sums up a row of 4096 floats comes to all of it.
  KernelModel K = makeKernel();
  std::vector<RequestSample> Turns;
  for (int I = 0; I < 8; ++I)
    Turns.push_back(makeSample([=](auto L) { return 16384 * L + 4 * I; }));
  K.Accesses = {makeAccess(K, Global, 6, 4, Turns)};
  K.Accesses[0].LoopDepth = 1;
  EXPECT_EQ(uncoalesced(K).at(0).Level, Severity::Warning);
  EXPECT_THAT(uncoalesced(K).at(0).Remedy.Text, Not(HasSubstr("no time")));
  const Finding Store = found(4, AccessOp::Store).at(0);
  EXPECT_EQ(Store.Level, Severity::Warning);
  // The vectors fill whole sectors; lanes that are twice as far apart have two
  // of them to store, of which each leaves half a sector to the other.
  EXPECT_THAT(Store.Remedy,
              AllOf(Is("unroll-to-vectors"), Tells("vector_elements", 4)));
  EXPECT_THAT(Store.Remedy.Text, EndsWith("{vector_elements} elements"));
  const Phrase OfTwo = found(8, AccessOp::Store).at(0).Remedy;
  EXPECT_THAT(OfTwo,
              AllOf(Is("unroll-to-vectors"), Tells("vector_elements", 4)));
  EXPECT_THAT(OfTwo.Text, HasSubstr("elements, which saves a part"));
}

TEST(GlobalUncoalesced, ABlockIsMadeWiderWhereAllGain) {
  // A block of 4x4: the other one walks down rows by threadIdx.x.
  KernelModel K = makeKernel();
  Access Row = makeAccess(K, Global, 1, 4,
                          [](auto L) { return L / 4 * 4096 + L % 4 * 4; });
  Access Column = makeAccess(K, Global, 2, 4,
                             [](auto L) { return L % 4 * 4096 + L / 4 * 4; });
  Row.Block = Column.Block = {4, 64, 1};
  K.Accesses = {Row};
  EXPECT_EQ(uncoalesced(K).at(0).Remedy.Id, "widen-block");
  // Also where a lane of each row has nothing to do, as at a rim.
  K.Accesses[0].Samples.front().ActiveMask = 0xeeeeeeee;
  EXPECT_EQ(uncoalesced(K).at(0).Remedy.Id, "widen-block");
  K.Accesses = {Row, Column};
  EXPECT_NE(uncoalesced(K).at(0).Remedy.Id, "widen-block");
}

TEST(GlobalUncoalesced, OneFieldAloneWastesTheRest) {
  const std::vector<Finding> Found = uncoalesced(structKernel("h200", 12, {0}));
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].Remedy,
              AllOf(Is("used-fields-apart"), Tells("percent_used", 33),
                    Tells("struct", "vec3d"), Not(Tells("alignment"))));
  EXPECT_THAT(Found[0].Fixes, IsEmpty());
}

// What all accesses of a warp to the struct cost, by hand: a field alone in
// structs of 28 bytes is in 28 sectors, in an array of its own in 4.
TEST(GlobalUncoalesced, MostFieldsOfAStructGoTogether) {
  // Three of four: a quarter of what is fetched is lost, whichever is first.
  const std::vector<Finding> Found =
      uncoalesced(structKernel("h200", 16, {0, 4, 8}));
  ASSERT_THAT(Found, testing::Not(IsEmpty()));
  EXPECT_THAT(Found[0].Remedy,
              AllOf(Is("fields-apart"), Tells("struct", "vec3d"),
                    Tells("before", 16), Tells("unit", "sectors"),
                    Tells("after", 4)));
  EXPECT_THAT(Found[0].Remedy.Text, HasSubstr("host too: "));
}

TEST(GlobalUncoalesced, FieldsApartAreCounted) {
  KernelModel K = structKernel("h200", 28, {0, 12});
  K.Accesses[0].Executions = 1;
  K.Accesses[1].Executions = 10;
  Finding F = uncoalesced(K).at(0);
  ASSERT_TRUE(F.Effect.has_value());
  EXPECT_EQ(F.Effect->Unit, "sectors_per_warp");
  EXPECT_EQ(F.Effect->Before, 28 * 11);
  EXPECT_EQ(F.Effect->After, 4 * 11);
  // What is not understood may be of another layout.
  K.Accesses[1].Predicted.reset();
  F = uncoalesced(K).at(0);
  EXPECT_EQ(F.Remedy.Id, "used-fields-apart");
  EXPECT_FALSE(F.Effect.has_value());
  // So may an access to two fields at once.
  K = structKernel("h200", 28, {0, 12});
  K.Accesses[1].Bytes = 8;
  EXPECT_FALSE(uncoalesced(K).at(0).Effect.has_value());
}

TEST(GlobalUncoalesced, FieldsAreKeptApartWhereTheSourceAllowsForIt) {
  const auto Edits = std::make_shared<const std::vector<Edit>>(
      std::vector<Edit>{{"a.cu", 9, 0, "Arrays"}});
  const auto withEdits = [&](std::initializer_list<int> Offsets) {
    KernelModel K = structKernel("h200", 16, Offsets);
    for (Access &A : K.Accesses)
      A.Source.Field->Apart = Edits;
    return K;
  };
  KernelModel K = withEdits({0, 8});
  const std::vector<Finding> Found = uncoalesced(K);
  ASSERT_THAT(Found, SizeIs(2));
  ASSERT_THAT(Found[0].Fixes, SizeIs(1));
  EXPECT_EQ(Found[0].Fixes[0].Safety, FixSafety::Layout);
  EXPECT_EQ(Found[0].Fixes[0].Edits, *Edits);
  EXPECT_THAT(Found[1].Fixes, IsEmpty());
  // A cache makes up for the waste where all of a struct is loaded: the fix is
  // to align it.
  for (const Finding &F : uncoalesced(withEdits({0, 4, 8, 12})))
    for (const Fix &Each : F.Fixes)
      EXPECT_NE(Each.Edits, *Edits);

  // Another kernel needs more sectors then, or nobody knows.
  KernelModel Other = withEdits({0, 4});
  const std::vector<const KernelModel *> Unit = {&K, &Other};
  K.Unit = Unit;
  EXPECT_THAT(uncoalesced(K)[0].Fixes, SizeIs(1));
  const std::vector<Access> Fine = Other.Accesses;
  Other.Accesses[0].Predicted.reset();
  EXPECT_THAT(uncoalesced(K)[0].Fixes, IsEmpty());
  Other.Accesses = Fine;
  Other.Accesses[1].Source.Field->StructWhere.Line = 3;
  Other.Accesses[1].Predicted.reset();
  Other.Accesses[1].Source.Field->Struct = "another";
  Other.Accesses[1].GroupKey = 8;
  EXPECT_THAT(uncoalesced(K)[0].Fixes, SizeIs(1));
}

TEST(GlobalUncoalesced, FirstGenerationHasNoCache) {
  const std::vector<Finding> Found =
      uncoalesced(structKernel("sm_10", 12, {0, 4, 8}));
  ASSERT_THAT(Found, SizeIs(3));
  // 16 transactions for each half-warp, one of 64 bytes would do for each.
  EXPECT_THAT(Found[0].What,
              AllOf(Is("traffic"), Tells("traffic", 32),
                    Tells("unit", "transactions"), Tells("ideal", 2)));
  EXPECT_THAT(Found[0].Cause,
              AllOf(Tells("percent_used"), Not(Tells("bytes_used"))));
  EXPECT_THAT(Found[0].Remedy.Text,
              AllOf(HasSubstr("no cache"), HasSubstr("shared memory"),
                    HasSubstr("separate arrays"), Not(HasSubstr("sector")),
                    Not(HasSubstr("no time"))));
  ASSERT_THAT(Found[0].Fixes, SizeIs(1));
  EXPECT_THAT(Found[0].Fixes[0].Description, Not(HasSubstr("longer")));
  EXPECT_EQ(Found[0].Predicted->Metric, "transactions_per_request");
}

// A store of 16 bytes from each lane, which nvcc makes four of.
TEST(GlobalUncoalesced, AVectorThatTheCompilerSplits) {
  KernelModel K = makeKernel();
  K.Accesses = {makeAccess(K, Global, 1, 4, [](auto L) { return 16 * L; })};
  Access &A = K.Accesses[0];
  A.Op = AccessOp::Store;
  A.Source.Bytes = A.Source.Align = 16;
  const Finding Found = uncoalesced(K).at(0);
  EXPECT_EQ(Found.Cause.Id, "split-vectors");
  EXPECT_TRUE(Found.Remedy.isEmpty());
  // Every other vector: lanes are what is apart.
  A = makeAccess(K, Global, 1, 4, [](auto L) { return 32 * L; });
  A.Op = AccessOp::Store;
  A.Source.Bytes = A.Source.Align = 16;
  EXPECT_NE(uncoalesced(K).at(0).Cause.Id, "split-vectors");
}

TEST(GlobalUncoalesced, ColumnOfAMatrix) {
  KernelModel K = makeKernel();
  K.Accesses = {makeAccess(K, Global, 1, 4, [](auto L) { return 4096 * L; })};
  const std::vector<Finding> Found = uncoalesced(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].What,
              AllOf(Is("traffic"), Tells("access", "load"),
                    Tells("traffic", 32), Tells("unit", "sectors"),
                    Tells("ideal", 4)));
  EXPECT_THAT(Found[0].Cause,
              AllOf(Is("strided-lanes"), Tells("stride_bytes", 4096)));
  EXPECT_THAT(Found[0].Remedy, Is("lay-out-or-tile"));
  // A loop comes to what lies beside it.
  K.Accesses[0].LoopDepth = 1;
  EXPECT_EQ(uncoalesced(K).at(0).Remedy.Id, "row-per-warp");
  // Of a block of two dimensions, the other one may walk down the column.
  K.Accesses[0].Block = {16, 16, 1};
  EXPECT_EQ(uncoalesced(K).at(0).Remedy.Id, "neighbours-in-a-row");
  K.Accesses[0].Block = {256, 1, 1};
  EXPECT_EQ(Found[0].LanePattern, std::string(32, '#'));
}

// out[i] = in[i * stride], launched with a stride of 1 and of 2.
TEST(GlobalUncoalesced, WhatLiesBetweenIsOfAnotherLaunch) {
  const auto besideOneOf = [](unsigned Launch) {
    KernelModel K = makeKernel();
    K.Accesses = {makeAccess(K, Global, 1, 4, [](auto L) { return 8 * L; }),
                  makeAccess(K, Global, 2, 4, [](auto L) { return 4 * L; })};
    for (Access &A : K.Accesses)
      A.Source.Object = "in";
    K.Accesses[0].Lattice = 1;
    K.Accesses[0].Shapes = {0};
    K.Accesses[1].Shapes = {Launch};
    return uncoalesced(K).at(0).Remedy.Id;
  };
  EXPECT_EQ(besideOneOf(0), "neighbours-side-by-side");
  EXPECT_EQ(besideOneOf(1), "lay-out-by-lanes");
}

TEST(GlobalUncoalesced, ColumnsOfBlocks) {
  KernelModel K = makeKernel();
  K.Accesses = {makeAccess(K, Global, 1, 4, [](auto L) { return 4096 * L; })};
  const auto Remedy = [&] { return uncoalesced(K).at(0).Remedy.Id; };
  const auto with = [&](auto Change) {
    const std::vector<Access> Before = K.Accesses;
    Change(K.Accesses[0]);
    const std::string Id = Remedy();
    K.Accesses = Before;
    return Id;
  };
  K.Accesses[0].BlockStep = 4;
  EXPECT_EQ(Remedy(), "lay-out-or-tile");
  // What the block takes of the array in all, a word of each sector.
  K.Accesses[0].Source.Object = "m";
  K.Totals.push_back({.Block = K.Accesses[0].Block, .Spaces = {}});
  ArrayFootprint Whole{.Name = "m", .Bytes = 1024, .Sectors = 256};
  K.Totals[0].Footprint.emplace().Arrays = {Whole};
  EXPECT_EQ(Remedy(), "tile-over-blocks");
  // Blocks a row apart come to other columns no more than lanes do.
  EXPECT_EQ(with([](Access &A) { A.BlockStep = 4096; }), "lay-out-by-lanes");
  // Which columns others have, a quotient of blockIdx says.
  EXPECT_EQ(with([](Access &A) {
              A.BlockStep = 0;
              A.HasBlockQuotient = true;
            }),
            "tile-if-over-blocks");
  // Other warps, or other accesses, take the rest.
  Whole.Sectors = 32;
  K.Totals[0].Footprint->Arrays = {Whole};
  EXPECT_EQ(Remedy(), "lay-out-or-tile");
  K.Totals.clear();
  K.Accesses[0].LoopDepth = 1;
  K.Accesses[0].Place.Loop = 1;
  EXPECT_EQ(Remedy(), "columns-by-lanes");
  EXPECT_THAT(uncoalesced(K).at(0).Remedy, Tells("fewer", 32));
  EXPECT_THAT(uncoalesced(K).at(0).Remedy.Text, HasSubstr("blocks, too"));
  K.Accesses[0].Block = {32, 1, 1};
  EXPECT_THAT(uncoalesced(K).at(0).Remedy.Text,
              HasSubstr("blocks of several warps, too"));
  K.Accesses[0].Block = {256, 1, 1};
  // A block may have several, or leave some out.
  EXPECT_EQ(with([](Access &A) { A.BlockStep = 16; }), "row-per-warp");
  // What becomes of each element is no sum: it is stored.
  EXPECT_EQ(with([](Access &A) {
              A.Op = AccessOp::Store;
              A.Kind = RequestKind::Store;
            }),
            "row-per-warp");
  EXPECT_EQ(with([](Access &A) { A.LoopDepth = 2; }), "row-per-warp");
  // Lanes walk along rows.
  EXPECT_EQ(with([](Access &A) { A.TurnStep = 4; }), "row-per-warp");
  EXPECT_EQ(with([](Access &A) { A.TurnStep = 4092; }), "row-per-warp");
  EXPECT_EQ(with([](Access &A) { A.TurnStep = 1 << 20; }), "columns-by-lanes");
  EXPECT_EQ(with([](Access &A) { A.Block = {16, 16, 1}; }),
            "neighbours-in-a-row");
  // Four words are half a sector, in whichever way they are counted.
  EXPECT_EQ(with([](Access &A) { A.Block = {4, 4, 1}; }), "longer-rows");
  EXPECT_EQ(with([](Access &A) { A.Block = {4, 8, 1}; }),
            "neighbours-in-a-row");
  // Each warp of a larger block has a column.
  K.Accesses.push_back(K.Accesses[0]);
  K.Accesses[1].Block = {512, 1, 1};
  EXPECT_EQ(Remedy(), "columns-by-lanes");
  K.Accesses[1].BlockStep = 64;
  EXPECT_EQ(Remedy(), "row-per-warp");
  K.Accesses.pop_back();
  Access Store = makeAccess(K, Global, 2, 4, [](auto L) { return 4 * L; });
  Store.Op = AccessOp::Store;
  K.Accesses.push_back(Store);
  EXPECT_EQ(Remedy(), "columns-by-lanes");
  K.Accesses[1].Place.Loop = 1;
  EXPECT_EQ(Remedy(), "row-per-warp");
}

TEST(GlobalUncoalesced, VectorsThatTheCompilerSplits) {
  KernelModel K = makeKernel();
  const auto remedyOf = [&](std::uint64_t Bytes, std::uint64_t Align,
                            AccessOp Op, std::int64_t Apart = 16) {
    Access A = makeAccess(K, Global, 1, 4, [=](auto L) { return Apart * L; });
    A.Source.Bytes = Bytes;
    A.Source.Align = Align;
    A.Op = Op;
    A.Kind = Op == AccessOp::Store ? RequestKind::Store : RequestKind::Load;
    K.Accesses = {std::move(A)};
    return uncoalesced(K).at(0);
  };
  EXPECT_TRUE(remedyOf(16, 16, AccessOp::Store).Remedy.isEmpty());
  EXPECT_EQ(remedyOf(16, 16, AccessOp::Store).Level, Severity::Note);
  // Lanes are further apart, the type allows no vector, one element is none,
  // and of a load a part may be all that is needed.
  EXPECT_FALSE(remedyOf(16, 16, AccessOp::Store, 4096).Remedy.isEmpty());
  EXPECT_FALSE(remedyOf(16, 4, AccessOp::Store).Remedy.isEmpty());
  EXPECT_FALSE(remedyOf(4, 4, AccessOp::Store).Remedy.isEmpty());
  EXPECT_FALSE(remedyOf(16, 16, AccessOp::Load).Remedy.isEmpty());
}

static Access turnsOf(const KernelModel &K, std::int64_t Step, double Count) {
  Access A = makeAccess(K, Global, 1, 4, [](auto L) { return 4096 * L; });
  A.LoopDepth = 1;
  A.TurnStep = Step;
  A.Predicted->Requests = Count;
  return A;
}

TEST(GlobalUncoalesced, ShortRows) {
  KernelModel K = makeKernel();
  const auto remedyOf = [&](Access A) {
    K.Accesses = {std::move(A)};
    return uncoalesced(K).at(0).Remedy.Id;
  };
  EXPECT_EQ(remedyOf(turnsOf(K, 4, 64)), "tile-for-rows");
  EXPECT_EQ(remedyOf(turnsOf(K, 4, 17)), "tile-for-rows");
  EXPECT_EQ(remedyOf(turnsOf(K, 4, 65)), "row-per-warp");
  // Rows of 64 bytes are no shorter in a tile.
  EXPECT_EQ(remedyOf(turnsOf(K, 4, 16)), "row-per-warp");
  // They go down a column, to one element in two, or nowhere.
  EXPECT_EQ(remedyOf(turnsOf(K, 1 << 20, 64)), "row-per-warp");
  EXPECT_EQ(remedyOf(turnsOf(K, 8, 64)), "row-per-warp");
  EXPECT_EQ(remedyOf(turnsOf(K, 0, 64)), "row-per-warp");
  Access A = turnsOf(K, 4, 64);
  A.Predicted->MoreRequests = true;
  EXPECT_EQ(remedyOf(A), "row-per-warp");
  // Only the run tells how often the loop turns.
  A = turnsOf(K, 4, 64);
  A.Frequencies = {{.Times = 1, .Loops = {0}, .CutLoops = {}}};
  EXPECT_EQ(remedyOf(A), "row-per-warp");
  // How long a row is, the outer loop does not tell.
  A = turnsOf(K, 4, 64);
  A.LoopDepth = 2;
  EXPECT_EQ(remedyOf(A), "row-per-warp");
}

TEST(GlobalUncoalesced, ChunkPerThread) {
  KernelModel K = makeKernel();
  K.Accesses = {makeAccess(K, Global, 1, 4, [](auto L) { return 32 * L; })};
  K.Accesses[0].LoopDepth = 1;
  const std::vector<Finding> Found = uncoalesced(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].Remedy, Is("step-over-all-lanes"));
}

TEST(GlobalUncoalesced, NarrowBlock) {
  // A block 4 wide: rows of 16 bytes are half a sector each.
  KernelModel K = makeKernel();
  K.Accesses = {makeAccess(K, Global, 1, 4,
                           [](auto L) { return L / 4 * 4096 + L % 4 * 4; })};
  K.Accesses[0].Block = {4, 64, 1};
  const std::vector<Finding> Found = uncoalesced(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].What,
              AllOf(Is("traffic"), Tells("traffic", 8),
                    Tells("unit", "sectors"), Tells("ideal", 4)));
  EXPECT_THAT(Found[0].Cause,
              AllOf(Is("rows-of-lanes"), Tells("row_lanes", 4)));
  EXPECT_THAT(Found[0].Remedy, Is("widen-block"));
}

TEST(GlobalUncoalesced, ASectorThatCouldBeSavedIsANote) {
  KernelModel K = makeKernel();
  K.Accesses = {makeAccess(K, Global, 1, 1, [](auto L) { return 2 * L; })};
  const std::vector<Finding> Found = uncoalesced(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_EQ(Found[0].Level, Severity::Note);
}

TEST(GlobalUncoalesced, SilentWhereAFewLanesTakePart) {
  const auto found = [](std::uint32_t Lanes) {
    KernelModel K = makeKernel();
    K.Accesses = {
        makeAccess(K, Global, 1, 4, [](auto L) { return 32 * L; }, Lanes)};
    return uncoalesced(K);
  };
  EXPECT_THAT(found(0b1111), IsEmpty());
  EXPECT_THAT(found(0xff), SizeIs(1));
}

TEST(GlobalUncoalesced, OneAddressOnTheFirstGeneration) {
  // Lane k must be at word k: 16 transactions for each half-warp.
  KernelModel K = makeKernel("sm_10");
  K.Accesses = {makeAccess(K, Global, 1, 4, [](auto) { return 0; })};
  const std::vector<Finding> Found = uncoalesced(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].Remedy, Is("fetch-once"));
}

TEST(GlobalUncoalesced, LoadsAndStoresAreDifferentGroups) {
  KernelModel K = structKernel("h200", 12, {0, 4, 8});
  for (Access *A : {&K.Accesses[1], &K.Accesses[2]}) {
    A->Op = AccessOp::Store;
    A->Kind = RequestKind::Store;
  }
  const std::vector<Finding> Found = uncoalesced(K);
  ASSERT_THAT(Found, SizeIs(3));
  // The remedy is one of all: 3 requests of 12 sectors, or of 4.
  for (const Finding &Each : {Found[0], Found[1]})
    EXPECT_THAT(Each.Remedy,
                AllOf(Is("fields-apart"), Tells("struct", "vec3d"),
                      Tells("before", 12), Tells("unit", "sectors"),
                      Tells("after", 4)));
}

TEST(GlobalMisaligned, SilentWhereAligned) {
  KernelModel K = makeKernel();
  K.Accesses = {
      makeAccess(K, Global, 1, 4, [](auto L) { return 4 * L + 32; }),
      makeAccess(K, Global, 2, 4, [](auto L) { return 128 * L + 4; })};
  EXPECT_THAT(misaligned(K), IsEmpty());
}

TEST(GlobalMisaligned, OneSectorMore) {
  KernelModel K = makeKernel();
  K.Accesses = {makeAccess(K, Global, 1, 4, [](auto L) { return 4 * L + 12; })};
  const std::vector<Finding> Found = misaligned(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].What,
              AllOf(Is("traffic"), Tells("access", "load"), Tells("traffic", 5),
                    Tells("unit", "sectors"), Tells("aligned", 4)));
  EXPECT_THAT(Found[0].Cause,
              AllOf(Is("starts-behind-boundary"), Tells("behind", 12),
                    Tells("boundary", 32)));
  EXPECT_THAT(Found[0].Cause.Text, HasSubstr("first lane"));
  EXPECT_THAT(Found[0].Remedy, AllOf(Is("shift-index"), Tells("boundary", 32)));
  EXPECT_EQ(Found[0].Level, Severity::Note); // 5 / 4
  EXPECT_EQ(Found[0].Predicted, (Prediction{"sectors_per_request", 5.0, 4.0}));
}

TEST(GlobalMisaligned, NarrowRequestsLoseMore) {
  KernelModel K = makeKernel();
  K.Accesses = {makeAccess(K, Global, 1, 2, [](auto L) { return 2 * L + 2; })};
  const std::vector<Finding> Found = misaligned(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_EQ(Found[0].Level, Severity::Warning); // 3 / 2
}

TEST(GlobalMisaligned, SilentWhereTheStartIsAssumed) {
  // data[first + i + 1]: `first` may be 7 as well as 0.
  KernelModel K = makeKernel();
  K.Accesses = {makeAccess(K, Global, 1, 4, [](auto L) { return 4 * L + 4; })};
  K.Accesses[0].Trust = Certainty::Assumed;
  K.Accesses[0].Assumptions = {
      {"'first' is a multiple of 32", AssumptionKind::RoundSize}};
  EXPECT_THAT(misaligned(K), IsEmpty());
}

TEST(GlobalMisaligned, StencilIsSilent) {
  KernelModel K = makeKernel();
  for (const int Offset : {-4, 0, 4}) {
    Access A = makeAccess(K, Global, 3, 4,
                          [=](std::int64_t L) { return 4 * L + Offset; });
    A.UserWhere.Column = 20 + Offset;
    A.GroupKey = 3;
    K.Accesses.push_back(A);
  }
  EXPECT_THAT(misaligned(K), IsEmpty());
  // Central differences have no aligned member, but share their sectors too.
  K.Accesses.erase(K.Accesses.begin() + 1);
  EXPECT_THAT(misaligned(K), IsEmpty());
}

/// The requests of one warp that start \p Starts bytes behind a boundary.
static std::vector<RequestSample>
turnsThatStart(std::initializer_list<std::int64_t> Starts) {
  std::vector<RequestSample> Turns;
  for (const std::int64_t Start : Starts) {
    RequestSample S;
    S.ActiveMask = 0xffffffff;
    S.Weight = 1.0 / static_cast<double>(Starts.size());
    for (unsigned L = 0; L != WarpSize; ++L)
      S.Offset[L] = Start + 4 * L;
    Turns.push_back(S);
  }
  return Turns;
}

TEST(GlobalMisaligned, TurnsThatSlideAlongAreAStencil) {
  // for (j = 0; j < 7; ++j) in[i + j]
  KernelModel K = makeKernel();
  K.Accesses = {
      makeAccess(K, Global, 1, 4, turnsThatStart({4, 8, 12, 16, 20, 24, 28}))};
  EXPECT_THAT(misaligned(K), IsEmpty());
  // Other warps start elsewhere: each could start at a boundary.
  for (RequestSample &S : K.Accesses[0].Samples)
    S.IsOfOthers = &S != &K.Accesses[0].Samples[0];
  EXPECT_THAT(misaligned(K), SizeIs(1));
  // Rows of 33 floats, one in each turn: they share no sector but the last.
  K.Accesses = {makeAccess(K, Global, 1, 4, turnsThatStart({132, 264, 396}))};
  EXPECT_THAT(misaligned(K).at(0).Remedy, Is("align-blocks"));
}

TEST(GlobalMisaligned, WhatIsFarAwayMakesNoStencil) {
  // Aligned, and so cheaper than the other, but sharing no sector with it.
  KernelModel K = makeKernel();
  for (const int Offset : {4, 4096}) {
    Access A = makeAccess(K, Global, 3, 4,
                          [=](std::int64_t L) { return 4 * L + Offset; });
    A.UserWhere.Column = static_cast<unsigned>(Offset);
    A.GroupKey = 3;
    K.Accesses.push_back(A);
  }
  EXPECT_THAT(misaligned(K), SizeIs(1));
}

TEST(GlobalMisaligned, RowsOfABlock) {
  // Rows of 250 floats are 1000 bytes, which is 8 more than 31 sectors.
  KernelModel K = makeKernel();
  K.Accesses = {makeAccess(K, Global, 1, 4, [](auto L) {
    return 1000 + L / 16 * 1000 + L % 16 * 4;
  })};
  const std::vector<Finding> Found = misaligned(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].Cause,
              AllOf(Is("rows-start-inside"), Tells("row_lanes", 16),
                    Tells("boundary", 32), Tells("unit", "sector")));
  EXPECT_THAT(Found[0].Remedy, AllOf(Is("pad-rows-to"), Tells("boundary", 32)));
}

TEST(GlobalMisaligned, SilentWhereTheOffsetIsOfAllKinds) {
  KernelModel K = makeKernel();
  K.Accesses = {makeAccess(K, Global, 1, 4, [](auto L) { return 4 + 4 * L; })};
  EXPECT_THAT(misaligned(K), SizeIs(1));
  K.Accesses[0].Assumptions = {
      {"the offset takes every alignment in turn", AssumptionKind::AnyOffset}};
  EXPECT_THAT(misaligned(K), IsEmpty());
}

TEST(GlobalMisaligned, RowsThatBothHalvesOfAWarpRead) {
  // d[tx + 1] in blocks of 16x16: there is one row, and nothing to pad.
  KernelModel K = makeKernel();
  K.Accesses = {
      makeAccess(K, Global, 1, 4, [](auto L) { return 4 + L % 16 * 4; })};
  const std::vector<Finding> Found = misaligned(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].What,
              AllOf(Is("traffic"), Tells("traffic", 3),
                    Tells("unit", "sectors"), Tells("aligned", 2)));
  EXPECT_THAT(Found[0].Cause,
              AllOf(Is("starts-behind-boundary"), Tells("behind", 4)));
  EXPECT_THAT(Found[0].Cause.Text, HasSubstr("first lane"));
  EXPECT_THAT(Found[0].Remedy, AllOf(Is("shift-index"), Tells("boundary", 32)));
}

TEST(GlobalMisaligned, PaddingAloneDoesNotMendAShift) {
  // w[(row + 1) * 17 + tx + 1]: in rows of 96 bytes it still starts at the
  // second word.
  KernelModel K = makeKernel();
  K.Accesses = {makeAccess(K, Global, 1, 4, [](auto L) {
    return (L / 16 + 1) * 68 + 4 + L % 16 * 4;
  })};
  EXPECT_THAT(misaligned(K).at(0).Remedy,
              AllOf(Is("pad-and-shift-rows"), Tells("boundary", 32),
                    Tells("shift", 28)));
}

TEST(GlobalMisaligned, BlocksOfAnOddSize) {
  // blockIdx.x * 673: the first byte is at 0, 4, … 28 of a sector in turn.
  KernelModel K = makeKernel();
  std::vector<RequestSample> Samples;
  for (int Block = 0; Block < 8; ++Block)
    Samples.push_back(
        makeSample([=](auto L) { return Block * 673 * 4 + 4 * L; }));
  K.Accesses = {makeAccess(K, Global, 1, 4, Samples)};
  const std::vector<Finding> Found = misaligned(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].What,
              AllOf(Is("traffic"),
                    Tells("traffic", 4.875), // 7 of 8 touch five.
                    Tells("unit", "sectors")));
  EXPECT_THAT(Found[0].Cause, AllOf(Is("starts-vary"), Tells("places", 8)));
  EXPECT_THAT(Found[0].Remedy,
              AllOf(Is("align-blocks"), Tells("boundary", 32)));
}

TEST(GlobalMisaligned, FallsApartOnTheFirstGeneration) {
  KernelModel K = makeKernel("sm_10");
  K.Accesses = {makeAccess(K, Global, 1, 4, [](auto L) { return 4 * L + 4; })};
  const std::vector<Finding> Found = misaligned(K);
  ASSERT_THAT(Found, SizeIs(1));
  EXPECT_THAT(Found[0].What,
              AllOf(Is("traffic"), Tells("traffic", 32),
                    Tells("unit", "transactions"), Tells("aligned", 2)));
}

} // namespace GlobalAccessTests
