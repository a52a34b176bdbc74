//===- tests/unit/report/NamesTests.cpp - The words for enumerations ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/Names.h"

#include <gtest/gtest.h>

namespace NamesTests {

using namespace cudalint;

TEST(Names, SignaturesWithoutTheirParameters) {
  EXPECT_EQ(withoutParameters("k(int *)"), "k");
  EXPECT_EQ(withoutParameters("func<3>(int (*)[2])"), "func<3>");
  EXPECT_EQ(withoutParameters("(anonymous namespace)::k(int)"),
            "(anonymous namespace)::k");
  EXPECT_EQ(withoutParameters("s::k(int) const"), "s::k");
  EXPECT_EQ(withoutParameters("s::k(int) const volatile &&"), "s::k");
  EXPECT_EQ(withoutParameters("k(int) [clone .isra.0]"), "k");
  EXPECT_EQ(withoutParameters("k<(e)1>(int (*)(int))"), "k<(e)1>");
}

// What tells kernels apart is said last.
TEST(Names, WithAsManyScopesAsHaveRoom) {
  EXPECT_EQ(withFewerScopes("a::b::func<c::d>", 16), "a::b::func<c::d>");
  EXPECT_EQ(withFewerScopes("a::b::func<c::d>", 13), "b::func<c::d>");
  EXPECT_EQ(withFewerScopes("a::b::func<c::d>", 2), "func<c::d>");
  EXPECT_EQ(withFewerScopes("a::(anonymous namespace)::func", 4), "func");
  EXPECT_EQ(withFewerScopes("tile[a::b + 1]", 2), "tile[a::b + 1]");
  EXPECT_EQ(withFewerScopes("::func", 2), "::func");
  EXPECT_EQ(withFewerScopes("", 0), "");
}

TEST(Names, WhatHasNoParametersStaysWhole) {
  for (const char *Name :
       {"", "k", "(anonymous namespace)::k", "k<(anonymous namespace)::s>",
        "k<(e)1>", "k<void (int) const, 3>", "(anonymous namespace)", ")"})
    EXPECT_EQ(withoutParameters(Name), Name);
}

} // namespace NamesTests
