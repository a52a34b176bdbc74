//===- runtime/measure/RepeatedInput.cpp - The same each time -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/measure/RepeatedInput.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace cudalint {

RepeatedInput::RepeatedInput() {
  struct stat Input = {};
  if (::fstat(STDIN_FILENO, &Input) != 0)
    return;
  if (S_ISREG(Input.st_mode)) {
    if (const off_t Here = ::lseek(STDIN_FILENO, 0, SEEK_CUR); Here >= 0)
      Start = Here;
  } else if (S_ISFIFO(Input.st_mode) || S_ISSOCK(Input.st_mode)) {
    keepPipe();
  }
}

/// A file that nobody else can open, and that goes with its descriptor.
static int nameless() {
  std::error_code Code;
  std::string Name = (fs::temp_directory_path(Code) / "cuda-lint-XXXXXX");
  const int File = ::mkostemp(Name.data(), O_CLOEXEC);
  if (File >= 0)
    ::unlink(Name.c_str());
  return File;
}

static bool writeAll(int File, const char *Bytes, std::size_t Count) {
  while (Count) {
    const ssize_t Written = ::write(File, Bytes, Count);
    if (Written < 0 && errno == EINTR)
      continue;
    if (Written < 0)
      return false;
    Bytes += Written;
    Count -= static_cast<std::size_t>(Written);
  }
  return true;
}

void RepeatedInput::keepPipe() {
  // Many a shell that nobody types into is a pipe without an end: only where
  // something comes, or the end, its end is waited for.
  static constexpr int PatienceMs = 200;
  pollfd Wait = {.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  if (::poll(&Wait, 1, PatienceMs) <= 0) {
    Why = "the standard input is a pipe, of which later runs find what the "
          "first has left: give them a file, as in '< input'";
    return;
  }
  const int File = nameless();
  if (File < 0) {
    Why = fmt::format("the standard input cannot be kept for later runs: {}",
                      std::strerror(errno));
    return;
  }
  std::size_t All = 0;
  char Part[1 << 16];
  while (Why.empty()) {
    const ssize_t Read = ::read(STDIN_FILENO, Part, sizeof Part);
    if (Read < 0 && errno == EINTR)
      continue;
    if (Read <= 0)
      break;
    All += static_cast<std::size_t>(Read);
    // What was read is gone: the first run gets as much as there is.
    if (!writeAll(File, Part, static_cast<std::size_t>(Read)))
      Why = fmt::format("the standard input cannot be kept: {}; the rest of it "
                        "is lost",
                        std::strerror(errno));
    else if (All > MostBytes)
      Why = fmt::format("more than {} MiB came through the standard input, and "
                        "the rest of it is lost: give it as a file",
                        MostBytes >> 20);
  }
  if (::dup2(File, STDIN_FILENO) >= 0)
    Start = 0;
  ::close(File);
}

void RepeatedInput::rewind() const {
  if (Start)
    ::lseek(STDIN_FILENO, *Start, SEEK_SET);
}

} // namespace cudalint
