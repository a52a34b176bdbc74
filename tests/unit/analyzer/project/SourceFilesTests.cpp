//===- tests/unit/analyzer/project/SourceFilesTests.cpp - Globs -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/project/SourceFiles.h"

#include "TestFolder.h"

#include <gmock/gmock.h>

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

namespace cudalint::SourceFilesTests {

class SourceFiles : public TestFolder {
protected:
  void SetUp() override {
    TestFolder::SetUp();
    for (const char *Name :
         {"a10.cu", "a2.cu", "b.cpp", "sub/c.cu", "sub/deep/d.cu", ".git/e.cu",
          "sub/f.cuh", "sub/deep/[x].cu"})
      write(Name, "");
    std::filesystem::create_directory_symlink(Root, path("sub/back"));
  }

  std::vector<std::string> matching(const std::string &Glob) {
    std::string Error;
    std::vector<std::string> Names = filesMatching(path(Glob), Error);
    EXPECT_THAT(Error, IsEmpty());
    for (std::string &Each : Names)
      Each = std::filesystem::relative(Each, Root);
    return Names;
  }
};

TEST_F(SourceFiles, BelowAFolder) {
  EXPECT_THAT(sourcesBelow(Root),
              ElementsAre(path("a2.cu"), path("a10.cu"), path("sub/c.cu"),
                          path("sub/deep/[x].cu"), path("sub/deep/d.cu")));
  EXPECT_THAT(sourcesBelow(path("nowhere")), IsEmpty());
}

TEST_F(SourceFiles, Globs) {
  EXPECT_THAT(matching("*.cu"), ElementsAre("a2.cu", "a10.cu"));
  EXPECT_THAT(matching("a?.cu"), ElementsAre("a2.cu"));
  EXPECT_THAT(matching("s*/*"), ElementsAre("sub/c.cu", "sub/f.cuh"));
  EXPECT_THAT(matching("**/d.cu"), ElementsAre("sub/deep/d.cu"));
  EXPECT_THAT(matching("sub/**"),
              ElementsAre("sub/c.cu", "sub/deep/[x].cu", "sub/deep/d.cu"));
  EXPECT_THAT(matching("*/deep/[c-d].cu"), ElementsAre("sub/deep/d.cu"));
  EXPECT_THAT(matching("*.cuda"), IsEmpty());
}

TEST_F(SourceFiles, WhatIsAGlob) {
  EXPECT_TRUE(isGlob(path("*.cu")));
  EXPECT_FALSE(isGlob(path("a2.cu")));
  // There is a file of that name.
  EXPECT_FALSE(isGlob(path("sub/deep/[x].cu")));
  std::string Error;
  EXPECT_THAT(filesMatching(path("[.cu"), Error), IsEmpty());
  EXPECT_THAT(Error, Not(IsEmpty()));
}

} // namespace cudalint::SourceFilesTests
