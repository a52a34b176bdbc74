//===- runtime/measure/ProbedRun.cpp - A program under the probe ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/measure/ProbedRun.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>

namespace fs = std::filesystem;

namespace cudalint {

std::string findProbe(const std::string &Given, std::string &Why) {
  const std::string Path =
      Given.empty() ? findSibling("libcuda-lint-probe.so") : Given;
  std::error_code Code;
  if (!Path.empty() && fs::is_regular_file(Path, Code))
    return fs::absolute(Path, Code).string();
  Why = fmt::format("the probe {} is not there; build or install it, or name "
                    "it by --probe FILE",
                    Path.empty() ? "libcuda-lint-probe.so" : Path);
  return {};
}

static ProgramRun withProbe(const ProbedRun &Run, const std::string &Folder) {
  ProgramRun Result = Run.Program;
  const auto set = [&](const char *Name, std::string Value) {
    Result.Environment.emplace_back(Name, std::move(Value));
  };
  set("CUDA_INJECTION64_PATH", Run.Probe);
  set("CUDA_LINT_PROBE_DIR", Folder);
  // The probe counts where nothing is said.
  static constexpr const char *Words[] = {"", "time", "occupancy", "stalls"};
  if (Run.What != Purpose::Counters)
    set("CUDA_LINT_PROBE_COLLECT", Words[static_cast<std::size_t>(Run.What)]);
  if (!Run.Kernel.empty())
    set("CUDA_LINT_PROBE_KERNEL", Run.Kernel);
  // Times want all launches, and samples are of all.
  if (Run.Launches && Run.What != Purpose::Time && Run.What != Purpose::Stalls)
    set("CUDA_LINT_PROBE_LAUNCHES", std::to_string(*Run.Launches));
  if (Run.AllLaunches && Run.What == Purpose::Counters)
    set("CUDA_LINT_PROBE_LAUNCHES", "all");
  if (Run.NoArguments)
    set("CUDA_LINT_PROBE_NO_ARGV", "1");
  if (Run.Skip)
    set("CUDA_LINT_PROBE_SKIP", std::to_string(Run.Skip));
  if (!Run.Range.empty()) {
    set("CUDA_LINT_PROBE_RANGE", Run.Range);
    // NVTX asks it where the ranges are.
    set("NVTX_INJECTION64_PATH", Run.Probe);
  }
  if (Run.Overhead)
    set("CUDA_LINT_PROBE_OVERHEAD", fmt::format("{}", *Run.Overhead));
  if (!Run.Cupti.empty())
    set("CUDA_LINT_CUPTI", Run.Cupti);
  return Result;
}

static std::string noProfile(const std::string &Program,
                             const std::string &Probe) {
  return fmt::format(
      "'{}' left no profile: it made no CUDA call, or it ended in a way that "
      "nobody can catch (SIGKILL, _exit), or the CUDA driver did not load the "
      "probe '{}', or the profile could not be written: the folder for "
      "temporary files is full, the program may not write so large a file "
      "(ulimit -f), or it became another user",
      Program, Probe);
}

ProbedEnd runProbed(const ProbedRun &Run, const std::string &Folder,
                    ProfilesRead &Read) {
  std::fflush(nullptr);
  ProbedEnd Result = {.End = runProgram(withProbe(Run, Folder)), .Failure = {}};
  if (!Result.End.NotStarted.empty()) {
    Result.Failure = Result.End.NotStarted;
    return Result;
  }
  const std::size_t Before = Read.Profiles.size();
  readProfiles(Folder, Read);
  if (Read.Profiles.size() == Before && Read.Errors.empty()) {
    Result.Failure = noProfile(Run.Program.Command[0], Run.Probe);
    if (!Result.End.isSuccess())
      Result.Failure += fmt::format("; it {}", describe(Result.End));
  }
  return Result;
}

} // namespace cudalint
