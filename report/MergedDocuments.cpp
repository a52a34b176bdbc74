//===- report/MergedDocuments.cpp - Of several runs -----------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/MergedDocuments.h"

#include "report/DocumentOrder.h"
#include "report/FindingGroups.h"
#include "report/JsonWriter.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>

namespace cudalint {

static bool isSameTarget(const TargetRecord &A, const TargetRecord &B) {
  return A.Name == B.Name && A.ComputeCapability == B.ComputeCapability &&
         A.SMs == B.SMs;
}

/// Adds those of \p More whose name \p To does not have.
template <typename Named>
static void addByName(std::vector<Named> &To, std::vector<Named> More) {
  for (Named &Each : More)
    if (std::ranges::find(To, Each.Name, &Named::Name) == To.end())
      To.push_back(std::move(Each));
  std::ranges::sort(To, {}, &Named::Name);
}

/// All that is written of it, but for what depends on the rest of the run.
static std::string comparedText(const UnitRecord &Unit) {
  Document Alone;
  Alone.Units = {Unit};
  for (Finding &F : Alone.Units.front().Findings) {
    F.Group = 0;
    if (F.Wasted)
      F.Wasted->OfProgram.reset();
  }
  return toJson({&Alone, 1});
}

std::vector<Document> mergedDocuments(std::vector<Document> All) {
  std::vector<Document> Result;
  std::vector<std::set<std::string>> Units;
  const bool AreSeveral = All.size() > 1;
  for (Document &Doc : All) {
    auto To = std::ranges::find_if(Result, [&](const Document &Each) {
      return isSameTarget(Each.Target, Doc.Target);
    });
    if (To == Result.end()) {
      Result.push_back({.ToolVersion = Doc.ToolVersion, .Target = Doc.Target});
      Units.emplace_back();
      To = std::prev(Result.end());
    }
    std::set<std::string> &Known =
        Units[static_cast<std::size_t>(To - Result.begin())];
    for (UnitRecord &Unit : Doc.Units)
      if (Known.insert(comparedText(Unit)).second)
        To->Units.push_back(std::move(Unit));
    addByName(To->Rules, std::move(Doc.Rules));
    addByName(To->Skipped, std::move(Doc.Skipped));
  }
  for (Document &Doc : Result) {
    for (UnitRecord &Unit : Doc.Units)
      for (Finding &F : Unit.Findings)
        if (F.Wasted && AreSeveral)
          F.Wasted->OfProgram.reset();
    sortDocument(Doc);
  }
  addGroups(Result);
  return Result;
}

} // namespace cudalint
