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

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/CommandLine.h"
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

static std::optional<std::string>
expandInto(std::span<const std::string> Arguments,
           std::vector<std::string> &Result, unsigned Level);

/// Appends the words of \p File to \p Result.
static std::optional<std::string>
readArguments(StringRef File, std::vector<std::string> &Result,
              unsigned Level) {
  std::string Text;
  std::optional<std::string> Why =
      Level > MostLevels
          ? std::optional<std::string>("it names itself")
          : readInput(File.str(), MostSourceBytes,
                      [&](std::string_view Part) { Text += Part; });
  if (Why)
    return "cannot read '" + printable(File.str()) +
           "' for the compiler arguments in it: " + *Why;
  BumpPtrAllocator Memory;
  StringSaver Saver(Memory);
  SmallVector<const char *> Words;
  cl::TokenizeGNUCommandLine(Text, Saver, Words);
  std::vector<std::string> Arguments(Words.begin(), Words.end());
  return expandInto(Arguments, Result, Level + 1);
}

static std::optional<std::string>
expandInto(std::span<const std::string> Arguments,
           std::vector<std::string> &Result, unsigned Level) {
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
      if (std::optional<std::string> Why = readArguments(File, Result, Level))
        return Why;
    if (Result.size() > MostArguments)
      return "there are more than " + std::to_string(MostArguments) +
             " compiler arguments";
  }
  return std::nullopt;
}

std::optional<std::string>
expandArgumentFiles(std::vector<std::string> &Arguments) {
  std::vector<std::string> Result;
  std::optional<std::string> Why = expandInto(Arguments, Result, /*Level=*/0);
  Arguments = std::move(Result);
  return Why;
}

} // namespace cudalint
