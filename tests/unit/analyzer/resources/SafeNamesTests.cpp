//===- tests/unit/analyzer/resources/SafeNamesTests.cpp - Shell of nvcc ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/resources/SafeNames.h"

#include "analyzer/resources/ChildProcess.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <iterator>
#include <sys/stat.h>

namespace SafeNamesTests {

using namespace cudalint;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

static std::string read(const std::string &Path) {
  std::ifstream File(Path);
  return {std::istreambuf_iterator<char>(File), {}};
}

/// Works in a folder whose name runs a command.
class Names : public testing::Test {
protected:
  void SetUp() override {
    std::string Name = testing::TempDir() + "safe-names-XXXXXX";
    ASSERT_NE(mkdtemp(Name.data()), nullptr);
    Root = Name;
    Former = fs::current_path();
    fs::create_directory(Root / "$(touch pwn)");
    std::ofstream(Root / "$(touch pwn)/a.cu") << "__global__ void k() {}\n";
  }
  void TearDown() override {
    fs::current_path(Former);
    fs::remove_all(Root);
  }

  /// What becomes of one argument or two; each is safe, or there is a fault.
  Strings of(Strings Arguments) {
    Strings Result = Safe.arguments(Arguments);
    for (const std::string &Each : Result)
      EXPECT_TRUE(
          Safe.fault() ||
          std::ranges::all_of(
              Each, [](char C) { return C == ' ' || isSafeForShell({&C, 1}); }))
          << Each;
    return Result;
  }

