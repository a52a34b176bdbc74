//===- tests/unit/analyzer/tool/CheckPagesTests.cpp - What the checks say -===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/CheckPages.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

namespace CheckPagesTests {

using namespace cudalint;
using testing::HasSubstr;

static constexpr CheckInfo Sample = {.Name = "sample-check",
                                     .Default = Severity::Warning,
                                     .Summary = "finds samples",
                                     .Why = "\nBecause *samples* cost time.\n",
                                     .Bad = "\n__global__ void bad();\n",
                                     .Good = "\n__global__ void good();\n",
                                     .Limits = "Silent on others.",
                                     .ConfirmedBy =
                                         Evidence::GlobalSectorsPerRequest};

TEST(CheckPages, anExplanationHoldsEverySection) {
  EXPECT_EQ(checkExplanation(Sample), "sample-check: finds samples\n"
                                      "(warning, stable)\n"
                                      "\n"
                                      "Why\n"
                                      "  Because *samples* cost time.\n"
                                      "\n"
                                      "Reported\n"
                                      "  __global__ void bad();\n"
                                      "\n"
                                      "Mended\n"
                                      "  __global__ void good();\n"
                                      "\n"
                                      "Limits\n"
                                      "  Silent on others.\n"
                                      "\n"
                                      "Proof\n"
                                      "  sectors per request of global memory: "
                                      "smsp__sass_sectors_mem_global against "
                                      "smsp__sass_sectors_mem_global_ideal\n");
}

TEST(CheckPages, aPageQuotesTheCode) {
  std::string Page = checkPage(Sample);
  EXPECT_THAT(Page, HasSubstr("# sample-check\n\nfinds samples\n"));
  EXPECT_THAT(Page, HasSubstr("## Example\n\n```cuda\n__global__ void "
                              "bad();\n```\n"));
  EXPECT_THAT(Page, HasSubstr("## Proof\n\nsectors per request"));
}

TEST(CheckPages, everyCheckOfTheProgramIsWritten) {
  std::filesystem::path Folder =
      std::filesystem::path(testing::TempDir()) / "cuda-lint-check-pages";
  std::filesystem::remove_all(Folder);
  std::filesystem::create_directories(Folder);
  std::vector<std::unique_ptr<Check>> All = makeChecks();
  ASSERT_FALSE(All.empty());
  EXPECT_EQ(writeCheckPages(All, Folder), std::nullopt);
  std::ifstream List(Folder / "README.md");
  std::string Text{std::istreambuf_iterator<char>(List), {}};
  for (const std::unique_ptr<Check> &Each : All) {
    std::string Name(Each->info().Name);
    EXPECT_TRUE(std::filesystem::exists(Folder / (Name + ".md"))) << Name;
    EXPECT_THAT(Text, HasSubstr("[" + Name + "](" + Name + ".md)"));
    EXPECT_THAT(checkList(All), HasSubstr(Name));
  }
  std::filesystem::remove_all(Folder);
  EXPECT_THAT(writeCheckPages(All, Folder).value_or(""),
              HasSubstr("cannot write"));
}

} // namespace CheckPagesTests
