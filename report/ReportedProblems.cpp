//===- report/ReportedProblems.cpp - What reports for CI tell -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/ReportedProblems.h"

#include "report/FindingWords.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <map>

namespace cudalint {

static Location placeOf(const FindingGroup &G, const KernelIndex &Kernels) {
  const Finding &F = *G.First;
  if (!F.Where.File.empty())
    return F.Where;
  const KernelRecord *Kernel = Kernels.of(F);
  if (Kernel && !Kernel->Where.File.empty())
    return Kernel->Where;
  for (const UnitRecord &Unit : G.home()->Units)
    for (const Finding &Each : Unit.Findings)
      if (&Each == &F)
        return {Unit.File, 0, 0};
  return F.Where;
}

ReportedProblems::ReportedProblems(std::span<const Document> Documents)
    : Kernels(Documents), Groups(groupFindings(Documents, Kernels)) {
  for (const FindingGroup &G : Groups) {
    const std::string Message = printable(messageOf(*G.First));
    // All is said above it: no remedy, and no name of the check, goes below.
    const Headline Above = {.Text = Message, .HasCheck = true};
    Problems.push_back({.Group = &G,
                        .Told = G.First,
                        .Where = placeOf(G, Kernels),
                        .Message = Message,
                        .Details = labelOf(G, Kernels, Documents, Above)});
  }
  // One in a header comes once for each unit, and all for each target.
  std::map<std::pair<Location, std::string>, std::size_t> Known;
  for (const Document &Doc : Documents)
    for (const UnitRecord &Unit : Doc.Units)
      for (const ErrorRecord &Each : Unit.Errors) {
        const Location Where =
            Each.Where.File.empty() ? Location{Unit.File, 0, 0} : Each.Where;
        const auto [At, IsNew] =
            Known.try_emplace({Where, Each.Message}, Errors.size());
        if (IsNew)
          Errors.push_back({Where, printable(Each.Message), Each.Kind});
        std::vector<std::string> &Units = Errors[At->second].Units;
        if (std::ranges::find(Units, Unit.File) == Units.end())
          Units.push_back(Unit.File);
      }
}

std::string kernelOf(const Finding &F, const KernelIndex &Kernels) {
  if (!F.KernelSignature.empty())
    return F.KernelSignature;
  const KernelRecord *Kernel = Kernels.of(F);
  return Kernel && !Kernel->Signature.empty() ? Kernel->Signature : F.Kernel;
}

std::vector<SkippedCheck> skippedChecks(std::span<const Document> Documents) {
  std::map<std::string, SkippedCheck> ByName;
  std::map<std::string, std::size_t> Times;
  for (const Document &Doc : Documents)
    for (const SkippedCheck &Each : Doc.Skipped) {
      SkippedCheck &Known = ByName.try_emplace(Each.Name, Each).first->second;
      Known.InPart |= Each.InPart;
      ++Times[Each.Name];
    }
  std::vector<SkippedCheck> Checks;
  for (auto &[Name, Each] : ByName) {
    Each.InPart |= Times[Name] != Documents.size();
    Checks.push_back(std::move(Each));
  }
  return Checks;
}

} // namespace cudalint
