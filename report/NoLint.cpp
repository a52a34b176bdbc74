//===- report/NoLint.cpp - Findings that a comment silences ---------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/NoLint.h"

#include "report/FileComments.h"
#include "report/Judgement.h"
#include "report/NoLintReader.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <cstddef>
#include <fmt/format.h>
#include <iterator>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace cudalint {

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

static bool isWord(char C) {
  return (C >= 'a' && C <= 'z') || (C >= 'A' && C <= 'Z') ||
         (C >= '0' && C <= '9') || C == '_';
}

/// Whether \p Text begins with \p Name and nothing that goes on with it.
static bool beginsWithName(std::string_view Text, std::string_view Name) {
  return !Name.empty() && Text.starts_with(Name) &&
         (Text.size() == Name.size() || !isWord(Text[Name.size()]));
}

namespace {
class Silence {
public:
  Silence(const SourceText &Source, const NoLintOptions &Options)
      : Source(Source), Options(Options) {
    for (const std::string &Each : Options.Checks)
      Names.insert(std::string(NoLintPrefix) + Each);
  }

  void apply(UnitRecord &Unit);
  std::vector<NoLintRemark> remarks(std::span<const Document> Documents);

private:
  FileComments &commentsOf(const std::string &File);
  std::size_t idOf(const std::string &Check) {
    return Ids.try_emplace(Check, Ids.size()).first->second;
  }
  std::optional<Location> silencerOf(const Finding &F);

  void addBlocks(FileComments &Of);
  bool concernsUs(const NoLintDirective &D) const;
  void addNames(FileComments &Of, bool IsJudged, const NameSet &Ran);
  void addListNotRead(FileComments &Of, const NoLintDirective &D);
  void addUnknown(FileComments &Of, const NoLintItem &Item);
  const std::vector<std::string> &meantBy(std::string_view Glob);
  void remark(NoLintFault Fault, Location Where, std::string Message) {
    Remarks.push_back({Fault, std::move(Where), std::move(Message)});
  }

  const SourceText &Source;
  const NoLintOptions &Options;
  NameSet Names; ///< Of all checks, with the prefix.
  std::map<std::string, FileComments> Files;
  std::unordered_map<std::string, std::size_t> Ids; ///< Of checks.
  std::unordered_map<std::string_view, std::vector<std::string>> Meant;
  std::unordered_map<std::string, std::string> Hints;
  std::vector<NoLintRemark> Remarks;
};
} // namespace

FileComments &Silence::commentsOf(const std::string &File) {
  std::string Path = plainPath(File);
  const auto Known = Files.find(Path);
  if (Known != Files.end())
    return Known->second;
  return Files
      .try_emplace(std::move(Path), File,
                   Source ? Source(File) : std::optional<std::string_view>())
      .first->second;
}

std::optional<Location> Silence::silencerOf(const Finding &F) {
  FileComments &Here = commentsOf(F.Where.File);
  if (Here.isEmpty() && F.Macros.empty())
    return std::nullopt;
  const std::optional<std::size_t> Offset = Here.offsetOf(F.Where);
  if (!Offset)
    return std::nullopt;
  const std::size_t Id = idOf(F.Check);
  std::optional<Location> Found;
  // All that silence it are asked, as each then has its use.
  const auto Ask = [&](FileComments &In, std::size_t D) {
    if (!Found && D != FileComments::None)
      Found = In.placeOf(In.Directives[D].Offset);
  };
  Ask(Here, Here.silencerOf(*Offset, F.Check, Id));
  // A macro of something beside the place, as of an index, is another matter:
  // `#define N 32 // NOLINT` is said of the macro.
  const std::string_view Text = Here.Text.substr(*Offset);
  if (F.Where.Column == 0 ||
      std::ranges::none_of(F.Macros, [&](const MacroUse &Macro) {
        return beginsWithName(Text, Macro.Name);
      }))
    return Found;
  for (const MacroUse &Macro : F.Macros) {
    if (Macro.Where.File.empty())
      continue;
    FileComments &There = commentsOf(Macro.Where.File);
    if (There.isEmpty())
      continue;
    if (const auto Name = There.offsetOf(Macro.Where))
      Ask(There, There.silencerOfMacro(*Name, F.Check, Id));
  }
  return Found;
}

