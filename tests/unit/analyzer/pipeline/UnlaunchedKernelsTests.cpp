//===- tests/unit/analyzer/pipeline/UnlaunchedKernelsTests.cpp - Not run --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/UnlaunchedKernels.h"

#include <gtest/gtest.h>

using namespace cudalint;

static KernelDeclaration kernelIn(const std::string &File) {
  KernelDeclaration Result;
  Result.Name = "_Z3sumPf";
  Result.PlainName = "sum";
  Result.Where = {.File = File, .Line = 3, .Column = 1};
  return Result;
}

static UnitIndex program(const std::string &File, bool HasMain) {
  UnitIndex Result;
  Result.File = File;
  Result.Program.HasMain = HasMain;
  return Result;
}

TEST(UnlaunchedKernels, oneBesideMainThatNothingLaunchesIsUnlaunched) {
  EXPECT_TRUE(isUnlaunched(kernelIn("a.cu"), {}, program("a.cu", true)));
}

TEST(UnlaunchedKernels, oneThatIsLaunchedIsNot) {
  KernelShapes Launched;
  Launched.Launches.emplace_back();
  EXPECT_FALSE(isUnlaunched(kernelIn("a.cu"), Launched, program("a.cu", true)));
}

TEST(UnlaunchedKernels, oneOfALibraryOrAHeaderMayBeLaunchedByOthers) {
  EXPECT_FALSE(isUnlaunched(kernelIn("a.cu"), {}, program("a.cu", false)));
  EXPECT_FALSE(isUnlaunched(kernelIn("k.cuh"), {}, program("a.cu", true)));
}

TEST(UnlaunchedKernels, aStaticOneIsOfItsFileAlone) {
  KernelDeclaration Kernel = kernelIn("a.cu");
  Kernel.IsOfFileAlone = true;
  EXPECT_TRUE(isUnlaunched(Kernel, {}, program("a.cu", false)));
}

TEST(UnlaunchedKernels, oneThatIsNamedElsewhereMayBeLaunchedThere) {
  KernelDeclaration Kernel = kernelIn("a.cu");
  Kernel.IsUsedOtherwise = true;
  EXPECT_FALSE(isUnlaunched(Kernel, {}, program("a.cu", true)));
}

TEST(UnlaunchedKernels, theDriverFindsExternCByItsName) {
  KernelDeclaration Kernel = kernelIn("a.cu");
  Kernel.Name = "sum";
  EXPECT_FALSE(isUnlaunched(Kernel, {}, program("a.cu", true)));
}

TEST(UnlaunchedKernels, warningsBecomeNotesAndFaultsStay) {
  Finding Slow{.Check = "global-uncoalesced", .Level = Severity::Warning};
  Finding Race{.Check = "missing-barrier", .Level = Severity::Warning};
  Race.What.Id = "race";
  Finding Fault{.Check = "divergent-barrier", .Level = Severity::Error};
  Finding Note{.Check = "no-reuse", .Level = Severity::Note};
  std::vector<Finding> All = {Slow, Race, Fault, Note};
  KernelModel Kernel;
  Kernel.Declaration = kernelIn("a.cu");
  const std::vector<Finding> Before = All;
  tellUnlaunched(Kernel, false, All);
  EXPECT_EQ(All[0].Level, Severity::Warning);
  tellUnlaunched(Kernel, true, All);

  EXPECT_EQ(All[0].Level, Severity::Note);
  EXPECT_EQ(All[0].Trust, Certainty::Assumed);
  ASSERT_EQ(All[0].Assumptions.size(), 1u);
  EXPECT_EQ(All[0].Assumptions[0].Text, "something launches 'sum'");
  EXPECT_EQ(All[1].Level, Severity::Warning);
  EXPECT_EQ(All[2].Level, Severity::Error);
  EXPECT_TRUE(All[3].Assumptions.empty());

  // So it is where every launch fails.
  All = Before;
  Kernel.Verdicts.resize(2);
  Kernel.Verdicts[0].Faults.emplace_back();
  tellUnlaunched(Kernel, false, All);
  EXPECT_EQ(All[0].Level, Severity::Warning);
  // An attribute that is missing is soon set.
  Kernel.Verdicts[1].Faults.emplace_back().What =
      LaunchFault::Kind::SharedMemory;
  tellUnlaunched(Kernel, false, All);
  EXPECT_EQ(All[0].Level, Severity::Warning);
  Kernel.Verdicts[1].Faults.emplace_back();
  tellUnlaunched(Kernel, false, All);
  EXPECT_EQ(All[0].Level, Severity::Note);
  EXPECT_EQ(All[0].Assumptions.at(0).Text, "a launch of 'sum' does not fail");
}
