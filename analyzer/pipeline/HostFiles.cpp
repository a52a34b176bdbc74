//===- analyzer/pipeline/HostFiles.cpp - Who calls wrappers ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/HostFiles.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace llvm;

namespace cudalint {

/// Larger ones are data.
static constexpr std::size_t MostBytes = 8u << 20;

std::set<std::string> launchingFunctions(std::span<const UnitIndex> Files) {
  std::set<std::string> Result;
  for (const UnitIndex &File : Files)
    for (const std::string &Name : File.Launchers) {
      // Clang's names of functions: `c:@N@ns@F@run#I#`, of templates with FT.
      const std::size_t At = StringRef(Name).rfind("@F");
      if (At == StringRef::npos)
        continue;
      const StringRef Rest = StringRef(Name).substr(At).split("@F").second;
      StringRef Plain = Rest.split('@').second.take_until(
          [](char C) { return C == '#' || C == '<' || C == '>'; });
      if (!Plain.empty())
        Result.insert(Plain.str());
    }
  return Result;
}

static bool isWord(char C) { return isAlnum(C) || C == '_'; }

bool callsOneOf(std::string_view Text, const std::set<std::string> &Names) {
  for (std::size_t I = 0; I < Text.size();) {
    if (!isWord(Text[I])) {
      ++I;
      continue;
    }
    const std::size_t Begin = I;
    while (I < Text.size() && isWord(Text[I]))
      ++I;
    std::size_t Behind = I;
    while (Behind < Text.size() && isSpace(Text[Behind]))
      ++Behind;
    // A template's arguments may stand between.
    if (Behind < Text.size() && (Text[Behind] == '(' || Text[Behind] == '<') &&
        Names.contains(std::string(Text.substr(Begin, I - Begin))))
      return true;
  }
  return false;
}

std::vector<std::size_t> callersAmong(std::span<const CompileJob> Jobs,
                                      const std::set<std::string> &Names) {
  constexpr std::size_t Most = 16;
  std::vector<std::size_t> Result;
  for (std::size_t I = 0; I != Jobs.size() && !Names.empty(); ++I) {
    const auto Text = filesOf(Jobs[I])->getBufferForFile(
        Jobs[I].File, -1, /*RequiresNullTerminator=*/false);
    if (Text && (*Text)->getBufferSize() <= MostBytes &&
        callsOneOf((*Text)->getBuffer(), Names) && Result.size() < Most)
      Result.push_back(I);
  }
  return Result;
}

} // namespace cudalint
