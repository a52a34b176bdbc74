//===- runtime/probe/SnapshotWriter.cpp - When the file is written --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/probe/SnapshotWriter.h"

#include "runtime/probe/ProcessName.h"
#include "runtime/probe/ProfileWriter.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

namespace cudalint::probe {

using namespace std::chrono_literals;

// A snapshot may cost a fiftieth of the time, and comes once a second at most.
static constexpr int SnapshotShare = 50;

static std::vector<std::string> commandLine() {
  std::string All;
  // Without streams, which would double the size of the library.
  if (std::FILE *In = std::fopen("/proc/self/cmdline", "rb")) {
    char Part[4096];
    while (std::size_t Read = std::fread(Part, 1, sizeof Part, In))
      All.append(Part, Read);
    std::fclose(In);
  }
  std::vector<std::string> Out;
  for (std::size_t At = 0; At < All.size();) {
    std::size_t End = std::min(All.find('\0', At), All.size());
    Out.push_back(All.substr(At, End - At));
    At = End + 1;
  }
  return Out;
}

SnapshotWriter::SnapshotWriter(const Settings &S)
    : Folder(S.Folder), Command(commandLine()), File(S.Folder) {
  if (S.NoArguments && Command.size() > 1)
    Command.resize(1);
  HasErrors = ::fstat(STDERR_FILENO, &Errors) == 0;
}

Profile SnapshotWriter::ofThisProcess() const {
  Profile Out;
  Out.Pid = ::getpid();
  Out.Parent = ::getppid();
  Out.Host = hostName();
  Out.Rank = rankOf([](const char *Name) { return std::getenv(Name); });
  Out.Command = Command;
  return Out;
}

bool SnapshotWriter::begins(Clock::time_point Now) noexcept {
  std::lock_guard Lock(Mutex);
  if (IsFinished || Now < Next)
    return false;
  Next = Now + 1s;
  return true;
}

void SnapshotWriter::ended(Clock::time_point Begin) noexcept {
  auto Now = Clock::now();
  std::lock_guard Lock(Mutex);
  Next = Now + std::max<Clock::duration>(1s, (Now - Begin) * SnapshotShare);
}

void SnapshotWriter::write(const Profile &P, bool IsLast) noexcept {
  std::string Text = profileText(P);
  std::lock_guard Lock(Mutex);
  if (IsFinished)
    return;
  IsFinished = IsLast;
  int Error = File.write(Text);
  if (Error && IsLast)
    complain(Error);
}

/// Not into a file of the program: a program that closes its streams may have
/// opened one that got the number, before the probe came or since.
void SnapshotWriter::complain(int Error) const noexcept {
  struct stat Now = {};
  if (!HasErrors || S_ISREG(Errors.st_mode) ||
      ::fstat(STDERR_FILENO, &Now) != 0 || Now.st_dev != Errors.st_dev ||
      Now.st_ino != Errors.st_ino)
    return;
  std::fprintf(stderr,
               "cuda-lint probe: cannot write a profile to '%s': %s; make "
               "the folder, or free some space\n",
               Folder.c_str(), std::strerror(Error));
}

} // namespace cudalint::probe
