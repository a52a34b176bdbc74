//===- tests/unit/analyzer/remedy/LayoutEditTests.cpp - Layouts as edits --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a layout becomes in the source, and where it becomes nothing.
///
//===----------------------------------------------------------------------===//

#include "analyzer/remedy/LayoutEdit.h"

#include "analyzer/remedy/SharedLayout.h"
#include "tests/unit/analyzer/checks/ModelBuilder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace LayoutEditTests {

using namespace cudalint;

namespace {
/// An array and the text of its subscripts, as one line of a file.
class Edited : public testing::Test {
protected:
  /// Writes `[..]` for each dimension of each subscript.
  void write(std::vector<std::uint64_t> Dimensions,
             std::vector<std::vector<std::string>> All) {
    Text = "D*2 ";
    Array.Declared =
        ArrayFact{.Dimensions = std::move(Dimensions),
                  .ElementBytes = 4,
                  .Where = {"a.cu", 1, 1},
                  .PadPoint = {"a.cu", 3},
                  .Extent = ExpressionText{{"a.cu", 0}, 3, "D*2", true, false}};
    std::vector<SubscriptText> Subscripts;
    for (const std::vector<std::string> &Each : All) {
      SubscriptText One;
      for (const std::string &Index : Each) {
        Text += "[";
        One.Indices.push_back({{"a.cu", Text.size()},
                               Text.size() + Index.size(),
                               Index,
                               !Index.ends_with("()"),
                               Index.find_first_of(" ()*") == Index.npos});
        Text += Index + "]";
      }
      Text += " ";
      Subscripts.push_back(std::move(One));
    }
    Array.Declared->Subscripts =
        std::make_shared<const std::vector<SubscriptText>>(
            std::move(Subscripts));
    Its.Source.Array = Array.Declared;
    Array.Users = {{.Kernel = &K, .Bytes = 4096, .Accesses = {&Its}}};
  }

  std::string with(LayoutText Change) const {
    LayoutRemedy R;
    R.Change.Written = Change;
    const std::optional<Fix> Made = editOf(Array, R);
    if (!Made)
      return "none";
    std::vector<Edit> Edits = Made->Edits;
    std::ranges::stable_sort(Edits, {}, &Edit::Offset);
    std::string Result = Text;
    for (auto Each = Edits.rbegin(); Each != Edits.rend(); ++Each)
      Result.insert(Each->Offset, Each->Text);
    return Result;
  }

  std::string Text;
  KernelModel K = makeKernel();
  Access Its;
  SharedArray Array;
};
} // namespace

TEST_F(Edited, ElementsAreSkipped) {
  write({512}, {{"i"}, {"y * 16 + x"}, {"threadIdx.x"}});
  EXPECT_EQ(
      with(SkippedElements{16, 1}),
      "(D*2) + (D*2) / 16 [i + i / 16] [(y * 16 + x) + (y * 16 + x) / 16] "
      "[threadIdx.x + threadIdx.x / 16] ");
  EXPECT_EQ(with(SkippedElements{128, 4}),
            "(D*2) + (D*2) / 128 * 4 [i + i / 128 * 4] [(y * 16 + x) + (y * 16 "
            "+ x) / 128 * 4] "
            "[threadIdx.x + threadIdx.x / 128 * 4] ");
}

// Four floats that are loaded as one are four loads of such indices.
TEST_F(Edited, MergedElementsAreNotTakenApart) {
  write({512}, {{"i"}});
  Its.Source.Bytes = 4;
  Its.Bytes = 16;
  EXPECT_EQ(with(SkippedElements{32, 4}), "none");
  // They were tried one by one.
  EXPECT_EQ(with(SkippedElements{32, 1}), "(D*2) + (D*2) / 32 [i + i / 32] ");
  EXPECT_EQ(with(PaddedRows{4}), "D*2 + 4 [i] ");
  // Of wmma, the rows are as long as an argument says.
  Array.HasMatrices = true;
  EXPECT_EQ(with(PaddedRows{4}), "none");
}

