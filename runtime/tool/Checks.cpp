//===- runtime/tool/Checks.cpp - Before and after a run -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/tool/Checks.h"

#include "runtime/tool/Report.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>

namespace fs = std::filesystem;

namespace cudalint {

std::optional<std::string> whyNotWritable(const std::string &Path) {
  std::error_code Code;
  if (Path == "-")
    return std::nullopt;
  auto refused = [&](const std::string &Why) {
    return fmt::format("cannot write '{}': {}", Path, Why);
  };
  fs::file_status Status = fs::status(Path, Code);
  if (fs::is_directory(Status))
    return refused("it is a folder; name a file");
  if (fs::exists(Status) && !fs::is_regular_file(Status))
    return std::nullopt;
  std::string Folder = fs::path(Path).parent_path().string();
  if (Folder.empty())
    Folder = ".";
  if (!fs::is_directory(Folder, Code))
    return refused(
        fmt::format("the folder '{}' is not there; make it first", Folder));
  if (::access(Folder.c_str(), W_OK | X_OK) != 0)
    return refused(
        fmt::format("the folder '{}': {}", Folder, std::strerror(errno)));
  return std::nullopt;
}

std::optional<std::string> whyNotSavable(const std::string &Folder) {
  if (Folder.empty())
    return std::nullopt;
  std::error_code Code;
  fs::create_directories(Folder, Code);
  if (Code)
    return fmt::format("cannot make the folder '{}' for --save-profile: {}",
                       Folder, Code.message());
  if (::access(Folder.c_str(), W_OK | X_OK) != 0)
    return fmt::format("cannot write to the folder '{}' of --save-profile: {}",
                       Folder, std::strerror(errno));
  return std::nullopt;
}

void noteWhatIsMissing(const Options &Run, JoinResult &Result) {
  std::size_t Kernels = 0, Lines = 0, Numbers = 0;
  bool AnyCounted = false;
  for (const GpuVerdict &Gpu : Result.Gpus) {
    for (const KernelVerdict &Kernel : Gpu.Kernels) {
      Kernels += Kernel.Launches != 0;
      AnyCounted |= Kernel.MeasuredLaunches != 0;
    }
    for (const LineVerdict &V : Gpu.Lines) {
      bool HasNumber = V.Accesses != 0 && V.MeasuredPerRequest.has_value();
      Numbers += HasNumber;
      // Of a kernel that did not run, nothing is missing.
      Lines += HasNumber || V.Kind == VerdictKind::Inconclusive;
    }
  }
  if (!Result.HasCounters || Kernels == 0)
    return;
  for (std::string &Note : uncountedKernels(Result, /*WasPredicted=*/true))
    Result.Notes.push_back(std::move(Note));
  if (!Run.Kernel.empty() && !AnyCounted)
    Result.Notes.push_back(fmt::format("--kernel '{}' matches none of the {} "
                                       "kernels that ran",
                                       Run.Kernel, Kernels));
  else if (AnyCounted && Lines != 0 && Numbers == 0)
    Result.Notes.push_back(fmt::format(
        "of {} predicted lines none was measured: are the predictions of the "
        "sources that the program was built from?",
        Lines));
}

bool isLoss(const ProfileProblem &Problem) {
  static constexpr std::string_view Kinds[] = {
      "code-not-found",          "counts-lost",      "cupti-error",
      "insufficient-privileges", "kernel-failed",    "no-cupti",
      "nothing-counted",         "other-profiler",   "unfinished",
      "unsupported-gpu",         "unsupported-setup"};
  return std::ranges::find(Kinds, Problem.Kind) != std::end(Kinds);
}

} // namespace cudalint
