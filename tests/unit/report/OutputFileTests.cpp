//===- tests/unit/report/OutputFileTests.cpp - A whole file or none -------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/OutputFile.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace OutputFileTests {

using namespace cudalint;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::Optional;
using testing::UnorderedElementsAre;
namespace fs = std::filesystem;

namespace {
class OutputFile : public testing::Test {
protected:
  void SetUp() override {
    std::string Name = fs::temp_directory_path() / "cuda-lint-XXXXXX";
    ASSERT_NE(::mkdtemp(Name.data()), nullptr);
    Folder = Name;
  }

  void TearDown() override { fs::remove_all(Folder); }

  std::string at(const std::string &Name) const { return Folder / Name; }

  static void put(const fs::path &File, std::string_view Text) {
    std::ofstream(File, std::ios::binary) << Text;
  }

  static std::string get(const fs::path &File) {
    std::ifstream In(File, std::ios::binary);
    return {std::istreambuf_iterator<char>(In), {}};
  }

  /// The names of all there is, a forgotten temporary file among them.
  std::vector<std::string> names() const {
    std::vector<std::string> Names;
    for (const auto &Entry : fs::directory_iterator(Folder))
      Names.push_back(Entry.path().filename());
    return Names;
  }

  static mode_t mode(const fs::path &File) {
    struct stat Status = {};
    EXPECT_EQ(::stat(File.c_str(), &Status), 0);
    return Status.st_mode & 07777;
  }

  fs::path Folder;
};

/// Makes writes beyond \p Bytes fail, as on a full disk.
class FullDisk {
public:
  explicit FullDisk(rlim_t Bytes) {
    ::getrlimit(RLIMIT_FSIZE, &Old);
    rlimit New = {Bytes, Old.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &New);
    OldHandler = std::signal(SIGXFSZ, SIG_IGN);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &Old);
    std::signal(SIGXFSZ, OldHandler);
  }

private:
  rlimit Old = {};
  void (*OldHandler)(int);
};

/// Acts as a user whom permissions bind, also when the tests run as root.
class OrdinaryUser {
public:
  OrdinaryUser() : Old(::geteuid()) {
    static constexpr uid_t Nobody = 65534;
    if (Old == 0) {
      EXPECT_EQ(::seteuid(Nobody), 0);
    }
  }
  ~OrdinaryUser() { EXPECT_EQ(::seteuid(Old), 0); }

private:
  uid_t Old;
};
} // namespace

TEST_F(OutputFile, MakesANewFile) {
  std::string Text("line\nwith \0 byte\r\n", 18);
  EXPECT_EQ(writeOutputFile(at("a.json"), Text), std::nullopt);
  EXPECT_EQ(get(at("a.json")), Text);
  EXPECT_THAT(names(), ElementsAre("a.json"));
}

TEST_F(OutputFile, MakesAnEmptyFile) {
  EXPECT_EQ(writeOutputFile(at("a.json"), ""), std::nullopt);
  EXPECT_TRUE(fs::exists(at("a.json")));
  EXPECT_EQ(fs::file_size(at("a.json")), 0u);
}

TEST_F(OutputFile, ReplacesAllOfALongerFile) {
  put(at("a.json"), std::string(10000, 'x'));
  EXPECT_EQ(writeOutputFile(at("a.json"), "new"), std::nullopt);
  EXPECT_EQ(get(at("a.json")), "new");
  EXPECT_THAT(names(), ElementsAre("a.json"));
}

TEST_F(OutputFile, WritesBigFiles) {
  std::string Text(20 << 20, 'a');
  for (std::size_t I = 0; I < Text.size(); I += 4099)
    Text[I] = static_cast<char>('a' + I % 26);
  EXPECT_EQ(writeOutputFile(at("big"), Text), std::nullopt);
  EXPECT_TRUE(get(at("big")) == Text);
}

TEST_F(OutputFile, ANameWithoutAFolderIsInTheWorkingFolder) {
  fs::path Old = fs::current_path();
  fs::current_path(Folder);
  EXPECT_EQ(writeOutputFile("plain.json", "x"), std::nullopt);
  fs::current_path(Old);
  EXPECT_EQ(get(at("plain.json")), "x");
}

