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
#include <fmt/format.h>
#include <sys/stat.h>
#include <system_error>

#define XXH_INLINE_ALL // LLVM's, which made the others, is not linked here.
#include <xxhash.h>

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

SourceLookup SourceFiles::lookup() {
  return [Read =
              text()](const std::string &File) -> std::optional<PresentSource> {
    struct stat Status = {};
    if (::stat(File.c_str(), &Status) != 0 || Status.st_mtime < 0)
      return std::nullopt;
    const std::optional<std::string_view> Text = Read(File);
    if (!Text)
      return std::nullopt;
    return PresentSource{
        .Version = {.Bytes = Text->size(),
                    .Modified = static_cast<std::uint64_t>(Status.st_mtime)},
        .Xxh3 =
            fmt::format("{:016x}", XXH3_64bits(Text->data(), Text->size()))};
  };
}

} // namespace cudalint
