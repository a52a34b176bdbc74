//===- analyzer/resources/ChildProcess.cpp - Runs a program ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/resources/ChildProcess.h"

#include "analyzer/resources/SafeNames.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace llvm;

namespace cudalint {

/// The folder for temporary files, or /tmp where its name is more than
/// characters to a shell: nvcc's files lie below it.
static std::string temporaryParent() {
  SmallString<128> Parent, Real;
  sys::path::system_temp_directory(/*ErasedOnReboot=*/true, Parent);
  if (sys::fs::make_absolute(Parent) || sys::fs::real_path(Parent, Real))
    Real = Parent;
  bool IsSafe = isSafeForShell(Parent.str()) && isSafeForShell(Real.str());
  return IsSafe ? Parent.str().str() : "/tmp";
}

TemporaryFolder::TemporaryFolder(const EndGuard *Guard) : Guard(Guard) {
  if (Guard)
    Guard->enter();
  std::string Parent = temporaryParent();
  std::string Name = Parent + "/cuda-lint-XXXXXX";
  if (!mkdtemp(Name.data()))
    Error = "cannot make a folder in " + Parent + ": " + std::strerror(errno);
  else
    Path = std::move(Name);
}

TemporaryFolder::~TemporaryFolder() {
  if (!Path.empty())
    sys::fs::remove_directories(Path);
  if (Guard)
    Guard->leave();
}

//===----------------------------------------------------------------------===//
// Children
//===----------------------------------------------------------------------===//

/// Ours, but for the folder of temporary files.
static std::vector<std::string> environment(const std::string &Folder) {
  std::vector<std::string> Result;
  for (char **Each = environ; *Each; ++Each)
    if (!StringRef(*Each).starts_with("TMPDIR="))
      Result.emplace_back(*Each);
  Result.push_back("TMPDIR=" + Folder);
  return Result;
}

/// True when the child has ended; it stays to be waited for, so that its
/// number, which is that of its group too, is given to nobody else.
static bool hasEnded(pid_t Pid) {
  siginfo_t Info = {};
  return waitid(P_PID, static_cast<id_t>(Pid), &Info,
                WEXITED | WNOHANG | WNOWAIT) != 0 ||
         Info.si_pid == Pid;
}

ChildResult runChild(const std::string &Program,
                     std::span<const std::string> Arguments,
                     const TemporaryFolder &Folder, const std::string &Output,
                     std::chrono::milliseconds Timeout, std::uint64_t MaxOutput,
                     const std::stop_token &Stop, const std::string &In) {
  using Clock = std::chrono::steady_clock;
  ChildResult Result;
  auto IsToEnd = [&] {
    return (Folder.guard() && Folder.guard()->isToEnd()) ||
           Stop.stop_requested();
  };
  if (IsToEnd()) {
    Result.End = ChildEnd::Interrupted;
    return Result;
  }
  // A folder of the child's alone: that of the process is everybody's.
  const std::string Changer = "/usr/bin/env";
  std::vector<StringRef> Words;
  if (!In.empty())
    Words = {Changer, "-C", In};
  Words.push_back(Program);
  Words.insert(Words.end(), Arguments.begin(), Arguments.end());
  std::vector<std::string> Variables = environment(Folder.path());
  std::vector<StringRef> Env(Variables.begin(), Variables.end());
  std::array<std::optional<StringRef>, 3> Redirects = {"", Output, Output};
  bool Failed = false;
  Clock::time_point Deadline = Clock::now() + Timeout;
  sys::ProcessInfo Child = sys::ExecuteNoWait(
      In.empty() ? Program : Changer, Words, Env, Redirects, 0, &Result.Error,
      &Failed, nullptr, /*DetachProcess=*/true);
  if (Failed || Child.Pid == sys::ProcessInfo::InvalidPid)
    return Result;

  Result.End = ChildEnd::Exited;
  // A signal for each end of a child would be the program's to handle, so it
  // is asked for: rarely enough to cost nothing, often enough not to matter.
  for (std::chrono::milliseconds Pause(1); !hasEnded(Child.Pid);
       Pause = std::min(Pause * 2, std::chrono::milliseconds(10))) {
    std::uint64_t Size = 0;
    if (Clock::now() >= Deadline)
      Result.End = ChildEnd::TimedOut;
    else if (!sys::fs::file_size(Output, Size) && Size > MaxOutput)
      Result.End = ChildEnd::Flooded;
    else if (IsToEnd())
      Result.End = ChildEnd::Interrupted;
    if (Result.End != ChildEnd::Exited)
      break;
    std::this_thread::sleep_for(Pause);
  }
  kill(-Child.Pid, SIGKILL);
  kill(Child.Pid, SIGKILL); // It may not have a group of its own yet.
  sys::ProcessInfo Ended = sys::Wait(Child, std::nullopt, &Result.Error);
  if (Result.End == ChildEnd::Exited && Ended.ReturnCode < 0)
    Result.End =
        Ended.ReturnCode == -1 ? ChildEnd::NotStarted : ChildEnd::Crashed;
  Result.Code = Ended.ReturnCode;
  return Result;
}

} // namespace cudalint