TEST_F(OutputFile, ANameMayHaveTheGreatestLength) {
  // 255 bytes on every common file system; the temporary may not add to it.
  std::string Name(255, 'n');
  EXPECT_EQ(writeOutputFile(at(Name), "x"), std::nullopt);
  EXPECT_THAT(writeOutputFile(at(Name + "n"), "x"),
              Optional(HasSubstr("choose a shorter name")));
  EXPECT_THAT(names(), ElementsAre(Name));
}

TEST_F(OutputFile, NewFilesHonourTheUmask) {
  mode_t Old = ::umask(027);
  EXPECT_EQ(writeOutputFile(at("a"), ""), std::nullopt);
  ::umask(0);
  EXPECT_EQ(writeOutputFile(at("b"), ""), std::nullopt);
  ::umask(Old);
  EXPECT_EQ(mode(at("a")), 0640u);
  EXPECT_EQ(mode(at("b")), 0666u);
}

TEST_F(OutputFile, AnExistingFileKeepsItsPermissions) {
  put(at("a"), "old");
  ASSERT_EQ(::chmod(at("a").c_str(), 0604), 0);
  EXPECT_EQ(writeOutputFile(at("a"), "new"), std::nullopt);
  EXPECT_EQ(mode(at("a")), 0604u);
}

TEST_F(OutputFile, AFailedWriteKeepsTheOldFileAndLeavesNothing) {
  put(at("a.json"), "old");
  std::optional<std::string> Error;
  {
    FullDisk Full(4096);
    Error = writeOutputFile(at("a.json"), std::string(100000, 'x'));
  }
  EXPECT_THAT(Error, Optional(AllOf(HasSubstr("cannot write '" + at("a.json")),
                                    HasSubstr("file too large"),
                                    HasSubstr("free some space"))));
  EXPECT_EQ(get(at("a.json")), "old");
  EXPECT_THAT(names(), ElementsAre("a.json"));
}

TEST_F(OutputFile, AFailedWriteOfANewFileMakesNone) {
  std::optional<std::string> Error;
  {
    FullDisk Full(10);
    Error = writeOutputFile(at("a.json"), "more than ten bytes");
  }
  EXPECT_TRUE(Error);
  EXPECT_THAT(names(), ElementsAre());
}

TEST_F(OutputFile, AMissingFolderIsNamedAndNotMade) {
  EXPECT_THAT(writeOutputFile(at("no/a.json"), "x"),
              Optional("cannot write '" + at("no/a.json") +
                       "': no such file or directory; make its folder first, "
                       "or name another file"));
  EXPECT_THAT(names(), ElementsAre());
}

TEST_F(OutputFile, AFileIsNoFolder) {
  put(at("file"), "old");
  EXPECT_THAT(writeOutputFile(at("file/a.json"), "x"),
              Optional(HasSubstr("not a directory")));
  EXPECT_EQ(get(at("file")), "old");
}

TEST_F(OutputFile, AFolderIsRefused) {
  EXPECT_THAT(writeOutputFile(Folder, "x"),
              Optional(AllOf(HasSubstr("is a directory"),
                             HasSubstr("name a file in that folder"))));
  EXPECT_TRUE(writeOutputFile(at("new/"), "x"));
  EXPECT_TRUE(writeOutputFile("", "x"));
  EXPECT_THAT(names(), ElementsAre());
}

TEST_F(OutputFile, AnUnwritableFolderIsReported) {
  ASSERT_EQ(::chmod(Folder.c_str(), 0555), 0);
  std::optional<std::string> Error;
  {
    OrdinaryUser User;
    Error = writeOutputFile(at("a.json"), "x");
  }
  EXPECT_THAT(Error, Optional(AllOf(HasSubstr("permission denied"),
                                    HasSubstr("make the file and its folder "
                                              "writable"))));
  ASSERT_EQ(::chmod(Folder.c_str(), 0755), 0);
  EXPECT_THAT(names(), ElementsAre());
}

