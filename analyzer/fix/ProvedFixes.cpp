//===- analyzer/fix/ProvedFixes.cpp - Fixes that are tried ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/fix/ProvedFixes.h"

#include "analyzer/fix/FixTrial.h"
#include "analyzer/fix/FixedTexts.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace cudalint {

/// What --fix has to be given for a fix of that kind.
static std::string wish(FixSafety Safety) {
  switch (Safety) {
  case FixSafety::Rounding:
    return "it may change the last bits of results: --fix=rounding applies it";
  case FixSafety::Layout:
    return "it changes what the host sees: --fix=layout applies it, and the "
           "host's code has to follow";
  case FixSafety::Safe:
  case FixSafety::Advice:
    break;
  }
  return {};
}

static bool mendsErrors(const OfferedFix &Offered) {
  return std::ranges::all_of(Offered.Mends, [](const FindingPlace &Each) {
    return Each.What->Level == Severity::Error;
  });
}

namespace {
/// Tries sets of fixes on one run.
class Trial {
public:
  /// \p AsTheyAre are the texts that are given in each trial, edited or not.
  Trial(std::span<const Document> Before, const FixedTexts &AsTheyAre,
        const Reanalysis &Again)
      : Before(Before), AsTheyAre(AsTheyAre), Again(Again) {
    if (const auto Texts = AsTheyAre.texts(); !Texts.empty())
      Alike = Again(Texts);
  }

  /// Why not all of \p Applied hold together, of which the first \p Held are
  /// known to; or empty. Then After is their analysis.
  std::string run(const FixedTexts &Texts, std::span<const OfferedFix> Applied,
                  std::size_t Held = 0) {
    std::vector<Document> New = Again(Texts.texts());
    std::string Why = whyNot(Applied, Held, New);
    if (Why.empty())
      After = std::move(New);
    return Why;
  }

  std::string gain(const OfferedFix &Fix) const {
    return gainOf(Fix, baseline(), After).Words;
  }

  std::vector<Document> After;

private:
  std::span<const Document> baseline() const {
    return Alike.empty() ? Before : std::span<const Document>(Alike);
  }

  static bool haveSameUnits(std::span<const Document> A,
                            std::span<const Document> B) {
    return std::ranges::equal(A, B, {}, unitsOf, unitsOf);
  }
  static std::size_t unitsOf(const Document &Each) { return Each.Units.size(); }

  std::string whyNot(std::span<const OfferedFix> Applied, std::size_t Held,
                     std::span<const Document> New) const {
    if (!haveSameUnits(New, Before) || !haveSameUnits(New, baseline()))
      return "the files cannot be analysed then";
    // A launch that failed may run, and be slow.
    const Severity Least =
        std::ranges::all_of(Applied.subspan(Held), mendsErrors)
            ? Severity::Error
            : Severity::Note;
    if (std::string Fault = newFault(
            Applied, Held ? std::span<const Document>(After) : baseline(), New,
            Least);
        !Fault.empty())
      return Fault;
    for (const OfferedFix &Each : Applied) {
      if (!areGone(Each, Applied, Before, New))
        return "the finding stays";
      if (gainOf(Each, baseline(), New).IsMissing)
        return "the predicted totals do not fall, as far as they are known";
    }
    for (const OfferedFix &Each : Applied.subspan(Held))
      if (std::string Why = whyNotInRows(Each.What); !Why.empty())
        return Why;
    return {};
  }

  /// Whether indexes stay in the rows that the fix lays out.
  std::string whyNotInRows(const Fix &What) const {
    if (What.LongerRows.empty())
      return {};
    FixedTexts Longer = AsTheyAre;
    if (std::optional<std::string> Why =
            Longer.add({.Description = What.Description,
                        .Safety = What.Safety,
                        .Edits = What.LongerRows}))
      return *Why;
    const std::vector<Document> New = Again(Longer.texts());
    return haveSameUnits(New, baseline())
               ? leftRows(baseline(), New)
               : "the files cannot be analysed with longer rows";
  }

  std::span<const Document> Before;
  const FixedTexts &AsTheyAre;
  const Reanalysis &Again;
  std::vector<Document> Alike; ///< As Before, of the texts in each trial.
};
} // namespace

