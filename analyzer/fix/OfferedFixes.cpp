//===- analyzer/fix/OfferedFixes.cpp - What findings offer ----------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/fix/OfferedFixes.h"

#include "llvm/ADT/StringRef.h"

#include <algorithm>
#include <limits>
#include <map>

namespace cudalint {

/// Numbers of problems count from 1, the dearest; 0 is none.
static std::size_t rankOf(const OfferedFix &Offered) {
  std::size_t Rank = std::numeric_limits<std::size_t>::max();
  for (const FindingPlace &Each : Offered.Mends)
    if (Each.What->Group)
      Rank = std::min(Rank, Each.What->Group);
  return Rank;
}

std::vector<OfferedFix> offeredFixes(std::span<const Document> Documents) {
  std::vector<OfferedFix> Result;
  std::map<std::vector<Edit>, std::size_t> Known;
  for (std::size_t D = 0; D != Documents.size(); ++D)
    for (std::size_t U = 0; U != Documents[D].Units.size(); ++U)
      for (const Finding &F : Documents[D].Units[U].Findings)
        for (const Fix &Each : F.Fixes) {
          if (Each.Edits.empty())
            continue;
          std::vector<Edit> Edits = Each.Edits;
          std::ranges::sort(Edits);
          const auto [At, IsNew] = Known.try_emplace(Edits, Result.size());
          if (IsNew)
            Result.push_back({.What = Each, .Mends = {}});
          OfferedFix &Its = Result[At->second];
          Its.Mends.push_back({D, U, &F});
          // Whoever says that more changes is heard.
          Its.What.Safety = std::max(Its.What.Safety, Each.Safety);
        }
  std::ranges::stable_sort(Result, {}, rankOf);
  return Result;
}

bool isGenerated(std::string_view Text) {
  constexpr unsigned MostLines = 20;
  llvm::StringRef Rest(Text);
  for (unsigned I = 0; I != MostLines && !Rest.empty(); ++I) {
    const auto [Line, More] = Rest.split('\n');
    if (Line.contains_insensitive("do not edit") || Line.contains("@generated"))
      return true;
    Rest = More;
  }
  return false;
}

} // namespace cudalint
