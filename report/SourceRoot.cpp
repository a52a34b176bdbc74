//===- report/SourceRoot.cpp - Names of files in reports ------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/SourceRoot.h"

#include <filesystem>
#include <fmt/format.h>
#include <string_view>

namespace cudalint {

using Path = std::filesystem::path;

/// Without `.`, `a/..` and a slash at its end.
static Path normal(const Path &Name) {
  const Path Normal = Name.lexically_normal();
  return Normal.has_filename() ? Normal : Normal.parent_path();
}

ReportedPath pathIn(const ReportPlaces &Places, const std::string &File) {
  const Path Root = normal(Places.Root);
  const Path Start = Places.Current.empty() ? Root : Path(Places.Current);
  const Path Name = normal(Start / File);
  Path Relative = Name;
  // Below the root of the file system is everything.
  if (!Root.empty() && Root != Root.root_path())
    Relative = Name.lexically_relative(Root);
  const bool IsBelow = !Relative.empty() && !Relative.is_absolute() &&
                       *Relative.begin() != ".." && Relative != ".";
  return {IsBelow ? Relative.generic_string() : Name.generic_string(), IsBelow};
}

/// What may stand in a segment of a path as it is. A colon may not stand in the
/// first of a relative one.
static bool isPlain(char C) {
  static constexpr std::string_view Marks = "-._~!$&'()*+,;=@/";
  return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') ||
         (C >= '0' && C <= '9') || Marks.find(C) != Marks.npos;
}

std::string uriOf(const ReportedPath &Path) {
  std::string Uri = Path.Name.starts_with('/') ? "file://" : "";
  for (const char C : Path.Name)
    if (isPlain(C))
      Uri += C;
    else
      Uri += fmt::format("%{:02X}", static_cast<unsigned char>(C));
  return Uri;
}

} // namespace cudalint
