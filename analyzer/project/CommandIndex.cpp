//===- analyzer/project/CommandIndex.cpp - Commands by file ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/project/CommandIndex.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <utility>

using namespace llvm;

namespace cudalint {

/// How many leading folders two absolute names share.
static std::size_t sharedFolders(StringRef A, StringRef B) {
  std::size_t Shared = 0;
  for (std::size_t I = 0; I != std::min(A.size(), B.size()) && A[I] == B[I];
       ++I)
    Shared += A[I] == '/';
  return Shared;
}

CommandIndex::CommandIndex(std::string Name) : Path(std::move(Name)) {
  DatabaseRead Read = readCompileDatabase(Path);
  Error = std::move(Read.Error);
  for (CompileCommand &Command : Read.Commands)
    if (Command.isCuda())
      Cuda.push_back(std::move(Command));
    else {
      ++Others;
      if (Command.isCpp())
        Host.push_back(std::move(Command));
    }
  for (const CompileCommand &Command : Cuda)
    ByFile[Command.File].push_back(&Command);
}

const CompileCommand *CommandIndex::of(const std::string &File) const {
  const auto Found = ByFile.find(File);
  return Found == ByFile.end() ? nullptr : Found->second.front();
}

std::span<const CompileCommand *const>
CommandIndex::allOf(const std::string &File) const {
  const auto Found = ByFile.find(File);
  if (Found == ByFile.end())
    return {};
  return Found->second;
}

const CompileCommand *CommandIndex::nearest(const std::string &File) const {
  const CompileCommand *Best = nullptr;
  std::pair<std::size_t, bool> Most = {0, false};
  for (const CompileCommand &Command : Cuda) {
    const std::pair<std::size_t, bool> Its = {sharedFolders(Command.File, File),
                                              sys::path::stem(Command.File) ==
                                                  sys::path::stem(File)};
    if (!Best || Its > Most) {
      Best = &Command;
      Most = Its;
    }
  }
  return Best;
}

} // namespace cudalint
