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
    for (const MeasuredKernel &Kernel : Gpu.Kernels) {
      for (const CountedLine &Line : Kernel.Lines)
        Out.insert(Line.File);
      for (const SampledLine &Line : Kernel.Sampled)
        Out.insert(Line.File);
    }
  Out.erase("");
  return {Out.begin(), Out.end()};
}

/// The file that is there: that which the line tables name, which is the whole
/// path, or what the predictions name; but one that was analysed, where it is
/// not known which was built.
static std::optional<PresentSource> present(const SourceLookup &Look,
                                            const SourceRecord &Analysed,
                                            const std::string &File,
                                            bool IsBuiltKnown) {
  if (!Look)
    return std::nullopt;
  std::optional<PresentSource> Built = Look(File), Named = Look(Analysed.File);
  const bool IsNamed = !IsBuiltKnown && Named && Named->Xxh3 == Analysed.Xxh3;
  return Built && !IsNamed ? Built : Named;
}

/// The sources that count: those of kernels that ran, and those of findings
/// alone beside them. Others may share a name with anything.
static std::vector<const SourceRecord *>
sourcesThatRan(const UnitRecord &Unit, std::span<const std::string> Names) {
  std::set<std::string_view> OfKernels, Ran;
  for (const KernelRecord &Kernel : Unit.Kernels) {
    std::set<std::string_view> Files = {Kernel.Where.File};
    for (const AccessRecord &Each : Kernel.Accesses)
      Files.insert(Each.Where.File);
    OfKernels.insert(Files.begin(), Files.end());
    if (!matchingKernels(Kernel.Name, Unit.File, Names).empty())
      Ran.insert(Files.begin(), Files.end());
  }
  std::vector<const SourceRecord *> Out;
  if (!Ran.empty())
    for (const SourceRecord &Each : Unit.Sources)
      if (Ran.contains(Each.File) || !OfKernels.contains(Each.File))
        Out.push_back(&Each);
  return Out;
}

std::map<std::string, OtherSource> otherSources(const Document &Doc,
                                                const Measurement &Measured,
                                                const SourceLookup &Look) {
  std::vector<std::string> Names, Wanted;
  for (const MeasuredGpu &Gpu : Measured.Gpus)
    for (const MeasuredKernel &Kernel : Gpu.Kernels)
      Names.push_back(Kernel.Name);
  std::vector<const SourceRecord *> Sources;
  for (const UnitRecord &Unit : Doc.Units)
    for (const SourceRecord *Each : sourcesThatRan(Unit, Names)) {
      Sources.push_back(Each);
      Wanted.push_back(Each->File);
    }
  const std::map<std::string, FileMatch> Matches =
      // All that ran, so that one without a version takes no other's.
      matchFiles(Wanted, measuredFiles(Measured));
  std::map<std::string, OtherSource> Out;
  for (const SourceRecord *Each : Sources) {
    const std::string &File = Matches.at(Each->File).File;
    // Nothing of it ran, or nobody knows which file it is.
    if (File.empty())
      continue;
    TextFacts F = {.Analysed = *Each, .Built = {}, .Present = {}};
    if (auto Built = Measured.Sources.find(File);
        Built != Measured.Sources.end())
      F.Built = Built->second;
    F.Present = present(Look, *Each, File, !F.Built.empty());
    const Rule<TextFacts> &By = decide(sourceRules(), F);
    if (By.Verdict == VerdictKind::Inconclusive)
      Out.insert({Each->File, {By.Name, By.Why(F)}});
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
