//===- analyzer/tool/LaunchedBuild.cpp - Beside a compiler ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/LaunchedBuild.h"

#include "analyzer/project/CompileDatabase.h"
#include "analyzer/project/Project.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Process.h>
#include <llvm/Support/xxhash.h>

namespace cudalint {

static std::string fromEnvironment(const char *Name) {
  return llvm::sys::Process::GetEnv(Name).value_or("");
}

/// Takes `--results DIR` out of \p Options.
static std::string takeResults(std::vector<std::string> &Options) {
  static constexpr std::string_view Name = "--results";
  std::string Folder = fromEnvironment("CUDA_LINT_RESULTS");
  for (auto At = Options.begin(); At != Options.end();) {
    if (*At == Name && At + 1 != Options.end()) {
      Folder = *(At + 1);
      At = Options.erase(At, At + 2);
    } else if (At->starts_with(std::string(Name) + "=")) {
      Folder = At->substr(Name.size() + 1);
      At = Options.erase(At);
    } else {
      ++At;
    }
  }
  return Folder;
}

ParsedOptions parseLaunched(const std::vector<std::string> &Arguments) {
  LaunchedBuild Build;
  const auto Dashes = std::ranges::find(Arguments, "--");
  if (Arguments.empty() || Dashes == Arguments.begin() ||
      Dashes == Arguments.end())
    return refuse("launched is started by 'cuda-lint launcher'");
  const std::string &Pipe = Arguments.front();
  const char *End = Pipe.data() + Pipe.size();
  if (std::from_chars(Pipe.data(), End, Build.Running).ptr != End)
    return refuse("launched is started by 'cuda-lint launcher'");
  std::vector<std::string> Ours(Arguments.begin() + 1, Dashes);
  Build.Words.assign(Dashes + 1, Arguments.end());
  Build.Results = takeResults(Ours);
  if (!Ours.empty() && !Ours.front().starts_with("-"))
    return refuse(
        fmt::format("launcher: '{}' is no option; the command of the build "
                    "goes behind --",
                    printable(Ours.front())));
  const std::string FailOn = fromEnvironment("CUDA_LINT_FAIL_ON");
  const bool SaysFailOn = std::ranges::any_of(Ours, [](std::string_view Each) {
    return Each == "--fail-on" || Each.starts_with("--fail-on=");
  });
  if (!SaysFailOn)
    Ours.push_back("--fail-on=" + (FailOn.empty() ? "never" : FailOn));
  ParsedOptions Parsed = parseOptions(Ours);
  if (!Parsed.Run)
    return Parsed;
  if (!Parsed.Run->Inputs.empty() || !Parsed.Run->Build.empty())
    return refuse(
        "launcher lints the files of the command; it takes no others");
  if (Parsed.Run->Fixes.areWished())
    return refuse("launcher edits nothing while a compiler reads it; --fix is "
                  "for cuda-lint FILE");
  Build.Options = std::move(Ours);
  Options &Run = *Parsed.Run;
  Run.Quiet |= !Run.ExplainAll;
  Run.Resources.Built = BuiltObjects{.Running = Build.Running};
  Run.Launched = std::move(Build);
  return Parsed;
}

ParsedOptions parseDiscarded(const std::vector<std::string> &Arguments) {
  const auto Dashes = std::ranges::find(Arguments, "--");
  if (Dashes == Arguments.end())
    return refuse("discard is started by 'cuda-lint launcher'");
  ParsedOptions Parsed;
  Parsed.Run = Options{.What = Command::Discard};
  Parsed.Run->Launched.emplace().Words.assign(Dashes + 1, Arguments.end());
  return Parsed;
}

/// One for each object: a file is compiled anew into the same, and two targets
/// of a build compile it into two.
static std::string resultName(const ProjectFile &File,
                              const std::string &Here) {
  std::string Key = File.Object.empty() ? absoluteName(Here, File.Name)
                                        : absoluteName(Here, File.Object);
  if (File.Object.empty())
    for (const std::string &Each : File.Arguments)
      Key += '\0' + Each;
  std::string Stem = llvm::sys::path::stem(File.Name).str();
  std::ranges::replace_if(
      Stem, [](char C) { return !llvm::isAlnum(C) && C != '-' && C != '_'; },
      '_');
  constexpr std::size_t LongestStem = 100;
  Stem.resize(std::min(Stem.size(), LongestStem));
  return fmt::format("{}-{:016x}.json", Stem, llvm::xxh3_64bits(Key));
}

std::optional<std::string> attachToBuild(Options &Run) {
  std::error_code Gone;
  const std::string Here = std::filesystem::current_path(Gone).string();
  for (const ProjectFile &Each : Run.Files)
    Run.Resources.Built->Objects[Each.Name] = Each.Object;
  const std::string &Folder = Run.Launched->Results;
  if (Folder.empty() || Run.Files.empty())
    return std::nullopt;
  if (const std::error_code Why = llvm::sys::fs::create_directories(Folder))
    return fmt::format("'{}' for results cannot be made: {}", printable(Folder),
                       Why.message());
  llvm::SmallString<256> Name(Folder);
  llvm::sys::path::append(Name, resultName(Run.Files.front(), Here));
  Run.Outputs[OutputFormat::Json] = Name.str().str();
  return std::nullopt;
}

std::string noteOnUnread(std::span<const Document> Documents) {
  for (const Document &Doc : Documents)
    for (const UnitRecord &Unit : Doc.Units)
      if (Unit.Status != UnitStatus::Ok && !Unit.Errors.empty()) {
        const ErrorRecord &First = Unit.Errors.front();
        return fmt::format("cuda-lint: note: {} was {}linted: {}:{}: {}\n",
                           printable(Unit.File),
                           Unit.Status == UnitStatus::Failed ? "not "
                                                             : "in part ",
                           printable(First.Where.File), First.Where.Line,
                           printable(First.Message));
      }
  return {};
}

int discardBuild(const Options &Run) {
  std::error_code Gone;
  Options Its = Run;
  Its.Files = projectOfBuild(Run.Launched->Words,
                             std::filesystem::current_path(Gone).string())
                  .Files;
  removeObjects(Its);
  return NothingFound;
}

void removeObjects(const Options &Run) {
  for (const ProjectFile &Each : Run.Files)
    if (!Each.Output.empty() && llvm::sys::fs::is_regular_file(Each.Output))
      llvm::sys::fs::remove(Each.Output);
}

} // namespace cudalint
