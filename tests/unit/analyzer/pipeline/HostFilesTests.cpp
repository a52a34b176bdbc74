//===- tests/unit/analyzer/pipeline/HostFilesTests.cpp - By their text ----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/HostFiles.h"

#include <gmock/gmock.h>

using testing::UnorderedElementsAre;

namespace cudalint::HostFilesTests {

TEST(HostFiles, functionsByTheNamesOfTheSource) {
  UnitIndex A, B;
  A.Launchers = {"c:@F@run#*f#I#", "c:@N@ns@F@go#", "c:@N@a@N@b@F@deep#I#"};
  B.Launchers = {"c:@F@plain", "c:@FT@>1#Tcopy#*t0.0#v#", "", "c:@S@none"};
  const UnitIndex Files[] = {A, B};
  const std::set<std::string> Names = launchingFunctions(Files);
  for (const char *Name : {"run", "go", "deep", "plain"})
    EXPECT_TRUE(Names.contains(Name)) << Name;
}

TEST(HostFiles, callsInText) {
  const std::set<std::string> Names = {"run", "go"};
  for (const char *Text :
       {"run(1);", "  ns::go (\n1)", "run\n(", "x=run<4>(1)"})
    EXPECT_TRUE(callsOneOf(Text, Names)) << Text;
  for (const char *Text : {"", "run", "rerun(1)", "run_(1)", "run;(", "goo(",
                           "r un(", "(run)", "run)"})
    EXPECT_FALSE(callsOneOf(Text, Names)) << Text;
  EXPECT_FALSE(callsOneOf("run(1)", {}));
}

} // namespace cudalint::HostFilesTests
