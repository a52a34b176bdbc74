//===- analyzer/tool/Configuration.cpp - .cuda-lint -----------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/Configuration.h"

#include "report/InputFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using namespace llvm;

namespace cudalint {

//===----------------------------------------------------------------------===//
// What holds for a file
//===----------------------------------------------------------------------===//

static bool matches(const std::vector<std::string> &Globs,
                    const std::string &Folder, const std::string &File) {
  StringRef Name = File;
  if (Name.consume_front(Folder))
    Name.consume_front("/");
  return std::ranges::any_of(Globs, [&](const std::string &Each) {
    Expected<GlobPattern> Glob = GlobPattern::create(Each);
    if (Glob)
      return Glob->match(StringRef(Each).starts_with("/") ? StringRef(File)
                                                          : Name);
    consumeError(Glob.takeError());
    return false;
  });
}

bool Configuration::excludes(const std::string &File) const {
  return matches(Exclude, Folder, File);
}

std::string Configuration::checksFor(const std::string &File) const {
  std::string Result = Checks;
  for (const PathSettings &Each : Paths)
    if (!Each.Checks.empty() && matches(Each.Match, Folder, File))
      Result += (Result.empty() ? "" : ",") + Each.Checks;
  return Result;
}

OptionNumbers Configuration::optionsFor(const std::string &File) const {
  OptionNumbers Result = Options;
  for (const PathSettings &Each : Paths)
    if (!Each.Options.empty() && matches(Each.Match, Folder, File))
      for (const auto &[Name, Value] : Each.Options)
        Result[Name] = Value;
  return Result;
}

/// The most exact key that matches: the name itself, else the longest glob.
static const std::optional<Severity> *find(const Severities &Levels,
                                           std::string_view Check) {
  const std::optional<Severity> *Result = nullptr;
  std::size_t Longest = 0;
  for (const auto &[Key, Each] : Levels) {
    if (Key == Check)
      return &Each;
    Expected<GlobPattern> Glob = GlobPattern::create(Key);
    if (!Glob) {
      consumeError(Glob.takeError());
      continue;
    }
    if (Glob->match(Check) && Key.size() >= Longest) {
      Longest = Key.size();
      Result = &Each;
    }
  }
  return Result;
}

std::optional<std::optional<Severity>>
Configuration::levelOf(const std::string &File, std::string_view Check) const {
  std::optional<std::optional<Severity>> Result;
  if (const auto *Found = find(Levels, Check))
    Result = *Found;
  for (const PathSettings &Each : Paths)
    if (const auto *Found = find(Each.Levels, Check);
        Found && matches(Each.Match, Folder, File))
      Result = *Found;
  return Result;
}

/// \p Child behind \p Parent. Globs of paths stay those of their own folders,
/// which lie in one another, so those of the parent are named from the child's.
static Configuration inherited(const Configuration &Parent,
                               Configuration Child) {
  const auto prefixed = [&](std::vector<std::string> Globs) {
    for (std::string &Each : Globs)
      if (!StringRef(Each).starts_with("/"))
        Each = Parent.Folder + "/" + Each;
    return Globs;
  };
  if (!Parent.Checks.empty())
    Child.Checks =
        Parent.Checks + (Child.Checks.empty() ? "" : ",") + Child.Checks;
  Child.Levels.insert(Parent.Levels.begin(), Parent.Levels.end());
  Child.Options.insert(Parent.Options.begin(), Parent.Options.end());
  if (Child.Gpus.empty())
    Child.Gpus = Parent.Gpus;
  if (Child.FailOn.empty())
    Child.FailOn = Parent.FailOn;
  if (Child.MinOccupancy.empty())
    Child.MinOccupancy = Parent.MinOccupancy;
  std::vector<std::string> Exclude = prefixed(Parent.Exclude);
  Exclude.insert(Exclude.end(), Child.Exclude.begin(), Child.Exclude.end());
  Child.Exclude = std::move(Exclude);
  std::vector<PathSettings> Paths = Parent.Paths;
  for (PathSettings &Each : Paths)
    Each.Match = prefixed(Each.Match);
  Paths.insert(Paths.end(), Child.Paths.begin(), Child.Paths.end());
  Child.Paths = std::move(Paths);
  return Child;
}

const Configuration &Configurations::of(const std::string &Folder) {
  if (Forced)
    return *Forced;
  std::shared_ptr<const Configuration> &Entry = ByFolder[Folder];
  if (Entry)
    return *Entry;
  const StringRef Parent = sys::path::parent_path(Folder);
  SmallString<256> Path(Folder);
  sys::path::append(Path, ConfigurationName);
  std::string Why;
  std::optional<std::string> Text;
  sys::fs::file_status Status;
  sys::fs::status(Path, Status, /*follow=*/false);
  if (Status.type() != sys::fs::file_type::file_not_found &&
      !sys::fs::is_regular_file(Path))
    Why = "'" + Path.str().str() +
          "' is no plain file, so what it says cannot be read";
  else if (sys::fs::is_regular_file(Path))
    Text = readWholeFile(Path.str().str(), 1u << 20, Why);
  if (!Text) {
    if (!Why.empty() && Error.empty())
      Error = Why;
    auto Found = Parent.empty()
                     ? std::make_shared<Configuration>()
                     : std::make_shared<Configuration>(of(Parent.str()));
    ByFolder[Folder] = Found;
    return *Found;
  }
  ConfigurationRead Read =
      parseConfiguration(*Text, Path.str().str(), Folder, Checks);
  if (!Read.Error.empty() && Error.empty())
    Error = Read.Error;
  Configuration Value = std::move(Read.Value);
  if (Value.InheritsParent && !Parent.empty())
    Value = inherited(of(Parent.str()), std::move(Value));
  auto Result = std::make_shared<Configuration>(std::move(Value));
  ByFolder[Folder] = Result;
  return *Result;
}

} // namespace cudalint