TEST_F(OutputFile, AWriteProtectedFileStays) {
  // The folder could be written: a rename alone would replace the file.
  put(at("a.json"), "old");
  ASSERT_EQ(::chmod(at("a.json").c_str(), 0444), 0);
  ASSERT_EQ(::chmod(Folder.c_str(), 0777), 0);
  std::optional<std::string> Error;
  {
    OrdinaryUser User;
    Error = writeOutputFile(at("a.json"), "new");
  }
  EXPECT_THAT(Error, Optional(HasSubstr("permission denied")));
  EXPECT_EQ(get(at("a.json")), "old");
  EXPECT_THAT(names(), ElementsAre("a.json"));
}

TEST_F(OutputFile, ASymbolicLinkStaysAndItsTargetIsWritten) {
  fs::create_directory(Folder / "real");
  put(at("real/a"), "old");
  // Relative to the link's own folder, through a second link.
  fs::create_symlink("real/a", Folder / "second");
  fs::create_symlink(Folder / "second", Folder / "link");
  EXPECT_EQ(writeOutputFile(at("link"), "new"), std::nullopt);
  EXPECT_TRUE(fs::is_symlink(Folder / "link"));
  EXPECT_TRUE(fs::is_symlink(Folder / "second"));
  EXPECT_FALSE(fs::is_symlink(Folder / "real/a"));
  EXPECT_EQ(get(at("real/a")), "new");
  EXPECT_THAT(names(), UnorderedElementsAre("real", "second", "link"));
}

TEST_F(OutputFile, ADanglingLinkGetsItsTarget) {
  fs::create_symlink("target", Folder / "link");
  EXPECT_EQ(writeOutputFile(at("link"), "new"), std::nullopt);
  EXPECT_EQ(get(at("target")), "new");
  EXPECT_TRUE(fs::is_symlink(Folder / "link"));
}

TEST_F(OutputFile, ALinkToAFolderIsRefused) {
  fs::create_directory(Folder / "real");
  fs::create_symlink("real", Folder / "link");
  EXPECT_THAT(writeOutputFile(at("link"), "x"),
              Optional(HasSubstr("is a directory")));
}

TEST_F(OutputFile, ACycleOfLinksIsReported) {
  fs::create_symlink("b", Folder / "a");
  fs::create_symlink("a", Folder / "b");
  EXPECT_THAT(writeOutputFile(at("a"), "x"),
              Optional(HasSubstr("symbolic link")));
  EXPECT_THAT(names(), UnorderedElementsAre("a", "b"));
}

TEST_F(OutputFile, ADeviceIsWrittenNotReplaced) {
  // Never as root: a writer that is broken would put files in place of the
  // machine's devices.
  OrdinaryUser User;
  ASSERT_NE(::geteuid(), 0u);
  ASSERT_NE(::faccessat(AT_FDCWD, "/dev", W_OK, AT_EACCESS), 0);
  EXPECT_EQ(writeOutputFile("/dev/null", "x"), std::nullopt);
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
  EXPECT_THAT(writeOutputFile("/dev/full", "x"),
              Optional(HasSubstr("no space left on device")));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(OutputFile, ANamedPipeIsWrittenNotReplaced) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  std::string Read;
  std::thread Reader([&] { Read = get(at("pipe")); });
  EXPECT_EQ(writeOutputFile(at("pipe"), "through"), std::nullopt);
  Reader.join();
  EXPECT_EQ(Read, "through");
  EXPECT_TRUE(fs::is_fifo(at("pipe")));
}

TEST_F(OutputFile, ADashIsStandardOutput) {
  testing::internal::CaptureStdout();
  std::printf("before ");
  EXPECT_EQ(writeOutputFile("-", "text\n"), std::nullopt);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "before text\n");
  EXPECT_FALSE(fs::exists("-"));
}

TEST_F(OutputFile, AClosedReaderOfStandardOutputIsAnErrorNotACrash) {
  int Ends[2];
  ASSERT_EQ(::pipe(Ends), 0);
  ::close(Ends[0]);
  std::fflush(stdout);
  int Old = ::dup(STDOUT_FILENO);
  ::dup2(Ends[1], STDOUT_FILENO);
  auto OldHandler = std::signal(SIGPIPE, SIG_IGN);
  std::optional<std::string> Error = writeOutputFile("-", "text");
  std::signal(SIGPIPE, OldHandler);
  ::dup2(Old, STDOUT_FILENO);
  ::close(Old);
  ::close(Ends[1]);
  EXPECT_THAT(Error, Optional(HasSubstr("standard output: broken pipe")));
}

