//===- runtime/tool/Predicting.cpp - What the linter says -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/tool/Predicting.h"

#include "hardware/Architecture.h"
#include "report/CommandLine.h"
#include "runtime/measure/ScratchFolder.h"
#include "runtime/tool/Measuring.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace cudalint {

/// The GPU to lint for: that which ran the program.
static std::string targetOf(std::span<const Profile> Profiles) {
  for (const Profile &Each : Profiles)
    for (const ProfileDevice &Device : Each.Devices) {
      std::optional<Target> Product = parseTarget(Device.Name);
      if (Product && toString(Product->Arch->CC) == Device.ComputeCapability)
        return Product->Name;
      std::string Arch = Device.ComputeCapability;
      std::erase(Arch, '.');
      if (parseTarget("sm_" + Arch))
        return "sm_" + Arch;
    }
  return {};
}

/// Not cuda-lint itself, which can do nothing without it.
static std::string findLinter() { return findSibling("cuda-lint-check"); }

std::string readGiven(const Options &Run, std::vector<Document> &Out) {
  for (const std::string &Path : Run.Predictions)
    if (std::string Error = readPredictions(Path, Out); !Error.empty())
      return Error;
  if (!Run.Sources.empty() && findLinter().empty())
    return "cuda-lint-check, which lints the sources, is not beside this "
           "program; lint them where it is, and name the result by "
           "--predictions FILE";
  for (const std::string &Path : Run.Sources)
    if (::access(Path.c_str(), R_OK) != 0)
      return fmt::format("cannot read '{}': {}", Path, std::strerror(errno));
  return {};
}

std::string lintSources(const Options &Run, std::span<const Profile> Measured,
                        std::vector<Document> &Out) {
  if (Run.Sources.empty())
    return {};
  const std::string Gpu = targetOf(Measured);
  ScratchFolder Folder;
  if (!Folder.error().empty())
    return Folder.error();
  std::string Result = Folder.path() + "/predictions.json";
  ProgramRun Lint;
  Lint.Command = {findLinter(), "--format=json", "--fail-on=never",
                  "--output=" + Result};
  if (!Gpu.empty())
    Lint.Command.push_back("--gpu=" + Gpu);
  for (const std::string &File : Run.Sources)
    Lint.Command.push_back(File);
  if (!Run.ExtraArguments.empty()) {
    Lint.Command.push_back("--");
    Lint.Command.insert(Lint.Command.end(), Run.ExtraArguments.begin(),
                        Run.ExtraArguments.end());
  }
  progress(Run, fmt::format("linting {} files", Run.Sources.size()));
  ProgramEnd End = runProgram(Lint);
  if (!End.NotStarted.empty())
    return End.NotStarted;
  if (End.Signal != 0 || End.Code == NothingDone)
    return fmt::format("the sources could not be linted: {} {}",
                       Lint.Command[0], describe(End));
  return readPredictions(Result, Out);
}

std::vector<std::string> rootsOf(const Options &Run) {
  if (!Run.SourceRoot.empty())
    return {Run.SourceRoot};
  if (Run.Predictions.empty())
    return {};
  std::vector<std::string> Roots = {"."};
  for (const std::string &Path : Run.Predictions)
    Roots.push_back(fs::absolute(Path).parent_path().string());
  return Roots;
}

} // namespace cudalint
