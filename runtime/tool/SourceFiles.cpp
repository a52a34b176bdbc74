//===- runtime/tool/SourceFiles.cpp - Files that a report quotes ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/tool/SourceFiles.h"

#include "report/InputFile.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace fs = std::filesystem;

namespace cudalint {

SourceFiles::SourceFiles(const std::vector<std::string> &Given)
    : AllowsAll(Given.empty()) {
  for (const std::string &Each : Given) {
    std::error_code Code;
    std::string Root = fs::canonical(Each, Code).string();
    if (Code)
      continue;
    if (!Root.ends_with('/'))
      Root += '/';
    Roots.push_back(std::move(Root));
  }
}

bool SourceFiles::isBelowRoot(const std::string &File) const {
  if (AllowsAll)
    return true;
  std::error_code Code;
  const std::string Real = fs::canonical(File, Code).string();
  return !Code && std::ranges::any_of(Roots, [&](const std::string &Root) {
    return Real.starts_with(Root);
  });
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