TEST_F(OutputFile, AnOldTemporaryOfTheSameNameIsNotTouched) {
  // A killed process with our number may have left one.
  std::string Stale = ".cuda-lint-" + std::to_string(::getpid()) + "-0.tmp";
  put(at(Stale), "stale");
  EXPECT_EQ(writeOutputFile(at("a"), "new"), std::nullopt);
  EXPECT_EQ(get(at("a")), "new");
  EXPECT_EQ(get(at(Stale)), "stale");
}

TEST_F(OutputFile, AReaderNeverSeesAPart) {
  std::string First(300000, 'a'), Second(500000, 'b');
  ASSERT_EQ(writeOutputFile(at("f"), First), std::nullopt);
  std::atomic<bool> Done = false;
  std::atomic<unsigned> Broken = 0, Reads = 0;
  std::thread Reader([&] {
    while (!Done) {
      std::string Text = get(at("f"));
      Broken += Text != First && Text != Second;
      ++Reads;
    }
  });
  for (int I = 0; I < 50 || Reads == 0; ++I)
    ASSERT_EQ(writeOutputFile(at("f"), I % 2 ? First : Second), std::nullopt);
  Done = true;
  Reader.join();
  EXPECT_EQ(Broken, 0u);
}

TEST_F(OutputFile, SeveralThreadsMayWriteBesideEachOther) {
  std::vector<std::thread> Threads;
  std::atomic<unsigned> Errors = 0;
  for (int T = 0; T != 4; ++T)
    Threads.emplace_back([&, T] {
      for (int I = 0; I != 50; ++I)
        Errors += writeOutputFile(at(std::to_string(T)), "text").has_value();
    });
  for (std::thread &T : Threads)
    T.join();
  EXPECT_EQ(Errors, 0u);
  EXPECT_THAT(names(), UnorderedElementsAre("0", "1", "2", "3"));
}

TEST_F(OutputFile, MessagesCannotDriveTheTerminal) {
  std::optional<std::string> Error = writeOutputFile(at("no\x1b[2J/a"), "x");
  EXPECT_THAT(Error, Optional(AllOf(HasSubstr("no<U+001B>[2J/a"),
                                    Not(HasSubstr("\x1b")))));
  EXPECT_THAT(writeOutputFile(std::string("a\0b", 3), "x"),
              Optional(HasSubstr("a<U+0000>b")));
}

//===----------------------------------------------------------------------===//
// Several files
//===----------------------------------------------------------------------===//

static std::vector<FileUpdate>
one(const std::string &Path, std::string_view Before, std::string_view After) {
  return {{Path, Before, After}};
}

TEST_F(OutputFile, UpdatesAreMadeOfAll) {
  put(at("a"), "old a");
  put(at("b"), "old b\n");
  ASSERT_EQ(::chmod(at("a").c_str(), 0640), 0);
  fs::create_symlink("b", Folder / "link");
  const FileUpdate Updates[] = {{at("a"), "old a", "new a"},
                                {at("link"), "old b\n", ""}};
  EXPECT_EQ(updateFiles(Updates), std::nullopt);
  EXPECT_EQ(get(at("a")), "new a");
  EXPECT_EQ(get(at("b")), "");
  EXPECT_EQ(mode(at("a")), 0640u);
  EXPECT_TRUE(fs::is_symlink(Folder / "link"));
  EXPECT_THAT(names(), UnorderedElementsAre("a", "b", "link"));
}

TEST_F(OutputFile, WhatHasChangedMeanwhileIsLeftAlone) {
  put(at("a"), "old a");
  for (const char *Now : {"old B", "old b and more", "old", ""}) {
    put(at("b"), Now);
    const FileUpdate Updates[] = {{at("a"), "old a", "new a"},
                                  {at("b"), "old b", "new b"}};
    EXPECT_THAT(updateFiles(Updates),
                Optional("'" + at("b") +
                         "' has changed since it was read; it "
                         "is left alone"));
    EXPECT_EQ(get(at("a")), "old a");
    EXPECT_EQ(get(at("b")), Now);
  }
  EXPECT_THAT(names(), UnorderedElementsAre("a", "b"));
}

