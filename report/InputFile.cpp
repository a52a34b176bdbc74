//===- report/InputFile.cpp - Reads what may be no plain file -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/InputFile.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace cudalint {

bool isReadOnce(const std::string &File) {
  if (File == "-")
    return true;
  struct stat Status = {};
  if (::stat(File.c_str(), &Status) != 0 || S_ISDIR(Status.st_mode))
    return false; // Whoever reads it says what is wrong.
  // A compiler that we start has other descriptors.
  return !S_ISREG(Status.st_mode) || File.starts_with("/dev/") ||
         File.starts_with("/proc/self/");
}

static std::string reason(int Error) {
  return std::generic_category().message(Error);
}

namespace {
struct Descriptor {
  int Number = -1;
  ~Descriptor() {
    if (Number >= 0)
      ::close(Number);
  }
};
} // namespace

/// Waits for an event; for ever with -1. False when there was none.
static bool waitFor(int Descriptor, int Milliseconds) {
  pollfd Poll = {Descriptor, POLLIN, 0};
  return ::poll(&Poll, 1, Milliseconds) != 0;
}

std::optional<std::string>
readInput(const std::string &File, std::uint64_t Most,
          const std::function<void(std::string_view)> &Take,
          std::chrono::milliseconds Patience) {
  Descriptor Input;
  // A terminal and a socket cannot be opened by a name.
  Input.Number =
      File == "-"
          ? ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
          : ::open(File.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  struct stat Status = {};
  if (Input.Number < 0 || ::fstat(Input.Number, &Status) != 0)
    return File == "-" && errno == EBADF ? "standard input is closed"
                                         : reason(errno);
  if (S_ISDIR(Status.st_mode))
    return reason(EISDIR);
  if (S_ISREG(Status.st_mode))
    Most = UINT64_MAX;
  // A pipe without a writer reads as if at its end. Whether there was one, only
  // bytes, or that there are none yet, show.
  bool MayHaveNoWriter = File != "-" && S_ISFIFO(Status.st_mode);
  using Clock = std::chrono::steady_clock;
  const Clock::time_point Deadline = Clock::now() + Patience;
  std::vector<char> Buffer(1 << 18);
  for (std::uint64_t All = 0;;) {
    ssize_t Bytes = ::read(Input.Number, Buffer.data(), Buffer.size());
    if (Bytes == 0 && !MayHaveNoWriter)
      return std::nullopt;
    if (Bytes == 0 && Clock::now() >= Deadline)
      return fmt::format("it is a pipe that no program writes to (waited {} s)",
                         std::chrono::duration<double>(Patience).count());
    if (Bytes == 0) {
      // The end of a writer is an event, its beginning is none.
      MayHaveNoWriter = !waitFor(Input.Number, /*Milliseconds=*/10);
      continue;
    }
    MayHaveNoWriter = false;
    if (Bytes < 0 && errno == EAGAIN)
      waitFor(Input.Number, /*Milliseconds=*/-1);
    else if (Bytes < 0 && errno != EINTR)
      return reason(errno);
    if (Bytes < 0)
      continue;
    All += static_cast<std::uint64_t>(Bytes);
    if (All > Most)
      return fmt::format("it holds more than {} MB, or never ends", Most >> 20);
    Take({Buffer.data(), static_cast<std::size_t>(Bytes)});
  }
}

std::optional<std::string>
readWholeFile(const std::string &Path, std::uint64_t Most, std::string &Error) {
  auto failed = [&](std::string_view Why) {
    Error = fmt::format("cannot read '{}': {}", Path, Why);
    return std::nullopt;
  };
  Descriptor File;
  File.Number =
      ::open(Path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  struct stat Status = {};
  if (File.Number < 0 || ::fstat(File.Number, &Status) != 0)
    return failed(reason(errno));
  if (!S_ISREG(Status.st_mode))
    return failed("it is not a regular file");
  if (static_cast<std::uint64_t>(Status.st_size) > Most)
    return failed(fmt::format("it has {} bytes, the most that is read is {}",
                              Status.st_size, Most));
  std::string Text(static_cast<std::size_t>(Status.st_size), '\0');
  std::size_t Done = 0;
  while (Done != Text.size()) {
    ssize_t Count = ::read(File.Number, Text.data() + Done, Text.size() - Done);
    if (Count < 0 && errno == EINTR)
      continue;
    if (Count < 0)
      return failed(reason(errno));
    if (Count == 0)
      break; // It became shorter while we read.
    Done += static_cast<std::size_t>(Count);
  }
  Text.resize(Done);
  return Text;
}

std::vector<std::string> jsonFilesOf(const std::string &Path,
                                     std::string &Error) {
  namespace fs = std::filesystem;
  std::error_code Code;
  if (!fs::is_directory(Path, Code))
    return {Path};
  std::vector<std::string> Names;
  for (fs::directory_iterator It(Path, Code), End; !Code && It != End;
       It.increment(Code))
    if (It->path().extension() == ".json")
      Names.push_back(It->path().string());
  if (Code) {
    Error = fmt::format("cannot read '{}': {}", Path, Code.message());
    return {};
  }
  std::ranges::sort(Names);
  return Names;
}

} // namespace cudalint