void Silence::apply(UnitRecord &Unit) {
  std::vector<Finding> Told;
  for (Finding &F : Unit.Findings) {
    std::optional<Location> By = silencerOf(F);
    if (!By) {
      Told.push_back(std::move(F));
      continue;
    }
    F.Group = 0;
    Unit.Silenced.push_back({.What = std::move(F),
                             .By = Silencer::Comment,
                             .Where = std::move(*By)});
  }
  Unit.Findings = std::move(Told);
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

/// `cuda-lint-x`, or what was meant to be one.
static bool isOurs(std::string_view Glob) {
  return Glob.starts_with(NoLintPrefix.substr(0, NoLintPrefix.size() - 1));
}

/// The names, with the prefix, of all checks that \p Glob is for.
const std::vector<std::string> &Silence::meantBy(std::string_view Glob) {
  const auto [Entry, IsNew] = Meant.try_emplace(Glob);
  if (IsNew)
    std::ranges::copy_if(
        Names, std::back_inserter(Entry->second),
        [&](const std::string &Name) { return matchesGlob(Name, Glob); });
  return Entry->second;
}

bool Silence::concernsUs(const NoLintDirective &D) const {
  if (!D.List)
    return true;
  const auto Items = D.items();
  return std::ranges::any_of(Items, isOurs, &NoLintItem::Glob) ||
         std::ranges::any_of(
             Names, [&](const std::string &Name) { return D.isFor(Name); });
}

static std::string wordsOf(const NoLintDirective &D) {
  std::string Words(nameOf(D.Kind));
  if (D.List)
    Words += fmt::format("({})", *D.List);
  return inQuotes(Words);
}

void Silence::addBlocks(FileComments &Of) {
  for (const std::size_t I : Of.Blocks.LoneBegins)
    if (const NoLintDirective &D = Of.Directives[I]; concernsUs(D))
      remark(NoLintFault::LoneBegin, Of.placeOf(D.Offset),
             fmt::format("{} silences nothing: no NOLINTEND with the same list "
                         "follows",
                         wordsOf(D)));
  for (const NoLintBlocks::LoneEnd &Each : Of.Blocks.LoneEnds) {
    const NoLintDirective &D = Of.Directives[Each.End];
    if (!concernsUs(D))
      continue;
    std::string Why = "no NOLINTBEGIN is open";
    if (Each.Open) {
      const NoLintDirective &Open = Of.Directives[*Each.Open];
      Why = fmt::format("what is open is {} of line {}", wordsOf(Open),
                        Of.placeOf(Open.Offset).Line);
    }
    remark(NoLintFault::LoneEnd, Of.placeOf(D.Offset),
           fmt::format("{} ends nothing: {}", wordsOf(D), Why));
  }
}

/// `NOLINT (cuda-lint-x)`, `NOLINT: cuda-lint-x`, `NOLINT(cuda-lint-x`: clang-
/// tidy reads them so, too, but it is not what their author meant.
void Silence::addListNotRead(FileComments &Of, const NoLintDirective &D) {
  std::string_view Behind = Of.Text.substr(D.End, 80);
  const std::size_t First = Behind.find_first_not_of(" \t:(");
  if (First == Behind.npos || !isOurs(Behind.substr(First)))
    return;
  remark(
      NoLintFault::ListNotRead, Of.placeOf(D.Offset),
      fmt::format("this silences all checks: a list stands in brackets right "
                  "behind {}, in one line",
                  nameOf(D.Kind)));
}

void Silence::addUnknown(FileComments &Of, const NoLintItem &Item) {
  // Each word takes its time to compare: a file of nothing else is no sources.
  static constexpr std::size_t MostHints = 100;
  std::string Word(Item.Glob);
  std::string Near;
  if (Names.contains(std::string(NoLintPrefix) + Word)) {
    Near = std::string(NoLintPrefix) + Word;
  } else if (Options.Nearest && Word.find('*') == Word.npos &&
             Word.starts_with(NoLintPrefix) && Word.size() < 200) {
    if (!Hints.contains(Word) && Hints.size() < MostHints)
      Hints[Word] = Options.Nearest(Word.substr(NoLintPrefix.size()));
    const auto Hint = Hints.find(Word);
    if (Hint != Hints.end() && !Hint->second.empty())
      Near = std::string(NoLintPrefix) + Hint->second;
  }
  remark(NoLintFault::UnknownCheck, Of.placeOf(Item.Offset),
         fmt::format("no check is called {}{}", inQuotes(Word),
                     Near.empty() ? ""
                                  : fmt::format("; did you mean '{}'?", Near)));
}

void Silence::addNames(FileComments &Of, bool IsJudged, const NameSet &Ran) {
  std::vector<bool> IsLone(Of.Directives.size());
  for (const std::size_t I : Of.Blocks.LoneBegins)
    IsLone[I] = true;
  const auto HasRun = [&](const std::string &Name) {
    return Ran.contains(std::string_view(Name).substr(NoLintPrefix.size()));
  };
  for (std::size_t I = 0; I != Of.Directives.size(); ++I) {
    const NoLintDirective &D = Of.Directives[I];
    if (D.Kind == NoLintKind::End)
      continue; // Its begin says the same.
    if (!D.List)
      addListNotRead(Of, D);
    for (const NoLintItem &Item : D.items()) {
      if (!isOurs(Item.Glob)) {
        // clang-tidy has no such names: they begin with a module's.
        if (Names.contains(std::string(NoLintPrefix).append(Item.Glob)))
          addUnknown(Of, Item);
        continue;
      }
      const std::vector<std::string> &Checks = meantBy(Item.Glob);
      if (Checks.empty()) {
        addUnknown(Of, Item);
        continue;
      }
      const auto IsUsed = [&](const std::string &Name) {
        const auto Id = Ids.find(Name.substr(NoLintPrefix.size()));
        return Id != Ids.end() && Of.isReached(I, Id->second);
      };
      if (IsJudged && !IsLone[I] && std::ranges::all_of(Checks, HasRun) &&
          std::ranges::none_of(Checks, IsUsed))
        remark(NoLintFault::Unused, Of.placeOf(Item.Offset),
               fmt::format("{} silences nothing here; remove it",
                           inQuotes(Item.Glob)));
    }
  }
}

std::vector<NoLintRemark>
Silence::remarks(std::span<const Document> Documents) {
  const NameSet Ran = checksInFull(Documents);
  const UnitsJudged Units = unitsJudged(Documents);
  NameSet Asked;
  for (const std::string &File : Options.Files)
    if (Asked.insert(plainPath(File)).second)
      commentsOf(File);
  for (auto &[Path, Of] : Files) {
    addBlocks(Of);
    if (Asked.contains(Path))
      addNames(Of, !Units.InPart.contains(Path), Ran);
  }
  std::ranges::stable_sort(Remarks, {}, &NoLintRemark::Where);
  return std::move(Remarks);
}

std::vector<NoLintRemark> silenceByComments(std::span<Document> Documents,
                                            const SourceText &Source,
                                            const NoLintOptions &Options) {
  Silence All(Source, Options);
  for (Document &Doc : Documents)
    for (UnitRecord &Unit : Doc.Units)
      All.apply(Unit);
  return All.remarks(Documents);
}

} // namespace cudalint
