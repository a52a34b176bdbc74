//===- report/ShownGroups.cpp - Which problems the text shows -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/ShownGroups.h"

#include "report/Names.h"
#include "report/NaturalOrder.h"
#include "report/SourceAssertions.h"

#include <algorithm>

namespace cudalint {

/// A note of which no cost is known, as that nobody reads an error: true, and
/// no matter of speed.
static bool costsNothingKnown(const FindingGroup &G) {
  const Finding &F = *G.First;
  // Nor of a stride that may be any, but is 1 in nearly every program, and of
  // a grid that grows with the input.
  return F.What.Id == "idle-sms-as-usual" || F.What.Id == "idle-sms-at-least" ||
         (!F.Predicted && !F.Effect &&
          (F.Kernel.empty() || F.What.Id == "traffic-of-general-stride"));
}

/// Whether no file of the run launches that kernel, as far as one sees.
static bool isNotLaunched(const Document &Run, const std::string &Kernel) {
  for (const UnitRecord &Unit : Run.Units)
    for (const KernelRecord &K : Unit.Kernels)
      if (K.Name == Kernel &&
          std::ranges::any_of(K.Launches, [](const LaunchRecord &L) {
            return isLaunched(L.Source);
          }))
        return false;
  return true;
}

/// Of kernels that a header offers to all who include it, and that they do not
/// use.
static bool isOfUnusedHeader(const FindingGroup &G) {
  return std::ranges::all_of(G.All, [](const GroupMember &Each) {
    const Finding &F = *Each.What;
    return !F.Kernel.empty() && !F.IncludedFrom.empty() && Each.In &&
           isNotLaunched(*Each.In, F.Kernel);
  });
}

/// What is not shown, unless all is to be.
static bool isAside(const FindingGroup &G) {
  // A promise of which nobody knows whether it is kept.
  return G.First->Check != ExpectationCheck &&
         (G.isMinor() || costsNothingKnown(G) || G.isWithoutRemedy() ||
          isOfUnusedHeader(G));
}

/// What to begin with: one line of the source is one place.
static std::vector<const FindingGroup *>
dearestOf(std::span<const FindingGroup> Groups, auto IsTold) {
  // What wastes nearly nothing is no place to begin.
  static constexpr double Much = 0.01;
  std::vector<const FindingGroup *> Out;
  for (const FindingGroup &G : Groups) {
    if (!IsTold(G))
      continue;
    if (Out.size() == ShownGroups::MostDearest ||
        (G.First->Level != Severity::Error && G.wasted() && G.rank() < Much))
      break;
    if (std::ranges::none_of(Out, [&](const FindingGroup *Other) {
          return Other->First->Where.File == G.First->Where.File &&
                 Other->First->Where.Line == G.First->Where.Line;
        }))
      Out.push_back(&G);
  }
  return Out;
}

ShownGroups shownGroups(std::span<const FindingGroup> Groups,
                        const TextOptions &Options) {
  const auto isTold = [&](const FindingGroup &G) {
    return Options.ShowAll || Options.MaxFindings ||
           G.First->Level != Severity::Note || !isAside(G);
  };
  ShownGroups Out;
  Out.Chosen =
      std::min(Groups.size(), Options.MaxFindings.value_or(Groups.size()));
  Out.Dearest = dearestOf(Groups, isTold);
  // What is shown is the dearest, in whatever order.
  for (const FindingGroup &G : Groups.first(Out.Chosen))
    if (isTold(G))
      Out.InOrder.push_back(&G);
  if (Options.Sort == FindingOrder::Line)
    std::ranges::stable_sort(Out.InOrder, [](const auto *A, const auto *B) {
      return isNaturallyLess(A->First->Where, B->First->Where);
    });
  return Out;
}

} // namespace cudalint
