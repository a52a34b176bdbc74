//===- runtime/measure/Program.cpp - Runs the user's program --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/measure/Program.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace cudalint {

using Clock = std::chrono::steady_clock;

/// What a program gets to save its results in after SIGTERM.
static constexpr std::chrono::seconds Grace(5);

namespace {
/// Holds back the signals that the wait handles itself. SIGTTOU among them:
/// who gives the terminal away is in the background when he takes it back.
class BlockedSignals {
public:
  BlockedSignals() {
    sigemptyset(&Handled);
    for (int Signal : {SIGCHLD, SIGINT, SIGTERM, SIGHUP, SIGQUIT})
      sigaddset(&Handled, Signal);
    sigset_t Blocked = Handled;
    sigaddset(&Blocked, SIGTTOU);
    ::sigprocmask(SIG_BLOCK, &Blocked, &Before);
    // Whoever ignores SIGCHLD, as a parent may have it done, gets none.
    struct sigaction Default = {};
    Default.sa_handler = SIG_DFL;
    ::sigaction(SIGCHLD, &Default, &ChildBefore);
  }
  BlockedSignals(const BlockedSignals &) = delete;
  BlockedSignals &operator=(const BlockedSignals &) = delete;
  ~BlockedSignals() { restore(); }

  /// Async-signal-safe, for the child.
  void restore() const {
    ::sigaction(SIGCHLD, &ChildBefore, nullptr);
    ::sigprocmask(SIG_SETMASK, &Before, nullptr);
  }

  /// The next signal; 0 after \p Timeout.
  int next(std::optional<Clock::duration> Timeout) const {
    if (!Timeout)
      return std::max(0, ::sigwaitinfo(&Handled, nullptr));
    auto Rest = std::chrono::duration_cast<std::chrono::nanoseconds>(
                    std::max(*Timeout, Clock::duration::zero()))
                    .count();
    timespec Time = {static_cast<time_t>(Rest / 1000000000),
                     static_cast<long>(Rest % 1000000000)};
    return std::max(0, ::sigtimedwait(&Handled, nullptr, &Time));
  }

private:
  sigset_t Handled;
  sigset_t Before;
  struct sigaction ChildBefore = {};
};

/// The terminal, if we have one and are in its foreground.
class Foreground {
public:
  Foreground() : IsOurs(::tcgetpgrp(STDIN_FILENO) == ::getpgrp()) {}
  /// Async-signal-safe.
  void giveTo(pid_t Group) const {
    if (IsOurs)
      ::tcsetpgrp(STDIN_FILENO, Group);
  }
  void takeBack() const { giveTo(::getpgrp()); }
  bool isOurs() const { return IsOurs; }

private:
  bool IsOurs;
};

struct Pipe {
  int Ends[2] = {-1, -1};
  ~Pipe() {
    for (int I = 0; I != 2; ++I)
      close(I);
  }
  void close(int I) {
    if (Ends[I] >= 0)
      ::close(Ends[I]);
    Ends[I] = -1;
  }
};
} // namespace

namespace {
/// The files in the place of the streams of a program, open.
class Streams {
public:
  explicit Streams(const ProgramRun &Run) {
    open(STDIN_FILENO, Run.Input, O_RDONLY);
    open(STDOUT_FILENO, Run.Output, O_WRONLY | O_CREAT | O_TRUNC);
    if (!Run.Errors.empty() && Run.Errors == Run.Output)
      Files[STDERR_FILENO] = Files[STDOUT_FILENO];
    else
      open(STDERR_FILENO, Run.Errors, O_WRONLY | O_CREAT | O_TRUNC);
  }
  Streams(const Streams &) = delete;
  Streams &operator=(const Streams &) = delete;
  ~Streams() {
    if (Files[STDERR_FILENO] == Files[STDOUT_FILENO])
      Files[STDERR_FILENO] = -1;
    for (int File : Files)
      if (File >= 0)
        ::close(File);
  }

  const std::string &error() const { return Error; }

  /// Async-signal-safe, for the child.
  bool install() const {
    for (int Stream = 0; Stream != 3; ++Stream)
      if (Files[Stream] >= 0 && ::dup2(Files[Stream], Stream) < 0)
        return false;
    return true;
  }

private:
  void open(int Stream, const std::string &Path, int Flags) {
    if (Path.empty() || !Error.empty())
      return;
    Files[Stream] = ::open(Path.c_str(), Flags | O_CLOEXEC, 0600);
    if (Files[Stream] < 0)
      Error = fmt::format("cannot open '{}': {}", Path, std::strerror(errno));
  }

  int Files[3] = {-1, -1, -1};
  std::string Error;
};
} // namespace

