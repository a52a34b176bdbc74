//===- analyzer/project/Includers.cpp - Who includes what -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/project/Includers.h"

#include "analyzer/project/CompileDatabase.h"
#include "report/InputFile.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <optional>

using namespace llvm;

namespace cudalint {

/// `x.h` of `#include "x.h"` and `# include <x.h>`; empty for other lines.
static StringRef includedBy(StringRef Line) {
  Line = Line.ltrim(" \t");
  if (!Line.consume_front("#"))
    return "";
  Line = Line.ltrim(" \t");
  if (!Line.consume_front("include"))
    return "";
  Line = Line.ltrim(" \t");
  if (Line.consume_front("\""))
    return Line.take_until([](char C) { return C == '"'; });
  return Line.consume_front("<")
             ? Line.take_until([](char C) { return C == '>'; })
             : "";
}

bool Includers::includesWanted(const std::string &File,
                               const std::vector<std::string> &Folders) {
  auto [Entry, IsNew] = Known.try_emplace(File, false);
  if (!IsNew)
    return Entry->second;
  std::string Why;
  const std::optional<std::string> Text =
      readWholeFile(File, MostSourceBytes, Why);
  if (!Text)
    return false;
  std::vector<std::string> All = {sys::path::parent_path(File).str()};
  All.insert(All.end(), Folders.begin(), Folders.end());
  StringRef Rest = *Text;
  while (!Rest.empty()) {
    StringRef Line;
    std::tie(Line, Rest) = Rest.split('\n');
    const StringRef Name = includedBy(Line);
    if (Name.empty())
      continue;
    for (const std::string &Folder : All) {
      const std::string Path = absoluteName(Folder, Name.str());
      if (!sys::fs::is_regular_file(Path))
        continue;
      if (IsWanted(Path) || includesWanted(Path, Folders))
        return Known[File] = true;
      break;
    }
  }
  return false;
}

} // namespace cudalint
