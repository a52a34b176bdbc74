//===- tests/unit/analyzer/project/ArgumentPathsTests.cpp - Names ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/project/ArgumentPaths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::ElementsAreArray;

namespace cudalint::ArgumentPathsTests {

using Words = std::vector<std::string>;

static Words renamed(const Words &Arguments) {
  return renamePaths(Arguments, [](const std::string &Name, bool IsSearched) {
    return (IsSearched ? "?" : "<") + Name + ">";
  });
}

TEST(RenamePaths, AllSpellings) {
  EXPECT_THAT(renamed({"-Ia", "-I", "b", "-I=c", "--include-path=d",
                       "--include-path", "e", "-include-path", "f"}),
              ElementsAre("-I<a>", "-I", "<b>", "-I=<c>", "--include-path=<d>",
                          "--include-path", "<e>", "-include-path", "<f>"));
  EXPECT_THAT(
      renamed({"-isystem", "a", "-isystema", "-isystem=b", "--system-include",
               "c", "-include", "d", "--pre-include=e"}),
      ElementsAre("-isystem", "<a>", "-isystem<a>", "-isystem=<b>",
                  "--system-include", "<c>", "-include", "?d>",
                  "--pre-include=?e>"));
  EXPECT_THAT(renamed({"-iquote", "a", "-idirafterb", "-imacros", "c",
                       "--sysroot=d", "-isysroot", "e"}),
              ElementsAre("-iquote", "<a>", "-idirafter<b>", "-imacros", "?c>",
                          "--sysroot=<d>", "-isysroot", "<e>"));
}

TEST(RenamePaths, ListsOfNvcc) {
  EXPECT_THAT(renamed({"-Ia,b", "-I", "c,d", "-isystem=e,f"}),
              ElementsAre("-I<a>,<b>", "-I", "<c>,<d>", "-isystem=<e>,<f>"));
}

TEST(RenamePaths, WhatXcompilerHandsOn) {
  EXPECT_THAT(renamed({"-Xcompiler", "-Ia,-O2,-isystem,b",
                       "--compiler-options=-Ic", "-Xcompiler=-fPIC"}),
              ElementsAre("-Xcompiler", "-I<a>,-O2,-isystem,<b>",
                          "--compiler-options=-I<c>", "-Xcompiler=-fPIC"));
  // What protects a comma stays where nothing is renamed.
  EXPECT_THAT(renamed({"-Xcompiler", "-DA=1\\,2"}),
              ElementsAre("-Xcompiler", "-DA=1\\,2"));
}

TEST(RenamePaths, OtherArgumentsStay) {
  const Words Others = {
      "-DPATH=a/b", "-O3",  "-std=c++17",
      "-fPIC",      "x.cu", "-gencode=arch=compute_80,code=sm_80",
      "-MF",        "a.d",  "-In"};
  Words Expected = Others;
  Expected.back() = "-I<n>";
  EXPECT_THAT(renamed(Others), ElementsAreArray(Expected));
  // Without its value.
  EXPECT_THAT(renamed({"-I"}), ElementsAre("-I"));
  EXPECT_THAT(renamed({"-isystem="}), ElementsAre("-isystem="));
}

} // namespace cudalint::ArgumentPathsTests
