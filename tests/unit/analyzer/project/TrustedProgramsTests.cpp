//===- tests/unit/analyzer/project/TrustedProgramsTests.cpp - Tests -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/project/TrustedPrograms.h"

#include "TestFolder.h"

#include <gtest/gtest.h>

namespace cudalint::TrustedProgramsTests {

class TrustedPrograms : public TestFolder {};

TEST_F(TrustedPrograms, WhatIsInstalled) {
  EXPECT_TRUE(isTrustedProgram("/usr/bin/env", {Root}));
  EXPECT_FALSE(isTrustedProgram("/usr/bin/is-not-there", {Root}));
}

TEST_F(TrustedPrograms, NothingThatComesWithTheCode) {
  write("nvcc", "");
  EXPECT_FALSE(isTrustedProgram(path("nvcc"), {Root}));
  EXPECT_FALSE(isTrustedProgram(path("nvcc"), {}));
  EXPECT_FALSE(isTrustedProgram("/usr/bin/env", {"/usr/bin"}));
}

// The link decides what it leads to, and comes with the code.
TEST_F(TrustedPrograms, NoLinkOfTheCodeToWhatIsInstalled) {
  std::filesystem::create_symlink("/usr/bin/env", path("nvcc"));
  EXPECT_FALSE(isTrustedProgram(path("nvcc"), {Root}));
  EXPECT_TRUE(isTrustedProgram(path("nvcc"), {path("elsewhere")}));
}

TEST_F(TrustedPrograms, TheRootIsNobodys) {
  EXPECT_TRUE(isTrustedProgram("/usr/bin/env", {"/"}));
}

// `/usr/bi` is not around `/usr/bin`.
TEST_F(TrustedPrograms, FoldersAreWhole) {
  EXPECT_TRUE(isTrustedProgram("/usr/bin/env", {"/usr/bi"}));
}

} // namespace cudalint::TrustedProgramsTests
