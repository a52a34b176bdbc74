//===- tests/unit/analyzer/tool/ExitCodeTests.cpp - 0, 1, 2 or 3 ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/ExitCodes.h"

#include <gtest/gtest.h>

namespace ExitCodeTests {

using namespace cudalint;

static UnitRecord unit(UnitStatus Status,
                       std::initializer_list<Severity> Findings = {}) {
  UnitRecord Unit;
  Unit.Status = Status;
  for (Severity Level : Findings)
    Unit.Findings.push_back({.Level = Level});
  return Unit;
}

static int code(std::vector<UnitRecord> Units,
                std::optional<Severity> FailOn = Severity::Error) {
  Document Doc;
  Doc.Units = std::move(Units);
  return exitCodeOf({&Doc, 1}, FailOn);
}

TEST(ExitCode, findingsCountFromTheThresholdOn) {
  UnitRecord Warned = unit(UnitStatus::Ok, {Severity::Warning});
  EXPECT_EQ(code({unit(UnitStatus::Ok)}), 0);
  EXPECT_EQ(code({Warned}), 0);
  EXPECT_EQ(code({Warned}, Severity::Warning), 1);
  EXPECT_EQ(code({Warned}, Severity::Note), 1);
  EXPECT_EQ(code({unit(UnitStatus::Ok, {Severity::Error})}), 1);
  EXPECT_EQ(code({unit(UnitStatus::Ok, {Severity::Error})}, std::nullopt), 0);
  EXPECT_EQ(code({unit(UnitStatus::Ok, {Severity::Note})}, Severity::Note), 1);
}

TEST(ExitCode, nothingAnalysedIsTwo) {
  EXPECT_EQ(code({unit(UnitStatus::Failed)}), 2);
  EXPECT_EQ(code({unit(UnitStatus::Failed), unit(UnitStatus::Failed)}), 2);
}

TEST(ExitCode, aFileThatCouldNotBeAnalysedWinsOverFindings) {
  EXPECT_EQ(code({unit(UnitStatus::Failed), unit(UnitStatus::Ok)}), 3);
  EXPECT_EQ(code({unit(UnitStatus::Partial)}), 3);
  EXPECT_EQ(code({unit(UnitStatus::Partial, {Severity::Error})}), 3);
  EXPECT_EQ(code({unit(UnitStatus::Partial)}, std::nullopt), 3);
}

// Beside a compiler, what is found in a part fails the build, and a part
// without findings is no whole that has none.
TEST(ExitCode, BesideCompiler) {
  auto Code = [](std::vector<UnitRecord> Units,
                 std::optional<Severity> FailOn = Severity::Error) {
    const Document Doc = {.Units = std::move(Units)};
    return exitCodeBesideCompiler({&Doc, 1}, FailOn);
  };
  EXPECT_EQ(Code({unit(UnitStatus::Ok)}), NothingFound);
  EXPECT_EQ(Code({unit(UnitStatus::Ok, {Severity::Error})}), SomethingFound);
  EXPECT_EQ(Code({unit(UnitStatus::Partial, {Severity::Error})}),
            SomethingFound);
  EXPECT_EQ(Code({unit(UnitStatus::Partial)}), NothingAnalysed);
  EXPECT_EQ(Code({unit(UnitStatus::Partial)}, std::nullopt), NothingFound);
  EXPECT_EQ(Code({unit(UnitStatus::Ok, {Severity::Warning})}), NothingFound);
}

TEST(ExitCode, everyTargetCounts) {
  std::vector<Document> Documents(2);
  Documents[0].Units = {unit(UnitStatus::Ok)};
  Documents[1].Units = {unit(UnitStatus::Ok, {Severity::Error})};
  EXPECT_EQ(exitCodeOf(Documents, Severity::Error), 1);
}

} // namespace ExitCodeTests
