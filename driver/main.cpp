//===- driver/main.cpp - The program cuda-lint ----------------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A small program that runs its commands as programs beside it, so that what
/// needs no LLVM does not wait for it: `occupancy` of bare numbers is answered
/// here, `confirm` by cuda-lint-confirm, and all that reads source files by
/// cuda-lint-check.
///
//===----------------------------------------------------------------------===//

#include "driver/Launcher.h"
#include "occupancy/Options.h"
#include "occupancy/Run.h"

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

namespace cudalint {

static constexpr int BadUsage = 2;

/// The folder of this program, symbolic links to it resolved; empty where
/// there is no /proc.
static std::string ownFolder() {
  std::string Path(PATH_MAX, '\0');
  ssize_t Length = ::readlink("/proc/self/exe", Path.data(), Path.size());
  if (Length <= 0 || static_cast<std::size_t>(Length) == Path.size())
    return {};
  Path.resize(static_cast<std::size_t>(Length));
  return Path.substr(0, Path.rfind('/'));
}

static constexpr const char *ShortHelp =
    R"(Usage: cuda-lint [options] [FILE...] [-- compiler arguments]
       cuda-lint COMMAND

Commands:
  occupancy [options]         How many blocks fit an SM, and why not more
  confirm -- PROGRAM [ARG...] Run a program on the GPU, and compare
  launcher -- COMPILER ...    Run a compiler of a build, and lint its file
)";

/// Becomes the program \p Name beside this one. Returns only when there is
/// none, with the exit code.
static int become(std::string_view Name, std::string_view Purpose,
                  char **Arguments) {
  std::string Folder = ownFolder();
  std::string Path = Folder + "/" + std::string(Name);
  if (!Folder.empty()) {
    ::execv(Path.c_str(), Arguments);
    if (errno != ENOENT) {
      std::fprintf(stderr, "cuda-lint: error: cannot run '%s': %s\n",
                   Path.c_str(), std::strerror(errno));
      return BadUsage;
    }
  }
  std::fprintf(stderr,
               "cuda-lint: error: '%s' is missing, the part that %s; install "
               "it, or build it with 'scripts/build release'\n",
               Path.c_str(), std::string(Purpose).c_str());
  return BadUsage;
}

static int becomeCheck(char **Arguments) {
  return become("cuda-lint-check", "reads source files", Arguments);
}

static int occupancyCommand(int Count, char **Arguments) {
  ParsedOccupancy Parsed = parseOccupancy({Arguments + 2, Arguments + Count});
  if (Parsed.IsForFiles)
    return becomeCheck(Arguments);
  // A file that may not grow is an error of whoever writes it.
  std::signal(SIGXFSZ, SIG_IGN);
  std::fputs(Parsed.Out.c_str(), stdout);
  std::fputs(Parsed.Err.c_str(), stderr);
  return Parsed.Run ? runOccupancy(*Parsed.Run) : Parsed.Code;
}

static int drive(int Count, char **Arguments) {
  std::string_view First = Count > 1 ? Arguments[1] : "";
  if (First == "occupancy")
    return occupancyCommand(Count, Arguments);
  if (First == "confirm") {
    // It finds its own options where any program does.
    Arguments[1] = Arguments[0];
    return become("cuda-lint-confirm", "runs programs on the GPU",
                  Arguments + 1);
  }
  if (First == "launcher")
    return runLauncher({Arguments + 2, Arguments + Count},
                       ownFolder() + "/cuda-lint-check");
  if (First == "--version") {
    std::puts("cuda-lint " CUDA_LINT_VERSION);
    return 0;
  }
  int Code = becomeCheck(Arguments);
  if (First == "--help" || First == "-h")
    std::fputs(ShortHelp, stdout);
  return Code;
}

} // namespace cudalint

int main(int Count, char **Arguments) {
  try {
    return cudalint::drive(Count, Arguments);
  } catch (const std::exception &E) {
    std::fprintf(stderr,
                 "cuda-lint: error: internal error: %s; please report it\n",
                 E.what());
    return cudalint::BadUsage;
  }
}
