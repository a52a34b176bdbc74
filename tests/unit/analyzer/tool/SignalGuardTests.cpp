//===- tests/unit/analyzer/tool/SignalGuardTests.cpp - Ctrl-C -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/SignalGuard.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <optional>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace SignalGuardTests {

using namespace cudalint;

/// What the file holds once it holds something, within 10 s.
static std::string waitFor(const std::string &File) {
  for (int I = 0; I != 1000; ++I) {
    std::ifstream In(File);
    std::string Text{std::istreambuf_iterator<char>(In), {}};
    if (Text.ends_with('\n'))
      return Text;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ADD_FAILURE() << File << " is empty";
  return {};
}

namespace {
class OfProcess : public testing::Test {
protected:
  OfProcess() {
    std::string Name = testing::TempDir() + "signal-guard-XXXXXX";
    if (mkdtemp(Name.data()))
      Root = Name;
  }
  ~OfProcess() override { std::filesystem::remove_all(Root); }

  /// How a process ends that does \p Work and gets \p Signal once it has
  /// written the file `started`: the signal, or minus its exit code.
  int endOf(const std::function<void()> &Work, int Signal) {
    const pid_t Child = fork();
    if (Child == 0) {
      for (int Each : {SIGINT, SIGTERM, SIGHUP})
        if (Each != Ignored)
          signal(Each, SIG_DFL);
      Work();
      _exit(0);
    }
    waitFor(path("started"));
    kill(Child, Signal);
    int Status = 0;
    EXPECT_EQ(waitpid(Child, &Status, 0), Child);
    return WIFSIGNALED(Status) ? WTERMSIG(Status) : -WEXITSTATUS(Status);
  }

  /// Runs a script that says its number and takes \p Seconds.
  ChildResult sleepFor(const TemporaryFolder &Folder, int Seconds) const {
    const std::vector<std::string> Arguments = {
        "-c", "echo $$ >'" + path("number") + "'; mv '" + path("number") +
                  "' '" + path("started") + "'; sleep " +
                  std::to_string(Seconds)};
    return runChild("/bin/sh", Arguments, Folder, Folder.file("output"),
                    std::chrono::seconds(100), 1 << 20);
  }

  std::string path(const std::string &Name) const { return Root + "/" + Name; }

  std::string Root;
  std::optional<int> Ignored;
};
} // namespace

// The terminal cannot reach a compiler in a session of its own.
TEST_F(OfProcess, aSignalEndsChildrenAndFoldersFirst) {
  for (int Signal : {SIGINT, SIGTERM, SIGHUP}) {
    const std::string Told = path("folder");
    const int End = endOf(
        [&] {
          const SignalGuard Guard;
          const TemporaryFolder Outer(&Guard);
          {
            const TemporaryFolder Folder(&Guard);
            std::ofstream(Told) << Folder.path() << '\n';
            sleepFor(Folder, 100);
          }
          std::ofstream(path("left")) << "inner\n";
        },
        Signal);
    EXPECT_EQ(End, Signal);
    const std::string Number = waitFor(path("started"));
    EXPECT_NE(kill(static_cast<pid_t>(std::atol(Number.c_str())), 0), 0);
    const std::string Folder = waitFor(Told);
    EXPECT_FALSE(std::filesystem::exists(Folder.substr(0, Folder.size() - 1)));
    // It is raised when the last folder is gone, not the first.
    EXPECT_EQ(waitFor(path("left")), "inner\n");
    for (const char *Each : {"started", "folder", "left"})
      std::filesystem::remove(path(Each));
  }
}

TEST_F(OfProcess, whatIsIgnoredStaysIgnored) {
  Ignored = SIGHUP;
  EXPECT_EQ(endOf(
                [&] {
                  signal(SIGHUP, SIG_IGN);
                  const SignalGuard Guard;
                  const TemporaryFolder Folder(&Guard);
                  _exit(sleepFor(Folder, 1).End == ChildEnd::Exited ? 0 : 1);
                },
                SIGHUP),
            0);
}

TEST_F(OfProcess, handlersAreThoseOfTheProgramAfterwards) {
  struct sigaction Before = {}, After = {};
  struct sigaction Former = {};
  sigaction(SIGCHLD, nullptr, &Former);
  signal(SIGCHLD, SIG_IGN);
  sigaction(SIGINT, nullptr, &Before);
  {
    const SignalGuard Guard;
    const TemporaryFolder Folder(&Guard);
    struct sigaction Inside = {};
    sigaction(SIGINT, nullptr, &Inside);
    EXPECT_NE(Inside.sa_handler, Before.sa_handler);
    // Who ignores the ends of children could not wait for them.
    EXPECT_EQ(sleepFor(Folder, 0).End, ChildEnd::Exited);
  }
  sigaction(SIGINT, nullptr, &After);
  EXPECT_EQ(After.sa_handler, Before.sa_handler);
  sigaction(SIGCHLD, nullptr, &After);
  EXPECT_EQ(After.sa_handler, SIG_IGN);
  sigaction(SIGCHLD, &Former, nullptr);
}

// The library alone leaves them as they are.
TEST_F(OfProcess, noHandlersWithoutAGuard) {
  struct sigaction Before = {}, Inside = {};
  sigaction(SIGTERM, nullptr, &Before);
  const TemporaryFolder Folder;
  sigaction(SIGTERM, nullptr, &Inside);
  EXPECT_EQ(Inside.sa_handler, Before.sa_handler);
}

} // namespace SignalGuardTests
