//===- report/Baseline.cpp - Findings that are known ----------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/Baseline.h"

#include "report/Fingerprint.h"
#include "report/Judgement.h"
#include "report/Ranking.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace cudalint {

namespace fs = std::filesystem;

/// The folder of what is not below the root.
static constexpr std::string_view Elsewhere = "*";

std::string nameInBaseline(const std::string &File,
                           const BaselineScope &Scope) {
  // Longer than any that can be opened, as of a `#line`: for a line to be
  // readable.
  static constexpr std::size_t MostBytes = 4096;
  fs::path Path = fs::path(File).lexically_normal();
  if (!Scope.Root.empty()) {
    const fs::path Whole =
        (fs::path(Scope.Here) / fs::path(File)).lexically_normal();
    const fs::path Below = Whole.lexically_relative(
        (fs::path(Scope.Root) / "").lexically_normal());
    Path = Below.empty() || *Below.begin() == ".."
               ? fs::path(Elsewhere) / Path.filename()
               : Below;
  } else if (Path.is_absolute()) {
    Path = fs::path(Elsewhere) / Path.filename();
  }
  std::string Name = Path.generic_string();
  if (Name.size() > MostBytes) // The end says more.
    Name.erase(0, Name.size() - MostBytes);
  return Name;
}

namespace {
/// What a run can judge.
class Reach {
public:
  Reach(std::span<const Document> Documents, const BaselineScope &Scope)
      : Scope(Scope), Checks(checksInFull(Documents)) {
    const UnitsJudged Units = unitsJudged(Documents);
    for (const std::string &File : Units.InFull)
      InFull.insert(nameInBaseline(File, Scope));
    for (const std::string &File : Scope.Headers)
      InFull.insert(nameInBaseline(File, Scope));
    Seen = InFull;
    for (const std::string &File : Units.InPart) {
      const std::string Name = nameInBaseline(File, Scope);
      InFull.erase(Name);
      Seen.insert(Name);
    }
  }

  /// Whether a place that the entry has, and the run has not, is no more.
  bool judges(const BaselineEntry &Entry) {
    return isGone(Entry) ||
           (InFull.contains(Entry.File) && Checks.contains(Entry.Check));
  }

  bool isGone(const BaselineEntry &Entry) {
    return !Seen.contains(Entry.File) && Scope.Exists && !exists(Entry.File);
  }

  /// Whether its places may be in another file now.
  bool mayHaveMoved(const BaselineEntry &Entry) {
    return !Seen.contains(Entry.File) && (!Scope.Exists || !exists(Entry.File));
  }

  /// A file with findings was analysed, at least in part.
  void see(const std::string &Name) { Seen.insert(Name); }

private:
  bool exists(const std::string &File) {
    if (File.starts_with("*/")) // Nobody knows where that is.
      return true;
    const auto [Entry, IsNew] = Known.try_emplace(File);
    if (IsNew)
      Entry->second = Scope.Exists(File);
    return Entry->second;
  }

  const BaselineScope &Scope;
  NameSet Checks, InFull, Seen;
  std::map<std::string, bool> Known; ///< Whether it exists.
};
} // namespace

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// For people: not longer than what they read.
static std::string cutName(const std::string &Name) {
  static constexpr std::size_t MostBytes = 200;
  return Name.size() <= MostBytes ? Name : Name.substr(0, MostBytes) + "~";
}

namespace {
/// Places of findings that are to be known, by what an entry stands for.
class EntryMaker {
public:
  explicit EntryMaker(const BaselineScope &Scope) : Scope(Scope) {}

  void add(const Finding &F) {
    if (!isFingerprint(F.Fingerprint))
      return;
    const bool IsError = F.Level == Severity::Error;
    const auto [Name, IsNewFile] = Names.try_emplace(F.Where.File);
    if (IsNewFile)
      Name->second = nameInBaseline(F.Where.File, Scope);
    auto [Found, IsNew] =
        Entries.try_emplace({F.Fingerprint, IsError, Name->second});
    auto &[Entry, Places] = Found->second;
    Places.insert({F.Where.Line, F.Where.Column});
    BaselineEntry This = {.Fingerprint = F.Fingerprint,
                          .IsError = IsError,
                          .File = std::get<2>(Found->first),
                          .Check = F.Check,
                          .Function = cutName(F.About.Function),
                          .Name = cutName(withoutNumbers(F.About.Name))};
    // Of texts that differ, as fingerprints may meet, always the same.
    if (IsNew || This < Entry)
      Entry = std::move(This);
  }

