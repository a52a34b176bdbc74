//===- tests/unit/analyzer/ir/AddressVariantsTests.cpp - Real addresses ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/ir/AddressVariants.h"

#include <gmock/gmock.h>

#include <functional>

namespace AddressVariantsTests {

using namespace cudalint;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

static constexpr unsigned Sector = 32;

namespace {

/// An address of 64 bits, made of parts.
class AddressVariantsTest : public testing::Test {
protected:
  LaneArithmetic A;

  static Lanes each(const std::function<std::int64_t(std::int64_t)> &F) {
    std::array<std::int64_t, WarpSize> R;
    for (unsigned L = 0; L < WarpSize; ++L)
      R[L] = F(L);
    return Lanes(R);
  }
  LaneValue lanes(const std::function<std::int64_t(std::int64_t)> &F) {
    return LaneValue::constant(64, each(F));
  }
  /// `Scale` bytes for each unit of a new symbol.
  LaneValue term(SymbolInfo Info, const Lanes &Scale) {
    return A.mul(A.fresh(64, std::move(Info)), LaneValue::constant(64, Scale));
  }
  LaneValue object(std::uint64_t Align = 256) {
    return term({.Kind = SymbolKind::Object,
                 .Name = "data",
                 .MultipleOf = Align,
                 .AssumedMultipleOf = 256},
                1);
  }
  static std::set<std::int64_t> firsts(const AddressVariants &V) {
    std::set<std::int64_t> R;
    for (const LaneOffsets &O : V.Offsets)
      R.insert(((O[0] % Sector) + Sector) % Sector);
    return R;
  }
};

} // namespace

TEST_F(AddressVariantsTest, ConstantsAreThemselves) {
  const auto V =
      globalVariants(A, lanes([](auto L) { return 12 * L; }), AllLanes, Sector);
  ASSERT_THAT(V.Offsets, SizeIs(1));
  for (int L = 0; L < 32; ++L)
    EXPECT_EQ(V.Offsets[0][static_cast<unsigned>(L)], 12 * L);
  EXPECT_THAT(V.Assumptions, IsEmpty());
  EXPECT_FALSE(V.Stride);
}

TEST_F(AddressVariantsTest, UnknownLanesOnlyMatterWhereActive) {
  LaneValue X = lanes([](auto L) { return 4 * L; });
  X.Unknown = 0xffff0000;
  EXPECT_THAT(globalVariants(A, X, AllLanes, Sector).Offsets, IsEmpty());
  EXPECT_THAT(globalVariants(A, X, AllLanes, Sector).WhyUnknown,
              Not(IsEmpty()));
  EXPECT_THAT(sharedVariants(A, X, AllLanes).Offsets, IsEmpty());
  EXPECT_THAT(globalVariants(A, X, 0xffff, Sector).Offsets, SizeIs(1));
  EXPECT_THAT(sharedVariants(A, X, 0xffff).Offsets, SizeIs(1));
}

TEST_F(AddressVariantsTest, AlignmentOfAnAllocationIsAssumed) {
  const LaneValue X =
      A.add(object(/*Align=*/1), lanes([](auto L) { return 4 * L; }));
  const auto V = globalVariants(A, X, AllLanes, Sector);
  EXPECT_THAT(V.Offsets, SizeIs(1));
  EXPECT_THAT(V.Assumptions, ElementsAre("'data' is 256-byte aligned"));
}

TEST_F(AddressVariantsTest, AlignmentOfADeclaredArrayIsProved) {
  const LaneValue X =
      A.add(object(/*Align=*/64), lanes([](auto L) { return 4 * L; }));
  EXPECT_THAT(globalVariants(A, X, AllLanes, Sector).Assumptions, IsEmpty());
  // Half of a line: that is not enough where lines of 128 bytes count.
  EXPECT_THAT(globalVariants(A, X, AllLanes, 128).Assumptions, SizeIs(1));
}

// 256 floats a block are 1024 bytes: every block starts at a sector.
TEST_F(AddressVariantsTest, WholeSectorsPerBlockChangeNothing) {
  const LaneValue X = A.add(
      A.add(object(), term({.Kind = SymbolKind::BlockIndex, .Min = 0}, 1024)),
      lanes([](auto L) { return 4 * L; }));
  const auto V = globalVariants(A, X, AllLanes, Sector);
  EXPECT_THAT(V.Offsets, SizeIs(1));
  EXPECT_THAT(V.Assumptions, IsEmpty());
}

// 12 bytes a block: gcd(12, 32) is 4, so eight alignments in turn.
TEST_F(AddressVariantsTest, EveryRemainderInTurn) {
  const LaneValue X = A.add(
      A.add(object(), term({.Kind = SymbolKind::BlockIndex, .Min = 0}, 12)),
      lanes([](auto L) { return 4 * L; }));
  const auto V = globalVariants(A, X, AllLanes, Sector);
  EXPECT_EQ(firsts(V), (std::set<std::int64_t>{0, 4, 8, 12, 16, 20, 24, 28}));
  EXPECT_THAT(V.Assumptions, Contains(HasSubstr("every alignment")));
}

// An instruction of 8 bytes faults at any other than a multiple of 8: four
// alignments are left of 32, and pitches of whole words.
TEST_F(AddressVariantsTest, WidthsAreAligned) {
  const LaneValue Anywhere = A.add(
      A.add(object(), term({.Kind = SymbolKind::BlockIndex, .Min = 0}, 1)),
      lanes([](auto L) { return 8 * L + 4; }));
  EXPECT_EQ(firsts(globalVariants(A, Anywhere, AllLanes, Sector,
                                  /*Round=*/true, /*Width=*/8)),
            (std::set<std::int64_t>{0, 8, 16, 24}));
  const LaneValue Rows = A.add(
      object(), term({.Kind = SymbolKind::Parameter, .Name = "pitch", .Min = 0},
                     each([](auto L) { return L; })));
  const auto V = globalVariants(A, Rows, AllLanes, Sector, /*Round=*/false,
                                /*Width=*/8);
  EXPECT_THAT(V.Offsets, Not(IsEmpty()));
  for (const LaneOffsets &O : V.Offsets)
    for (std::int64_t Each : O)
      EXPECT_EQ(Each % 8, 0);
  // Where nothing aligns it, it is what it is: a fault.
  EXPECT_THAT(globalVariants(A, lanes([](auto L) { return 5 * L; }), AllLanes,
                             Sector, /*Round=*/true, /*Width=*/4)
                  .Offsets,
              SizeIs(1));
}

TEST_F(AddressVariantsTest, ProvedMultiplesNeedNoAssumption) {
  const LaneValue X = A.add(A.add(object(), term({.Kind = SymbolKind::Opaque,
                                                  .MultipleOf = 8,
                                                  .AssumedMultipleOf = 8},
                                                 4)),
                            lanes([](auto L) { return 4 * L; }));
  const auto V = globalVariants(A, X, AllLanes, Sector);
  EXPECT_THAT(V.Offsets, SizeIs(1));
  EXPECT_THAT(V.Assumptions, IsEmpty());
}

// Two rows of a matrix whose width is not known: taken to be round, and said.
TEST_F(AddressVariantsTest, RunTimePitchOfATile) {
  const LaneValue X =
      A.add(A.add(object(), term({.Kind = SymbolKind::Parameter,
                                  .Name = "width",
                                  .AssumedMultipleOf = 32},
                                 each([](auto L) { return L / 16 * 4; }))),
            lanes([](auto L) { return L % 16 * 4; }));
  const auto V = globalVariants(A, X, AllLanes, Sector);
  ASSERT_THAT(V.Offsets, Not(IsEmpty()));
  for (const LaneOffsets &O : V.Offsets) {
    // Rows are far apart and each begins at a sector.
    EXPECT_GT(std::abs(O[16] - O[0]), 4096);
    EXPECT_EQ((O[16] - O[0]) % Sector, 0);
    EXPECT_EQ(O[15] - O[0], 60);
  }
  EXPECT_THAT(V.Assumptions, Contains(HasSubstr("'width'")));
  EXPECT_FALSE(V.Stride) << "two rows are a tile";
}

// Rows of 16 pixels of `channels`: whatever is large, no two lanes are near.
TEST_F(AddressVariantsTest, RowsOfProductsDoNotMeet) {
  const LaneValue X =
      A.add(A.add(object(), term({.Kind = SymbolKind::Parameter,
                                  .Name = "width * channels",
                                  .AssumedMultipleOf = 32},
                                 each([](auto L) { return L / 16 * 4; }))),
            term({.Kind = SymbolKind::Parameter, .Name = "channels"},
                 each([](auto L) { return L % 16 * 4; })));
  const auto V = globalVariants(A, X, AllLanes, Sector);
  ASSERT_THAT(V.Offsets, Not(IsEmpty()));
  for (const LaneOffsets &O : V.Offsets) {
    std::set<std::int64_t> Sectors;
    for (const std::int64_t Each : O)
      Sectors.insert(Each / Sector);
    EXPECT_THAT(Sectors, SizeIs(32));
  }
}

TEST_F(AddressVariantsTest, RunTimeStrideOfEveryLane) {
  const LaneValue X = A.add(object(), term({.Kind = SymbolKind::Parameter,
                                            .Name = "stride",
                                            .AssumedMultipleOf = 32},
                                           each([](auto L) { return 4 * L; })));
  const auto V = globalVariants(A, X, AllLanes, Sector);
  ASSERT_TRUE(V.Stride);
  EXPECT_EQ(V.Stride->Name, "stride");
  EXPECT_EQ(V.Stride->BytesPerUnit, 4);
  const LaneOffsets Three = withStride(X, *V.Stride, 3);
  for (int L = 0; L < 32; ++L)
    EXPECT_EQ(Three[static_cast<unsigned>(L)], 12 * L);
}

// A truth value that lanes do not share: both outcomes, nothing else.
TEST_F(AddressVariantsTest, BothValuesOfATruth) {
  const LaneValue X = A.add(
      A.add(object(), term({.Kind = SymbolKind::Opaque, .Min = 0, .Max = 1},
                           each([](auto L) { return L == 31 ? 64 : 0; }))),
      lanes([](auto L) { return 4 * L; }));
  const auto V = globalVariants(A, X, AllLanes, Sector);
  std::set<std::int64_t> Last;
  for (const LaneOffsets &O : V.Offsets)
    Last.insert(O[31] - O[0]);
  EXPECT_EQ(Last, (std::set<std::int64_t>{124, 188}));
  EXPECT_EQ(V.Offsets.size() % 2, 0u) << "both weigh the same";
}

TEST_F(AddressVariantsTest, SharedDoesNotCareForUniformParts) {
  const LaneValue X =
      A.add(A.add(object(), term({.Kind = SymbolKind::Loaded, .Name = "n"}, 4)),
            lanes([](auto L) { return 8 * L; }));
  const auto V = sharedVariants(A, X, AllLanes);
  ASSERT_THAT(V.Offsets, SizeIs(1));
  EXPECT_EQ(V.Offsets[0][31] - V.Offsets[0][0], 8 * 31);
  EXPECT_THAT(V.Assumptions, IsEmpty());
}

TEST_F(AddressVariantsTest, SharedNeverGuessesAPitch) {
  const LaneValue X = A.add(object(), term({.Kind = SymbolKind::Parameter,
                                            .Name = "pitch",
                                            .AssumedMultipleOf = 32},
                                           each([](auto L) { return 4 * L; })));
  const auto V = sharedVariants(A, X, AllLanes);
  EXPECT_THAT(V.Offsets, IsEmpty());
  EXPECT_THAT(V.WhyUnknown, HasSubstr("'pitch'"));
  ASSERT_TRUE(V.Stride);
  EXPECT_EQ(V.Stride->BytesPerUnit, 4);
}

TEST_F(AddressVariantsTest, SharedTriesTheTurnsOfALoop) {
  const LaneValue X =
      A.add(object(), term({.Kind = SymbolKind::Counter, .Min = 0, .Max = 3},
                           each([](auto L) { return 4 * L; })));
  const auto V = sharedVariants(A, X, AllLanes);
  ASSERT_THAT(V.Offsets, SizeIs(4));
  for (int Turn = 0; Turn < 4; ++Turn)
    EXPECT_EQ(V.Offsets[static_cast<unsigned>(Turn)][5], 20 * Turn);
}

// `transposed ? 32 : 1` and `n % 50` are no pitches; `pitch` is one.
TEST_F(AddressVariantsTest, OnlyPitchesThatTheUserNamesAreLarge) {
  const Lanes Rows = each([](auto L) { return 4 * L; });
  auto variants = [&](SymbolInfo Info) {
    return globalVariants(A, term(std::move(Info), Rows), AllLanes, Sector);
  };
  const std::string Unknown =
      variants({.Kind = SymbolKind::Parameter}).WhyUnknown;
  EXPECT_THAT(Unknown, HasSubstr("known only at run time"));
  EXPECT_EQ(
      variants(
          {.Kind = SymbolKind::Parameter, .Name = "few", .Min = 0, .Max = 49})
          .WhyUnknown,
      Unknown);
  const AddressVariants Pitch =
      variants({.Kind = SymbolKind::Parameter, .Name = "pitch"});
  EXPECT_EQ(Pitch.WhyUnknown, "");
  EXPECT_THAT(Pitch.Assumptions, Contains("'pitch' is large"));
}

TEST_F(AddressVariantsTest, LanesInDifferentArraysAreUnknownInShared) {
  const Lanes Even = each([](auto L) { return L % 2; });
  const Lanes Odd = each([](auto L) { return 1 - L % 2; });
  const LaneValue X =
      A.add(term({.Kind = SymbolKind::Object, .Name = "p"}, Even),
            term({.Kind = SymbolKind::Object, .Name = "q"}, Odd));
  EXPECT_THAT(sharedVariants(A, X, AllLanes).Offsets, IsEmpty());
  // Where only the lanes of one are active, there is no doubt.
  EXPECT_THAT(sharedVariants(A, X, 0x55555555).Offsets, SizeIs(1));
}

// Even lanes in the even words of one array, odd lanes in the odd words of
// another: lane and bank are one, wherever the arrays are.
TEST_F(AddressVariantsTest, LanesInDifferentArraysThatBeginInTheFirstBank) {
  const Lanes Even = each([](auto L) { return L % 2; });
  const Lanes Odd = each([](auto L) { return 1 - L % 2; });
  const SymbolInfo Row = {.Kind = SymbolKind::Object,
                          .Space = MemorySpace::Shared,
                          .BeginsInFirstBank = true};
  const LaneValue X = A.add(lanes([](auto L) { return 4 * L; }),
                            A.add(term(Row, Even), term(Row, Odd)));
  const AddressVariants V = sharedVariants(A, X, AllLanes);
  ASSERT_THAT(V.Offsets, SizeIs(1));
  for (unsigned L = 0; L < WarpSize; ++L)
    EXPECT_EQ(V.Offsets[0][L] / 4 % 32, L);
  EXPECT_NE(V.Offsets[0][0] / 128, V.Offsets[0][1] / 128);
}

TEST_F(AddressVariantsTest, LanesInDifferentArraysAssumeThemApart) {
  const Lanes Even = each([](auto L) { return L % 2; });
  const Lanes Odd = each([](auto L) { return 1 - L % 2; });
  auto Add = [&](const char *P, const char *Q) {
    return A.add(lanes([](auto L) { return 4 * L; }),
                 A.add(term({.Kind = SymbolKind::Object, .Name = P}, Even),
                       term({.Kind = SymbolKind::Object, .Name = Q}, Odd)));
  };
  const auto Named = globalVariants(A, Add("p", "q"), AllLanes, Sector);
  EXPECT_THAT(Named.Assumptions,
              testing::ElementsAre(
                  "'p' and 'q' are 256-byte aligned and do not overlap"));
  ASSERT_THAT(Named.MadeUp, SizeIs(1));
  EXPECT_EQ(Named.MadeUp[0]->Symbol, "");
  const auto Nameless = globalVariants(A, Add("", ""), AllLanes, Sector);
  EXPECT_THAT(Nameless.Assumptions,
              testing::ElementsAre("arrays that lanes choose from are 256-byte "
                                   "aligned and do not overlap"));
}

TEST_F(AddressVariantsTest, TellsWhatItMadeUp) {
  const Lanes Each = each([](auto L) { return 4 * L; });
  const auto V =
      globalVariants(A,
                     A.add(object(), A.add(lanes([](auto L) { return 4 * L; }),
                                           term({.Kind = SymbolKind::Parameter,
                                                 .Name = "pitch",
                                                 .AssumedMultipleOf = 32},
                                                Each))),
                     AllLanes, Sector);
  ASSERT_EQ(V.MadeUp.size(), V.Offsets.size());
  EXPECT_EQ(V.MadeUp[0]->Symbol, "pitch");
  // The rest of the distance is four bytes, in every run.
  for (unsigned L = 1; L < WarpSize; ++L)
    EXPECT_EQ((V.Offsets[0][L] - V.MadeUp[0]->Offset[L]) -
                  (V.Offsets[0][L - 1] - V.MadeUp[0]->Offset[L - 1]),
              4);
  // A plain index owes nothing to anything.
  EXPECT_THAT(
      globalVariants(A, A.add(object(), lanes([](auto L) { return 4 * L; })),
                     AllLanes, Sector)
          .MadeUp,
      IsEmpty());
}

} // namespace AddressVariantsTests
