//===- driver/Launcher.cpp - A compiler, and a look at its file -----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "driver/Launcher.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <string_view>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace cudalint {

static constexpr int BadUsage = 2;
static constexpr int CannotRun = 127;

/// Of the checker: findings that fail the build.
static constexpr int SomethingFound = 1;

static constexpr const char *Help =
    R"(Usage: cuda-lint launcher [options] -- COMPILER [ARG...]

Runs a compiler of a build, and lints the CUDA file that it compiles meanwhile.
Input, output and exit code are the compiler's; findings follow on standard
error. Registers, spills and shared memory come from the object that it makes.

Options:
  --results DIR    Keep the report of each object in JSON there, for 'cuda-lint
                   merge'; by default CUDA_LINT_RESULTS, else nowhere
  --fail-on LEVEL  Least severity that fails the build: error, warning, note or
                   never; by default CUDA_LINT_FAIL_ON, else never
  -v               Say what could not be read, and what is assumed
and those of 'cuda-lint --help', such as --gpu and --checks.

With CMake: -DCMAKE_CUDA_COMPILER_LAUNCHER="cuda-lint;launcher;--"
)";

/// The checker gets so long for what it does after the compiler has ended. Its
/// own limits end it long before.
static constexpr std::chrono::minutes Patience{10};

/// Those that end a program and that it can catch.
static constexpr std::array Ending = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

/// The compiler, to which signals are handed on; 0: none runs.
static volatile std::sig_atomic_t Compiler = 0;

extern "C" void handOn(int Signal) {
  if (Compiler > 0)
    ::kill(static_cast<pid_t>(Compiler), Signal);
}

namespace {

/// A descriptor that is closed with this object.
class Descriptor {
public:
  explicit Descriptor(int Number = -1) : Number(Number) {}
  ~Descriptor() { close(); }
  Descriptor(const Descriptor &) = delete;
  Descriptor &operator=(const Descriptor &) = delete;

  int number() const { return Number; }
  void set(int New) {
    close();
    Number = New;
  }
  void close() {
    if (Number >= 0)
      ::close(Number);
    Number = -1;
  }

private:
  int Number;
};

/// How a child ended, as waitpid() has it.
using Status = int;

} // namespace

static std::vector<char *> pointersTo(std::vector<std::string> &Words) {
  std::vector<char *> Result;
  for (std::string &Each : Words)
    Result.push_back(Each.data());
  Result.push_back(nullptr);
  return Result;
}

static void complain(const char *What, const char *Why) {
  std::fprintf(stderr, "cuda-lint: error: cannot run '%s': %s\n", What, Why);
}

/// Becomes the command. Returns only when that cannot be run.
static int become(std::vector<std::string> Command) {
  std::vector<char *> Pointers = pointersTo(Command);
  ::execvp(Pointers[0], Pointers.data());
  complain(Pointers[0], std::strerror(errno));
  return CannotRun;
}

/// Whether the command may compile a CUDA file: by its name, by -x, or by what
/// a file of arguments, which is not read here, may hold.
static bool mayCompileCuda(const std::vector<std::string> &Command) {
  static constexpr std::string_view Signs[] = {
      "-x",     "--x",   "-xcu",           "-xcuda",       "-x=cu",
      "--x=cu", "-optf", "--options-file", "-options-file"};
  return std::any_of(Command.begin() + 1, Command.end(),
                     [](std::string_view Each) {
                       return Each.ends_with(".cu") || Each.starts_with("@") ||
                              Each.starts_with("--options-file=") ||
                              std::ranges::find(Signs, Each) != std::end(Signs);
                     });
}

//===----------------------------------------------------------------------===//
// Children
//===----------------------------------------------------------------------===//

/// Starts the checker: it reads nothing, writes to \p Output, and finds the end
/// of \p Running, which is the last of \p Words, when the compiler has ended.
/// Returns 0 where it cannot.
static pid_t startChecker(const std::string &Checker,
                          const std::vector<std::string> &Words,
                          std::vector<std::string> Arguments, int Running,
                          int Output) {
  Arguments.insert(Arguments.begin(), Words.begin(), Words.end());
  Arguments.insert(Arguments.begin(), Checker);
  std::vector<char *> Pointers = pointersTo(Arguments);
  const pid_t Parent = ::getpid();
  const pid_t Child = ::fork();
  if (Child != 0)
    return std::max(Child, 0);
  // It must not outlive a build that is killed.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != Parent)
    ::_exit(CannotRun);
  // The terminal's signals are the compiler's: it decides what they mean.
  ::setpgid(0, 0);
  ::dup2(::open("/dev/null", O_RDONLY | O_CLOEXEC), STDIN_FILENO);
  ::dup2(Output, STDOUT_FILENO);
  ::dup2(Output, STDERR_FILENO);
  if (Running >= 0)
    ::fcntl(Running, F_SETFD, 0);
  ::execv(Pointers[0], Pointers.data());
  ::_exit(CannotRun);
}

