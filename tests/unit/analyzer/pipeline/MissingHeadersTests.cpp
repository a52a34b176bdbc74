//===- tests/unit/analyzer/pipeline/MissingHeadersTests.cpp - Tests -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/MissingHeaders.h"

#include <gmock/gmock.h>

namespace MissingHeadersTests {

using namespace cudalint;

static ErrorRecord misses(std::string Header) {
  return {.Where = {"a.cu", 1, 10},
          .Message = "not there",
          .MissingHeader = std::move(Header)};
}

static ParsedUnit unit(std::string File, std::vector<ErrorRecord> Errors) {
  ParsedUnit Unit;
  for (ErrorRecord &Each : Errors)
    Each.Where.File = File;
  Unit.Errors = std::move(Errors);
  return Unit;
}

TEST(MissingHeaders, AreNewsOnce) {
  MissingHeaders Headers;
  EXPECT_TRUE(Headers.isNews(unit("a.cu", {misses("x.h")})));
  EXPECT_EQ(Headers.note(), "");
  EXPECT_FALSE(Headers.isNews(unit("b.cu", {misses("x.h")})));
  EXPECT_TRUE(Headers.isNews(unit("c.cu", {misses("x.h"), misses("y.h")})));
  EXPECT_EQ(Headers.note(), "cuda-lint: note: 1 more file misses headers that "
                            "are named above");
}

// What a user writes in `#error` is no header, whatever it says.
TEST(MissingHeaders, AreNotReadOutOfMessages) {
  MissingHeaders Headers;
  const ErrorRecord Error = {.Where = {}, .Message = "'x.h' file not found"};
  EXPECT_TRUE(Headers.isNews(unit("a.cu", {Error})));
  EXPECT_TRUE(Headers.isNews(unit("b.cu", {Error})));
  EXPECT_EQ(Headers.note(), "");
}

TEST(MissingHeaders, AreWhatTheCompilerStopsAt) {
  const std::string Note = "nvcc: x.h: No such file or directory";
  UnitResult From;
  EXPECT_FALSE(MissingHeaders::areMeantBy(Note, From));
  From.Record.Errors = {misses("x.h")};
  EXPECT_TRUE(MissingHeaders::areMeantBy(Note, From));
  EXPECT_FALSE(MissingHeaders::areMeantBy("nvcc: out of memory", From));
}

} // namespace MissingHeadersTests
