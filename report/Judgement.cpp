//===- report/Judgement.cpp - Of what silence tells -----------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/Judgement.h"

#include <cstddef>
#include <filesystem>
#include <map>

namespace cudalint {

NameSet checksInFull(std::span<const Document> Documents) {
  std::map<std::string, std::size_t> Ran;
  NameSet Skipped;
  for (const Document &Doc : Documents) {
    for (const RuleRecord &Rule : Doc.Rules)
      ++Ran[Rule.Name];
    for (const SkippedCheck &Each : Doc.Skipped)
      Skipped.insert(Each.Name);
  }
  NameSet InFull;
  for (const auto &[Name, Times] : Ran)
    if (Times >= Documents.size() && !Skipped.contains(Name))
      InFull.insert(Name);
  return InFull;
}

UnitsJudged unitsJudged(std::span<const Document> Documents) {
  UnitsJudged Units;
  for (const Document &Doc : Documents)
    for (const UnitRecord &Unit : Doc.Units)
      (Unit.Status == UnitStatus::Ok ? Units.InFull : Units.InPart)
          .insert(plainPath(Unit.File));
  for (const std::string &File : Units.InPart)
    Units.InFull.erase(File);
  return Units;
}

std::string plainPath(std::string_view File) {
  return std::filesystem::path(File).lexically_normal().string();
}

} // namespace cudalint