TEST_F(OutputFile, OneThatCannotBeWrittenKeepsAll) {
  ASSERT_EQ(::chmod(Folder.c_str(), 0777), 0);
  {
    OrdinaryUser User;
    put(at("a"), "old a");
    put(at("b"), "old b");
    ASSERT_EQ(::chmod(at("b").c_str(), 0444), 0);
  }
  const FileUpdate Updates[] = {{at("a"), "old a", "new a"},
                                {at("b"), "old b", "new b"}};
  std::optional<std::string> Error;
  {
    OrdinaryUser User;
    Error = updateFiles(Updates);
  }
  EXPECT_THAT(Error, Optional(HasSubstr("b'")));
  EXPECT_EQ(get(at("a")), "old a");
  EXPECT_EQ(get(at("b")), "old b");
  {
    FullDisk Full(4096);
    const std::string Long(100000, 'x');
    const FileUpdate Too[] = {{at("a"), "old a", "new a"},
                              {at("b"), "old b", Long}};
    Error = updateFiles(Too);
  }
  EXPECT_THAT(Error, Optional(HasSubstr("free some space")));
  EXPECT_EQ(get(at("a")), "old a");
  EXPECT_EQ(get(at("b")), "old b");
  EXPECT_TRUE(updateFiles(one(at("gone"), "", "x")));
  EXPECT_TRUE(updateFiles(one(Folder, "", "x")));
  EXPECT_THAT(names(), UnorderedElementsAre("a", "b"));
}

/// Of two files, as a signal finds them. What is called is safe in a handler.
struct Seen {
  static inline std::string A, B;
  static inline std::atomic<int> Signals, Torn;

  static char first(const char *Path) {
    char Result = 0;
    const int File = ::open(Path, O_RDONLY);
    if (File < 0 || ::read(File, &Result, 1) != 1)
      Result = '?';
    ::close(File);
    return Result;
  }
  static void look(int) {
    const int Error = errno;
    ++Signals;
    Torn += first(A.c_str()) != first(B.c_str());
    errno = Error;
  }
};

TEST_F(OutputFile, NoSignalComesBetweenTwoFiles) {
  Seen::A = at("a");
  Seen::B = at("b");
  put(Seen::A, "1");
  put(Seen::B, "1");
  struct sigaction Look = {}, Old = {};
  Look.sa_handler = Seen::look;
  Look.sa_flags = SA_RESTART;
  ASSERT_EQ(0, ::sigaction(SIGINT, &Look, &Old));
  std::atomic<bool> Done = false;
  std::thread Sender([&, Writer = ::pthread_self()] {
    while (!Done)
      ::pthread_kill(Writer, SIGINT);
  });
  for (int I = 0; I != 300; ++I) {
    const std::string_view From = I % 2 ? "2" : "1", To = I % 2 ? "1" : "2";
    const FileUpdate Both[] = {{Seen::A, From, To}, {Seen::B, From, To}};
    EXPECT_EQ(std::nullopt, updateFiles(Both));
  }
  Done = true;
  Sender.join();
  ::sigaction(SIGINT, &Old, nullptr);
  EXPECT_LT(0, Seen::Signals);
  EXPECT_EQ(0, Seen::Torn);
}

TEST_F(OutputFile, UpdatesKeepTheOwner) {
  if (::geteuid() != 0)
    GTEST_SKIP() << "only root can make a file of another owner";
  put(at("a"), "old");
  ASSERT_EQ(::chown(at("a").c_str(), 65534, 65534), 0);
  ASSERT_EQ(::chmod(at("a").c_str(), 0750), 0);
  EXPECT_EQ(updateFiles(one(at("a"), "old", "new")), std::nullopt);
  struct stat Status = {};
  ASSERT_EQ(::stat(at("a").c_str(), &Status), 0);
  EXPECT_EQ(Status.st_uid, 65534u);
  EXPECT_EQ(Status.st_gid, 65534u);
  EXPECT_EQ(mode(at("a")), 0750u);
  EXPECT_EQ(get(at("a")), "new");
}

} // namespace OutputFileTests
