//===- tests/unit/analyzer/resources/ResourceCacheTests.cpp - Kept output -===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FakeToolkit.h"

#include "analyzer/resources/ResourceCache.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <thread>

namespace ResourceCacheTests {

using namespace cudalint;
using testing::IsEmpty;
using testing::SizeIs;

namespace fs = std::filesystem;

class Cache : public FakeToolkit {
protected:
  void SetUp() override {
    FakeToolkit::SetUp();
    setGoodNvcc();
  }

  std::vector<fs::path> entries() const {
    std::vector<fs::path> Result;
    if (fs::exists(Root / "cache"))
      for (const auto &Each : fs::directory_iterator(Root / "cache"))
        if (Each.path().extension() == ".json")
          Result.push_back(Each.path());
    return Result;
  }

  /// Compiles once, so that there is an entry.
  void fill() {
    ASSERT_THAT(compile().Kernels, SizeIs(1));
    ASSERT_THAT(entries(), SizeIs(1));
    ASSERT_EQ(runs(), 1u);
  }

  /// The figures are there, and the compiler was run so often in all.
  void expectRuns(std::size_t Times) {
    FileResources Result = compile();
    ASSERT_THAT(Result.Kernels, SizeIs(1));
    EXPECT_EQ(Result.Kernels[0].Record.Registers, 40u);
    EXPECT_EQ(runs(), Times);
  }
};

TEST_F(Cache, theSecondTimeNothingIsRun) {
  fill();
  FileResources Result = compile();
  EXPECT_TRUE(Result.Cached);
  EXPECT_EQ(Result.Kernels[0].Record.SpillStores, 4u);
  EXPECT_EQ(runs(), 1u);
  EXPECT_TRUE(nothingIsLeft());
}

TEST_F(Cache, aChangedSourceOrHeaderCounts) {
  fill();
  write("a.h", "#define X\n");
  expectRuns(2);
  expectRuns(2);
  write("a.cu", "#include \"a.h\"\n\n");
  expectRuns(3);
  // Back to what it was: the first entry is true again, but for the header.
  write("a.h", "");
  write("a.cu", "#include \"a.h\"\n");
  expectRuns(4);
}

TEST_F(Cache, aHeaderThatIsGoneCounts) {
  fill();
  fs::remove(Root / "a.h");
  compile();
  EXPECT_EQ(runs(), 2u);
}

TEST_F(Cache, otherTimesOfTheSameContentsDoNotCount) {
  fill();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  write("a.h", "");
  expectRuns(1);
}

TEST_F(Cache, argumentsTargetsCompilerAndEnvironmentCount) {
  fill();
  Arguments = {"-DX"};
  expectRuns(2);
  Arguments = {"-D", "X"};
  expectRuns(3);
  EXPECT_THAT(compile({{8, 0}}).Kernels, SizeIs(1));
  EXPECT_EQ(runs(), 4u);
  setenv("NVCC_APPEND_FLAGS", "-maxrregcount=16", 1);
  expectRuns(5);
  unsetenv("NVCC_APPEND_FLAGS");
  setGoodNvcc("# another version\n");
  expectRuns(6);
}

TEST_F(Cache, whatFailedIsTriedAgain) {
  setNvcc("exit 1\n");
  compile();
  compile();
  EXPECT_EQ(runs(), 2u);
  EXPECT_THAT(entries(), IsEmpty());
}

TEST_F(Cache, aFileThatChangesMeanwhileIsNotTrusted) {
  setGoodNvcc("sleep 0.05; echo >>\"$root/a.h\"\n");
  compile();
  EXPECT_THAT(entries(), IsEmpty());
}

TEST_F(Cache, canBeTurnedOff) {
  Options.UseCache = false;
  compile();
  compile();
  EXPECT_EQ(runs(), 2u);
  EXPECT_FALSE(fs::exists(Root / "cache"));
}

TEST_F(Cache, aFolderThatCannotBeWrittenIsNoFault) {
  write("file", "");
  Options.CacheDir = path("file/cache");
  expectRuns(1);
  expectRuns(2);
}

TEST_F(Cache, brokenEntriesAreReplaced) {
  fill();
  std::string Good = read("cache/" + entries()[0].filename().string());
  std::size_t Runs = 1;
  for (const std::string &Bad :
       {std::string(), std::string("{"), std::string("[]"),
        std::string("{\"version\":3}"), Good.substr(0, Good.size() / 2),
        std::string(Good).replace(Good.find("\"version\":3"), 11,
                                  "\"version\":9"),
        std::string(100000, '[')}) {
    std::ofstream(entries()[0]) << Bad;
    expectRuns(++Runs);
    expectRuns(Runs);
  }
}

// Whoever can write entries must not be able to stop us with them.
TEST_F(Cache, hostileEntriesDoNotHang) {
  fill();
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::string Good = read("cache/" + entries()[0].filename().string());
  std::size_t At = Good.find(path("a.h"));
  ASSERT_NE(At, std::string::npos);
  for (const char *File : {"/dev/zero", "pipe", "/dev/stdin"}) {
    std::string Name = *File == '/' ? File : path(File);
    std::ofstream(entries()[0])
        << std::string(Good).replace(At, path("a.h").size(), Name);
    compile();
  }
  EXPECT_EQ(runs(), 4u);
  fs::path Entry = entries()[0];
  fs::remove(Entry);
  ASSERT_EQ(mkfifo(Entry.c_str(), 0600), 0);
  EXPECT_THAT(compile().Kernels, SizeIs(1));
}

TEST(CacheFolder, followsTheSpecification) {
  setenv("XDG_CACHE_HOME", "/x/y", 1);
  EXPECT_EQ(ResourceCache::defaultFolder(), "/x/y/cuda-lint");
  setenv("XDG_CACHE_HOME", "relative", 1);
  std::string Before = getenv("HOME") ? getenv("HOME") : "";
  setenv("HOME", "/h", 1);
  EXPECT_EQ(ResourceCache::defaultFolder(), "/h/.cache/cuda-lint");
  setenv("HOME", Before.c_str(), 1);
  unsetenv("XDG_CACHE_HOME");
}

} // namespace ResourceCacheTests
