//===- tests/unit/runtime/probe/ProfileFileTests.cpp - All or nothing -----===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/ProcessName.h"
#include "runtime/probe/ProfileFile.h"

#include <cerrno>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <string>
#include <unistd.h>

// A file system without links: these stand before those of the C library.
static int LinkError, RenameError;

extern "C" int link(const char *From, const char *To) noexcept {
  if (LinkError) {
    errno = LinkError;
    return -1;
  }
  return ::linkat(AT_FDCWD, From, AT_FDCWD, To, 0);
}

extern "C" int renameat2(int FromFolder, const char *From, int ToFolder,
                         const char *To, unsigned Flags) noexcept {
  if (RenameError) {
    errno = RenameError;
    return -1;
  }
  using Function = int (*)(int, const char *, int, const char *, unsigned);
  static auto Real =
      reinterpret_cast<Function>(::dlsym(RTLD_NEXT, "renameat2"));
  return Real(FromFolder, From, ToFolder, To, Flags);
}

namespace cudalint::probe::ProfileFileTests {
namespace {

class ProfileFileTest : public testing::Test {
protected:
  void SetUp() override {
    std::filesystem::create_directories(Folder);
    std::ofstream(Folder / name(0)) << "somebody's";
  }
  void TearDown() override {
    LinkError = RenameError = 0;
    std::filesystem::remove_all(Folder);
  }

  static std::string name(unsigned N) {
    return "profile-" + hostName() + "-" + std::to_string(::getpid()) + "-" +
           std::to_string(N) + ".json";
  }
  std::string contents(unsigned N) const {
    std::ifstream In(Folder / name(N));
    return {std::istreambuf_iterator<char>(In), {}};
  }
  std::ptrdiff_t files() const {
    auto Entries = std::filesystem::directory_iterator(Folder);
    return std::distance(begin(Entries), end(Entries));
  }
  /// Writes twice beside somebody's file.
  void writesOneFile() {
    ProfileFile File(Folder);
    EXPECT_EQ(File.write("one"), 0);
    EXPECT_EQ(contents(1), "one");
    EXPECT_EQ(File.write("two"), 0);
    EXPECT_EQ(contents(0), "somebody's");
    EXPECT_EQ(contents(1), "two");
    EXPECT_EQ(files(), 2);
  }

  const std::filesystem::path Folder =
      testing::TempDir() + "profile-file-test-" + std::to_string(::getpid());
};

TEST_F(ProfileFileTest, TakesTheFirstFreeNumberAndKeepsIt) { writesOneFile(); }

TEST_F(ProfileFileTest, NeedsNoLinks) {
  for (int Error : {EPERM, ENOTSUP, ENOSYS}) {
    LinkError = Error;
    writesOneFile();
    std::filesystem::remove(Folder / name(1));
  }
}

TEST_F(ProfileFileTest, NeedsNoRenameThatSparesAFile) {
  LinkError = EPERM;
  for (int Error : {EINVAL, ENOSYS}) {
    RenameError = Error;
    writesOneFile();
    std::filesystem::remove(Folder / name(1));
  }
}

TEST_F(ProfileFileTest, OtherErrorsAreTold) {
  LinkError = ENOSPC;
  EXPECT_EQ(ProfileFile(Folder).write("x"), ENOSPC);
  LinkError = EPERM;
  RenameError = EIO;
  EXPECT_EQ(ProfileFile(Folder).write("x"), EIO);
  // Nothing is left over.
  EXPECT_EQ(files(), 1);
}

TEST_F(ProfileFileTest, SaysWhyItCannotBeWritten) {
  EXPECT_EQ(ProfileFile("/nonexistent/folder").write("x"), ENOENT);
}

} // namespace
} // namespace cudalint::probe::ProfileFileTests
