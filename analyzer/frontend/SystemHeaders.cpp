//===- analyzer/frontend/SystemHeaders.cpp - Whose code it is --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/SystemHeaders.h"

#include "analyzer/frontend/SourceFacts.h"

#include "llvm/Support/Path.h"

namespace cudalint {

static bool contains(std::string_view Text, std::string_view Part) {
  return Text.find(Part) != Text.npos;
}

bool isClangHeader(std::string_view File) {
  return contains(File, "/lib/clang/") || contains(File, "__clang_cuda") ||
         contains(File, "<cuda-lint");
}

std::string_view baseName(std::string_view File) {
  const llvm::StringRef Name = llvm::sys::path::filename(
      llvm::StringRef(File.data(), File.size()), llvm::sys::path::Style::posix);
  return {Name.data(), Name.size()};
}

std::vector<Location> userFrames(std::vector<Location> Frames,
                                 const SourceFacts &Facts) {
  std::vector<Location> Own;
  for (const Location &Each : Frames)
    if (!Facts.isSystem(Each.File))
      Own.push_back(Each);
  return Own.empty() ? std::move(Frames) : Own;
}

} // namespace cudalint
