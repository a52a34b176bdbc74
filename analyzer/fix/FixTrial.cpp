//===- analyzer/fix/FixTrial.cpp - Whether a fix holds --------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/fix/FixTrial.h"

#include "analyzer/fix/KernelTraffic.h"
#include "report/EditedKernel.h"
#include "report/ExtentSize.h"
#include "report/Names.h"
#include "report/Phrase.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace cudalint {

static const KernelRecord *findKernel(const UnitRecord &Unit,
                                      std::string_view Name) {
  const auto At = std::ranges::find(Unit.Kernels, Name, &KernelRecord::Name);
  return At == Unit.Kernels.end() ? nullptr : &*At;
}

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

namespace {
/// Findings that are the same remark; which lines they are on is not asked.
struct FindingKey {
  std::size_t Document = 0, Unit = 0;
  std::string Check, Fingerprint;

  auto operator<=>(const FindingKey &) const = default;
};
using Counts = std::map<FindingKey, std::size_t>;
} // namespace

static Counts countsOf(std::span<const Document> Documents) {
  Counts Result;
  for (std::size_t D = 0; D != Documents.size(); ++D)
    for (std::size_t U = 0; U != Documents[D].Units.size(); ++U)
      for (const Finding &F : Documents[D].Units[U].Findings)
        ++Result[{D, U, F.Check, F.Fingerprint}];
  return Result;
}

static FindingKey keyOf(const FindingPlace &Place) {
  return {Place.Document, Place.Unit, Place.What->Check,
          Place.What->Fingerprint};
}