static std::vector<char *> pointers(std::vector<std::string> &Texts) {
  std::vector<char *> Out;
  for (std::string &Text : Texts)
    Out.push_back(Text.data());
  Out.push_back(nullptr);
  return Out;
}

static std::vector<std::string> environment(const ProgramRun &Run) {
  std::vector<std::string> Out;
  // What is left of another run says nothing of this one.
  auto isReplaced = [&](std::string_view Entry) {
    return Entry.starts_with("CUDA_LINT_PROBE_") ||
           std::ranges::any_of(Run.Environment, [&](const auto &Each) {
             return Entry.starts_with(Each.first + "=");
           });
  };
  for (char **Each = environ; *Each; ++Each)
    if (!isReplaced(*Each))
      Out.emplace_back(*Each);
  for (const auto &[Name, Value] : Run.Environment)
    Out.push_back(Name + "=" + Value);
  return Out;
}

static std::string whyNotStarted(const std::string &Program, int Error) {
  std::string Out =
      fmt::format("cannot run '{}': {}", Program, std::strerror(Error));
  if (Error == ENOENT)
    Out += Program.find('/') == std::string::npos
               ? fmt::format("; it is not on PATH, try ./{}", Program)
               : "; build it first, or mend its path";
  else if (Error == EACCES)
    Out += "; make it executable (chmod +x)";
  else if (Error == ENOEXEC)
    Out += "; it is no program for this machine, or a script without #!";
  return Out;
}

/// The file that \p Program names, as execvp() would find it. That function
/// itself hands a file that is no program to a shell.
static std::string findProgram(const std::string &Program) {
  if (Program.find('/') != std::string::npos)
    return Program;
  const char *Path = std::getenv("PATH");
  std::string_view Rest = Path ? Path : "/bin:/usr/bin";
  while (true) {
    std::size_t End = std::min(Rest.find(':'), Rest.size());
    std::string Folder(Rest.substr(0, End));
    std::string Candidate = (Folder.empty() ? "." : Folder) + "/" + Program;
    struct stat Status = {};
    if (::stat(Candidate.c_str(), &Status) == 0 && S_ISREG(Status.st_mode) &&
        ::access(Candidate.c_str(), X_OK) == 0)
      return Candidate;
    if (End == Rest.size())
      return {};
    Rest.remove_prefix(End + 1);
  }
}

/// All that this process has started, and what that has, as far as it was not
/// given away: with PR_SET_CHILD_SUBREAPER, also what left its session.
static std::vector<pid_t> descendants() {
  std::vector<std::pair<pid_t, pid_t>> All; // with their parents
  std::error_code Code;
  for (const auto &Entry : std::filesystem::directory_iterator("/proc", Code)) {
    std::string Name = Entry.path().filename().string();
    pid_t Process = 0;
    auto [Stop, Fault] =
        std::from_chars(Name.data(), Name.data() + Name.size(), Process);
    if (Fault != std::errc() || Stop != Name.data() + Name.size())
      continue;
    std::ifstream In(Entry.path() / "stat");
    std::string Text;
    std::getline(In, Text);
    // The name, in parentheses, may hold anything.
    std::size_t At = Text.rfind(')');
    char State = 0;
    int Parent = 0;
    if (At != std::string::npos &&
        std::sscanf(Text.c_str() + At + 1, " %c %d", &State, &Parent) == 2 &&
        State != 'Z')
      All.emplace_back(Process, Parent);
  }
  std::vector<pid_t> Out = {::getpid()};
  for (std::size_t I = 0; I != Out.size(); ++I)
    for (auto [Process, Parent] : All)
      if (Parent == Out[I] && std::ranges::find(Out, Process) == Out.end())
        Out.push_back(Process);
  Out.erase(Out.begin());
  return Out;
}

static void signalAll(pid_t Group, int Signal) {
  ::kill(-Group, Signal);
  for (pid_t Each : descendants())
    ::kill(Each, Signal);
}

/// After a timeout: what is left has until \p Deadline.
static void endTheRest(Clock::time_point Deadline) {
  while (!descendants().empty()) {
    if (Clock::now() >= Deadline) {
      for (pid_t Each : descendants())
        ::kill(Each, SIGKILL);
      return;
    }
    while (::waitpid(-1, nullptr, WNOHANG) > 0)
      ;
    ::usleep(20000);
  }
}

