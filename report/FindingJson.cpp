//===- report/FindingJson.cpp - Findings in cuda-lint/1 -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/JsonRecords.h"
#include "report/Names.h"

#include <cmath>
#include <map>

namespace cudalint {

static Json jsonOf(const Fix &F) {
  Json Edits = Json::array();
  for (const Edit &E : F.Edits)
    Edits.push_back({{"file", E.File},
                     {"offset", E.Offset},
                     {"length", E.Length},
                     {"text", E.Text}});
  return {{"description", F.Description},
          {"safety", nameOf(F.Safety)},
          {"edits", std::move(Edits)}};
}

static Json jsonOf(const Phrase &Said) {
  if (Said.isEmpty())
    return nullptr;
  std::map<std::string, Json> Values; // By name, as readers have them.
  for (const NamedValue &Each : Said.Values)
    std::visit([&](const auto &Value) { Values[Each.Name] = Value; },
               Each.What);
  return {{"id", Said.Id}, {"text", Said.Text}, {"values", Json(Values)}};
}

/// In the file of the finding.
static Json toJsonPlace(const Location &L) {
  if (!L.Line)
    return nullptr;
  return {{"line", L.Line}, {"column", placeOrNull(L.Column)}};
}

static Json jsonOf(const std::vector<MacroUse> &Macros) {
  Json Out = Json::array();
  for (const MacroUse &Each : Macros)
    Out.push_back({{"name", Each.Name},
                   {"file", orNull(Each.Where.File)},
                   {"line", placeOrNull(Each.Where.Line)},
                   {"column", placeOrNull(Each.Where.Column)}});
  return Out;
}

Json toJson(const RuleRecord &Rule) {
  return {{"name", Rule.Name},       {"severity", nameOf(Rule.Default)},
          {"summary", Rule.Summary}, {"why", Rule.Why},
          {"bad", Rule.Bad},         {"good", Rule.Good},
          {"limits", Rule.Limits},   {"proof", Rule.Proof}};
}

static Json jsonOf(const std::optional<Prediction> &P) {
  // A prediction without a number is none.
  if (!P || !std::isfinite(P->Value))
    return nullptr;
  return {
      {"metric", P->Metric}, {"value", P->Value}, {"ideal", orNull(P->Ideal)}};
}

static Json jsonOf(const std::optional<RemedyEffect> &E) {
  if (!E)
    return nullptr;
  return {{"object", orNull(E->Object)},
          {"unit", E->Unit},
          {"before", E->Before},
          {"after", E->After},
          {"more_shared_bytes", E->MoreSharedBytes},
          {"blocks_per_sm_before", orNull(E->BlocksPerSMBefore)},
          {"blocks_per_sm_after", orNull(E->BlocksPerSMAfter)}};
}

static Json jsonOf(const LaneAddresses &Lanes) {
  Json Out = Json::array();
  for (const std::optional<std::uint64_t> &Each : Lanes)
    Out.push_back(orNull(Each));
  return Out;
}

static Json jsonOf(const std::optional<RequestExample> &R) {
  if (!R)
    return nullptr;
  Json Then;
  if (!R->LanesThen.empty())
    Then = {{"addresses", jsonOf(R->LanesThen)}, {"cost", R->CostThen}};
  return {
      {"unit", R->Unit}, {"bytes", R->Bytes}, {"addresses", jsonOf(R->Lanes)},
      {"cost", R->Cost}, {"ideal", R->Ideal}, {"then", std::move(Then)}};
}

static Json jsonOf(const std::optional<Waste> &W) {
  if (!W)
    return nullptr;
  return {{"unit", W->Unit},
          {"per_warp", orNull(W->PerWarp)},
          {"in_all", orNull(W->InAll)},
          {"share_of_kernel", orNull(W->OfKernel)},
          {"share_of_program", orNull(W->OfProgram)},
          {"estimate", orNull(W->Estimate)},
          {"rough", W->IsRough},
          {"at_most", W->IsMost}};
}

Json toJson(const Finding &F) {
  Json Fixes = Json::array();
  for (const Fix &Each : F.Fixes)
    Fixes.push_back(jsonOf(Each));
  Json Texts = Json::array(), Assumed = Json::array();
  for (const Assumption &Each : F.Assumptions) {
    Texts.push_back(Each.Text);
    Assumed.push_back({{"kind", nameOf(Each.Kind)},
                       {"about", orNull(Each.About)},
                       {"text", Each.Text}});
  }
  Json Result = {{"check", F.Check},
                 {"severity", nameOf(F.Level)},
                 {"file", orNull(F.Where.File)},
                 {"line", placeOrNull(F.Where.Line)},
                 {"column", placeOrNull(F.Where.Column)},
                 {"kernel", orNull(F.Kernel)},
                 {"message", messageOf(F)},
                 {"certainty", nameOf(F.Trust)},
                 {"assumptions", Texts},
                 {"assumed", std::move(Assumed)},
                 {"prediction", jsonOf(F.Predicted)},
                 {"fixes", std::move(Fixes)},
                 {"begin", toJsonPlace(F.Meant.Begin)},
                 {"end", toJsonPlace(F.Meant.End)},
                 {"what", jsonOf(F.What)},
                 {"cause", jsonOf(F.Cause)},
                 {"remedy", jsonOf(F.Remedy)},
                 {"effect", jsonOf(F.Effect)},
                 {"request", jsonOf(F.Request)},
                 {"others", F.Others},
                 {"executions", orNull(F.Executions)},
                 {"block", F.Block ? Json(*F.Block) : Json(nullptr)},
                 {"waste", jsonOf(F.Wasted)},
                 {"group", F.Group ? Json(F.Group) : Json(nullptr)},
                 {"inlined_at", callSites(F.InlinedAt)},
                 {"included_from", callSites(F.IncludedFrom)},
                 {"macros", jsonOf(F.Macros)},
                 {"subject",
                  {{"kind", nameOf(F.About.Kind)},
                   {"function", orNull(F.About.Function)},
                   {"name", orNull(F.About.Name)},
                   {"variable", orNull(F.About.Variable)},
                   {"object", orNull(F.About.Object)}}},
                 {"fingerprint", orNull(F.Fingerprint)},
                 {"occurrence", placeOrNull(F.Occurrence)}};
  // Only merged reports have it.
  for (const MeasuredVerdict &Each : F.Measured)
    Result["measured"].push_back({{"gpu", Each.Gpu},
                                  {"verdict", Each.Verdict},
                                  {"per_request", orNull(Each.PerRequest)}});
  return Result;
}

Json toJson(const SilencedFinding &Silenced) {
  return {{"by", nameOf(Silenced.By)},
          {"where", toJson(Silenced.Where)},
          {"finding", toJson(Silenced.What)}};
}

} // namespace cudalint