/// Hands on the signals that end programs, but for those that are ignored, from
/// before the compiler starts: none is lost between. Returns 0, with errno,
/// where there can be no more processes; a command that cannot be run ends with
/// 127.
static pid_t startCompiler(std::vector<std::string> Command) {
  std::vector<char *> Pointers = pointersTo(Command);
  sigset_t Kept, Before;
  ::sigemptyset(&Kept);
  for (const int Signal : Ending) {
    ::sigaddset(&Kept, Signal);
    struct sigaction Old = {};
    if (::sigaction(Signal, nullptr, &Old) == 0 && Old.sa_handler != SIG_IGN)
      std::signal(Signal, handOn);
  }
  ::sigprocmask(SIG_BLOCK, &Kept, &Before);
  const pid_t Child = ::fork();
  if (Child > 0)
    Compiler = Child;
  ::sigprocmask(SIG_SETMASK, &Before, nullptr);
  if (Child != 0)
    return std::max(Child, 0);
  // What a handler is set for is at its default again behind this.
  ::execvp(Pointers[0], Pointers.data());
  complain(Pointers[0], std::strerror(errno));
  ::_exit(CannotRun);
}

static Status waitFor(pid_t Child) {
  Status How = 0;
  while (::waitpid(Child, &How, 0) < 0)
    if (errno != EINTR)
      return W_EXITCODE(CannotRun, 0);
  return How;
}

/// Nothing where it was killed, as it took too long.
static std::optional<Status> waitForChecker(pid_t Child) {
  const auto End = std::chrono::steady_clock::now() + Patience;
  for (;;) {
    Status How = 0;
    const pid_t Ended = ::waitpid(Child, &How, WNOHANG);
    if (Ended == Child)
      return How;
    if (Ended < 0 && errno != EINTR)
      return std::nullopt;
    if (std::chrono::steady_clock::now() > End) {
      ::kill(Child, SIGKILL);
      waitFor(Child);
      return std::nullopt;
    }
    constexpr useconds_t Microseconds = 2000;
    ::usleep(Microseconds);
  }
}

/// Ends this program as the compiler was ended.
static int repeat(Status How) {
  if (!WIFSIGNALED(How))
    return WEXITSTATUS(How);
  std::signal(WTERMSIG(How), SIG_DFL);
  ::raise(WTERMSIG(How));
  constexpr int ShellsOffset = 128;
  return ShellsOffset + WTERMSIG(How);
}

