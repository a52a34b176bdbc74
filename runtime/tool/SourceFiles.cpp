//===- runtime/tool/SourceFiles.cpp - Files that a report quotes ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/tool/SourceFiles.h"

#include "report/InputFile.h"

#include <filesystem>
#include <system_error>

namespace fs = std::filesystem;

namespace cudalint {

SourceFiles::SourceFiles(const std::string &Given) {
  if (Given.empty())
    return;
  std::error_code Code;
  Root = fs::canonical(Given, Code).string();
  IsMissing = static_cast<bool>(Code);
  if (!Root.ends_with('/'))
    Root += '/';
}

bool SourceFiles::isBelowRoot(const std::string &File) const {
  if (Root.empty())
    return true;
  std::error_code Code;
  const std::string Real = fs::canonical(File, Code).string();
  return !IsMissing && !Code && Real.starts_with(Root);
}

SourceText SourceFiles::text() {
  return [this](const std::string &File) -> std::optional<std::string_view> {
    auto [Entry, IsNew] = Texts.try_emplace(File);
    std::string Ignored;
    if (IsNew && isBelowRoot(File))
      Entry->second = readWholeFile(File, MostSourceBytes, Ignored);
    if (!Entry->second)
      return std::nullopt;
    return std::string_view(*Entry->second);
  };
}

} // namespace cudalint
