//===- analyzer/launch/ProgramValues.cpp - Constants of a program ---------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/ProgramValues.h"

#include <algorithm>
#include <utility>

namespace cudalint {

namespace {
using Files = std::span<const ProgramFacts *const>;

/// The functions of a program that may run.
class RunningFunctions {
public:
  explicit RunningFunctions(Files All) {
    for (const ProgramFacts *File : All) {
      IsWhole &= File->Complete;
      HasMain |= File->HasMain;
      add(File->Globals);
      for (const auto &[Name, Function] : File->Functions) {
        Bodies.emplace(Name, &Function);
        if (Function.IsRoot)
          reach(Name);
      }
    }
    while (!Pending.empty()) {
      const std::string_view Name = Pending.back();
      Pending.pop_back();
      auto [It, End] = Bodies.equal_range(Name);
      IsWhole &= It != End;
      for (; It != End; ++It)
        add(*It->second);
    }
    IsWhole &= HasMain;
  }

  std::vector<const FunctionFacts *> Result;
  /// False: some of the program is in files that are not there.
  bool IsWhole = true;

private:
  void add(const FunctionFacts &Function) {
    Result.push_back(&Function);
    for (const std::string &Each : Function.Uses)
      reach(Each);
  }

  void reach(std::string_view Name) {
    if (Reached.insert(Name).second)
      Pending.push_back(Name);
  }

  bool HasMain = false;
  /// Functions that are private to files may share a name.
  std::multimap<std::string_view, const FunctionFacts *> Bodies;
  std::set<std::string_view> Reached;
  std::vector<std::string_view> Pending;
};
} // namespace

/// `Number` as an object of that type holds it.
static std::int64_t converted(std::int64_t Number, const PlaceStore &To) {
  if (To.Bits == 0 || To.Bits >= 64)
    return Number;
  if (To.Bits == 1)
    return Number != 0;
  const auto Kept = static_cast<std::uint64_t>(Number) << (64 - To.Bits);
  return To.Signed ? static_cast<std::int64_t>(Kept) >> (64 - To.Bits)
                   : static_cast<std::int64_t>(Kept >> (64 - To.Bits));
}

namespace {
/// What is known of a place: nothing is stored yet, one number, or several.
struct Content {
  std::optional<std::int64_t> Number;
  bool Several = false;

  /// True if that was news.
  bool add(std::int64_t New) {
    if (Several || Number == New)
      return false;
    Several = Number.has_value();
    Number = New;
    return true;
  }
  bool addSeveral() { return !std::exchange(Several, true); }
};
} // namespace

/// Variables into which files store that do not define them.
static ProgramValues storedElsewhere(Files All) {
  ProgramValues Result;
  auto Note = [&](const ProgramFacts &File, const FunctionFacts &Function) {
    for (const PlaceStore &Each : Function.Stores)
      if (File.Declared.contains(Each.Place))
        Result.emplace(Each.Place, std::nullopt);
  };
  for (const ProgramFacts *File : All) {
    Note(*File, File->Globals);
    for (const auto &[Name, Function] : File->Functions)
      Note(*File, Function);
  }
  return Result;
}

ProgramValues valuesOfProgram(Files All) {
  ProgramValues Result = storedElsewhere(All);
  const RunningFunctions Running(All);
  if (!Running.IsWhole)
    return Result;
  std::map<std::string_view, Content> Contents;
  std::multimap<std::string_view, const PlaceStore *> Readers;
  std::vector<std::string_view> Changed;
  for (const FunctionFacts *Function : Running.Result)
    for (const PlaceStore &Each : Function->Stores) {
      if (!Each.From.empty()) {
        Readers.emplace(Each.From, &Each);
        continue;
      }
      Content &To = Contents[Each.Place];
      if (Each.Number ? To.add(converted(*Each.Number, Each)) : To.addSeveral())
        Changed.push_back(Each.Place);
    }
  // What a variable of a library begins with, no file says.
  std::set<std::string_view> Defined;
  for (const ProgramFacts *File : All)
    Defined.insert(File->Defined.begin(), File->Defined.end());
  for (const ProgramFacts *File : All)
    for (const std::string &Each : File->Declared)
      if (!Defined.contains(Each) && Contents[Each].addSeveral())
        Changed.push_back(Each);
  // A place changes twice at most: from nothing to one number to several.
  while (!Changed.empty()) {
    const std::string_view Place = Changed.back();
    Changed.pop_back();
    const Content Now = Contents[Place];
    for (auto [It, End] = Readers.equal_range(Place); It != End; ++It) {
      const PlaceStore &Store = *It->second;
      Content &To = Contents[Store.Place];
      if (Now.Several ? To.addSeveral() : To.add(converted(*Now.Number, Store)))
        Changed.push_back(Store.Place);
    }
  }
  for (const auto &[Place, Content] : Contents)
    if (!Content.Several && Content.Number)
      Result.insert_or_assign(std::string(Place), *Content.Number);
  return Result;
}

static std::map<std::string, std::optional<std::int64_t>>
movedPointers(Files All) {
  std::map<std::string, std::set<std::optional<std::int64_t>>> Stored;
  for (const ProgramFacts *File : All)
    for (const auto &[Place, By] : File->Pointers)
      Stored[Place].insert(By.begin(), By.end());
  std::map<std::string, std::optional<std::int64_t>> Result;
  for (const auto &[Place, By] : Stored) {
    if (By.size() > 1)
      Result.emplace(Place, std::nullopt);
    else if (*By.begin() != 0)
      Result.emplace(Place, *By.begin());
  }
  return Result;
}

WholeProgram wholeProgram(Files All) {
  WholeProgram Result;
  Result.Values = valuesOfProgram(All);
  Result.Moved = movedPointers(All);
  for (const ProgramFacts *File : All)
    for (const auto &[Name, Calls] : File->Calls) {
      OuterCalls &To = Result.Calls[Name];
      To.Met.insert(Calls.Met.begin(), Calls.Met.end());
      To.IsComplete &= Calls.IsComplete;
    }
  const bool IsWhole = RunningFunctions(All).IsWhole;
  for (auto &[Name, Calls] : Result.Calls) {
    Calls.IsComplete &= IsWhole && Calls.Met.size() <= MaxOuterCalls;
    if (Calls.Met.size() > MaxOuterCalls)
      Calls.Met.clear();
  }
  // Of what says nothing, nobody need read a file again.
  std::erase_if(Result.Calls, [](const auto &Each) {
    return std::ranges::none_of(Each.second.Met, [](const auto &Call) {
      return std::ranges::any_of(Call.first, [](const auto &Argument) {
        return Argument.has_value();
      });
    });
  });
  return Result;
}

} // namespace cudalint