  std::vector<BaselineEntry> entries() const {
    std::vector<BaselineEntry> Out;
    for (const auto &[Key, Each] : Entries) {
      Out.push_back(Each.first);
      Out.back().Places = static_cast<unsigned>(Each.second.size());
    }
    return Out;
  }

private:
  using Key = std::tuple<std::string, bool, std::string>;
  using PlaceSet = std::set<std::pair<unsigned, unsigned>>;

  const BaselineScope &Scope;
  std::map<Key, std::pair<BaselineEntry, PlaceSet>> Entries;
  std::map<std::string, std::string> Names; ///< Of files.
};
} // namespace

std::string toBaseline(std::span<const Document> Documents,
                       const BaselineScope &Scope, const Baseline *Old) {
  EntryMaker Maker(Scope);
  for (const Document &Doc : Documents)
    for (const UnitRecord &Unit : Doc.Units) {
      for (const Finding &F : Unit.Findings)
        Maker.add(F);
      for (const SilencedFinding &Each : Unit.Silenced)
        if (Each.By == Silencer::Baseline)
          Maker.add(Each.What);
    }
  std::vector<BaselineEntry> Entries = Maker.entries();
  if (Old) {
    Reach Run(Documents, Scope);
    for (const BaselineEntry &Each : Entries)
      Run.see(Each.File);
    std::ranges::copy_if(
        Old->Entries, std::back_inserter(Entries),
        [&](const BaselineEntry &Each) { return !Run.judges(Each); });
  }
  return toText(makeBaseline(std::move(Entries)));
}

//===----------------------------------------------------------------------===//
// Applying
//===----------------------------------------------------------------------===//

namespace {
/// Where findings of one fingerprint are, with what the dearest of them wastes.
struct KnownPlace {
  Location Where; ///< By the name in the baseline.
  double Cost = 0;
  bool IsKnown = false;
};

/// An entry, and how many of its places are still to be found.
struct OpenEntry {
  const BaselineEntry *Entry;
  unsigned Left;
};

/// Of one fingerprint.
struct Matching {
  std::vector<OpenEntry> Entries; ///< Others before errors, each by file.
  std::map<Location, KnownPlace> Errors, Others;

  /// Null where there is none.
  OpenEntry *entryFor(std::string_view File, bool IsError) {
    const auto KeyOf = [](const OpenEntry &Each) {
      return std::pair(Each.Entry->IsError, std::string_view(Each.Entry->File));
    };
    const std::pair Key(IsError, File);
    const auto Found = std::ranges::lower_bound(Entries, Key, {}, KeyOf);
    return Found != Entries.end() && KeyOf(*Found) == Key ? &*Found : nullptr;
  }
};

class BaselineMatcher {
public:
  BaselineMatcher(std::span<const Document> Documents, const Baseline &Known,
                  const BaselineScope &Scope)
      : Scope(Scope), Run(Documents, Scope) {
    for (const BaselineEntry &Each : Known.Entries)
      All[Each.Fingerprint].Entries.push_back({&Each, Each.Places});
  }

  void add(const Finding &F);
  void match();
  bool isKnown(const Finding &F);
  std::vector<FixedEntry> fixed();

private:
  void match(Matching &Of, std::map<Location, KnownPlace> &Places,
             bool AreErrors);
  Location placeOf(const Finding &F) {
    const auto [Name, IsNew] = Names.try_emplace(F.Where.File);
    if (IsNew)
      Name->second = nameInBaseline(F.Where.File, Scope);
    return {Name->second, F.Where.Line, F.Where.Column};
  }

  const BaselineScope &Scope;
  Reach Run;
  std::map<std::string, Matching, std::less<>> All; ///< By fingerprint.
  std::map<std::string, std::string> Names;
};
} // namespace

