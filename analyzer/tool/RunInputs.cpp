//===- analyzer/tool/RunInputs.cpp - What a run reads ---------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/RunInputs.h"

#include "analyzer/frontend/ArgumentFiles.h"
#include "analyzer/frontend/CompilerArguments.h"
#include "analyzer/project/CompileDatabase.h"
#include "analyzer/project/Includers.h"
#include "analyzer/tool/LaunchedBuild.h"
#include "analyzer/tool/OptionWords.h"
#include "report/InputFile.h"
#include "report/Names.h"
#include "report/Phrase.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace cudalint {

/// What compilers call it.
static constexpr const char *StandardInput = "<stdin>";

/// Settles what follows `--`. Returns what is wrong with it.
static std::optional<std::string> readCompilerArguments(Options &Run) {
  if (std::optional<std::string> Why =
          expandArgumentFiles(Run.CompilerArguments))
    return Why;
  if (std::string Other = askingForOther(Run.CompilerArguments); !Other.empty())
    return fmt::format("compiler argument '{}' asks for something else than to "
                       "compile code for a GPU, so there would be nothing to "
                       "lint; take it out ('cuda-lint --help' stands before "
                       "any --)",
                       printable(Other));
  return std::nullopt;
}

/// Reads what can be read but once, for all that will ask for it.
static void readPipes(Options &Run) {
  for (ProjectFile &Each : Run.Files) {
    std::string &File = Each.Name;
    if (!isReadOnce(File))
      continue;
    std::string Text;
    std::optional<std::string> Why = readInput(
        File, MostSourceBytes, [&](std::string_view Part) { Text += Part; });
    if (File == "-")
      File = StandardInput;
    if (Why)
      Run.Unreadable[File] = "cannot be read: " + *Why;
    else
      Run.Texts[File] = std::move(Text);
  }
  if (Run.ExplainAt && Run.ExplainAt->File == "-")
    Run.ExplainAt->File = StandardInput;
}

std::optional<Configuration> givenConfiguration(const Options &Run,
                                                const std::string &Here,
                                                const KnownChecks &Checks,
                                                std::string &Error) {
  std::string Text = Run.Config, Name = "--config";
  if (!Run.ConfigFile.empty()) {
    const std::optional<std::string> Read =
        readWholeFile(Run.ConfigFile, 1u << 20, Error);
    if (!Read)
      return std::nullopt;
    Text = *Read;
    Name = Run.ConfigFile;
  } else if (Text.empty()) {
    return std::nullopt;
  }
  ConfigurationRead Read = parseConfiguration(Text, Name, Here, Checks);
  Error = std::move(Read.Error);
  return std::move(Read.Value);
}

static std::string folderOf(const std::string &File) {
  return std::filesystem::path(File).parent_path().string();
}

/// Leaves out what is excluded, and notes how much that is.
static void dropExcluded(Options &Run, Configurations &All,
                         const std::string &Here) {
  const std::size_t Before = Run.Files.size();
  Configuration Wished;
  Wished.Exclude = Run.Exclude;
  Wished.Folder = Here;
  std::erase_if(Run.Files, [&](const ProjectFile &Each) {
    const std::string File = absoluteName(Here, Each.Name);
    return !isReadOnce(Each.Name) &&
           (All.of(folderOf(File)).excludes(File) || Wished.excludes(File));
  });
  if (const std::size_t Gone = Before - Run.Files.size())
    Run.Notes.push_back(fmt::format("note: {} left out, as {} excluded",
                                    countOf(Gone, "file"),
                                    Gone == 1 ? "it is" : "they are"));
}

/// Finds the files and how they are compiled. Returns why there are none.
static std::optional<std::string> findFiles(Options &Run,
                                            const std::string &Here) {
  Project Found = Run.Launched
                      ? projectOfBuild(Run.Launched->Words, Here)
                      : findProject({.Inputs = Run.Inputs,
                                     .Build = Run.Build,
                                     .IsGiven = Run.HasCompilerArguments &&
                                                Run.Build.empty(),
                                     .Here = Here});
  if (!Found.Error.empty())
    return Found.Error;
  Run.Files = std::move(Found.Files);
  Run.HostFiles = std::move(Found.HostFiles);
  // What the user adds comes last, and so counts.
  for (ProjectFile &Each : Run.Files)
    Each.Arguments.insert(Each.Arguments.end(), Run.CompilerArguments.begin(),
                          Run.CompilerArguments.end());
  Run.Notes.insert(Run.Notes.end(), Found.Notes.begin(), Found.Notes.end());
  if (Run.ExplainAll)
    for (const std::string &Each : Found.Details)
      Run.Notes.push_back("note: " + Each);
  if (Run.CudaPath.empty())
    Run.CudaPath = Run.Resources.CudaPath = Found.CudaPath;
  if (Run.HasGpus || Found.Architectures.empty())
    return std::nullopt;
  // Those that the user adds were chosen already, and hold for all files.
  if (!translateArguments(Run.CompilerArguments).Architectures.empty()) {
    for (ProjectFile &Each : Run.Files)
      Each.Architectures.clear();
    return std::nullopt;
  }
  chooseGpus(Found.Architectures, Run);
  for (const Target &Gpu : Run.Gpus)
    if (std::string Why = whyImpossible(Run.Shapes, Gpu); !Why.empty())
      return Why;
  return std::nullopt;
}

