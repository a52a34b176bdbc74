//===- tests/unit/analyzer/tool/OutputPathTests.cpp - Places to write to --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/OutputPath.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <unistd.h>

namespace OutputPathTests {

using namespace cudalint;
using testing::HasSubstr;
namespace fs = std::filesystem;

namespace {
class OutputPath : public testing::Test {
protected:
  void SetUp() override {
    Folder = fs::path(testing::TempDir()) /
             ("cuda-lint-output-" + std::to_string(::getpid()));
    fs::create_directories(Folder);
  }
  void TearDown() override { fs::remove_all(Folder); }

  std::string why(const fs::path &Path) {
    return whyNotWritable(Path).value_or("");
  }

  fs::path Folder;
};
} // namespace

TEST_F(OutputPath, aNewFileAnOldOneAndADevice) {
  EXPECT_EQ(why(Folder / "new.json"), "");
  EXPECT_FALSE(fs::exists(Folder / "new.json")) << "nothing is written";
  std::ofstream(Folder / "old.json") << "old";
  EXPECT_EQ(why(Folder / "old.json"), "");
  EXPECT_EQ(fs::file_size(Folder / "old.json"), 3u);
  EXPECT_EQ(why("new-in-this-folder.json"), "");
  EXPECT_EQ(why("/dev/null"), "");
}

TEST_F(OutputPath, whatIsNoReport) {
  for (const char *Name : {".cuda-lint", "a.cu", "a.cuh", "a.h", "a.cpp"}) {
    EXPECT_EQ(why(Folder / Name), "") << Name;
    std::ofstream(Folder / Name) << "x";
    EXPECT_THAT(why(Folder / Name), HasSubstr("a source or a configuration"))
        << Name;
  }
}

TEST_F(OutputPath, placesWhereNoFileCanBe) {
  EXPECT_THAT(why(Folder), HasSubstr("it is a folder"));
  std::string Missing = why(Folder / "no" / "such.json");
  EXPECT_THAT(Missing, HasSubstr("such.json'"));
  EXPECT_THAT(Missing, HasSubstr("its folder does not exist"));
  std::ofstream(Folder / "file") << "x";
  EXPECT_THAT(why(Folder / "file" / "a.json"), HasSubstr("does not exist"));
}

} // namespace OutputPathTests
