//===- tests/unit/report/InputFileTests.cpp - What may be no plain file ---===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/InputFile.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <thread>

namespace InputFileTests {

using namespace cudalint;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using namespace std::chrono_literals;

class InputFile : public testing::Test {
protected:
  void SetUp() override {
    std::string Name = testing::TempDir() + "input-XXXXXX";
    ASSERT_NE(mkdtemp(Name.data()), nullptr);
    Root = Name;
    Pipe = Root / "pipe";
    ASSERT_EQ(mkfifo(Pipe.c_str(), 0600), 0);
  }
  void TearDown() override { std::filesystem::remove_all(Root); }

  /// The reason; what was read is in Text.
  std::string read(const std::string &File, std::uint64_t Most = 1 << 20) {
    Text.clear();
    return readInput(
               File, Most, [&](std::string_view Part) { Text += Part; }, 200ms)
        .value_or("");
  }

  std::filesystem::path Root;
  std::string Pipe, Text;
};

TEST_F(InputFile, OnlyPlainFilesCanBeReadAgain) {
  std::ofstream(Root / "a.cu") << "x";
  EXPECT_FALSE(isReadOnce(Root / "a.cu"));
  EXPECT_FALSE(isReadOnce(Root));
  EXPECT_FALSE(isReadOnce(Root / "none"));
  for (const std::string &File :
       {Pipe, std::string("-"), std::string("/dev/null")})
    EXPECT_TRUE(isReadOnce(File)) << File;
}

TEST_F(InputFile, PlainFilesAreReadWhole) {
  std::ofstream(Root / "a.cu") << std::string(1000, 'x');
  EXPECT_EQ(read(Root / "a.cu", /*Most=*/10), "");
  EXPECT_EQ(Text.size(), 1000u);
  EXPECT_THAT(read(Root / "none"), HasSubstr("No such file"));
  EXPECT_THAT(read(Root), HasSubstr("Is a directory"));
}

TEST_F(InputFile, WholeFilesArePlainOnes) {
  std::ofstream(Root / "a.json") << std::string(1000, 'x');
  std::string Error;
  EXPECT_EQ(readWholeFile(Root / "a.json", 1000, Error).value_or("").size(),
            1000u);
  EXPECT_EQ(Error, "");
  EXPECT_FALSE(readWholeFile(Root / "a.json", 999, Error));
  EXPECT_THAT(Error, HasSubstr("a.json': it has 1000 bytes, the most that is "
                               "read is 999"));
  EXPECT_FALSE(readWholeFile(Root / "none", 999, Error));
  EXPECT_THAT(Error, HasSubstr("none': No such file"));
  // Nobody waits for a writer, or reads what never ends.
  for (const std::string &File :
       {Pipe, std::string("/dev/zero"), Root.string()})
    EXPECT_FALSE(readWholeFile(File, 999, Error)) << File;
  EXPECT_THAT(Error, HasSubstr("it is not a regular file"));
}

TEST_F(InputFile, FoldersStandForTheirFiles) {
  std::string Error;
  EXPECT_THAT(jsonFilesOf(Root, Error), IsEmpty());
  for (const char *Name : {"b.json", "a.json", "c.txt"})
    std::ofstream(Root / Name) << "x";
  EXPECT_THAT(jsonFilesOf(Root, Error),
              ElementsAre(Root / "a.json", Root / "b.json"));
  EXPECT_THAT(jsonFilesOf(Root / "none", Error), ElementsAre(Root / "none"));
  EXPECT_EQ(Error, "");
}

TEST_F(InputFile, PipesAreReadToTheirEnd) {
  std::thread Writer([&] {
    std::ofstream Out(Pipe);
    for (int I = 0; I != 3; ++I) {
      Out << "part" << std::flush;
      // Longer than anybody waits for a writer.
      std::this_thread::sleep_for(300ms);
    }
  });
  EXPECT_EQ(read(Pipe), "");
  Writer.join();
  EXPECT_EQ(Text, "partpartpart");
}

TEST_F(InputFile, WriterMayBeSlowToBegin) {
  std::thread Writer([&] {
    std::ofstream Out(Pipe);
    std::this_thread::sleep_for(600ms);
    Out << "late";
  });
  EXPECT_EQ(read(Pipe), "");
  Writer.join();
  EXPECT_EQ(Text, "late");
}

TEST_F(InputFile, PipeWithoutWriterIsNotWaitedFor) {
  EXPECT_THAT(read(Pipe), HasSubstr("no program writes to (waited 0.2 s)"));
}

TEST_F(InputFile, DevicesThatNeverEndAreCutOff) {
  EXPECT_THAT(read("/dev/zero", 4 << 20), HasSubstr("more than 4 MB"));
  EXPECT_EQ(read("/dev/null"), "");
  EXPECT_EQ(Text, "");
}

} // namespace InputFileTests