// `float *b = s + o;` of an index of each kind.
TEST_F(Edited, PointersBeginBehindGapsToo) {
  write({512}, {{"i"}, {"j"}, {"u + 1"}});
  std::vector<SubscriptText> Subscripts = *Array.Declared->Subscripts;
  Subscripts[1].Sign = IndexSign::Signed;
  Subscripts[2].Sign = IndexSign::Unsigned;
  Array.Declared->Subscripts =
      std::make_shared<const std::vector<SubscriptText>>(Subscripts);
  const auto offset = [&](OffsetText Its) {
    Array.Declared->Offsets =
        std::make_shared<const std::vector<OffsetText>>(1, std::move(Its));
  };
  // The subscript `[j]` has the offset's place: each is edited for itself.
  const ExpressionText J = Subscripts[1].Indices.front();
  offset({{J.Begin, J.End, "48 * 16", true, false}, 768});
  EXPECT_EQ(with(SkippedElements{16, 1}), "none"); // Who uses them?
  Array.Pointers = {"b"};
  EXPECT_EQ(with(SkippedElements{16, 1}), "(D*2) + (D*2) / 16 [i + i / 16] "
                                          "[(j + (j >> 4)) + (48 * 16) / 16] "
                                          "[(u + 1) + (int(u + 1) >> 4)] ");
  EXPECT_EQ(with(SkippedElements{64, 2}),
            "(D*2) + (D*2) / 64 * 2 [i + i / 64 * 2] "
            "[(j + (j >> 6) * 2) + (48 * 16) / 64 * 2] "
            "[(u + 1) + (int(u + 1) >> 6) * 2] ");
  // No shift rounds to 48, and 768 is no multiple of 512.
  EXPECT_EQ(with(SkippedElements{48, 1}), "none");
  EXPECT_EQ(with(SkippedElements{512, 1}), "none");
  offset({{J.Begin, J.End, "n++ * 16", false, false}, 16});
  EXPECT_EQ(with(SkippedElements{16, 1}), "none");
}

// Where the quotient is rounded down, gaps commute with where a pointer begins,
// also for what is in front of it.
TEST_F(Edited, GapsOfAPointerAreThoseOfItsArray) {
  for (std::int64_t Begin = 0; Begin <= 256; Begin += 32)
    for (std::int64_t I = -Begin; I != 300; ++I) {
      const auto U = static_cast<std::uint32_t>(I);
      const std::int64_t Gapped = padded(128, 132)(4 * (Begin + I));
      EXPECT_EQ(4 * (Begin + Begin / 32 + I + (I >> 5)), Gapped);
      EXPECT_EQ(4 * (Begin + Begin / 32 +
                     static_cast<std::int32_t>(U + (int(U) >> 5))),
                Gapped);
    }
}

TEST_F(Edited, ColumnsAreSwizzled) {
  write({32, 32}, {{"y", "x"}, {"y + k", "x * 2"}});
  EXPECT_EQ(with(SwizzledColumns{1, 32, 1}),
            "D*2 [y][x ^ (y & 31)] [y + k][(x * 2) ^ ((y + k) & 31)] ");
  EXPECT_EQ(with(SwizzledColumns{4, 8, 2}),
            "D*2 [y][x ^ ((y / 2 & 7) * 4)] "
            "[y + k][(x * 2) ^ (((y + k) / 2 & 7) * 4)] ");
  write({32, 32}, {{"0", "x"}, {"y", "x"}});
  EXPECT_EQ(with(SwizzledColumns{1, 32, 1}), "D*2 [0][x] [y][x ^ (y & 31)] ");
}

TEST_F(Edited, RowsArePadded) {
  write({32, 32}, {{"y", "f()"}});
  EXPECT_EQ(with(PaddedRows{4}), "D*2 + 4 [y][f()] ");
}

// What is written is what was counted: for each element, the edited index is
// where SharedLayout.h has its bytes.
TEST_F(Edited, IndicesAreThoseThatWereCounted) {
  for (std::int64_t I = 0; I != 1024; ++I) {
    EXPECT_EQ(4 * (I + I / 16), padded(64, 68)(4 * I));
    EXPECT_EQ(4 * (I + I / 128 * 4), padded(512, 528)(4 * I));
    const std::int64_t Row = I / 32, Column = I % 32;
    EXPECT_EQ(4 * (Row * 32 + (Column ^ (Row & 31))),
              swizzled(4, 32, 32, 1)(4 * I));
    EXPECT_EQ(4 * (Row * 32 + (Column ^ ((Row / 2 & 7) * 4))),
              swizzled(16, 8, 8, 2)(4 * I));
  }
}