/// The folders that -I and -isystem of \p Arguments name.
static std::vector<std::string>
includeFolders(const std::vector<std::string> &Arguments,
               const std::string &Here) {
  std::vector<std::string> Result;
  const std::vector<std::string> Clang =
      translateArguments(Arguments).Arguments;
  for (std::size_t I = 0; I != Clang.size(); ++I)
    if (Clang[I] == "-isystem" && I + 1 != Clang.size())
      Result.push_back(absoluteName(Here, Clang[++I]));
    else if (Clang[I].starts_with("-I") && Clang[I].size() > 2)
      Result.push_back(absoluteName(Here, Clang[I].substr(2)));
  return Result;
}

/// Of all files of a build, those that have changed or include what has.
static void keepIncluders(Options &Run, const std::string &Here) {
  Includers All([&](const std::string &Header) {
    return std::ranges::find(Run.ChangedHeaders, Header) !=
           Run.ChangedHeaders.end();
  });
  std::erase_if(Run.Files, [&](const ProjectFile &Each) {
    const std::string File = absoluteName(Here, Each.Name);
    return std::ranges::find(Run.ChangedHeaders, File) ==
               Run.ChangedHeaders.end() &&
           !All.includesWanted(File, includeFolders(Each.Arguments, Here));
  });
}

std::optional<std::string> prepare(Options &Run, Configurations &All) {
  std::error_code Gone;
  const std::filesystem::path Here = std::filesystem::current_path(Gone);
  if (Here.empty())
    return fmt::format("the working folder cannot be found: {}; change to one "
                       "that exists",
                       Gone.message());
  if (std::optional<std::string> Why = readCompilerArguments(Run))
    return Why;
  if (!Run.LaunchesFrom.empty()) {
    LaunchListRead Read = readLaunchList(Run.LaunchesFrom);
    if (!Read.Error.empty())
      return "--launches-from: " + Read.Error;
    Run.Listed = std::move(Read.Value);
  }
  configure(All.of(Here.string()), Run);
  if (!All.error().empty())
    return All.error();
  if (std::optional<std::string> Why = findFiles(Run, Here.string()))
    return Why;
  if (!Run.ChangedHeaders.empty())
    keepIncluders(Run, Here.string());
  dropExcluded(Run, All, Here.string());
  readPipes(Run);
  if (Run.Launched)
    return attachToBuild(Run);
  return std::nullopt;
}

std::optional<std::string> addSettings(const Options &Run, Configurations &All,
                                       FileSettings &Settings) {
  const std::string Here = std::filesystem::current_path().string();
  for (const ProjectFile &Each : Run.Files) {
    const std::string File = absoluteName(Here, Each.Name);
    std::string Error =
        Settings.add(Each.Name, File, All.of(folderOf(File)), Run.Checks);
    if (!Error.empty())
      return "--checks: " + Error;
  }
  if (!All.error().empty())
    return All.error();
  return std::nullopt;
}

Configuration effective(const Options &Run, Configurations &All) {
  const std::string Here = std::filesystem::current_path().string();
  Configuration Its = All.of(
      Run.Files.empty() ? Here
                        : folderOf(absoluteName(Here, Run.Files.front().Name)));
  if (!Run.Checks.empty())
    Its.Checks += (Its.Checks.empty() ? "" : ",") + Run.Checks;
  if (Its.FailOn.empty() || Run.HasFailOn)
    Its.FailOn = Run.FailOn ? nameOf(*Run.FailOn) : "never";
  if (Run.MinOccupancy)
    Its.MinOccupancy = fmt::format("{:.0f}", 100 * *Run.MinOccupancy);
  Its.Gpus.clear();
  for (const Target &Gpu : Run.Gpus)
    Its.Gpus.push_back(Gpu.Name);
  Its.InheritsParent = false;
  return Its;
}

std::optional<ChangedLines> changesOf(const Options &Run) {
  if (Run.Diff.empty())
    return std::nullopt;
  if (Run.Diff != "-")
    return changedSince(Run.Diff, Run.Resources.Guard);
  constexpr std::uint64_t MostBytes = 256u << 20;
  std::string Text;
  if (std::optional<std::string> Why = readInput(
          "-", MostBytes, [&](std::string_view Part) { Text += Part; })) {
    ChangedLines Result;
    Result.Error = "standard input: " + *Why;
    return Result;
  }
  return parseDiff(Text);
}

void takeChanged(const ChangedLines &Changes, const std::string &Here,
                 Options &Run) {
  if (changesHeaders(Changes) && findCompileDatabase(Here))
    Run.ChangedHeaders = changedFiles(Changes, Here);
  else
    Run.Inputs = changedSources(Changes, Here);
}

} // namespace cudalint
