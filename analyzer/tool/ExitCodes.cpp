//===- analyzer/tool/ExitCodes.cpp - What a run ends with -----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/ExitCodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace cudalint {

/// Whether there is a finding at or above \p FailOn; empty: no.
static bool hasFindings(std::span<const Document> Documents,
                        std::optional<Severity> FailOn) {
  for (const Document &Doc : Documents)
    for (const UnitRecord &Unit : Doc.Units)
      if (FailOn && std::ranges::any_of(Unit.Findings, [&](const Finding &F) {
            return F.Level >= *FailOn;
          }))
        return true;
  return false;
}

ExitCode exitCodeOf(std::span<const Document> Documents,
                    std::optional<Severity> FailOn) {
  bool SomeAnalysed = false;
  bool SomeNotAnalysed = false;
  const bool Found = hasFindings(Documents, FailOn);
  for (const Document &Doc : Documents)
    for (const UnitRecord &Unit : Doc.Units) {
      SomeAnalysed |= Unit.Status != UnitStatus::Failed;
      SomeNotAnalysed |= Unit.Status != UnitStatus::Ok;
    }
  if (!SomeAnalysed)
    return ExitCode::NothingAnalysed;
  if (SomeNotAnalysed)
    return ExitCode::SomeNotAnalysed;
  return Found ? ExitCode::SomethingFound : ExitCode::NothingFound;
}

static bool areWhole(std::span<const Document> Documents) {
  return std::ranges::all_of(Documents, [](const Document &Doc) {
    return std::ranges::all_of(Doc.Units, [](const UnitRecord &Unit) {
      return Unit.Status == UnitStatus::Ok;
    });
  });
}

ExitCode exitCodeBesideCompiler(std::span<const Document> Documents,
                                std::optional<Severity> FailOn) {
  if (hasFindings(Documents, FailOn))
    return SomethingFound;
  return FailOn && !areWhole(Documents) ? NothingAnalysed : NothingFound;
}

void complain(std::string_view Message) {
  fmt::print(stderr, "cuda-lint: error: {}\n", Message);
}

} // namespace cudalint
