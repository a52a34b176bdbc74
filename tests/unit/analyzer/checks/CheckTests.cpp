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
#include <functional>
#include <regex>
#include <set>

namespace CheckTests {

using namespace cudalint;

TEST(Checks, AreSortedAndNamedOnce) {
  std::vector<std::string_view> Names;
  for (const auto &C : makeChecks())
    Names.push_back(C->info().Name);
  EXPECT_THAT(Names, testing::Contains("shared-bank-conflict"));
  EXPECT_TRUE(std::ranges::is_sorted(Names));
  EXPECT_EQ(std::ranges::adjacent_find(Names), Names.end());
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

/// The finding that a check makes in \p Report.
static Finding reported(const std::function<void(FindingSink &)> &Report) {
  static const CheckInfo Info = {.Name = "a-check"};
  std::vector<Finding> Found;
  {
    FindingSink Sink(Info, Found);
    Report(Sink);
  }
  EXPECT_EQ(Found.size(), 1u);
  return Found.at(0);
}

TEST(CheckOption, IsOneOfItsCheck) {
  std::set<std::string_view> Names;
  for (const std::unique_ptr<Check> &C : makeChecks())
    for (const CheckOption &Each : C->info().Options) {
      EXPECT_TRUE(Each.Name.starts_with(std::string(C->info().Name) + "."))
          << Each.Name;
      EXPECT_TRUE(Names.insert(Each.Name).second) << Each.Name;
      EXPECT_LE(Each.Least, Each.Default) << Each.Name;
      EXPECT_GE(Each.Most, Each.Default) << Each.Name;
      EXPECT_FALSE(Each.Meaning.empty() || Each.Meaning.ends_with('.'))
          << Each.Name;
    }
  EXPECT_GT(Names.size(), 15u);
}

TEST(CheckOption, TheUsersValueCounts) {
  static constexpr CheckOption Option = {"a.Most", 3, 1, 9, "x"};
  std::vector<Finding> Found;
  const OptionValues Values = {{"a.Most", 5}};
  const CheckInfo Info;
  EXPECT_EQ(FindingSink(Info, Found).value(Option), 3);
  EXPECT_EQ(FindingSink(Info, Found, &Values).value(Option), 5);
  const OptionValues Others = {{"a.Least", 5}};
  EXPECT_EQ(FindingSink(Info, Found, &Others).value(Option), 3);
}

TEST(FindingSink, ValuesStandByName) {
  const KernelModel K = makeKernel();
  const Finding F = reported([&](FindingSink &Out) {
    Out.report(K, {"said", "{b} {a}", {{"b", 1}, {"a", 2}}}).Remedy = {
        "mend", "{d} {c}", {{"d", 1}, {"c", 2}}};
  });
  EXPECT_EQ(F.What.Values[0].Name, "a");
  EXPECT_EQ(F.Remedy.Values[0].Name, "c");
  EXPECT_EQ(inWords(F.What), "1 2");
}

TEST(FindingSinkDeathTest, APlaceWithoutItsValueIsAFaultOfOurs) {
  const KernelModel K = makeKernel();
  EXPECT_DEBUG_DEATH(reported([&](FindingSink &Out) {
                       Out.report(K, {"said", "{acces} faults", {}});
                     }),
                     "could not read");
}

TEST(FindingSink, SaysWhatAFindingIsAbout) {
  KernelModel K = makeKernel();
  K.Declaration.PlainName = "ns::k";
  const Phrase Said = {"said", "it is slow", {}};
  EXPECT_EQ(reported([&](FindingSink &Out) { Out.report(K, Said); }).About,
            (Subject{SubjectKind::Kernel, "ns::k", ""}));
  const Launch L = makeLaunch({1, 1, 1}, {32, 1, 1});
  EXPECT_EQ(reported([&](FindingSink &Out) { Out.report(K, L, Said); }).About,
            (Subject{SubjectKind::Launch, "ns::k", ""}));
  LocalArray Array;
  Array.Name = "part";
  Array.Where = {"a.cu", 4, 2};
  const Finding OfArray =
      reported([&](FindingSink &Out) { Out.report(K, Array, Said); });
  EXPECT_EQ(OfArray.About, (Subject{SubjectKind::Variable, "ns::k", "part"}));
  EXPECT_EQ(OfArray.Where.Line, 4u);

  Access A =
      makeAccess(K, MemorySpace::Global, 3, 4, [](auto I) { return 4 * I; });
  A.Op = AccessOp::Store;
  A.Source.Text = "in[threadIdx.x * 32]";
  A.Source.Object = "in";
  const auto about = [&] {
    return reported([&](FindingSink &Out) { Out.report(K, A, Said); }).About;
  };
  EXPECT_EQ(about(), (Subject{SubjectKind::Store, "ns::k", "in[threadIdx.x*32]",
                              "in", "in"}));
  // Where the text is cut, other numbers would cut it elsewhere.
  A.Source.Text = "in[threadIdx.x * 32 + ...";
  EXPECT_EQ(about().Name, "in");
}

TEST(FindingSink, WhatIsMeantIsInTheFileOfThePlace) {
  const KernelModel K = makeKernel();
  Access A =
      makeAccess(K, MemorySpace::Global, 3, 4, [](auto I) { return 4 * I; });
  A.Source.Origin.Extent = {{"a.cu", 3, 1}, {"a.cu", 3, 9}};
  const auto meant = [&] {
    return reported([&](FindingSink &Out) {
             Out.report(K, A, {"said", "it is slow", {}});
           })
        .Meant;
  };
  EXPECT_EQ(meant(), A.Source.Origin.Extent);
  A.Source.Origin.Extent = {{"b.h", 3, 1}, {"b.h", 3, 9}};
  EXPECT_EQ(meant(), SourceExtent());
}

} // namespace CheckTests