static void copyToStandardError(int From) {
  ::lseek(From, 0, SEEK_SET);
  std::array<char, 1 << 16> Buffer{};
  for (ssize_t Got; (Got = ::read(From, Buffer.data(), Buffer.size())) > 0;)
    std::fwrite(Buffer.data(), 1, static_cast<std::size_t>(Got), stderr);
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// What the command names as its output, or what -c makes of one file: for when
/// the checker, which knows all ways, cannot be run.
static std::vector<std::string>
namedOutputs(const std::vector<std::string> &Command) {
  static constexpr std::string_view Names[] = {"-o", "--output-file",
                                               "-output-file"};
  std::vector<std::string> Result, Sources;
  for (std::size_t I = 0; I != Command.size(); ++I) {
    const std::string_view Word = Command[I];
    if (Word.ends_with(".cu") && !Word.starts_with("-"))
      Sources.push_back(std::filesystem::path(Word).stem().string() + ".o");
    for (const std::string_view Name : Names)
      if (Word == Name && I + 1 != Command.size())
        Result.push_back(Command[I + 1]);
      else if (Word.starts_with(Name) && Word.size() > Name.size() &&
               Word[Name.size()] == '=')
        Result.emplace_back(Word.substr(Name.size() + 1));
  }
  return Result.empty() ? Sources : Result;
}

/// Takes away what the command of \p Words, behind its dashes, has made: make
/// would take what is there for done.
static void discard(const std::string &Checker,
                    const std::vector<std::string> &Words, int Output) {
  const pid_t Child =
      startChecker(Checker, {"discard"}, Words, /*Running=*/-1, Output);
  if (Child != 0)
    if (const std::optional<Status> How = waitForChecker(Child);
        How && WIFEXITED(*How) && WEXITSTATUS(*How) == 0)
      return;
  const auto Dashes = std::ranges::find(Words, "--");
  for (const std::string &File : namedOutputs({Dashes, Words.end()})) {
    std::error_code Error;
    if (std::filesystem::is_regular_file(File, Error))
      std::filesystem::remove(File, Error);
  }
}

//===----------------------------------------------------------------------===//
// All of it
//===----------------------------------------------------------------------===//

namespace {
struct Request {
  std::vector<std::string> Options; ///< Of the checker.
  std::vector<std::string> Command;
};
} // namespace

static std::optional<Request> parse(const std::vector<std::string> &Arguments) {
  const auto Dashes = std::ranges::find(Arguments, "--");
  if (Dashes == Arguments.end() || Dashes + 1 == Arguments.end())
    return std::nullopt;
  return Request{{Arguments.begin(), Dashes}, {Dashes + 1, Arguments.end()}};
}

/// Whether findings may fail the build: one that cannot be linted must not look
/// like one in which nothing was found.
static bool hasGate(const std::vector<std::string> &Options) {
  const char *Level = std::getenv("CUDA_LINT_FAIL_ON");
  const bool IsGiven = std::ranges::any_of(Options, [](std::string_view Each) {
    return Each == "--fail-on" || Each.starts_with("--fail-on=");
  });
  return IsGiven
             ? std::ranges::find(Options, "--fail-on=never") == Options.end()
             : Level && *Level && std::string_view(Level) != "never";
}

int runLauncher(const std::vector<std::string> &Arguments,
                const std::string &Checker) {
  if (!Arguments.empty() &&
      (Arguments[0] == "--help" || Arguments[0] == "-h")) {
    std::fputs(Help, stdout);
    return 0;
  }
  std::optional<Request> Wish = parse(Arguments);
  if (!Wish) {
    std::fputs("cuda-lint: error: no command to run; usage: cuda-lint launcher "
               "[options] -- nvcc ...\n",
               stderr);
    return BadUsage;
  }
  if (!mayCompileCuda(Wish->Command))
    return become(std::move(Wish->Command));

  const bool HasGate = hasGate(Wish->Options);
  int Ends[2] = {-1, -1};
  Descriptor Output(::memfd_create("cuda-lint", MFD_CLOEXEC));
  if (Output.number() < 0 || ::pipe2(Ends, O_CLOEXEC) != 0)
    return become(std::move(Wish->Command));
  Descriptor Running(Ends[0]), Done(Ends[1]);
  std::vector<std::string> Words = Wish->Options;
  Words.emplace_back("--");
  Words.insert(Words.end(), Wish->Command.begin(), Wish->Command.end());
  const pid_t Check =
      startChecker(Checker, {"launched", std::to_string(Running.number())},
                   Words, Running.number(), Output.number());
  Running.close();
  if (Check == 0)
    return become(std::move(Wish->Command));
  const pid_t Compile = startCompiler(std::move(Wish->Command));
  if (Compile == 0) {
    std::fprintf(stderr, "cuda-lint: error: cannot start a process: %s\n",
                 std::strerror(errno));
    ::kill(Check, SIGKILL);
    waitFor(Check);
    return CannotRun;
  }
  const Status How = waitFor(Compile);
  Compiler = 0;
  if (How != 0) {
    ::kill(Check, SIGKILL);
    waitFor(Check);
    return repeat(How);
  }
  // From here on there is only the checker to wait for, which ends with us.
  for (const int Signal : Ending)
    std::signal(Signal, SIG_DFL);
  Done.close();
  const std::optional<Status> Its = waitForChecker(Check);
  copyToStandardError(Output.number());
  if (HasGate &&
      (!Its || !WIFEXITED(*Its) ||
       (WEXITSTATUS(*Its) != 0 && WEXITSTATUS(*Its) != SomethingFound))) {
    std::fprintf(stderr,
                 "cuda-lint: error: findings are to fail this build, and the "
                 "file was not linted%s%s\n",
                 !Its || WIFSIGNALED(*Its) ? ": " : "",
                 !Its                ? "it took too long"
                 : WIFSIGNALED(*Its) ? strsignal(WTERMSIG(*Its))
                                     : "");
    discard(Checker, Words, Output.number());
    return BadUsage;
  }
  if (!Its || WIFSIGNALED(*Its))
    std::fprintf(stderr, "cuda-lint: note: not linted: %s\n",
                 Its ? strsignal(WTERMSIG(*Its)) : "it took too long");
  else if (WEXITSTATUS(*Its) == CannotRun)
    std::fprintf(stderr, "cuda-lint: note: not linted: '%s' is missing\n",
                 Checker.c_str());
  else if (WEXITSTATUS(*Its) == SomethingFound)
    return SomethingFound;
  return 0;
}

} // namespace cudalint
