//===- tests/unit/runtime/probe/EndOfProcessTests.cpp - Every way to end --===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/EndOfProcess.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <gmock/gmock.h>
#include <stdexcept>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cudalint::probe::EndOfProcessTests {
namespace {

/// What a child said before it ended, and its wait status.
struct Ended {
  std::string Said;
  int Status = 0;
};

int Pipe[2];

void say(EndKind How) noexcept {
  const char *Text = How == EndKind::Exit ? "exit" : "signal";
  ssize_t Ignored = ::write(Pipe[1], Text, How == EndKind::Exit ? 4 : 6);
  (void)Ignored;
}

/// Runs \p Body in a child that acts before its end.
Ended endOf(const std::function<void()> &Body,
            void (*Finish)(EndKind) noexcept = say, unsigned Patience = 10) {
  EXPECT_EQ(::pipe(Pipe), 0);
  pid_t Child = ::fork();
  if (Child == 0) {
    rlimit None = {0, 0};
    ::setrlimit(RLIMIT_CORE, &None);
    ::close(STDERR_FILENO);
    // The sanitizers have taken it.
    std::signal(SIGSEGV, SIG_DFL);
    actBeforeEnd(Finish, Patience);
    Body();
    ::_exit(99);
  }
  ::close(Pipe[1]);
  Ended Out;
  char Part[64];
  while (ssize_t Read = ::read(Pipe[0], Part, sizeof Part)) {
    if (Read < 0 && errno == EINTR)
      continue;
    if (Read < 0)
      break;
    Out.Said.append(Part, static_cast<std::size_t>(Read));
  }
  ::close(Pipe[0]);
  ::waitpid(Child, &Out.Status, 0);
  return Out;
}

TEST(EndOfProcess, ExitKeepsItsStatus) {
  for (int Status : {0, 3, 255}) {
    Ended E = endOf([&] { std::exit(Status); });
    EXPECT_EQ(E.Said, "exit");
    ASSERT_TRUE(WIFEXITED(E.Status));
    EXPECT_EQ(WEXITSTATUS(E.Status), Status);
  }
  EXPECT_EQ(endOf([] { std::quick_exit(5); }).Said, "exit");
}

TEST(EndOfProcess, SignalsEndItAsTheyWould) {
  for (int Signal : {SIGTERM, SIGINT, SIGHUP, SIGPIPE, SIGABRT, SIGSEGV}) {
    Ended E = endOf([&] {
      ::kill(::getpid(), Signal);
      ::pause();
    });
    EXPECT_EQ(E.Said, "signal") << Signal;
    ASSERT_TRUE(WIFSIGNALED(E.Status)) << Signal;
    EXPECT_EQ(WTERMSIG(E.Status), Signal);
  }
}

TEST(EndOfProcess, FaultsAbortsAndExceptions) {
  Ended Fault = endOf([] {
    volatile int *Null = nullptr;
    *Null = 1;
  });
#if !defined(__SANITIZE_ADDRESS__) // which reports it before it happens
  EXPECT_EQ(Fault.Said, "signal");
  ASSERT_TRUE(WIFSIGNALED(Fault.Status));
  EXPECT_EQ(WTERMSIG(Fault.Status), SIGSEGV);
#endif
  Ended Abort = endOf([] { std::abort(); });
  EXPECT_EQ(Abort.Said, "signal");
  ASSERT_TRUE(WIFSIGNALED(Abort.Status));
  EXPECT_EQ(WTERMSIG(Abort.Status), SIGABRT);
  Ended Terminate = endOf([] { std::terminate(); });
  EXPECT_EQ(Terminate.Said, "signal");
  ASSERT_TRUE(WIFSIGNALED(Terminate.Status));
  EXPECT_EQ(WTERMSIG(Terminate.Status), SIGABRT);
}

TEST(EndOfProcess, TheProgramsOwnHandlerIsLeftAlone) {
  Ended E = endOf([] {
    std::signal(SIGTERM, [](int) { ::_exit(42); });
    std::raise(SIGTERM);
  });
  EXPECT_EQ(E.Said, "");
  ASSERT_TRUE(WIFEXITED(E.Status));
  EXPECT_EQ(WEXITSTATUS(E.Status), 42);
}

TEST(EndOfProcess, AChildOfTheProcessEndsAlone) {
  Ended E = endOf([] {
    if (pid_t Child = ::fork(); Child == 0) {
      std::exit(3);
    } else {
      int Status = 0;
      ::waitpid(Child, &Status, 0);
      std::exit(WEXITSTATUS(Status) + 10);
    }
  });
  EXPECT_EQ(E.Said, "exit"); // the parent's, once
  EXPECT_EQ(WEXITSTATUS(E.Status), 13);
}

TEST(EndOfProcess, DoesNotWaitForEver) {
  Ended E = endOf([] { std::exit(4); },
                  [](EndKind) noexcept {
                    for (;;)
                      ::pause();
                  },
                  1);
  ASSERT_TRUE(WIFEXITED(E.Status));
  EXPECT_EQ(WEXITSTATUS(E.Status), 4);
}

} // namespace
} // namespace cudalint::probe::EndOfProcessTests
