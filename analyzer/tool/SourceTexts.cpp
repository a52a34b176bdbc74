//===- analyzer/tool/SourceTexts.cpp - What files hold --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/SourceTexts.h"

#include "report/InputFile.h"

#include "llvm/Support/MemoryBuffer.h"

namespace cudalint {

SourceTexts::SourceTexts(const std::map<std::string, std::string> &ReadOnce)
    : ReadOnce(ReadOnce) {}

SourceTexts::~SourceTexts() = default;

std::optional<std::string_view> SourceTexts::of(const std::string &File) {
  if (const auto Text = ReadOnce.find(File); Text != ReadOnce.end())
    return Text->second;
  if (isReadOnce(File))
    return std::nullopt;
  auto [Entry, IsNew] = Files.try_emplace(File);
  if (IsNew)
    if (auto Buffer = llvm::MemoryBuffer::getFile(File))
      Entry->second = std::move(*Buffer);
  if (!Entry->second)
    return std::nullopt;
  return std::string_view(Entry->second->getBuffer());
}

SourceText SourceTexts::asFunction() {
  return [this](const std::string &File) { return of(File); };
}

} // namespace cudalint
