//===- analyzer/tool/OutputPath.cpp - A place for the report --------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/OutputPath.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <iterator>
#include <string_view>
#include <system_error>
#include <unistd.h>

namespace fs = std::filesystem;

namespace cudalint {

/// What is there under such a name was written by somebody, and is no report.
static bool isOfProject(const fs::path &Path) {
  static constexpr std::string_view Extensions[] = {
      ".cu",  ".cuh", ".h",  ".hpp", ".hh",  ".hxx", ".inl",
      ".inc", ".c",   ".cc", ".cpp", ".cxx", ".py",  ".cmake"};
  return Path.filename() == ".cuda-lint" ||
         Path.filename() == "CMakeLists.txt" ||
         std::ranges::find(Extensions, Path.extension().string()) !=
             std::end(Extensions);
}

std::optional<std::string> whyNotWritable(const std::string &Path) {
  auto because = [&](std::string_view Reason) {
    return fmt::format("cannot write '{}': {}", Path, Reason);
  };
  std::error_code Error;
  fs::file_status Status = fs::status(Path, Error);
  if (Status.type() == fs::file_type::directory)
    return because("it is a folder; name a file in that folder");
  if (fs::exists(Status)) {
    if (isOfProject(Path))
      return because("it is a source or a configuration; name another file");
    if (::access(Path.c_str(), W_OK) != 0)
      return because("it is write-protected; make it writable, or name "
                     "another file");
    return std::nullopt;
  }
  fs::path Folder = fs::path(Path).parent_path();
  if (Folder.empty())
    Folder = ".";
  if (!fs::is_directory(Folder, Error))
    return because("its folder does not exist; make its folder first, or name "
                   "another file");
  if (::access(Folder.c_str(), W_OK) != 0)
    return because("its folder is write-protected; make it writable, or name "
                   "another file");
  return std::nullopt;
}

} // namespace cudalint
