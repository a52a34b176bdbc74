//===- tests/unit/analyzer/project/IncludersTests.cpp - Includes ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/project/Includers.h"

#include "TestFolder.h"

namespace cudalint::IncludersTests {

class IncludersOf : public TestFolder {
protected:
  bool includes(const std::string &File,
                const std::vector<std::string> &Folders = {}) {
    Includers All([this](const std::string &Name) {
      return Name == path("inc/wanted.h");
    });
    return All.includesWanted(path(File), Folders);
  }
};

TEST_F(IncludersOf, ByTheirText) {
  write("inc/wanted.h", "");
  write("inc/through.h", "int x;\n  #  include \"wanted.h\"\n");
  write("a.cu", "#include \"inc/wanted.h\"\n");
  write("b.cu", "#include <through.h>\r\n");
  write("c.cu", "// #include \"inc/wanted.h\"\n#define X \"inc/wanted.h\"\n");
  EXPECT_TRUE(includes("a.cu"));
  EXPECT_TRUE(includes("b.cu", {path("inc")}));
  // Nobody knows where that is.
  EXPECT_FALSE(includes("b.cu"));
  EXPECT_FALSE(includes("c.cu"));
  EXPECT_FALSE(includes("nowhere.cu"));
}

TEST_F(IncludersOf, CirclesAndOddLines) {
  write("inc/wanted.h", "");
  write("a.h", "#include \"b.h\"\n");
  write("b.h", "#include \"a.h\"\n#include\n#include \"\n#\n#includex.h\n");
  write("a.cu", "#include \"a.h\"");
  EXPECT_FALSE(includes("a.cu"));
}

} // namespace cudalint::IncludersTests
