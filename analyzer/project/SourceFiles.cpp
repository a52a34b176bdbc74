//===- analyzer/project/SourceFiles.cpp - Folders and globs ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/project/SourceFiles.h"

#include "report/NaturalOrder.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <functional>
#include <set>

using namespace llvm;

namespace cudalint {

/// Folders deeper than any that people make, as of a link that leads back.
static constexpr unsigned MostLevels = 64;

namespace {
/// What a folder holds, each with whether it is a folder itself.
struct Entry {
  std::string Name;
  bool IsFolder = false;
  bool IsLink = false;
};
} // namespace

static std::vector<Entry> entriesOf(const std::string &Folder) {
  std::vector<Entry> Result;
  std::error_code Error;
  for (sys::fs::directory_iterator At(Folder.empty() ? "." : Folder, Error),
       End;
       At != End && !Error; At.increment(Error)) {
    const StringRef Path = At->path();
    Result.push_back({.Name = sys::path::filename(Path).str(),
                      .IsFolder = sys::fs::is_directory(Path),
                      .IsLink = sys::fs::is_symlink_file(Path)});
  }
  return Result;
}

static std::string join(const std::string &Folder, const std::string &Name) {
  SmallString<256> Path(Folder);
  sys::path::append(Path, Name);
  return Path.str().str();
}

/// Calls \p Work with the folders below \p Folder, and with it.
static void forEachFolder(const std::string &Folder,
                          const std::function<void(const std::string &)> &Work,
                          unsigned Level = 0) {
  Work(Folder);
  if (Level == MostLevels)
    return;
  for (const Entry &Each : entriesOf(Folder))
    if (Each.IsFolder && !Each.IsLink && !Each.Name.starts_with("."))
      forEachFolder(join(Folder, Each.Name), Work, Level + 1);
}

static std::vector<std::string> sorted(std::set<std::string> Names) {
  std::vector<std::string> Result(Names.begin(), Names.end());
  std::ranges::stable_sort(Result,
                           [](const std::string &A, const std::string &B) {
                             return isNaturallyLess(A, B);
                           });
  return Result;
}

std::vector<std::string> sourcesBelow(const std::string &Folder) {
  std::set<std::string> Found;
  forEachFolder(Folder, [&](const std::string &At) {
    for (const Entry &Each : entriesOf(At))
      if (!Each.IsFolder && sys::path::extension(Each.Name) == ".cu")
        Found.insert(join(At, Each.Name));
  });
  return sorted(std::move(Found));
}

//===----------------------------------------------------------------------===//
// Globs
//===----------------------------------------------------------------------===//

static bool hasWildcard(StringRef Text) {
  return Text.find_first_of("*?[") != StringRef::npos;
}

bool isGlob(const std::string &Input) {
  return hasWildcard(Input) && !sys::fs::exists(Input);
}

/// The folders, or at last the files, that \p Part matches in \p Folder.
static std::vector<std::string>
matching(const std::string &Folder, const GlobPattern &Part, bool AreFolders) {
  std::vector<std::string> Result;
  for (const Entry &Each : entriesOf(Folder))
    if (Each.IsFolder == AreFolders && Part.match(Each.Name))
      Result.push_back(join(Folder, Each.Name));
  return Result;
}

std::vector<std::string> filesMatching(const std::string &Glob,
                                       std::string &Error) {
  std::set<std::string> At = {sys::path::root_directory(Glob).str()};
  SmallVector<StringRef> Parts;
  sys::path::relative_path(Glob).split(Parts, '/', -1, /*KeepEmpty=*/false);
  for (std::size_t I = 0; I != Parts.size(); ++I) {
    const bool IsLast = I + 1 == Parts.size();
    std::set<std::string> Next;
    if (Parts[I] == "**") {
      for (const std::string &Folder : At)
        forEachFolder(Folder,
                      [&](const std::string &Each) { Next.insert(Each); });
      if (IsLast) { // All that is below.
        std::set<std::string> Files;
        for (const std::string &Folder : At)
          for (std::string &Each : sourcesBelow(Folder))
            Files.insert(std::move(Each));
        Next = std::move(Files);
      }
    } else if (!hasWildcard(Parts[I])) {
      for (const std::string &Folder : At) {
        std::string Path = join(Folder, Parts[I].str());
        if (IsLast ? sys::fs::is_regular_file(Path)
                   : sys::fs::is_directory(Path))
          Next.insert(std::move(Path));
      }
    } else {
      Expected<GlobPattern> Part = GlobPattern::create(Parts[I]);
      if (!Part) {
        Error = toString(Part.takeError());
        return {};
      }
      for (const std::string &Folder : At)
        for (std::string &Each : matching(Folder, *Part, !IsLast))
          Next.insert(std::move(Each));
    }
    At = std::move(Next);
  }
  return sorted(std::move(At));
}

} // namespace cudalint
