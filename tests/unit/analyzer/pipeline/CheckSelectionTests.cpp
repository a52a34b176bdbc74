//===- tests/unit/analyzer/pipeline/CheckSelectionTests.cpp - --checks ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/CheckSelection.h"

#include <gmock/gmock.h>

namespace CheckSelectionTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {
class NamedCheck : public Check {
public:
  explicit NamedCheck(CheckInfo Info) : Info(Info) {}
  const CheckInfo &info() const override { return Info; }

private:
  CheckInfo Info;
};

class CheckSelection : public testing::Test {
protected:
  CheckSelection() {
    add("global-misaligned", Maturity::Stable);
    add("global-uncoalesced", Maturity::Stable);
    add("shared-bank-conflict", Maturity::Stable);
    add("shared-new-idea", Maturity::Experimental);
  }

  std::vector<std::string> on(std::string_view Globs) {
    std::string Error;
    auto Selected = selectChecks(All, Globs, Error);
    EXPECT_TRUE(Selected.has_value()) << Error;
    std::vector<std::string> Names;
    for (const Check *Each : Selected.value_or(std::vector<const Check *>()))
      Names.emplace_back(Each->info().Name);
    return Names;
  }

  std::string error(std::string_view Globs) {
    std::string Error;
    EXPECT_FALSE(selectChecks(All, Globs, Error).has_value()) << Globs;
    return Error;
  }

  std::vector<std::unique_ptr<Check>> All;

private:
  void add(std::string_view Name, Maturity Level) {
    All.push_back(
        std::make_unique<NamedCheck>(CheckInfo{.Name = Name, .Level = Level}));
  }
};
} // namespace

TEST_F(CheckSelection, stableChecksAreOn) {
  EXPECT_THAT(on(""), ElementsAre("global-misaligned", "global-uncoalesced",
                                  "shared-bank-conflict"));
}

TEST_F(CheckSelection, theListIsAppendedToTheDefault) {
  EXPECT_THAT(on("-global-*"), ElementsAre("shared-bank-conflict"));
  EXPECT_THAT(on("shared-new-idea"),
              ElementsAre("global-misaligned", "global-uncoalesced",
                          "shared-bank-conflict", "shared-new-idea"));
}

TEST_F(CheckSelection, theLastMatchDecides) {
  EXPECT_THAT(on("-*,shared-*"),
              ElementsAre("shared-bank-conflict", "shared-new-idea"));
  EXPECT_THAT(on("shared-*,-*"), IsEmpty());
  EXPECT_THAT(on("-*, global-* , -global-mis*,"),
              ElementsAre("global-uncoalesced"));
}

TEST_F(CheckSelection, aGlobThatMatchesNothingIsAMistake) {
  std::string Message = error("shared-bank-conflicts");
  EXPECT_THAT(Message, HasSubstr("no check matches 'shared-bank-conflicts'"));
  EXPECT_THAT(Message, HasSubstr("did you mean shared-bank-conflict?"));
  EXPECT_THAT(Message, HasSubstr("cuda-lint list-checks"));
  EXPECT_THAT(error("-qwertyuiop"), testing::Not(HasSubstr("did you mean")));
  EXPECT_THAT(error("shared-["), HasSubstr("malformed glob 'shared-['"));
}

} // namespace CheckSelectionTests
