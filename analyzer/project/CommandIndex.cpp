//===- analyzer/project/CommandIndex.cpp - Commands by file ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/project/CommandIndex.h"

#include "analyzer/frontend/CompilerArguments.h"
#include "analyzer/project/ArgumentPaths.h"

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

bool CommandIndex::isCompiledOtherwise(const CompileCommand &Used) const {
  const auto Found = ByFile.find(Used.File);
  if (Found == ByFile.end() || Found->second.size() == 1)
    return false;
  // Without what is written, and where; from wherever the compiler runs; with
  // what decides the registers.
  const auto meaningOf = [](const CompileCommand &Each) {
    const std::vector<std::string> Absolute = renamePaths(
        Each.Arguments, [&](const std::string &Name, bool IsSearched) {
          return IsSearched ? Name : absoluteName(Each.Folder, Name);
        });
    ClangArguments Its = translateArguments(Absolute);
    for (std::size_t I = 0; I != Absolute.size(); ++I) {
      const StringRef Word = Absolute[I];
      if (!Word.contains("maxrregcount") && !Word.contains("ptxas"))
        continue;
      Its.Arguments.push_back(Absolute[I]);
      if (!Word.contains('=') && I + 1 != Absolute.size())
        Its.Arguments.push_back(Absolute[I + 1]);
    }
    return std::pair(std::move(Its.Arguments), std::move(Its.Architectures));
  };
  const auto Meant = meaningOf(Used);
  return any_of(Found->second, [&](const CompileCommand *Each) {
    return meaningOf(*Each) != Meant;
  });
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
