//===- analyzer/tool/FixRun.cpp - --fix and its like ----------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/FixRun.h"

#include "analyzer/fix/ExportedFixes.h"
#include "analyzer/fix/UnifiedDiff.h"
#include "analyzer/project/Project.h"
#include "report/InputFile.h"
#include "report/OutputFile.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <llvm/ADT/IntEqClasses.h>
#include <set>
#include <sys/stat.h>

namespace fs = std::filesystem;

namespace cudalint {

FixRun::FixRun(const Options &Run, std::chrono::system_clock::time_point Start)
    : Run(Run), Start(Start) {
  std::error_code Gone;
  Here = fs::current_path(Gone).string();
  Root = repositoryAround(Here);
}

/// Whether \p File is \p Folder or below it, by their real names.
static bool isBelow(const fs::path &File, const fs::path &Folder) {
  std::error_code None;
  const fs::path Real = fs::weakly_canonical(File, None),
                 Base = fs::weakly_canonical(Folder, None);
  return std::ranges::mismatch(Base, Real).in1 == Base.end();
}

/// Edits stay in the project: a header that a compiler finds elsewhere is
/// somebody else's.
std::string FixRun::whyNotOurs(const std::string &File) const {
  const fs::path Name = fs::path(Here) / File;
  if (isBelow(Name, Root))
    return {};
  for (const ProjectFile &Each : Run.Files)
    if (isBelow(Name, (fs::path(Here) / Each.Name).parent_path()))
      return {};
  return fmt::format("'{}' is no file of this project", printable(File));
}

/// Whether \p File was made, moved or written since \p Start.
static bool hasChanged(const std::string &File,
                       std::chrono::system_clock::time_point Start) {
  struct stat Status = {};
  if (::stat(File.c_str(), &Status) != 0)
    return true;
  const auto Changed = std::chrono::seconds(Status.st_ctim.tv_sec) +
                       std::chrono::nanoseconds(Status.st_ctim.tv_nsec);
  return Changed > Start.time_since_epoch();
}

std::optional<std::string_view> FixRun::original(const std::string &File) {
  auto [Entry, IsNew] = Originals.try_emplace(File);
  if (IsNew) {
    std::string Why;
    if (const auto Text = Run.Texts.find(File); Text != Run.Texts.end())
      Entry->second = Text->second;
    else if (!hasChanged(File, Start))
      Entry->second = readWholeFile(File, MostSourceBytes, Why);
  }
  if (!Entry->second)
    return std::nullopt;
  return std::string_view(*Entry->second);
}

void FixRun::prove(std::span<const Document> Documents, const Reanalysis &Again,
                   std::optional<std::size_t> Only) {
  Before = Documents;
  Proved = proveFixes(
      Before,
      {.Most = Run.Fixes.Most,
       .Original = [this](const std::string &File) { return original(File); },
       .WhyNotOurs =
           [this](const std::string &File) { return whyNotOurs(File); },
       .Only = Only},
      Again);
}

std::string FixRun::patch() const {
  std::string Text;
  for (const auto &[File, Edits] : Proved.Edits)
    if (const auto Old = Originals.find(File); Old != Originals.end())
      Text += unifiedDiff(File, Old->second.value_or(""), Edits);
  return Text;
}

static bool isSameFile(const std::string &A, const std::string &B) {
  std::error_code None;
  return A == B || fs::equivalent(A, B, None);
}

/// Files that one fix edits stay together, and so do those of fixes that have
/// a file in common.
static std::vector<std::vector<std::string>>
filesThatGoTogether(const ProvedFixes &Proved) {
  std::vector<std::string> Names;
  for (const auto &[File, Text] : Proved.Texts)
    Names.push_back(File);
  llvm::IntEqClasses Classes(static_cast<unsigned>(Names.size()));
  for (const TriedFix &Each : Proved.Fixes) {
    if (Each.State != FixState::Proved)
      continue;
    std::optional<unsigned> First;
    for (unsigned I = 0; I != Names.size(); ++I)
      if (std::ranges::any_of(Each.Offered.What.Edits, [&](const Edit &E) {
            return isSameFile(E.File, Names[I]);
          })) {
        Classes.join(First.value_or(I), I);
        First = First.value_or(I);
      }
  }
  Classes.compress();
  std::vector<std::vector<std::string>> Result(Classes.getNumClasses());
  for (unsigned I = 0; I != Names.size(); ++I)
    Result[Classes[I]].push_back(Names[I]);
  return Result;
}

std::vector<std::string> FixRun::write() {
  std::vector<std::string> Errors;
  if (!Run.Fixes.Export.empty()) {
    const std::string Text = exportedFixes(
        Before, Proved.Fixes, Here,
        [this](const std::string &File) { return original(File); });
    if (std::optional<std::string> Why =
            writeOutputFile(Run.Fixes.Export, Text))
      Errors.push_back(std::move(*Why));
  }
  if (!Run.Fixes.Apply)
    return Errors;
  for (const std::vector<std::string> &Files : filesThatGoTogether(Proved)) {
    std::vector<FileUpdate> Updates;
    for (const std::string &File : Files)
      Updates.push_back({.Path = File,
                         .Before = *original(File),
                         .After = Proved.Texts.at(File)});
    if (std::optional<std::string> Why = updateFiles(Updates)) {
      Errors.push_back(std::move(*Why));
      continue;
    }
    for (const std::string &File : Files)
      Written[File] = Proved.Texts.at(File);
  }
  return Errors;
}

static std::string placeOf(const Finding &F) {
  std::string Text = F.Where.File;
  if (F.Where.Line)
    Text += fmt::format(":{}", F.Where.Line);
  if (F.Where.Line && F.Where.Column)
    Text += fmt::format(":{}", F.Where.Column);
  return Text;
}

/// `a.cu:3:14: fixed: declare 'tile[32][33]': 'f': 1056 -> 64 shared wavefronts
/// per warp [shared-bank-conflict]`
static std::string remarkOn(const TriedFix &Fix, std::string_view Done) {
  const Finding &F = Fix.Offered.first();
  return printable(
      fmt::format("{}: {}: {}{}{} [{}]", placeOf(F),
                  Fix.State == FixState::Proved ? Done : "not fixed",
                  Fix.Offered.What.Description, Fix.Words.empty() ? "" : ": ",
                  Fix.Words, F.Check));
}

bool FixRun::isWritten(const Fix &What) const {
  return std::ranges::all_of(What.Edits, [&](const Edit &E) {
    return std::ranges::any_of(Written, [&](const auto &Each) {
      return isSameFile(Each.first, E.File);
    });
  });
}

std::vector<std::string> FixRun::remarks() const {
  std::vector<std::string> Result;
  std::size_t Good = 0;
  for (const TriedFix &Each : Proved.Fixes) {
    if (Each.State == FixState::Proved && Run.Fixes.Apply &&
        !isWritten(Each.Offered.What))
      continue; // An error says why.
    Good += Each.State == FixState::Proved;
    Result.push_back(remarkOn(Each, Run.Fixes.Apply ? "fixed" : "fix"));
  }
  std::set<std::string> Files;
  for (const auto &[File, Text] : Run.Fixes.Apply ? Written : Proved.Texts)
    Files.insert(File);
  const std::size_t Left = Proved.Fixes.size() - Good;
  std::string All = fmt::format("cuda-lint: {} {} {}", countOf(Good, "fix"),
                                Run.Fixes.Apply ? "applied to" : "proved in",
                                countOf(Files.size(), "file"));
  if (Left)
    All += fmt::format(", {} not", Left);
  Result.push_back(std::move(All));
  return Result;
}

const std::vector<Document> *FixRun::after() const {
  return Written.empty() ? nullptr : &Proved.After;
}

} // namespace cudalint
