//===- tests/unit/report/PhraseTests.cpp - Clauses and their values -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/Finding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace PhraseTests {

using namespace cudalint;

TEST(Phrase, ValuesStandInItsWords) {
  EXPECT_EQ(inWords({"said",
                     "'{array}' takes {wavefronts} of {ideal}",
                     {{"array", "tile"}, {"wavefronts", 10.66}, {"ideal", 4}}}),
            "'tile' takes 10.7 of 4");
}

TEST(Phrase, NounsAgreeWithTheirNumber) {
  const Phrase One{"said", "{n lane}, {m launch}", {{"n", 1}, {"m", 2}}};
  EXPECT_EQ(inWords(One), "1 lane, 2 launches");
}

TEST(Phrase, BracesThatNameNoValueAreText) {
  EXPECT_EQ(inWords({"said", "a{0} {b} {", {{"a", 1}}}), "a{0} {b} {");
  // What the user wrote is not looked into.
  EXPECT_EQ(inWords({"said", "{text}{n}", {{"text", "{n}{text}"}, {"n", 7}}}),
            "{n}{text}7");
}

TEST(Phrase, AppendingKeepsBothValuesOfOneName) {
  Phrase Said{"first", "{n lane}", {{"n", 1}, {"m", 5}}};
  Said.append(" and ", {"second", "{n lane} of {m}", {{"n", 2}, {"m", 5}}});
  EXPECT_EQ(Said.Id, "first");
  EXPECT_EQ(inWords(Said), "1 lane and 2 lanes of 5");
  ASSERT_TRUE(Said.find("n_2"));
  EXPECT_EQ(std::get<double>(Said.find("n_2")->What), 2);
  EXPECT_EQ(Said.Values.size(), 3u); // `m` is the same in both.
}

TEST(Phrase, NothingAppendedIsNothing) {
  Phrase Said{"first", "words", {}};
  EXPECT_EQ(inWords(Said.append("; ", {})), "words");
  Phrase None;
  EXPECT_EQ(None.append("; ", Said), Said);
}

TEST(Phrase, WhatIsWrongWithItIsNamed) {
  EXPECT_EQ(faultOf({}), "");
  EXPECT_EQ(faultOf({"strided-lanes",
                     "{n lane} of '{name}' {x + 1} {Y} {} {n",
                     {{"n", 1}, {"name", "{typo}"}, {"unused", 2}}}),
            "");
  EXPECT_EQ(faultOf({"said", "{acces} takes {n}", {{"access", "load"}}}),
            "no value is named 'n'");
  EXPECT_EQ(faultOf({"said", "{acces byte}", {{"access", 1}}}),
            "no value is named 'acces'");
  EXPECT_EQ(faultOf({"said", "", {{"n", 1}, {"n", 2}}}),
            "two values are named 'n'");
  EXPECT_EQ(faultOf({"said", "", {{"perRequest", 1}}}),
            "the name 'perRequest' is not in snake case");
  EXPECT_EQ(faultOf({"TooSlow", "it is slow", {}}),
            "the identity 'TooSlow' is not in kebab case");
  EXPECT_EQ(faultOf({"", "it is slow", {}}), "'it is slow' has no identity");
}

TEST(PhraseDeathTest, ANumberThatIsNoneIsNoValue) {
  EXPECT_DEBUG_DEATH(NamedValue("n", std::nan("")), "no number to tell");
  EXPECT_DEBUG_DEATH(NamedValue("n", HUGE_VAL), "no number to tell");
}

TEST(Message, SaysWhatThenWhyThenWhatHelps) {
  Finding F;
  F.What = {"what", "it is slow", {}};
  EXPECT_EQ(messageOf(F), "it is slow");
  F.Remedy = {"remedy", "mend it", {}};
  EXPECT_EQ(messageOf(F), "it is slow; mend it");
  F.Cause = {"cause", "lanes queue", {}};
  EXPECT_EQ(messageOf(F), "it is slow: lanes queue; mend it");
  F.Others = 2;
  EXPECT_EQ(messageOf(F), "it is slow: lanes queue; mend it; so do 2 other "
                          "accesses of this kernel");
}

TEST(Message, WhatIsWrongHasOneColon) {
  Finding F;
  F.What = {"what", "{name} is slow: 12 %", {{"name", "a"}}};
  F.Cause = {"cause", "few warps", {}};
  EXPECT_EQ(messageOf(F), "a is slow: 12 %; few warps");
  // That of a name is none of the sentence.
  F.What = {"what", "{name} is slow", {{"name", "a ? b: c"}}};
  EXPECT_EQ(messageOf(F), "a ? b: c is slow: few warps");
}

} // namespace PhraseTests
