//===- tests/unit/analyzer/project/CompileDatabaseTests.cpp - Entries -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/project/CompileDatabase.h"

#include "TestFolder.h"

#include <gmock/gmock.h>

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace cudalint::CompileDatabaseTests {

static CompileCommand only(const std::string &Entry) {
  const DatabaseRead Read = parseCompileDatabase("[" + Entry + "]", "/base");
  EXPECT_THAT(Read.Error, IsEmpty());
  EXPECT_EQ(Read.Commands.size(), 1u);
  return Read.Commands.empty() ? CompileCommand() : Read.Commands.front();
}

TEST(CompileDatabase, AsCMakeWritesIt) {
  const CompileCommand C = only(R"({
    "directory": "/src/build",
    "command": "/usr/local/cuda/bin/nvcc -forward-unknown-to-host-compiler -DA=\\\"x\\\" -I/src/include -O3 -x cu -c /src/a.cu -o CMakeFiles/a.dir/a.cu.o",
    "file": "/src/a.cu",
    "output": "CMakeFiles/a.dir/a.cu.o"})");
  EXPECT_EQ(C.File, "/src/a.cu");
  EXPECT_EQ(C.Folder, "/src/build");
  EXPECT_EQ(C.Compiler, "/usr/local/cuda/bin/nvcc");
  EXPECT_THAT(C.Arguments,
              ElementsAre("-forward-unknown-to-host-compiler", "-DA=\"x\"",
                          "-I/src/include", "-O3", "-x", "cu", "-c", "-o",
                          "CMakeFiles/a.dir/a.cu.o"));
  EXPECT_TRUE(C.isCuda());
}

TEST(CompileDatabase, ArgumentsComeBeforeACommand) {
  const CompileCommand C = only(R"({"directory": "sub", "file": "../k/a.cu",
    "command": "gcc", "arguments": ["clang++", "-I", "a b", "../k/a.cu"]})");
  EXPECT_EQ(C.File, "/base/k/a.cu");
  EXPECT_EQ(C.Folder, "/base/sub");
  EXPECT_EQ(C.Compiler, "clang++");
  EXPECT_THAT(C.Arguments, ElementsAre("-I", "a b"));
}

TEST(CompileDatabase, WithoutAFolderItIsItsOwn) {
  EXPECT_EQ(only(R"({"file": "a.cu", "command": "nvcc a.cu"})").File,
            "/base/a.cu");
}

TEST(CompileDatabase, WhatStandsBeforeTheCompiler) {
  for (const char *Before :
       {"ccache ", "/usr/bin/ccache ", "sccache ", "env CUDA_PATH=/x ",
        "cmake -E env A=b ", "cuda-lint launcher -- ",
        "/opt/bin/cuda-lint launcher -- ccache "}) {
    // What cmake -E runs is its own affair but for its compiler.
    const CompileCommand C =
        only(std::string(R"({"file": "a.cu", "command": ")") + Before +
             R"(nvcc -DX a.cu"})");
    if (std::string_view(Before) == "cmake -E env A=b ")
      continue;
    EXPECT_EQ(C.Compiler, "nvcc") << Before;
    EXPECT_THAT(C.Arguments, ElementsAre("-DX")) << Before;
  }
}

TEST(CompileDatabase, WhichCompileCuda) {
  const auto isCuda = [](const char *File, const char *Arguments) {
    return only(std::string(R"({"file": ")") + File + R"(", "command": "c )" +
                Arguments + " " + File + R"("})")
        .isCuda();
  };
  EXPECT_TRUE(isCuda("a.cu", ""));
  EXPECT_TRUE(isCuda("a.cpp", "-x cu"));
  EXPECT_TRUE(isCuda("a.cpp", "-xcuda"));
  EXPECT_TRUE(isCuda("a.cpp", "--x=cu"));
  EXPECT_FALSE(isCuda("a.cpp", ""));
  EXPECT_FALSE(isCuda("a.cu", "-x c++"));
  EXPECT_FALSE(isCuda("a.cu", "-x hip"));
  EXPECT_FALSE(isCuda("a.cpp", "-x"));
}

