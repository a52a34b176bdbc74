//===- tests/unit/analyzer/pipeline/AccessTableTests.cpp - Lanes ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/AccessTable.h"

#include <gmock/gmock.h>

namespace AccessTableTests {

using namespace cudalint;
using testing::HasSubstr;

static const Architecture &sm90() { return *findArchitecture({9, 0}); }

/// Lane l touches offset l * Step.
static Access access(MemorySpace Space, unsigned Bytes, std::int64_t Step) {
  Access A;
  A.Where = {.File = "src/a.cu", .Line = 6, .Column = 17};
  A.UserWhere = A.Where;
  A.Space = Space;
  A.Bytes = Bytes;
  A.Block = {32, 8, 1};
  A.Trust = Certainty::Assumed;
  A.Assumptions = {"data is 256-byte aligned"};
  A.Predicted = Traffic{.PerRequest = 32, .Ideal = 1, .Lanes = 32};
  RequestSample Sample;
  Sample.ActiveMask = 0xffffffff;
  for (int Lane = 0; Lane != 32; ++Lane)
    Sample.Offset[Lane] = Lane * Step;
  A.Samples = {Sample};
  return A;
}

// 32 banks of 4 bytes: lanes 128 bytes apart all meet in bank 0.
TEST(AccessTable, aColumnOfWordsStandsInOneBank) {
  std::string Text = accessTable(access(MemorySpace::Shared, 4, 128), sm90());
  EXPECT_THAT(Text, HasSubstr("src/a.cu:6:17: shared load of 4 bytes per lane, "
                              "block 32x8x1: 32 wavefronts per request, "
                              "ideal 1, 32 lanes\n"));
  EXPECT_THAT(Text, HasSubstr("assumes data is 256-byte aligned"));
  EXPECT_THAT(Text, HasSubstr("\n     0         0      0     0         0\n"));
  EXPECT_THAT(Text, HasSubstr("\n     1       128      0     0        32\n"));
  EXPECT_THAT(Text, HasSubstr("\n    31      3968      0     0       992\n"));
}

TEST(AccessTable, negativeOffsetsStayReadable) {
  std::string Text = accessTable(access(MemorySpace::Shared, 4, -4), sm90());
  EXPECT_THAT(Text, HasSubstr("\n     1        -4      0    31        -1\n"));
}

// A 12-byte access at offset 24 touches bytes 24 to 35: two sectors.
TEST(AccessTable, globalAccessesShowSectors) {
  std::string Text = accessTable(access(MemorySpace::Global, 12, 24), sm90());
  EXPECT_THAT(Text, HasSubstr("\n     0         0  0\n"));
  EXPECT_THAT(Text, HasSubstr("\n     1        24  0-1\n"));
}

TEST(AccessTable, anIdleLaneHasNoRow) {
  Access A = access(MemorySpace::Global, 4, 4);
  A.Samples[0].ActiveMask = 1;
  EXPECT_THAT(accessTable(A, sm90()), testing::Not(HasSubstr("\n     1 ")));
}

TEST(AccessTable, whatIsUnknownSaysWhy) {
  Access A = access(MemorySpace::Global, 4, 4);
  A.Predicted.reset();
  A.WhyUnknown = "the index is loaded from memory";
  EXPECT_THAT(accessTable(A, sm90()),
              testing::EndsWith("unknown: the index is loaded from memory\n"));
}

// A load of words that are data: what it costs if that is random, if it is
// equal, and whatever it is. An atomic is the other way round.
TEST(AccessTable, whatIsRandomSaysWhatElseItMayBe) {
  Access A = access(MemorySpace::Shared, 4, 4);
  A.Predicted.reset();
  A.Expected = Expectation{.PerRequest = 3.153,
                           .Least = 1,
                           .Most = 8,
                           .IfEqual = 1,
                           .IsExact = true};
  EXPECT_THAT(accessTable(A, sm90()),
              HasSubstr("3.15 wavefronts per request if the data is random, 1 "
                        "if neighbours agree, at most 8; unknown"));
  A.Expected->IfEqual = A.Expected->Most = 32;
  A.Expected->IsExact = false;
  A.Expected->StandardError = 0.02;
  EXPECT_THAT(accessTable(A, sm90()),
              HasSubstr("3.15 wavefronts per request if the data is random "
                        "(within 0.04), 32 if neighbours agree, at least 1; "));
  // The model of a condition is another one than that of a number.
  A.Expected->IsCounted = A.Expected->IsExact = true;
  EXPECT_THAT(accessTable(A, sm90()),
              HasSubstr("3.15 wavefronts per request if each lane is as likely "
                        "counted as not, 32 if neighbours agree"));
}

TEST(AccessTable, aPlaceIsMatchedByLineAndTrailingFolders) {
  Access A = access(MemorySpace::Global, 4, 4);
  A.InlinedAt = {{.File = "src/b.cu", .Line = 9}};
  EXPECT_TRUE(isAccessAt(A, {.File = "a.cu", .Line = 6}));
  EXPECT_TRUE(isAccessAt(A, {.File = "src/a.cu", .Line = 6}));
  EXPECT_TRUE(isAccessAt(A, {.File = "b.cu", .Line = 9}));
  EXPECT_FALSE(isAccessAt(A, {.File = "a.cu", .Line = 7}));
  EXPECT_FALSE(isAccessAt(A, {.File = "rc/a.cu", .Line = 6}));
  EXPECT_FALSE(isAccessAt(A, {.File = "b.cu", .Line = 6}));
}

} // namespace AccessTableTests
