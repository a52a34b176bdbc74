//===- tests/unit/report/MergedDocumentsTests.cpp - Shards ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/MergedDocuments.h"

#include "ContractDocument.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

namespace cudalint::MergedDocumentsTests {

static Document shard(const std::string &File, const std::string &Target) {
  Document Doc = contractDocument();
  Doc.Target.Name = Target;
  UnitRecord &Unit = Doc.Units[0];
  Unit.File = File;
  for (KernelRecord &Kernel : Unit.Kernels)
    Kernel.Where.File = File;
  for (Finding &F : Unit.Findings) {
    F.Where.File = File;
    F.Wasted = Waste{.Unit = "sectors", .OfKernel = 0.5, .OfProgram = 0.4};
    F.Group = 7;
  }
  Doc.Skipped = {{.Name = "small-grid", .InPart = false, .Why = "x"}};
  return Doc;
}

TEST(MergedDocuments, OneForEachTarget) {
  const std::vector<Document> All = mergedDocuments(
      {shard("b.cu", "h200"), shard("a.cu", "sm_80"), shard("a.cu", "h200")});
  ASSERT_THAT(All, SizeIs(2));
  EXPECT_EQ(All[0].Target.Name, "h200");
  ASSERT_THAT(All[0].Units, SizeIs(2));
  EXPECT_EQ(All[0].Units[0].File, "a.cu");
  EXPECT_EQ(All[0].Units[1].File, "b.cu");
  EXPECT_THAT(All[1].Units, SizeIs(1));
  EXPECT_THAT(All[0].Skipped, SizeIs(1));
}

TEST(MergedDocuments, ProblemsAreNumberedAnew) {
  const std::vector<Document> All =
      mergedDocuments({shard("a.cu", "h200"), shard("b.cu", "h200")});
  std::vector<std::size_t> Groups;
  for (const UnitRecord &Unit : All.at(0).Units)
    for (const Finding &F : Unit.Findings) {
      Groups.push_back(F.Group);
      EXPECT_EQ(F.Wasted->OfKernel, 0.5);
      // Of another program than that of one shard.
      EXPECT_FALSE(F.Wasted->OfProgram.has_value());
    }
  EXPECT_THAT(Groups, ElementsAre(1, 2));
}

TEST(MergedDocuments, WhatSeveralRunsHaveIsThereOnce) {
  Document Again = shard("a.cu", "h200");
  Again.Units[0].Findings[0].Group = 3;
  EXPECT_THAT(mergedDocuments({shard("a.cu", "h200"), Again}).at(0).Units,
              SizeIs(1));
  // Of another configuration.
  Again.Units[0].Findings[0].Predicted->Value = 8;
  EXPECT_THAT(mergedDocuments({shard("a.cu", "h200"), Again}).at(0).Units,
              SizeIs(2));
}

TEST(MergedDocuments, OneRunStaysAsItIs) {
  const std::vector<Document> All = mergedDocuments({shard("a.cu", "h200")});
  EXPECT_EQ(All.at(0).Units.at(0).Findings.at(0).Wasted->OfProgram, 0.4);
  EXPECT_THAT(mergedDocuments({}), IsEmpty());
}

} // namespace cudalint::MergedDocumentsTests
