//===- tests/unit/report/SourceRootTests.cpp - Names of files in reports --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/SourceRoot.h"

#include <gtest/gtest.h>

namespace SourceRootTests {

using namespace cudalint;

static std::string nameIn(const ReportPlaces &Places, const std::string &File) {
  const ReportedPath Path = pathIn(Places, File);
  EXPECT_EQ(Path.IsBelowRoot,
            !Path.Name.starts_with('/') && !Path.Name.starts_with(".."));
  return Path.Name;
}

TEST(SourceRoot, NamesAreRelativeToTheRoot) {
  const ReportPlaces Places = {.Root = "/repo"};
  EXPECT_EQ(nameIn(Places, "a.cu"), "a.cu");
  EXPECT_EQ(nameIn(Places, "./src//x/../a.cu"), "src/a.cu");
  EXPECT_EQ(nameIn(Places, "/repo/src/a.cu"), "src/a.cu");
  EXPECT_EQ(nameIn({.Root = "/repo/"}, "/repo/src/a.cu"), "src/a.cu");
  // That of the file system is nobody's project.
  EXPECT_EQ(nameIn({.Root = "/"}, "/repo/a.cu"), "/repo/a.cu");
}

TEST(SourceRoot, WhatIsElsewhereIsAbsolute) {
  const ReportPlaces Places = {.Root = "/repo"};
  EXPECT_EQ(nameIn(Places, "/usr/include/a.h"), "/usr/include/a.h");
  EXPECT_EQ(nameIn(Places, "../other/a.cu"), "/other/a.cu");
  // A folder whose name begins as that of the root.
  EXPECT_EQ(nameIn(Places, "/repository/a.cu"), "/repository/a.cu");
  EXPECT_EQ(nameIn(Places, "/repo"), "/repo");
}

TEST(SourceRoot, RelativeNamesStartWhereTheProgramRan) {
  const ReportPlaces Places = {.Root = "/repo", .Current = "/repo/build/x"};
  EXPECT_EQ(nameIn(Places, "../../src/a.cu"), "src/a.cu");
  EXPECT_EQ(nameIn(Places, "a.cu"), "build/x/a.cu");
  EXPECT_EQ(nameIn({.Root = "/repo", .Current = "/tmp"}, "a.cu"), "/tmp/a.cu");
}

TEST(SourceRoot, WithoutARootNamesStayRelative) {
  EXPECT_EQ(nameIn({}, "./src/a.cu"), "src/a.cu");
  EXPECT_EQ(nameIn({}, "../a.cu"), "../a.cu");
  EXPECT_EQ(nameIn({}, "/usr/a.h"), "/usr/a.h");
}

static std::string uri(const std::string &File) {
  return uriOf(pathIn({.Root = "/repo"}, File));
}

TEST(SourceRoot, UrisAreEncoded) {
  EXPECT_EQ(uri("src/a_b-1.~cu"), "src/a_b-1.~cu");
  EXPECT_EQ(uri("a b%20\"<#?[\\].cu"), "a%20b%2520%22%3C%23%3F%5B%5C%5D.cu");
  // A first segment with a colon would be a scheme.
  EXPECT_EQ(uri("c:a.cu"), "c%3Aa.cu");
  EXPECT_EQ(uri("line\nbreak\x7f"), "line%0Abreak%7F");
  EXPECT_EQ(uri("\xC3\xA9.cu"), "%C3%A9.cu");
  EXPECT_EQ(uri("\xFF.cu"), "%FF.cu");
  EXPECT_EQ(uri("c++/a.cu"), "c++/a.cu");
  EXPECT_EQ(uri("/usr/a b.h"), "file:///usr/a%20b.h");
}

} // namespace SourceRootTests