bool areGone(const OfferedFix &Fix, std::span<const OfferedFix> Applied,
             std::span<const Document> Before,
             std::span<const Document> After) {
  std::set<const Finding *> Mended;
  Counts Mends;
  for (const OfferedFix &Each : Applied)
    for (const FindingPlace &Place : Each.Mends)
      if (Mended.insert(Place.What).second)
        ++Mends[keyOf(Place)];
  const Counts Old = countsOf(Before), New = countsOf(After);
  return std::ranges::all_of(Fix.Mends, [&](const FindingPlace &Place) {
    const FindingKey Key = keyOf(Place);
    const auto Left = New.find(Key);
    return Left == New.end() || Left->second + Mends[Key] <= Old.at(Key);
  });
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

static std::string placed(const Location &Where, std::string_view What) {
  return Where.Line ? fmt::format("{} (line {})", What, Where.Line)
                    : std::string(What);
}

static std::string newError(const UnitRecord &Before, const UnitRecord &After) {
  if (After.Errors.size() > Before.Errors.size())
    return "it does not compile then: " +
           placed(After.Errors.back().Where, After.Errors.back().Message);
  if (After.Status != Before.Status)
    return "it is not analysed as a whole then";
  return {};
}

static std::string fewerBlocks(const KernelRecord &Before,
                               const KernelRecord &After) {
  if (Before.Launches.size() != After.Launches.size())
    return "its launches are others then";
  for (std::size_t I = 0; I != Before.Launches.size(); ++I) {
    const auto &Old = Before.Launches[I].Occupancy,
               &New = After.Launches[I].Occupancy;
    if (!Old || !New || !Old->BlocksPerSM || !New->BlocksPerSM)
      continue;
    const std::string_view Kernel = withoutParameters(Before.Signature);
    const std::optional<std::uint64_t> Then = sizeOf(Before.Launches[I].Block),
                                       Now = sizeOf(After.Launches[I].Block);
    if (Then && Now && *Then != *Now) {
      const std::uint64_t Was = *Old->BlocksPerSM * *Then,
                          Is = *New->BlocksPerSM * *Now;
      if (Is < Was)
        return fmt::format("'{}' has {} per SM resident then, not {}", Kernel,
                           countOf(Is, "thread"), Was);
    } else if (*New->BlocksPerSM < *Old->BlocksPerSM) {
      return fmt::format("'{}' has {} per SM resident then, not {}", Kernel,
                         countOf(*New->BlocksPerSM, "block"),
                         *Old->BlocksPerSM);
    }
  }
  return {};
}

/// Of rows that became longer, what is behind them is nobody's: an access that
/// comes there ran over the end of its row, into the next one.
static std::string leftRows(const KernelRecord &Before,
                            const KernelRecord &After) {
  for (const RowUse &Old : Before.Rows)
    for (const RowUse &New : After.Rows)
      if (New.Variable == Old.Variable && New.RowBytes > Old.RowBytes &&
          New.LastInRow >= Old.RowBytes)
        return placed(New.Where,
                      fmt::format("an index runs over the end of its row of "
                                  "'{}', into what is another element then",
                                  Old.Name));
  return {};
}

/// Whether \p After tells as much of the rows as \p Before.
static bool hasRowsOf(const KernelRecord &Before, const KernelRecord &After) {
  return std::ranges::all_of(Before.Rows, [&](const RowUse &Old) {
    return std::ranges::find(After.Rows, Old.Variable, &RowUse::Variable) !=
           After.Rows.end();
  });
}

std::string leftRows(std::span<const Document> Before,
                     std::span<const Document> After) {
  for (std::size_t D = 0; D != Before.size(); ++D)
    for (std::size_t U = 0; U != Before[D].Units.size(); ++U)
      for (const KernelRecord &Kernel : Before[D].Units[U].Kernels) {
        const KernelRecord *Now =
            kernelAfter(Kernel, Before[D].Units[U], After[D].Units[U]);
        if (!Now || !hasRowsOf(Kernel, *Now))
          return "it cannot be told whether its indexes stay in their rows";
        if (std::string Why = leftRows(Kernel, *Now); !Why.empty())
          return Why;
      }
  return {};
}

/// Where warnings and errors of \p Unit are gone, that is the unit \p U of the
/// document \p D.
static std::set<std::pair<std::string, unsigned>>
linesThatAreBetter(const UnitRecord &Unit, std::size_t D, std::size_t U,
                   const Counts &New) {
  std::set<std::pair<std::string, unsigned>> Lines;
  for (const Finding &F : Unit.Findings)
    if (F.Level > Severity::Note &&
        !New.contains({D, U, F.Check, F.Fingerprint}))
      Lines.emplace(F.Where.File, F.Where.Line);
  return Lines;
}

namespace {
/// The findings of a check on a line.
struct LineKey {
  std::size_t Document = 0, Unit = 0;
  std::string Check, File;
  unsigned Line = 0;

  auto operator<=>(const LineKey &) const = default;
};

/// Findings of \p From that are not in \p Others, by line: what \p Others may
/// have under another fingerprint, as it goes by the text.
class Unmatched {
public:
  Unmatched(std::span<const Document> From, const Counts &Others,
            std::span<const OfferedFix> Applied) {
    for (const OfferedFix &Fix : Applied)
      for (const FindingPlace &Each : Fix.Mends)
        Mended.insert(Each.What->Check);
    Counts Seen;
    for (std::size_t D = 0; D != From.size(); ++D)
      for (std::size_t U = 0; U != From[D].Units.size(); ++U)
        for (const Finding &F : From[D].Units[U].Findings) {
          const FindingKey Key = {D, U, F.Check, F.Fingerprint};
          const auto There = Others.find(Key);
          if (++Seen[Key] > (There == Others.end() ? 0 : There->second))
            ++Left[{D, U, F.Check, F.Where.File, F.Where.Line}];
        }
  }

  /// Takes one that \p F may be.
  bool take(std::size_t D, std::size_t U, const Finding &F) {
    const auto At = Left.find({D, U, F.Check, F.Where.File, F.Where.Line});
    if (Mended.contains(F.Check) || At == Left.end() || At->second == 0)
      return false;
    --At->second;
    return true;
  }

private:
  std::set<std::string> Mended;
  std::map<LineKey, std::size_t> Left;
};
} // namespace

std::string newFault(std::span<const OfferedFix> Applied,
                     std::span<const Document> Before,
                     std::span<const Document> After, Severity Least) {
  const Counts Old = countsOf(Before), New = countsOf(After);
  Unmatched Others(Before, New, Applied);
  Counts Seen;
  for (std::size_t D = 0; D != Before.size(); ++D)
    for (std::size_t U = 0; U != Before[D].Units.size(); ++U) {
      const UnitRecord &Was = Before[D].Units[U], &Is = After[D].Units[U];
      if (std::string Why = newError(Was, Is); !Why.empty())
        return Why;
      for (const KernelRecord &Kernel : Was.Kernels) {
        const KernelRecord *Now = kernelAfter(Kernel, Was, Is);
        if (!Now)
          return fmt::format("'{}' is another kernel then",
                             withoutParameters(Kernel.Signature));
        if (std::string Why = moreTraffic(Kernel, *Now); !Why.empty())
          return Why;
        if (std::string Why = fewerBlocks(Kernel, *Now); !Why.empty())
          return Why;
        if (std::string Why = leftRows(Kernel, *Now); !Why.empty())
          return Why;
      }
      const auto Better = linesThatAreBetter(Was, D, U, New);
      for (const Finding &F : Is.Findings) {
        const FindingKey Key = {D, U, F.Check, F.Fingerprint};
        // A lesser remark that the finding stood in front of.
        if (F.Level == Severity::Note &&
            Better.contains({F.Where.File, F.Where.Line}))
          continue;
        const auto Known = Old.find(Key);
        if (++Seen[Key] > (Known == Old.end() ? 0 : Known->second) &&
            F.Level >= Least && !Others.take(D, U, F))
          return fmt::format("{} is found then: {}", F.Check,
                             placed(F.Where, inWords(F.What)));
      }
    }
  return {};
}

//===----------------------------------------------------------------------===//
// Gains
//===----------------------------------------------------------------------===//

/// Whether it is about what a request of memory costs.
static bool predictsTraffic(const Finding &F) {
  return F.Predicted && (F.About.Kind == SubjectKind::Load ||
                         F.About.Kind == SubjectKind::Store ||
                         F.About.Kind == SubjectKind::Atomic);
}

/// What an access costs in all is up to the compiler: whether it makes fewer of
/// them, its code tells, and no rule of what it might do.
static bool isUpToCompiler(const Finding &F) {
  return F.Predicted->Metric.ends_with("_per_warp");
}

static bool isCompiled(const KernelRecord &Kernel) {
  return std::ranges::any_of(Kernel.Accesses, [](const AccessRecord &Each) {
    return Each.Compiled.has_value();
  });
}

FixGain gainOf(const OfferedFix &Fix, std::span<const Document> Before,
               std::span<const Document> After) {
  FixGain Result;
  std::set<std::string> Said;
  for (const FindingPlace &Place : Fix.Mends) {
    if (!predictsTraffic(*Place.What))
      continue;
    const UnitRecord &Unit = Before[Place.Document].Units[Place.Unit];
    const KernelRecord *Was = findKernel(Unit, Place.What->Kernel);
    const KernelRecord *Is =
        Was ? kernelAfter(*Was, Unit, After[Place.Document].Units[Place.Unit])
            : nullptr;
    if (!Is)
      continue;
    if (isUpToCompiler(*Place.What) && !isCompiled(*Is)) {
      Result.IsMissing = true;
      continue;
    }
    const std::vector<std::string> Falls = lessTraffic(*Was, *Is);
    Said.insert(Falls.begin(), Falls.end());
    Result.IsMissing |= Falls.empty();
  }
  if (Said.empty())
    return Result;
  Result.Words = *Said.begin();
  if (Said.size() > 1)
    Result.Words += fmt::format(" and {} more", Said.size() - 1);
  return Result;
}

} // namespace cudalint