  fs::path Root, Former;
  TemporaryFolder Folder;
  SafeNames Safe{Folder};
};

TEST_F(Names, FolderIsTheUsersAlone) {
  struct stat Status = {};
  ASSERT_EQ(stat(Folder.path().c_str(), &Status), 0);
  EXPECT_EQ(Status.st_mode & 07777, 0700u);
}

TEST_F(Names, FolderIsElsewhereWhereTheOneOfTheUserIsNotSafe) {
  setenv("TMPDIR", (Root / "$(touch pwn)").c_str(), 1);
  TemporaryFolder Other;
  unsetenv("TMPDIR");
  EXPECT_THAT(Other.path(), StartsWith("/tmp/"));
  EXPECT_TRUE(isSafeForShell(Other.path()));
}

TEST_F(Names, OrdinaryArgumentsStayAsTheyAre) {
  const Strings Ordinary = {"-DA",
                            "-DN=64,M=2",
                            "-I../include",
                            "-isystem",
                            "/opt/x-1.2/include",
                            "-std=c++17",
                            "-Xcompiler",
                            "-Wall -fPIC,-DX=1",
                            "-Xptxas",
                            "-v -O3",
                            "-maxrregcount=64",
                            "-UA",
                            "-include",
                            "a.h"};
  EXPECT_EQ(of(Ordinary), Ordinary);
  EXPECT_THAT(Safe.names(), IsEmpty());
  EXPECT_FALSE(Safe.fault());
}

TEST_F(Names, DefinitionsBecomeFiles) {
  Strings Result = of({"-DA=\"a b\"", "-D", "F(x)=$(touch pwn)x", "-DN=1"});
  ASSERT_THAT(Result, SizeIs(9));
  EXPECT_EQ(Result[0], "-Xcompiler");
  EXPECT_EQ(Result[1], "-include");
  EXPECT_EQ(read(Result[3]), "#define A \"a b\"\n\n");
  EXPECT_EQ(read(Result[7]), "#define F(x) $(touch pwn)x\n\n");
  EXPECT_EQ(Result[8], "-DN=1");
}

TEST_F(Names, DefinitionsOfOneNameKeepTheirOrder) {
  Strings Result = of({"-DA=(1)", "-UA", "-DA=2", "-UB"});
  ASSERT_THAT(Result, SizeIs(13));
  EXPECT_EQ(read(Result[3]), "#define A (1)\n\n");
  EXPECT_EQ(read(Result[7]), "#undef A\n");
  EXPECT_EQ(read(Result[11]), "#define A 2\n\n");
  EXPECT_EQ(Result[12], "-UB");
}

TEST_F(Names, DefinitionsEndAsTheCompilersDo) {
  // gcc: "the definition will be truncated by embedded newline characters".
  Strings Result = of({"-DA=a\n#include \"x\"", "-DB=\\\"b\\\"", "-DC='c\\",
                       "-DD=\"a,b\",E=(1)"});
  ASSERT_THAT(Result, SizeIs(20));
  EXPECT_EQ(read(Result[3]), "#define A a\n\n");
  // The shell of nvcc takes one level of backslashes.
  EXPECT_EQ(read(Result[7]), "#define B \"b\"\n\n");
  EXPECT_EQ(read(Result[11]), "#define C 'c\\\n\n");
  EXPECT_EQ(read(Result[15]), "#define D \"a,b\"\n\n");
  EXPECT_EQ(read(Result[19]), "#define E (1)\n\n");
}

TEST_F(Names, FoldersBecomeLinks) {
  fs::current_path(Root);
  Strings Result = of({"-I$(touch pwn)", "-isystem", "a b,c", "-Xcompiler",
                       "-iquote", "-Xcompiler", "`x`, y"});
  ASSERT_THAT(Result, SizeIs(10));
  EXPECT_EQ(Result[4], "-I");
  EXPECT_EQ(fs::read_symlink(Result[5]), Root / "$(touch pwn)");
  EXPECT_EQ(Result[6], "-isystem");
  EXPECT_EQ(fs::read_symlink(Result[7]), Root / "a b");
  EXPECT_EQ(Result[9], "c");
  EXPECT_EQ(fs::read_symlink(Result[3]), Root / "`x`, y");
  EXPECT_EQ(realName(Safe.names(), Result[5] + "/x/h.h"), "$(touch pwn)/x/h.h");
}

TEST_F(Names, FilesToIncludeAreIncluded) {
  fs::current_path(Root);
  std::string Result = of({"-include", "$(touch pwn)/a.cu"}).at(1);
  EXPECT_EQ(read(Result),
            "#include \"" + (Root / "$(touch pwn)/a.cu").string() + "\"\n");
  // Elsewhere than here: where "" includes are looked for.
  EXPECT_EQ(read(of({"-include", "no where.h"}).at(1)),
            "#include \"no where.h\"\n");
  EXPECT_EQ(realName(Safe.names(), Result), "");
  of({"-include", "a\"b.h"});
  EXPECT_THAT(Safe.fault().value_or(""), HasSubstr("cannot stand in"));
}

TEST_F(Names, WhatTheHostCompilerGetsIsTakenApart) {
  Strings Result =
      of({"-Xcompiler", "-DA=(1) -Wl\\,-rpath\\,$ORIGIN", "-Xcompiler",
          "\"-fPIC\",-O2", "-Xcompiler=-I`x`", "-Xptxas", "\"-v\""});
  EXPECT_FALSE(Safe.fault()) << *Safe.fault();
  std::string Words;
  for (const std::string &Each : Result)
    Words += Each + " ";
  EXPECT_THAT(Words, AllOf(HasSubstr("-Xcompiler -fPIC -Xcompiler -O2 "),
                           HasSubstr("-Xcompiler -I -Xcompiler /"),
                           HasSubstr("-Xptxas -v "), Not(HasSubstr("ORIGIN"))));
}

TEST_F(Names, WhatHasNoOtherNameIsRefused) {
  for (const Strings &Each :
       std::vector<Strings>{{"-Xptxas=$(touch pwn)"},
                            {"-Xcompiler", "$(touch pwn)"},
                            {"-Xcompiler", "`touch pwn`"},
                            {"-Xcudafe", "--x;touch pwn"},
                            {"-std=c++17;touch pwn"},
                            {"-maxrregcount=`touch pwn`"},
                            {"-later=$(touch pwn)"},
                            {"-U$(touch pwn)"},
                            {"@file"},
                            {"--options-file", "file"},
                            {"-optf=file"},
                            {"a\nb"}}) {
    SafeNames One(Folder);
    One.arguments(Each);
    EXPECT_TRUE(One.fault()) << Each.front();
  }
  of({"-Xptxas=$(touch pwn)"});
  EXPECT_THAT(*Safe.fault(), StartsWith("'-Xptxas=$(touch pwn)' holds '$', "));
}

TEST_F(Names, SourceOfAnUnsafeNameIsACopy) {
  fs::current_path(Root);
  Strings Before;
  std::string Name = Safe.source("$(touch pwn)/a.cu", nullptr, Before);
  EXPECT_TRUE(isSafeForShell(Name));
  // nvcc prints where a link leads.
  EXPECT_FALSE(fs::is_symlink(Name));
  EXPECT_EQ(fs::canonical(Name), Name);
  EXPECT_EQ(read(Name), "__global__ void k() {}\n");
  EXPECT_EQ(realName(Safe.names(), Name), "$(touch pwn)/a.cu");
  ASSERT_THAT(Before, SizeIs(4));
  EXPECT_EQ(Before[1], "-iquote");
  EXPECT_EQ(fs::read_symlink(Before[3]), Root / "$(touch pwn)");
  EXPECT_EQ(withRealNames(Safe.names(), "in " + Before[3] + "/h.h: no"),
            "in $(touch pwn)/h.h: no");
}

TEST_F(Names, SourceIsACopyWhereItsPlaceIsNotSafe) {
  // nvcc makes its name absolute.
  fs::current_path(Root / "$(touch pwn)");
  Strings Before;
  EXPECT_NE(Safe.source("a.cu", nullptr, Before), "a.cu");
  EXPECT_THAT(Before, ElementsAre("-Xcompiler", "-iquote", "-Xcompiler", "."));
  // And resolves links.
  fs::create_symlink(Root / "$(touch pwn)/a.cu", Root / "b.cu");
  EXPECT_NE(SafeNames(Folder).source(Root / "b.cu", nullptr, Before),
            Root / "b.cu");
  std::ofstream(Root / "c.cu") << "\n";
  EXPECT_EQ(Safe.source(Root / "c.cu", nullptr, Before), Root / "c.cu");
}

TEST_F(Names, SourceMayBeInMemory) {
  Strings Before;
  const std::string Text = "int i;\n";
  std::string Name = Safe.source("/dev/stdin", &Text, Before);
  EXPECT_EQ(read(Name), Text);
  EXPECT_EQ(realName(Safe.names(), Name), "/dev/stdin");
}

TEST_F(Names, ToolkitIsALink) {
  EXPECT_EQ(Safe.program("/usr/local/cuda/bin/nvcc"),
            "/usr/local/cuda/bin/nvcc");
  std::string Program = Safe.program((Root / "$(touch pwn)/bin/nvcc").string());
  EXPECT_TRUE(isSafeForShell(Program));
  EXPECT_THAT(Program, testing::EndsWith("/bin/nvcc"));
  EXPECT_EQ(fs::read_symlink(fs::path(Program).parent_path().parent_path()),
            Root / "$(touch pwn)");
}

} // namespace SafeNamesTests