TEST_F(Edited, WhatCannotBeWrittenTwiceStays) {
  write({512}, {{"i"}, {"f()"}});
  EXPECT_EQ(with(SkippedElements{16, 1}), "none");
  // Of a swizzle, that is the row alone.
  write({32, 32}, {{"y", "f()"}});
  EXPECT_EQ(with(SwizzledColumns{1, 32, 1}), "D*2 [y][(f()) ^ (y & 31)] ");
  write({32, 32}, {{"f()", "x"}});
  EXPECT_EQ(with(SwizzledColumns{1, 32, 1}), "none");
}

TEST_F(Edited, WhatIsUsedOtherwiseStays) {
  write({512}, {{"i"}});
  Array.Declared->Subscripts = nullptr;
  EXPECT_EQ(with(SkippedElements{16, 1}), "none");
  write({512}, {{"i"}});
  Array.OtherNames = {"p"};
  EXPECT_EQ(with(SkippedElements{16, 1}), "none");
  Array.OtherNames.clear();
  EXPECT_NE(with(SkippedElements{16, 1}), "none");
  Array.Declared->Extent.reset();
  EXPECT_EQ(with(SkippedElements{16, 1}), "none");
  Array.Declared->PadPoint = {};
  EXPECT_EQ(with(PaddedRows{1}), "none");
  write({4, 512}, {{"0", "i"}});
  EXPECT_EQ(with(SkippedElements{16, 1}), "none");
  Array.IsIndexedByRows = false;
  EXPECT_EQ(with(SwizzledColumns{1, 32, 1}), "none");
}

TEST_F(Edited, LaunchesGiveAsManyBytesMore) {
  write({0}, {{"i"}});
  Array.IsDynamic = true;
  Array.Declared->PadPoint = {};
  K.Shared = {{.Name = "s", .Bytes = 0}};
  Its.Variable = "s";
  EXPECT_EQ(with(SkippedElements{16, 1}), "none"); // No launch is known.
  Launch L;
  L.Source = LaunchSource::Launch;
  L.DynamicSharedText = {{"a.cu", 0}, 3, "D*2", true, false};
  L.DynamicSharedBytes = 2048;
  K.Launches = {L, L}; // In two shapes.
  EXPECT_EQ(with(SkippedElements{16, 1}), "(D*2) + (D*2) / 16 [i + i / 16] ");
  Array.IsNamedInFull = false;
  EXPECT_EQ(with(SkippedElements{16, 1}), "none");
  Array.IsNamedInFull = true;
  K.Declaration.IsUsedOtherwise = true;
  EXPECT_EQ(with(SkippedElements{16, 1}), "none");
  K.Declaration.IsUsedOtherwise = false;
  K.Declaration.Origin.IncludedFrom = {{"b.cu", 1, 1}};
  EXPECT_EQ(with(SkippedElements{16, 1}), "none");
  K.Declaration.Origin.IncludedFrom.clear();
  // That line may launch another kernel elsewhere.
  K.Launches.back().Origin.IncludedFrom = {{"b.cu", 1, 1}};
  EXPECT_EQ(with(SkippedElements{16, 1}), "none");
  K.Launches.back().Origin.IncludedFrom.clear();
  K.Launches.back().DynamicSharedBytes.reset();
  EXPECT_EQ(with(SkippedElements{16, 1}), "none"); // As much as there is?
  K.Launches.back().DynamicSharedBytes = 2048;
  K.Launches.back().SharedMemoryOptIn = true;
  EXPECT_EQ(with(SkippedElements{16, 1}), "none");
  K.Launches.back().Raised.emplace();
  EXPECT_NE(with(SkippedElements{16, 1}), "none");
  K.Launches.back().DynamicSharedText->IsRepeatable = false;
  EXPECT_EQ(with(SkippedElements{16, 1}), "none");
  K.Launches.pop_back();
  // Two arrays begin at the same byte.
  K.Shared.push_back({.Name = "other", .Bytes = 0});
  EXPECT_EQ(with(SkippedElements{16, 1}), "none");
}

} // namespace LayoutEditTests