/// Waits for the end of \p Child, the leader of a group of its own.
static void waitFor(pid_t Child, const ProgramRun &Run,
                    const BlockedSignals &Signals, const Foreground &Terminal,
                    ProgramEnd &End) {
  std::optional<Clock::time_point> Deadline;
  if (Run.Timeout)
    Deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                  std::chrono::duration<double>(*Run.Timeout));
  bool IsKilled = false;
  while (true) {
    int Status = 0;
    pid_t Changed = ::waitpid(Child, &Status, WNOHANG | WUNTRACED);
    if (Changed < 0 && errno != EINTR)
      return; // Someone else waited for it; there is no status left.
    if (Changed == Child && !WIFSTOPPED(Status)) {
      End.Code = WIFEXITED(Status) ? WEXITSTATUS(Status) : 0;
      End.Signal = WIFSIGNALED(Status) ? WTERMSIG(Status) : 0;
      if (End.TimedOut)
        endTheRest(*Deadline);
      return;
    }
    if (Changed == Child && Terminal.isOurs()) {
      // Ctrl-Z: the shell must see us stop, too.
      Terminal.takeBack();
      ::raise(SIGSTOP);
      Terminal.giveTo(Child);
      ::kill(-Child, SIGCONT);
      continue;
    }
    std::optional<Clock::duration> Rest;
    if (Deadline && !IsKilled)
      Rest = *Deadline - Clock::now();
    if (Rest && *Rest <= Clock::duration::zero()) {
      signalAll(Child, End.TimedOut ? SIGKILL : SIGTERM);
      // A program that is stopped hears nothing.
      signalAll(Child, SIGCONT);
      IsKilled = End.TimedOut;
      End.TimedOut = true;
      Deadline = Clock::now() + Grace;
      continue;
    }
    int Signal = Signals.next(Rest);
    if (Signal != 0 && Signal != SIGCHLD) {
      End.PassedOn = Signal;
      ::kill(-Child, Signal);
    }
  }
}

ProgramEnd runProgram(const ProgramRun &Run) {
  ProgramEnd End;
  std::vector<std::string> Arguments = Run.Command;
  std::vector<std::string> Variables = environment(Run);
  std::vector<char *> ArgumentPointers = pointers(Arguments);
  std::vector<char *> VariablePointers = pointers(Variables);
  std::string File = findProgram(Run.Command[0]);
  if (File.empty()) {
    End.NotStarted = whyNotStarted(Run.Command[0], ENOENT);
    return End;
  }
  const Streams Files(Run);
  if (!Files.error().empty()) {
    End.NotStarted = Files.error();
    return End;
  }
  Pipe Failure;
  if (::pipe2(Failure.Ends, O_CLOEXEC) != 0) {
    End.NotStarted = whyNotStarted(Run.Command[0], errno);
    return End;
  }
  BlockedSignals Signals;
  Foreground Terminal;
  // Only on request: a process that has lost its parent sees another one.
  if (Run.Timeout)
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  auto Start = Clock::now();
  pid_t Child = ::fork();
  if (Child < 0) {
    End.NotStarted = whyNotStarted(Run.Command[0], errno);
    return End;
  }
  if (Child == 0) {
    // Only what is async-signal-safe.
    ::setpgid(0, 0);
    Terminal.giveTo(::getpid());
    Signals.restore();
    if (Files.install() &&
        (Run.Folder.empty() || ::chdir(Run.Folder.c_str()) == 0))
      ::execve(File.c_str(), ArgumentPointers.data(), VariablePointers.data());
    int Error = errno;
    [[maybe_unused]] ssize_t Written =
        ::write(Failure.Ends[1], &Error, sizeof(Error));
    ::_exit(127);
  }
  // Both do it, whoever comes first.
  ::setpgid(Child, Child);
  Terminal.giveTo(Child);
  Failure.close(1);
  int Error = 0;
  ssize_t Read;
  while ((Read = ::read(Failure.Ends[0], &Error, sizeof(Error))) < 0 &&
         errno == EINTR)
    ;
  waitFor(Child, Run, Signals, Terminal, End);
  End.Seconds = std::chrono::duration<double>(Clock::now() - Start).count();
  Terminal.takeBack();
  if (Read == static_cast<ssize_t>(sizeof(Error)))
    End.NotStarted = whyNotStarted(Run.Command[0], Error);
  return End;
}

std::string describe(const ProgramEnd &End) {
  std::string How;
  if (End.Signal != 0) {
    const char *Name = ::sigabbrev_np(End.Signal);
    How = fmt::format("was ended by SIG{} ({})", Name ? Name : "?",
                      ::strsignal(End.Signal));
  } else {
    How = fmt::format("exited with {}", End.Code);
  }
  if (End.TimedOut)
    return fmt::format("ran into --timeout after {:.1f} s and {}", End.Seconds,
                       How);
  return How;
}

} // namespace cudalint