/// Keeps what the fixes edit and is no unit of \p Documents. Of headers that
/// are not on disk, less is known than of those that are: not what nvcc makes
/// of them. So it must not be known of those that are not edited either.
static void keepHeaders(std::span<TriedFix *const> Fixes,
                        std::span<const Document> Documents,
                        FixedTexts &Texts) {
  for (const TriedFix *Fix : Fixes)
    for (const Edit &Each : Fix->Offered.What.Edits)
      if (std::ranges::none_of(Documents, [&](const Document &D) {
            return std::ranges::find(D.Units, Each.File, &UnitRecord::File) !=
                   D.Units.end();
          }))
        Texts.keep(Each.File);
}

/// Those of \p Wished that hold one after the other; \p Tried and \p Texts say
/// what became of them.
static std::vector<OfferedFix> tryEach(std::span<TriedFix *const> Wished,
                                       Trial &Trials, FixedTexts &Texts) {
  static constexpr std::size_t MostTrials = 16;
  std::vector<OfferedFix> Held;
  std::size_t Count = 0;
  for (TriedFix *Each : Wished) {
    FixedTexts Next = Texts;
    if (++Count > MostTrials) {
      Each->Words = fmt::format("only {} fixes are tried one by one; fix those "
                                "first",
                                MostTrials);
      continue;
    }
    // A fix met it that does not hold itself.
    if (std::optional<std::string> Why = Next.add(Each->Offered.What)) {
      Each->Words = *Why;
      continue;
    }
    Held.push_back(Each->Offered);
    if (std::string Why = Trials.run(Next, Held, Held.size() - 1);
        !Why.empty()) {
      Held.pop_back();
      Each->Words = std::move(Why);
      continue;
    }
    Texts = std::move(Next);
    Each->State = FixState::Proved;
  }
  return Held;
}

/// Why the scope leaves it out; or empty.
static std::string whyNotIn(const FixScope &Scope, const Fix &What) {
  for (const Edit &Each : What.Edits)
    if (std::string Why = Scope.WhyNotOurs(Each.File); !Why.empty())
      return Why;
  return {};
}

ProvedFixes proveFixes(std::span<const Document> Before, const FixScope &Scope,
                       const Reanalysis &Again) {
  ProvedFixes Result;
  for (OfferedFix &Each : offeredFixes(Before))
    Result.Fixes.push_back({.Offered = std::move(Each)});
  std::vector<TriedFix *> Wished;
  for (TriedFix &Each : Result.Fixes) {
    if (Scope.Only && &Each != &Result.Fixes[*Scope.Only]) {
      Each.State = FixState::NotWished;
    } else if (Each.Offered.What.Safety > Scope.Most) {
      Each.State = FixState::NotWished;
      Each.Words = wish(Each.Offered.What.Safety);
    } else {
      Each.Words = whyNotIn(Scope, Each.Offered.What);
      if (Each.Words.empty())
        Wished.push_back(&Each);
    }
  }
  FixedTexts AsTheyAre(Scope.Original);
  keepHeaders(Wished, Before, AsTheyAre);
  FixedTexts Texts = AsTheyAre;
  std::vector<OfferedFix> All;
  for (TriedFix *Each : Wished)
    if (std::optional<std::string> Why = Texts.add(Each->Offered.What))
      Each->Words = *Why;
    else
      All.push_back(Each->Offered);
  if (All.empty())
    return Result;
  Trial Trials(Before, AsTheyAre, Again);
  if (Trials.run(Texts, All).empty()) {
    for (TriedFix *Each : Wished)
      if (Each->Words.empty())
        Each->State = FixState::Proved;
  } else {
    for (TriedFix *Each : Wished)
      Each->Words.clear();
    Texts = AsTheyAre;
    All = tryEach(Wished, Trials, Texts);
  }
  for (TriedFix *Each : Wished)
    if (Each->State == FixState::Proved)
      Each->Words = Trials.gain(Each->Offered);
  if (!All.empty()) {
    Result.Edits = Texts.edits();
    Result.Texts = Texts.texts();
    std::erase_if(Result.Texts, [&](const auto &Each) {
      return !Result.Edits.contains(Each.first);
    });
    Result.After = std::move(Trials.After);
  }
  return Result;
}

} // namespace cudalint
