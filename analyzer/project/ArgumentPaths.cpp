//===- analyzer/project/ArgumentPaths.cpp - Names in arguments ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/project/ArgumentPaths.h"

#include "analyzer/frontend/ArgumentFiles.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

using namespace llvm;

namespace cudalint {

namespace {

/// An option whose value is a name.
struct PathOption {
  StringLiteral Name;
  bool IsGlued = false; ///< `-Idir`, too.
  bool IsList = false;  ///< nvcc's: commas part several.

  /// Names a file that is also looked for along the folders of -I.
  bool isSearched() const {
    return Name == "-include" || Name == "-pre-include" || Name == "-imacros";
  }
};

} // namespace

// A longer name before one that it begins with. nvcc takes one dash or two.
static constexpr PathOption PathOptions[] = {
    {"-include-path", false, true},
    {"-include", false, true},
    {"-idirafter", true},
    {"-imacros", true},
    {"-iquote", true},
    {"-isysroot", true},
    {"-isystem", true, true},
    {"-pre-include", false, true},
    {"-system-include", false, true},
    {"-sysroot"},
    {"-libdevice-directory"},
    {"-ldir"},
    {"-I", true, true},
};

std::string_view withOneDash(std::string_view Word) {
  return Word.starts_with("--") ? Word.substr(1) : Word;
}

bool handsOn(std::string_view Name) {
  const std::string_view Plain = withOneDash(Name);
  return Plain == "-Xcompiler" || Plain == "-compiler-options";
}

using Renamer = std::function<std::string(const std::string &, bool)>;

/// Splits at commas, which no backslash protects, and joins again.
static std::string renameList(const PathOption &Option, StringRef List,
                              const Renamer &Rename) {
  SmallVector<std::string> Names;
  for (const std::string &Each : splitList(List)) {
    std::string Name = Rename(Each, Option.isSearched());
    // A comma of the folder itself.
    for (std::size_t At = 0; (At = Name.find(',', At)) != std::string::npos;
         At += 2)
      Name.insert(At, "\\");
    Names.push_back(std::move(Name));
  }
  return join(Names, ",");
}

static std::string renamed(const PathOption &Option, StringRef Value,
                           const Renamer &Rename) {
  if (Value.empty())
    return "";
  return Option.IsList && Value.contains(',')
             ? renameList(Option, Value, Rename)
             : Rename(Value.str(), Option.isSearched());
}

namespace {
/// The option that an argument is and, where it holds one, its value.
struct PathMatch {
  const PathOption *Option = nullptr;
  StringRef Before; ///< Of the value.
  StringRef Value;
  bool TakesNext = false;
};
} // namespace

static PathMatch match(StringRef Argument) {
  const StringRef Plain = withOneDash(Argument);
  const std::size_t Dashes = Argument.size() - Plain.size();
  for (const PathOption &Option : PathOptions) {
    if (Plain == Option.Name)
      return {&Option, Argument, "", true};
    if (!Plain.starts_with(Option.Name))
      continue;
    const std::size_t End = Dashes + Option.Name.size();
    if (Argument[End] == '=')
      return {&Option, Argument.take_front(End + 1),
              Argument.drop_front(End + 1), false};
    if (Option.IsGlued && Dashes == 0)
      return {&Option, Argument.take_front(End), Argument.drop_front(End),
              false};
  }
  return {};
}

/// What -Xcompiler hands on.
static std::string renameHandedOn(StringRef List, const Renamer &Rename) {
  SmallVector<std::string> Words;
  const PathOption *Pending = nullptr;
  bool HasNames = false;
  for (const std::string &Word : splitList(List)) {
    const PathMatch Found = match(Word);
    std::string Result = Word;
    if (Pending)
      Result = Rename(Word, Pending->isSearched());
    else if (Found.Option && !Found.TakesNext)
      Result = Found.Before.str() +
               Rename(Found.Value.str(), Found.Option->isSearched());
    Pending = !Pending && Found.TakesNext ? Found.Option : nullptr;
    HasNames |= Found.Option != nullptr;
    Words.push_back(std::move(Result));
  }
  // What protects commas elsewhere is not written again.
  return HasNames ? join(Words, ",") : List.str();
}

std::vector<std::string> renamePaths(std::span<const std::string> Arguments,
                                     const Renamer &Rename) {
  std::vector<std::string> Result;
  for (std::size_t I = 0; I != Arguments.size(); ++I) {
    const StringRef Argument = Arguments[I];
    const bool HasNext = I + 1 != Arguments.size();
    const auto [Name, Value] = Argument.split('=');
    if (handsOn(Argument) && HasNext) {
      Result.push_back(Argument.str());
      Result.push_back(renameHandedOn(Arguments[++I], Rename));
    } else if (handsOn(Name)) {
      Result.push_back((Name + "=" + renameHandedOn(Value, Rename)).str());
    } else if (const PathMatch Found = match(Argument); !Found.Option) {
      Result.push_back(Argument.str());
    } else if (!Found.TakesNext) {
      Result.push_back(Found.Before.str() +
                       renamed(*Found.Option, Found.Value, Rename));
    } else {
      Result.push_back(Argument.str());
      if (HasNext)
        Result.push_back(renamed(*Found.Option, Arguments[++I], Rename));
    }
  }
  return Result;
}

} // namespace cudalint
