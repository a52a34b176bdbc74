//===- analyzer/tool/FileSettings.cpp - What each file wants --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/FileSettings.h"

#include "analyzer/pipeline/CheckSelection.h"

#include <algorithm>

namespace cudalint {

std::string FileSettings::add(const std::string &File,
                              const std::string &Absolute,
                              const Configuration &Its,
                              const std::string &Globs) {
  std::string Error;
  // Those of a configuration were read already: what is wrong is the user's.
  const std::optional<std::vector<const Check *>> Selected =
      selectChecks(All, Its.checksFor(Absolute) + "," + Globs, Error);
  if (!Selected)
    return Error;
  OfFile Settings;
  for (const Check *Each : *Selected) {
    const std::string_view Name = Each->info().Name;
    const auto Level = Its.levelOf(Absolute, Name);
    if (Level && !*Level)
      continue;
    Settings.On.insert(Name);
    if (Level)
      Settings.Levels[Name] = **Level;
  }
  ByFile[File] = std::move(Settings);
  if (OptionNumbers Set = Its.optionsFor(Absolute); !Set.empty())
    Values[File] = std::move(Set);
  return "";
}

std::vector<const Check *> FileSettings::checks() const {
  std::vector<const Check *> Result;
  for (const std::unique_ptr<Check> &Each : All)
    if (std::ranges::any_of(ByFile, [&](const auto &File) {
          return File.second.On.contains(Each->info().Name);
        }))
      Result.push_back(Each.get());
  return Result;
}

void FileSettings::apply(std::span<Document> Documents) const {
  for (Document &Doc : Documents)
    for (UnitRecord &Unit : Doc.Units) {
      const auto Found = ByFile.find(Unit.File);
      if (Found == ByFile.end())
        continue;
      const OfFile &Settings = Found->second;
      std::erase_if(Unit.Findings, [&](const Finding &F) {
        return !Settings.On.contains(F.Check);
      });
      for (Finding &F : Unit.Findings)
        if (const auto Level = Settings.Levels.find(F.Check);
            Level != Settings.Levels.end())
          F.Level = Level->second;
    }
}

} // namespace cudalint
