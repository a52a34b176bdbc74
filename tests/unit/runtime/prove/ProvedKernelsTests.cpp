//===- tests/unit/runtime/prove/ProvedKernelsTests.cpp - Their names ------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/prove/ProvedKernels.h"

#include <gmock/gmock.h>

namespace ProvedKernelsTests {

using namespace cudalint;
using testing::ElementsAre;

namespace {

KernelRecord kernel(std::string Name, std::string Signature,
                    std::uint64_t Registers = 32) {
  KernelRecord Result = {.Name = std::move(Name),
                         .Signature = std::move(Signature)};
  Result.Resources.emplace();
  Result.Resources->Registers = Registers;
  return Result;
}

/// One file before and after a fix of one kernel.
struct Edit {
  Edit(std::vector<KernelRecord> Old, std::vector<KernelRecord> New,
       std::string Mended = "_Z4fallP8Particle") {
    Before.resize(1);
    Before[0].Units.push_back({.File = "a.cu", .Kernels = std::move(Old)});
    After.resize(1);
    After[0].Units.push_back({.File = "a.cu", .Kernels = std::move(New)});
    Fix.About.Kernels = {std::move(Mended)};
    Fix.Before = Before;
    Fix.After = After;
  }

  std::vector<Document> Before, After;
  FixToProve Fix;
};

TEST(ProvedKernels, OneWithOtherParametersIsFound) {
  const Edit Its({kernel("_Z4fallP8Particle", "fall(Particle *)", 30),
                  kernel("_Z5otherv", "other()")},
                 {kernel("_Z4fall14ParticleArrays", "fall(ParticleArrays)", 40),
                  kernel("_Z5otherv", "other()")});
  const ProofSubject After = subjectAfter(Its.Fix);
  EXPECT_TRUE(counts(After, "_Z4fall14ParticleArrays"));
  EXPECT_FALSE(counts(After, "_Z5otherv"));
  // The one before is none of the edited program.
  EXPECT_FALSE(counts(Its.Fix.About, "_Z4fall14ParticleArrays"));
  const std::vector<ResourceChange> Changes = resourcesOf(Its.Fix);
  ASSERT_EQ(1u, Changes.size());
  EXPECT_EQ("fall(Particle *)", Changes[0].Kernel);
  EXPECT_EQ(30u, Changes[0].Registers.Before);
  EXPECT_EQ(40u, Changes[0].Registers.After);
}

TEST(ProvedKernels, OneOfTwoWithItsNameIsNotGuessed) {
  const Edit Its({kernel("_Z4fallP8Particle", "fall(Particle *)"),
                  kernel("_Z4falli", "fall(int)")},
                 {kernel("_Z4fall14ParticleArrays", "fall(ParticleArrays)"),
                  kernel("_Z4falli", "fall(int)")});
  EXPECT_THAT(subjectAfter(Its.Fix).Kernels, ElementsAre("_Z4fallP8Particle"));
  const std::vector<ResourceChange> Changes = resourcesOf(Its.Fix);
  ASSERT_EQ(1u, Changes.size());
  EXPECT_EQ(std::nullopt, Changes[0].Registers.After);
}

TEST(ProvedKernels, OneThatKeepsItsNameIsNamedOnce) {
  const Edit Its({kernel("_Z4fallP8Particle", "fall(Particle *)")},
                 {kernel("_Z4fallP8Particle", "fall(Particle *)")});
  EXPECT_THAT(subjectAfter(Its.Fix).Kernels, ElementsAre("_Z4fallP8Particle"));
}

TEST(ProvedKernels, WhereAllCountTheyStillDo) {
  Edit Its({kernel("_Z4fallP8Particle", "fall(Particle *)")},
           {kernel("_Z4fall14ParticleArrays", "fall(ParticleArrays)")});
  Its.Fix.About.Kernels.clear();
  EXPECT_TRUE(subjectAfter(Its.Fix).Kernels.empty());
  EXPECT_TRUE(counts(subjectAfter(Its.Fix), "_Z5otherv"));
}

} // namespace

} // namespace ProvedKernelsTests
