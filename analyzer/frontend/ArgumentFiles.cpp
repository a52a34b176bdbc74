//===- analyzer/frontend/ArgumentFiles.cpp - Arguments from files ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/frontend/ArgumentFiles.h"

#include "report/InputFile.h"
#include "report/TerminalText.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/StringSaver.h"

#include <span>

using namespace llvm;

namespace cudalint {

SmallVector<std::string> splitList(StringRef List, bool AtSpaces) {
  SmallVector<std::string> Parts(1);
  bool Quoted = false;
  for (std::size_t I = 0; I != List.size(); ++I) {
    if (List[I] == '\\' && I + 1 != List.size()) {
      if (List[I + 1] != ',')
        Parts.back() += List[I];
      Parts.back() += List[++I];
    } else if (!Quoted && (List[I] == ',' || (AtSpaces && isSpace(List[I])))) {
      Parts.emplace_back();
    } else {
      Quoted ^= List[I] == '"';
      Parts.back() += List[I];
    }
  }
  return Parts;
}

/// Deeper than any build nests them, and more than any holds.
static constexpr unsigned MostLevels = 10;
static constexpr std::size_t MostArguments = 100'000;

namespace {
class Expander {
public:
  explicit Expander(std::string Folder) : Folder(std::move(Folder)) {}

  /// Appends \p Arguments to Result, and what is in the files that they name.
  /// Returns why one cannot be read.
  std::optional<std::string> expand(std::span<const std::string> Arguments,
                                    unsigned Level = 0);

  std::vector<std::string> Result;

private:
  std::optional<std::string> readFile(StringRef File, unsigned Level);

  std::string Folder;
};
} // namespace

std::optional<std::string> Expander::readFile(StringRef File, unsigned Level) {
  SmallString<256> Path(File);
  if (!Folder.empty())
    sys::path::make_absolute(Folder, Path);
  std::string Text;
  std::optional<std::string> Why =
      Level > MostLevels
          ? std::optional<std::string>("it names itself")
          : readInput(Path.str().str(), MostSourceBytes,
                      [&](std::string_view Part) { Text += Part; });
  if (Why)
    return "cannot read '" + printable(File.str()) +
           "' for the compiler arguments in it: " + *Why;
  BumpPtrAllocator Memory;
  StringSaver Saver(Memory);
  SmallVector<const char *> Words;
  cl::TokenizeGNUCommandLine(Text, Saver, Words);
  std::vector<std::string> Arguments(Words.begin(), Words.end());
  return expand(Arguments, Level + 1);
}

std::optional<std::string>
Expander::expand(std::span<const std::string> Arguments, unsigned Level) {
  for (std::size_t I = 0; I != Arguments.size(); ++I) {
    auto [Name, Value] = StringRef(Arguments[I]).split('=');
    SmallVector<std::string> Files;
    if (Name == "-optf" || Name == "--optf" || Name == "--options-file" ||
        Name == "-options-file") {
      if (Name.size() == Arguments[I].size() && I + 1 != Arguments.size())
        Value = Arguments[++I];
      Files = splitList(Value);
    } else if (Arguments[I].starts_with("@") && Arguments[I].size() > 1) {
      Files = {Arguments[I].substr(1)};
    } else {
      Result.push_back(Arguments[I]);
    }
    for (const std::string &File : Files)
      if (std::optional<std::string> Why = readFile(File, Level))
        return Why;
    if (Result.size() > MostArguments)
      return "there are more than " + std::to_string(MostArguments) +
             " compiler arguments";
  }
  return std::nullopt;
}

std::optional<std::string>
expandArgumentFiles(std::vector<std::string> &Arguments,
                    const std::string &Folder) {
  Expander Files(Folder);
  std::optional<std::string> Why = Files.expand(Arguments);
  Arguments = std::move(Files.Result);
  return Why;
}

} // namespace cudalint
