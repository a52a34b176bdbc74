//===- runtime/tool/Checks.cpp - Before and after a run -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/tool/Checks.h"

#include "report/Names.h"
#include "runtime/tool/Report.h"

#include "report/TerminalText.h"
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

static void noteUnitsMissing(JoinResult &Result) {
  std::vector<std::string> Names;
  for (const GpuVerdict &Gpu : Result.Gpus)
    for (const KernelVerdict &Kernel : Gpu.Kernels)
      if (Kernel.WasPredicted && Kernel.MeasuredLaunches != 0 &&
          Kernel.Units.empty())
        Names.emplace_back(withoutParameters(
            Kernel.Signature.empty() ? Kernel.Name : Kernel.Signature));
  if (!Names.empty())
    Result.Notes.push_back(fmt::format(
        "what hardware units did is not known of {}{}", Names.front(),
        Names.size() == 1
            ? std::string()
            : fmt::format(" and {} more kernels", Names.size() - 1)));
}

void noteWhatIsMissing(const Options &Run, JoinResult &Result) {
  std::size_t Kernels = 0;
  bool AnyCounted = false, AnyLines = false;
  for (const GpuVerdict &Gpu : Result.Gpus)
    for (const KernelVerdict &Kernel : Gpu.Kernels) {
      Kernels += Kernel.Launches != 0;
      AnyCounted |= Kernel.MeasuredLaunches != 0;
      AnyLines |= Kernel.WasPredicted && Kernel.MeasuredLaunches != 0 &&
                  Kernel.HasLines;
    }
  if (!Result.HasCounters || Kernels == 0)
    return;
  for (std::string &Note : uncountedKernels(Result, /*WasPredicted=*/true))
    Result.Notes.push_back(std::move(Note));
  if (Run.CheckUnits)
    noteUnitsMissing(Result);
  const auto [Wanted, Counted] = Result.coverage();
  if (!Run.Kernel.empty() && !AnyCounted)
    Result.Notes.push_back(fmt::format("--kernel '{}' matches none of the {} "
                                       "kernels that ran",
                                       Run.Kernel, Kernels));
  else if (AnyCounted && Wanted != 0 && Counted == 0 && Run.LeastCoverage > 0)
    Result.Notes.push_back(fmt::format(
        "of {} predicted lines none was measured: {}", Wanted,
        AnyLines ? "are the predictions of the sources that the program was "
                   "built from?"
                 : "the program has no line numbers; with --min-coverage=0, "
                   "kernels as a whole are enough"));
  else if (AnyCounted && Counted < Run.LeastCoverage * Wanted)
    Result.Notes.push_back(fmt::format(
        "of {} predicted lines of the kernels that ran, {} have counts: {:.0f} "
        "%, less than the {:.3g} % of --min-coverage",
        Wanted, Counted, 100.0 * Counted / Wanted, 100 * Run.LeastCoverage));
}

} // namespace cudalint
