//===- tests/unit/analyzer/checks/CheckTests.cpp - All checks at once ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/checks/Check.h"
#include "tests/unit/analyzer/checks/ModelBuilder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

using namespace cudalint;

TEST(Checks, AreSortedAndNamedOnce) {
  std::vector<std::string_view> Names;
  for (const auto &C : makeChecks())
    Names.push_back(C->info().Name);
  EXPECT_THAT(Names,
              testing::ElementsAre(
                  "constant-divergent", "global-misaligned",
                  "global-uncoalesced", "implicit-double", "invalid-launch",
                  "large-block-barriers", "local-array", "lone-thread-loop",
                  "low-occupancy", "misaligned-address", "obsolete-advice",
                  "partial-warp-block", "register-cliff", "register-spill",
                  "registers-exceed-launch", "runtime-stride",
                  "shared-bank-conflict", "shared-memory-limits", "small-grid",
                  "tail-wave"));
}

TEST(Checks, DocumentThemselves) {
  const std::regex Name("[a-z]+(-[a-z0-9]+)*");
  for (const auto &C : makeChecks()) {
    const CheckInfo &Info = C->info();
    SCOPED_TRACE(Info.Name);
    EXPECT_TRUE(std::regex_match(std::string(Info.Name), Name));
    ASSERT_FALSE(Info.Summary.empty());
    EXPECT_TRUE(std::islower(Info.Summary.front()));
    EXPECT_NE(Info.Summary.back(), '.');
    EXPECT_GT(Info.Why.size(), 100u);
    EXPECT_GT(Info.Limits.size(), 40u);
    // A block shape is known: the examples launch what they define.
    EXPECT_NE(Info.Bad.find("<<<"), std::string_view::npos);
    EXPECT_NE(Info.Good.find("<<<"), std::string_view::npos);
    EXPECT_NE(Info.Bad, Info.Good);
  }
}

TEST(Checks, SayNothingOfAnEmptyKernel) {
  for (const auto &C : makeChecks()) {
    std::vector<Finding> Found;
    FindingSink Sink(C->info(), Found);
    C->checkKernel(makeKernel(), Sink);
    EXPECT_TRUE(Found.empty()) << C->info().Name;
  }
}

TEST(Checks, SayNothingOfUnknownAccesses) {
  KernelModel K = makeKernel();
  for (const MemorySpace Space : {MemorySpace::Global, MemorySpace::Shared}) {
    Access A = makeAccess(K, Space, 3, 4, [](auto L) { return 128 * L; });
    A.Trust = Certainty::Unknown;
    A.Predicted.reset();
    A.Samples.clear();
    K.Accesses.push_back(A);
  }
  for (const auto &C : makeChecks()) {
    std::vector<Finding> Found;
    FindingSink Sink(C->info(), Found);
    C->checkKernel(K, Sink);
    EXPECT_TRUE(Found.empty()) << C->info().Name;
  }
}
