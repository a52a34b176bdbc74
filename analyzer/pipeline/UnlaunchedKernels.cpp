//===- analyzer/pipeline/UnlaunchedKernels.cpp - What never runs ----------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/pipeline/UnlaunchedKernels.h"

#include "report/Ranking.h"

#include <algorithm>
#include <fmt/format.h>

namespace cudalint {

bool isUnlaunched(const KernelDeclaration &Kernel, const KernelShapes &Shapes,
                  const UnitIndex &Home) {
  if (!Shapes.Launches.empty() || Kernel.IsUsedOtherwise)
    return false;
  // The driver finds a kernel by the name that `extern "C"` gives it.
  const bool HasOwnName = Kernel.Name == Kernel.PlainName;
  const bool IsBesideMain =
      Home.Program.HasMain && Kernel.Where.File == Home.File;
  return Kernel.IsOfFileAlone || (IsBesideMain && !HasOwnName);
}

/// Whether no block of that launch can be: what is told of its kernel is of
/// another block. Where an attribute is missing, all is as it is told.
static bool hasNoBlock(const LaunchVerdict &Its) {
  return std::ranges::any_of(Its.Faults, [](const LaunchFault &Each) {
    return Each.What == LaunchFault::Kind::Configuration &&
           Each.Assumption.empty();
  });
}

void tellUnlaunched(const KernelModel &Kernel, bool Unlaunched,
                    std::vector<Finding> &Findings) {
  const bool Fails = !Kernel.Verdicts.empty() &&
                     std::ranges::all_of(Kernel.Verdicts, hasNoBlock);
  if (!Unlaunched && !Fails)
    return;
  const std::string &Name = Kernel.Declaration.PlainName;
  const Assumption Launched(
      Fails ? fmt::format("a launch of '{}' does not fail", Name)
            : fmt::format("something launches '{}'", Name),
      AssumptionKind::Program);
  for (Finding &F : Findings) {
    if (F.Level != Severity::Warning || isFault(F))
      continue;
    F.Level = Severity::Note;
    if (F.Trust == Certainty::Exact)
      F.Trust = Certainty::Assumed;
    const auto At = std::ranges::lower_bound(F.Assumptions, Launched);
    if (At == F.Assumptions.end() || *At != Launched)
      F.Assumptions.insert(At, Launched);
  }
}

} // namespace cudalint
