//===- report/SarifInvocation.cpp - How the run of SARIF went -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/SarifInvocation.h"

#include "report/SarifParts.h"

#include <fmt/format.h>
#include <set>
#include <utility>

namespace cudalint {

static Json notification(std::string_view Level, const std::string &Text) {
  return {{"level", Level}, {"message", sarifMessage(sarifSentence(Text))}};
}

/// Without a column: nobody marks a notification.
static Json notification(std::string_view Level, const std::string &Text,
                         const Location &Where, const ReportPlaces &Places) {
  Json There = {{"artifactLocation", sarifFile(Places, Where.File)}};
  if (Where.Line)
    There["region"] = {{"startLine", Where.Line}};
  Json Out = notification(Level, Text);
  Out["locations"] = Json::array({{{"physicalLocation", std::move(There)}}});
  return Out;
}

static Json ofErrors(std::span<const Document> Documents,
                     const ReportedProblems &Known,
                     const ReportPlaces &Places) {
  Json Out = Json::array();
  for (const ReportedError &Each : Known.errors())
    Out.push_back(notification("error", Each.Message, Each.Where, Places));
  std::set<std::pair<Location, std::string>> Seen;
  for (const Document &Doc : Documents)
    for (const UnitRecord &Unit : Doc.Units)
      for (const ErrorRecord &Each : Unit.Notes) {
        const Location Where =
            Each.Where.File.empty() ? Location{Unit.File, 0, 0} : Each.Where;
        if (Seen.emplace(Where, Each.Message).second)
          Out.push_back(notification("note", Each.Message, Where, Places));
      }
  return Out;
}

static Json ofSkippedChecks(std::span<const Document> Documents,
                            const SarifRules &Rules) {
  Json Out = Json::array();
  for (const SkippedCheck &Each : skippedChecks(Documents)) {
    Json Said =
        notification("note", fmt::format("{}: {} ({})",
                                         Each.InPart ? "looked for in part"
                                                     : "not looked for",
                                         Each.Name, Each.Why));
    Said["associatedRule"] = {{"id", Each.Name}};
    if (const auto Index = Rules.find(Each.Name))
      Said["associatedRule"]["index"] = *Index;
    Out.push_back(std::move(Said));
  }
  return Out;
}

Json sarifInvocation(std::span<const Document> Documents,
                     const ReportedProblems &Known, const ReportPlaces &Places,
                     const SarifRules &Rules) {
  // Of a file that was not read, or in part, results may be missing.
  bool IsWhole = true;
  for (const Document &Doc : Documents)
    for (const UnitRecord &Unit : Doc.Units)
      IsWhole &= Unit.Status == UnitStatus::Ok;
  Json Out = {{"executionSuccessful", IsWhole}};
  if (Json Each = ofErrors(Documents, Known, Places); !Each.empty())
    Out["toolExecutionNotifications"] = std::move(Each);
  if (Json Each = ofSkippedChecks(Documents, Rules); !Each.empty())
    Out["toolConfigurationNotifications"] = std::move(Each);
  return Out;
}

} // namespace cudalint