TEST(CompileDatabase, NoShellIsAsked) {
  const CompileCommand C = only(
      R"({"file": "a.cu", "command": "nvcc -DA=$(touch /x) `id` ; rm a.cu"})");
  EXPECT_THAT(C.Arguments,
              ElementsAre("-DA=$(touch", "/x)", "`id`", ";", "rm"));
}

TEST(CompileDatabase, ValuesThatAreCalledLikeTheFile) {
  EXPECT_THAT(only(R"({"file": "a.cu",
                       "command": "nvcc -include a.cu a.cu -c"})")
                  .Arguments,
              ElementsAre("-include", "a.cu", "-c"));
  EXPECT_THAT(
      only(R"({"file": "a.cu", "command": "clang++ -c -- a.cu"})").Arguments,
      ElementsAre("-c"));
}

TEST(CompileDatabase, Faults) {
  const auto faultOf = [](const char *Text) {
    const DatabaseRead Read = parseCompileDatabase(Text, "/base");
    EXPECT_THAT(Read.Commands, IsEmpty());
    return Read.Error;
  };
  EXPECT_THAT(faultOf(""), HasSubstr("empty"));
  EXPECT_THAT(faultOf("[{\"file\": \"a.cu\", \"comm"), HasSubstr("JSON"));
  EXPECT_THAT(faultOf("{}"), HasSubstr("array"));
  EXPECT_THAT(faultOf("[1]"), HasSubstr("/0"));
  EXPECT_THAT(faultOf(R"([{"command": "nvcc a.cu"}])"), HasSubstr("file"));
  EXPECT_THAT(faultOf(R"([{"file": "a.cu"}])"), HasSubstr("command"));
  EXPECT_THAT(faultOf(R"([{"file": "a.cu", "command": ""}])"),
              HasSubstr("no compiler"));
  EXPECT_THAT(faultOf(R"([{"file": "", "command": "nvcc"}])"),
              HasSubstr("is empty"));
  EXPECT_THAT(faultOf(R"([{"file": 1, "command": "nvcc"}])"),
              HasSubstr("/0/file"));
  EXPECT_THAT(parseCompileDatabase("[]", "/base").Error, IsEmpty());
}

class DatabaseFiles : public TestFolder {};

TEST_F(DatabaseFiles, TheNearestIsFound) {
  const std::string Outer = write("build/compile_commands.json", "[]");
  std::filesystem::create_directories(path("src/deep"));
  EXPECT_EQ(findCompileDatabase(path("src/deep")), Outer);
  const std::string Inner = write("src/compile_commands.json", "[]");
  EXPECT_EQ(findCompileDatabase(path("src/deep")), Inner);
  EXPECT_EQ(findCompileDatabase(path("build")), Outer);
}

TEST_F(DatabaseFiles, WhyOneCannotBeRead) {
  EXPECT_THAT(readCompileDatabase(path("no.json")).Error,
              AllOf(HasSubstr("no.json"), HasSubstr("No such file")));
  EXPECT_THAT(readCompileDatabase(write("cut.json", "[{")).Error,
              AllOf(HasSubstr("cut.json"), HasSubstr("JSON")));
}

TEST_F(DatabaseFiles, NamesArePlain) {
  write("a/x.cu", "");
  std::filesystem::create_directory_symlink(path("a"), path("link"));
  std::filesystem::create_directories(path("a/deep"));
  std::filesystem::create_directory_symlink(path("a/deep"), path("down"));
  EXPECT_EQ(absoluteName(Root, "./a/../a/x.cu"), path("a/x.cu"));
  EXPECT_EQ(absoluteName(Root, "/a//b/./c"), "/a/b/c");
  // Behind a link, .. is another folder.
  EXPECT_EQ(absoluteName(Root, "down/../x.cu"), path("down/../x.cu"));
}

} // namespace cudalint::CompileDatabaseTests
