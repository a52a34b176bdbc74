//===- runtime/join/OtherSources.cpp - Analysed, and built ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "runtime/join/OtherSources.h"

#include "runtime/join/Names.h"
#include "runtime/join/VerdictRules.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace cudalint {

std::vector<std::string> measuredFiles(const Measurement &Measured) {
  std::set<std::string> Out;
  if (Measured.Files)
    Out.insert(Measured.Files->begin(), Measured.Files->end());
  for (const MeasuredGpu &Gpu : Measured.Gpus)
    for (const MeasuredKernel &Kernel : Gpu.Kernels)
      for (const CountedLine &Line : Kernel.Lines)
        if (!Line.File.empty())
          Out.insert(Line.File);
  return {Out.begin(), Out.end()};
}

/// The file that is there: as the predictions name it, or the line tables,
/// which have the whole path.
static std::optional<PresentSource> present(const SourceLookup &Look,
                                            const std::string &Predicted,
                                            const std::string &Built) {
  if (!Look)
    return std::nullopt;
  std::optional<PresentSource> Found = Look(Predicted);
  return Found || Built.empty() ? Found : Look(Built);
}

std::map<std::string, OtherSource> otherSources(const Document &Doc,
                                                const Measurement &Measured,
                                                const SourceLookup &Look) {
  std::vector<std::string> Wanted;
  for (const UnitRecord &Unit : Doc.Units)
    for (const SourceRecord &Each : Unit.Sources)
      Wanted.push_back(Each.File);
  const std::map<std::string, FileMatch> Matches =
      // All that ran, so that one without a version takes no other's.
      matchFiles(Wanted, measuredFiles(Measured));
  std::map<std::string, OtherSource> Out;
  for (const UnitRecord &Unit : Doc.Units)
    for (const SourceRecord &Each : Unit.Sources) {
      const std::string &File = Matches.at(Each.File).File;
      // Nothing of it ran, or nobody knows which file it is.
      if (File.empty())
        continue;
      TextFacts F = {.Analysed = Each, .Built = {}, .Present = {}};
      if (auto Built = Measured.Sources.find(File);
          Built != Measured.Sources.end())
        F.Built = Built->second;
      F.Present = present(Look, Each.File, File);
      const Rule<TextFacts> &By = decide(sourceRules(), F);
      if (By.Verdict == VerdictKind::Inconclusive)
        Out.insert({Each.File, {By.Name, By.Why(F)}});
    }
  return Out;
}

void addProblems(const std::map<std::string, OtherSource> &Others,
                 std::string_view So, std::vector<ProfileProblem> &To) {
  for (const auto &[File, Other] : Others) {
    ProfileProblem P = {"other-sources",
                        fmt::format("{}: {}; build the program, and predict, "
                                    "from one text",
                                    Other.Why, So),
                        /*IsLoss=*/true};
    if (std::ranges::find(To, P) == To.end())
      To.push_back(std::move(P));
  }
}

/// Whether \p Kind says something of the source.
static bool isConclusion(VerdictKind Kind) {
  return Kind != VerdictKind::NotMeasured && Kind != VerdictKind::MeasuredOnly;
}

void takeBack(const OtherSource &Of, LineVerdict &V) {
  if (!isConclusion(V.Kind))
    return;
  V.Kind = VerdictKind::Inconclusive;
  V.Rule = Of.Rule;
  V.Why = Of.Why;
  if (V.Sums != VerdictKind::NotMeasured)
    V.Sums = VerdictKind::Inconclusive;
}

void takeBack(const OtherSource &Of, KernelVerdict &V) {
  if (isConclusion(V.Registers))
    V.Registers = VerdictKind::Inconclusive;
  for (CheckedLaunch &Each : V.Launched)
    if (isConclusion(Each.Kind)) {
      Each.Kind = VerdictKind::Inconclusive;
      Each.Why = Of.Why;
    }
}

} // namespace cudalint