void BaselineMatcher::add(const Finding &F) {
  const Location Where = placeOf(F);
  Run.see(Where.File);
  const auto Of = All.find(F.Fingerprint);
  if (Of == All.end())
    return;
  auto &Places =
      F.Level == Severity::Error ? Of->second.Errors : Of->second.Others;
  KnownPlace &Place =
      Places.try_emplace(Where, KnownPlace{Where}).first->second;
  Place.Cost = std::max(Place.Cost, rankOf(F));
}

void BaselineMatcher::match(Matching &Of,
                            std::map<Location, KnownPlace> &Places,
                            bool AreErrors) {
  // The cheapest are known first: what is left over is the dearest.
  std::vector<KnownPlace *> Order;
  for (auto &[Where, Place] : Places) {
    // It is an error for another target, and known as that.
    const auto Error = Of.Errors.find(Where);
    if (!AreErrors && Error != Of.Errors.end() && Error->second.IsKnown)
      Place.IsKnown = true;
    else
      Order.push_back(&Place);
  }
  std::ranges::stable_sort(Order, {}, &KnownPlace::Cost);
  const auto Take = [](KnownPlace &Place, OpenEntry *Entry) {
    if (Place.IsKnown || !Entry || Entry->Left == 0)
      return;
    --Entry->Left;
    Place.IsKnown = true;
  };
  for (KnownPlace *Place : Order) {
    if (!AreErrors)
      Take(*Place, Of.entryFor(Place->Where.File, /*IsError=*/false));
    Take(*Place, Of.entryFor(Place->Where.File, /*IsError=*/true));
  }
  auto Moved = Of.Entries.begin();
  for (KnownPlace *Place : Order) {
    Moved = std::find_if(Moved, Of.Entries.end(), [&](const OpenEntry &Each) {
      return Each.Left != 0 && (Each.Entry->IsError || !AreErrors) &&
             Run.mayHaveMoved(*Each.Entry);
    });
    if (Moved == Of.Entries.end())
      return;
    Take(*Place, &*Moved);
  }
}

void BaselineMatcher::match() {
  for (auto &[Fingerprint, Of] : All) {
    match(Of, Of.Errors, /*AreErrors=*/true);
    match(Of, Of.Others, /*AreErrors=*/false);
  }
}

bool BaselineMatcher::isKnown(const Finding &F) {
  const auto Of = All.find(F.Fingerprint);
  if (Of == All.end())
    return false;
  const auto &Places =
      F.Level == Severity::Error ? Of->second.Errors : Of->second.Others;
  const auto Place = Places.find(placeOf(F));
  return Place != Places.end() && Place->second.IsKnown;
}

std::vector<FixedEntry> BaselineMatcher::fixed() {
  std::vector<FixedEntry> Out;
  for (const auto &[Fingerprint, Of] : All)
    for (const OpenEntry &Each : Of.Entries)
      if (Each.Left != 0 && Run.judges(*Each.Entry))
        Out.push_back({*Each.Entry, Each.Left});
  // As people look for them: by file.
  std::ranges::stable_sort(Out, {}, [](const FixedEntry &Each) {
    return std::tie(Each.Entry.File, Each.Entry.Check, Each.Entry.Function);
  });
  return Out;
}

BaselineUse applyBaseline(std::span<Document> Documents, const Baseline &Known,
                          const BaselineScope &Scope) {
  BaselineMatcher Matcher(Documents, Known, Scope);
  for (const Document &Doc : Documents)
    for (const UnitRecord &Unit : Doc.Units)
      for (const Finding &F : Unit.Findings)
        Matcher.add(F);
  Matcher.match();
  BaselineUse Use;
  for (Document &Doc : Documents)
    for (UnitRecord &Unit : Doc.Units) {
      std::vector<Finding> New;
      for (Finding &F : Unit.Findings) {
        if (!Matcher.isKnown(F)) {
          New.push_back(std::move(F));
          continue;
        }
        ++Use.Silenced;
        F.Group = 0;
        Unit.Silenced.push_back(
            {.What = std::move(F), .By = Silencer::Baseline, .Where = {}});
      }
      Unit.Findings = std::move(New);
    }
  Use.Fixed = Matcher.fixed();
  return Use;
}

} // namespace cudalint
