//===- runtime/measure/ProfileFiles.cpp - Profiles and predictions --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/measure/ProfileFiles.h"

#include "report/InputFile.h"
#include "report/JsonCursor.h"
#include "report/JsonReader.h"
#include "report/OutputFile.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>

namespace fs = std::filesystem;

namespace cudalint {

static constexpr std::string_view RunPrefix = "run-";

std::string runPrefix(unsigned Run) {
  return fmt::format("{}{:03}-", RunPrefix, Run);
}

/// 0 where the name says nothing of a run.
static unsigned runOf(const std::string &Path) {
  const std::string Name = fs::path(Path).filename().string();
  unsigned Run = 0;
  if (!Name.starts_with(RunPrefix))
    return 0;
  const char *Begin = Name.data() + RunPrefix.size();
  const auto [End, Code] =
      std::from_chars(Begin, Name.data() + Name.size(), Run);
  return Code == std::errc() && *End == '-' ? Run : 0;
}

static void readOneProfile(const std::string &Path, bool TakesResults,
                           ProfilesRead &Out) {
  std::string Error;
  std::optional<std::string> Text =
      readWholeFile(Path, JsonLimits().Bytes, Error);
  if (!Text) {
    Out.Errors.push_back(std::move(Error));
    return;
  }
  ProfileRead Read =
      TakesResults ? readProfileOrResult(*Text) : readProfile(*Text);
  if (!Read.Error.empty()) {
    Out.Errors.push_back(
        fmt::format("profile '{}': {}", Path, printable(Read.Error)));
    return;
  }
  Read.Value.Run = runOf(Path);
  Out.Profiles.push_back(std::move(Read.Value));
  Out.Paths.push_back(Path);
}

void readProfiles(const std::string &Path, ProfilesRead &Out,
                  bool TakesResults) {
  std::string Error;
  for (const std::string &Name : jsonFilesOf(Path, Error))
    readOneProfile(Name, TakesResults, Out);
  if (!Error.empty())
    Out.Errors.push_back(std::move(Error));
}

std::string readPredictions(const std::string &Path,
                            std::vector<Document> &Out) {
  std::string Error;
  std::optional<std::string> Text =
      readWholeFile(Path, JsonLimits().Bytes, Error);
  if (!Text)
    return Error;
  DocumentsRead Read = readDocuments(*Text);
  if (!Read.Error.empty())
    return fmt::format("predictions '{}': {}", Path, printable(Read.Error));
  std::ranges::move(Read.Documents, std::back_inserter(Out));
  return {};
}

std::string saveProfiles(const std::vector<std::string> &Paths,
                         const std::string &Folder, const std::string &Prefix) {
  std::error_code Code;
  fs::create_directories(Folder, Code);
  if (Code)
    return fmt::format("cannot make the folder '{}': {}", Folder,
                       Code.message());
  for (const std::string &Path : Paths) {
    std::string Error;
    std::optional<std::string> Text =
        readWholeFile(Path, JsonLimits().Bytes, Error);
    if (!Text)
      return Error;
    fs::path To =
        fs::path(Folder) / (Prefix + fs::path(Path).filename().string());
    if (std::optional<std::string> Why = writeOutputFile(To.string(), *Text))
      return *Why;
  }
  return {};
}

std::string findSibling(const std::string &Name) {
  std::error_code Code;
  fs::path Program = fs::read_symlink("/proc/self/exe", Code);
  if (Code)
    return {};
  fs::path Folder = Program.parent_path();
  // Beside us in a build, in lib when installed.
  for (const char *Place : {".", "../lib", "../lib/cuda-lint", "../lib64"}) {
    fs::path Path = Folder / Place / Name;
    if (fs::is_regular_file(Path, Code))
      return fs::weakly_canonical(Path, Code).string();
  }
  return {};
}

} // namespace cudalint
