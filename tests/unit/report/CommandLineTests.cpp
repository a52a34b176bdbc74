//===- tests/unit/report/CommandLineTests.cpp - Mistakes in commands ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/CommandLine.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <unistd.h>
#include <vector>

namespace CommandLineTests {

using namespace cudalint;
using testing::AllOf;
using testing::HasSubstr;
using testing::Optional;
namespace fs = std::filesystem;

static std::optional<std::string>
missing(const std::vector<std::string> &Arguments) {
  return whyValueIsMissing(Arguments);
}

TEST(CommandLine, AnEmptyValueIsNamed) {
  EXPECT_THAT(missing({"a.cu", "--checks=", "b.cu"}),
              Optional(HasSubstr("--checks has an empty value")));
}

TEST(CommandLine, OtherEqualSignsAreValues) {
  EXPECT_EQ(missing({"--launch=k=", "--checks==", "-", "x=", "--quiet"}),
            std::nullopt);
  EXPECT_EQ(missing({"--", "--define="}), std::nullopt);
  EXPECT_EQ(missing({}), std::nullopt);
}

namespace {
class OutputIsInput : public testing::Test {
protected:
  void SetUp() override {
    std::string Name = fs::temp_directory_path() / "cuda-lint-XXXXXX";
    ASSERT_NE(::mkdtemp(Name.data()), nullptr);
    Folder = Name;
    std::ofstream(Folder / "a") << "a";
    std::ofstream(Folder / "b") << "b";
  }
  void TearDown() override { fs::remove_all(Folder); }

  std::optional<std::string> why(const fs::path &Output,
                                 const fs::path &Input) {
    const std::vector<std::string> Inputs = {Folder / "b", Folder / Input};
    return whyOutputIsInput(Folder / Output, Inputs);
  }

  fs::path Folder;
};
} // namespace

TEST_F(OutputIsInput, OtherFilesMayBeWritten) {
  EXPECT_EQ(why("new", "a"), std::nullopt);
  EXPECT_EQ(why("a", "missing"), std::nullopt);
  EXPECT_EQ(whyOutputIsInput("-", std::vector<std::string>{"-"}), std::nullopt);
  EXPECT_EQ(
      whyOutputIsInput("/dev/null", std::vector<std::string>{"/dev/null"}),
      std::nullopt);
}

TEST_F(OutputIsInput, EveryNameOfTheFileCounts) {
  fs::create_symlink("a", Folder / "soft");
  fs::create_hard_link(Folder / "a", Folder / "hard");
  for (const char *Name : {"a", "./a", "soft", "hard"}) {
    EXPECT_THAT(why(Name, "a"),
                Optional(AllOf(HasSubstr("cannot write"), HasSubstr("input"),
                               HasSubstr("name another file"))))
        << Name;
    EXPECT_NE(why("a", Name), std::nullopt) << Name;
  }
}

TEST_F(OutputIsInput, AFolderStandsForItsFiles) {
  fs::create_directory(Folder / "profiles");
  std::ofstream(Folder / "profiles" / "p.json") << "{}";
  EXPECT_NE(why("profiles/p.json", "profiles"), std::nullopt);
  EXPECT_EQ(why("a", "profiles"), std::nullopt);
}

} // namespace CommandLineTests
