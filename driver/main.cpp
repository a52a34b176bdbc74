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
#include "hardware/Architecture.h"
#include "occupancy/Options.h"
#include "occupancy/Run.h"
#include "report/OutputFile.h"

#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fmt/format.h>
#include <optional>
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
  list-gpus                   Print the names that --gpu knows
)";

/// The program \p Name beside this one.
static std::string pathBeside(std::string_view Name) {
  return ownFolder() + "/" + std::string(Name);
}

/// Becomes that program. Returns only when there is none, with the exit code.
static int become(std::string_view Name, std::string_view Purpose,
                  char **Arguments) {
  std::string Folder = ownFolder();
  std::string Path = pathBeside(Name);
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

/// Products with their SMs, then architectures.
static int listGpus(int Count) {
  if (Count > 2) {
    std::fputs("cuda-lint: error: list-gpus takes no arguments\n", stderr);
    return BadUsage;
  }
  std::string Text;
  for (const Product &Each : products())
    Text += fmt::format("{:<24} sm_{}{}, {} SMs\n", Each.Name, Each.CC.Major,
                        Each.CC.Minor, Each.SMs);
  for (const Architecture &Each : architectures())
    Text += fmt::format("sm_{}{}\n", Each.CC.Major, Each.CC.Minor);
  if (std::optional<std::string> Error = writeOutputFile("-", Text)) {
    std::fprintf(stderr, "cuda-lint: error: %s\n", Error->c_str());
    return BadUsage;
  }
  return 0;
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
  if (First == "list-gpus")
    return listGpus(Count);
  // Where it is, cuda-lint-check has more to say.
  if (First == "--version" &&
      ::access(pathBeside("cuda-lint-check").c_str(), F_OK) != 0) {
    std::puts("cuda-lint " CUDA_LINT_VERSION "\n"
              "what reads source files is not installed: cuda-lint-check");
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
