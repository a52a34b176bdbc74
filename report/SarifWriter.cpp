//===- report/SarifWriter.cpp - Problems as SARIF 2.1.0 -------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/SarifWriter.h"

#include "report/JsonRecords.h"
#include "report/Names.h"
#include "report/ReportedProblems.h"
#include "report/SarifInvocation.h"
#include "report/SarifParts.h"
#include "report/SourceRegion.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

namespace cudalint {

namespace {
/// The places of a result beside its own, which the message links by number.
class RelatedLocations {
public:
  /// Of more, code scanning shows none.
  static constexpr std::size_t Most = 100;

  bool isFull() const { return Items.size() >= Most; }
  /// Returns its number.
  std::size_t add(Json Location) {
    const std::size_t Id = Items.size() + 1;
    Location["id"] = Id;
    Items.push_back(std::move(Location));
    return Id;
  }
  Json take() { return std::move(Items); }

private:
  Json Items = Json::array();
};

class Sarif {
public:
  Sarif(std::span<const Document> Documents, const ReportPlaces &Places,
        const SourceText &Source)
      : Documents(Documents), Known(Documents), Places(Places), Sources(Source),
        Rules(Documents) {}

  Json log();

private:
  Json resultOf(const ReportedProblem &P);
  Json resultOf(const Finding &F, const std::string &Message);
  Json silencedResults();
  std::string addOthers(const ReportedProblem &P, RelatedLocations &Related);
  Json placeOf(const ReportedProblem &P, RelatedLocations &Related);

  Json physical(const std::string &File, SourceRegion Bytes);
  Json location(const Location &Where, const std::string &Message);
  Json codeFlow(const Finding &F);
  Json fixesOf(const Finding &F);
  Json replacement(const Edit &E);
  Json propertiesOf(const ReportedProblem &P) const;

  std::span<const Document> Documents;
  const ReportedProblems Known;
  const ReportPlaces &Places;
  QuotedSources Sources;
  SarifRules Rules;
};
} // namespace

/// Left out where there is no number to write.
static void addNumber(Json &Out, const char *Name,
                      const std::optional<double> &Value) {
  if (Value && std::isfinite(*Value))
    Out[Name] = *Value;
}

//===----------------------------------------------------------------------===//
// Places
//===----------------------------------------------------------------------===//

Json Sarif::physical(const std::string &File, SourceRegion Bytes) {
  Json Out = {{"artifactLocation", sarifFile(Places, File)}};
  if (Bytes.Line)
    Out["region"] = toSarif(inUtf16(Bytes, File, Sources));
  return Out;
}

Json Sarif::location(const Location &Where, const std::string &Message) {
  return {{"physicalLocation", physical(Where.File, regionOf(Where))},
          {"message", sarifMessage(sarifText(Message))}};
}

/// The calls that were inlined, as the threads come to the place: the outermost
/// first. Of very deep ones, the nearest.
Json Sarif::codeFlow(const Finding &F) {
  static constexpr std::size_t Most = 100;
  const std::span<const Location> Calls =
      std::span(F.InlinedAt).first(std::min(Most, F.InlinedAt.size()));
  Json Steps = Json::array();
  for (std::size_t I = Calls.size(); I-- != 0;)
    Steps.push_back({{"location", location(Calls[I], "calls")}});
  Steps.push_back({{"location", location(F.Where, inWords(F.What))}});
  return {{"threadFlows", Json::array({{{"locations", std::move(Steps)}}})}};
}

//===----------------------------------------------------------------------===//
// Fixes
//===----------------------------------------------------------------------===//

Json Sarif::replacement(const Edit &E) {
  Json Region = Json::object();
  if (const auto Bytes = regionOf(E, Sources))
    Region = toSarif(inUtf16(*Bytes, E.File, Sources));
  Region["byteOffset"] = E.Offset;
  Region["byteLength"] = E.Length;
  return {{"deletedRegion", std::move(Region)},
          {"insertedContent", {{"text", E.Text}}}};
}

Json Sarif::fixesOf(const Finding &F) {
  Json Fixes = Json::array();
  for (const Fix &Each : F.Fixes) {
    if (Each.Edits.empty())
      continue; // Words alone.
    std::map<std::string, std::vector<Edit>> ByFile;
    for (const Edit &E : Each.Edits)
      ByFile[E.File].push_back(E);
    Json Changes = Json::array();
    for (auto &[File, Edits] : ByFile) {
      std::ranges::stable_sort(Edits, {}, &Edit::Offset);
      Json Replacements = Json::array();
      for (const Edit &E : Edits)
        Replacements.push_back(replacement(E));
      Changes.push_back({{"artifactLocation", sarifFile(Places, File)},
                         {"replacements", std::move(Replacements)}});
    }
    Fixes.push_back({{"description", sarifMessage(sarifText(Each.Description))},
                     {"artifactChanges", std::move(Changes)},
                     {"properties", {{"safety", nameOf(Each.Safety)}}}});
  }
  return Fixes;
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// What all results have, told or silenced.
Json Sarif::resultOf(const Finding &F, const std::string &Message) {
  Json Out = {{"ruleId", F.Check},
              {"ruleIndex", Rules.indexOf(F)},
              {"level", nameOf(F.Level)},
              {"message", sarifMessage(Message)}};
  if (!F.Fingerprint.empty())
    Out["partialFingerprints"] = {
        {"cudaLint/v1", fmt::format("{}:{}", F.Fingerprint, F.Occurrence)}};
  if (!F.InlinedAt.empty())
    Out["codeFlows"] = Json::array({codeFlow(F)});
  if (Json Fixes = fixesOf(F); !Fixes.empty())
    Out["fixes"] = std::move(Fixes);
  return Out;
}

Json Sarif::propertiesOf(const ReportedProblem &P) const {
  const Finding &F = *P.Told;
  Json Out = {{"certainty", nameOf(F.Trust)}};
  if (F.Predicted && std::isfinite(F.Predicted->Value)) {
    Json Prediction = {{"metric", F.Predicted->Metric},
                       {"value", F.Predicted->Value}};
    addNumber(Prediction, "ideal", F.Predicted->Ideal);
    Out["prediction"] = std::move(Prediction);
  }
  if (const std::optional<Waste> W = P.Group->wasted()) {
    Json Wasted = {{"unit", W->Unit}};
    addNumber(Wasted, "shareOfKernel", W->OfKernel);
    addNumber(Wasted, "shareOfProgram", W->OfProgram);
    addNumber(Wasted, "estimate", W->Estimate);
    Out["waste"] = std::move(Wasted);
  }
  addNumber(Out, "executions", F.Executions);
  Json Assumed = Json::array(), Advice = Json::array();
  for (const Assumption &Each : F.Assumptions)
    Assumed.push_back(printable(Each.Text));
  for (const Fix &Each : F.Fixes)
    if (Each.Edits.empty())
      Advice.push_back(printable(Each.Description));
  Json Kernels = Json::array(), Targets = Json::array();
  std::set<std::string> Seen, Homes;
  for (const GroupMember &M : P.Group->All) {
    const std::string Kernel = kernelOf(*M.What, Known.kernels());
    if (!Kernel.empty() && Seen.insert(Kernel).second)
      Kernels.push_back(printable(Kernel));
    if (Homes.insert(M.In->Target.Name).second)
      Targets.push_back(printable(M.In->Target.Name));
  }
  for (auto &[Name, List] :
       {std::pair("assumptions", &Assumed), std::pair("advice", &Advice),
        std::pair("kernels", &Kernels), std::pair("targets", &Targets)})
    if (!List->empty())
      Out[Name] = std::move(*List);
  return Out;
}

/// Adds the other places, kernels and targets, each once; returns the links to
/// the places.
std::string Sarif::addOthers(const ReportedProblem &P,
                             RelatedLocations &Related) {
  const Finding &F = *P.Told;
  std::string Links;
  // More of them hide the sentence.
  static constexpr std::size_t MostLinks = 10;
  std::set<std::tuple<Location, std::string, std::string>> Seen = {
      {F.Where, kernelOf(F, Known.kernels()), inWords(F.What)}};
  std::set<std::pair<std::string, unsigned>> Linked = {
      {F.Where.File, F.Where.Line}};
  for (const GroupMember &M : P.Group->All) {
    const Finding &Other = *M.What;
    const std::string Kernel = kernelOf(Other, Known.kernels());
    if (Other.Where.File.empty() || Related.isFull() ||
        !Seen.emplace(Other.Where, Kernel, inWords(Other.What)).second)
      continue;
    std::string Text = inWords(Other.What);
    if (!Kernel.empty())
      Text += fmt::format(", in '{}'", Kernel);
    if (Documents.size() > 1)
      Text += ", on " + M.In->Target.Name;
    Json There = location(Other.Where, Text);
    There["physicalLocation"] = physical(Other.Where.File, regionOf(Other));
    const std::size_t Id = Related.add(std::move(There));
    if (Linked.size() > MostLinks ||
        !Linked.emplace(Other.Where.File, Other.Where.Line).second)
      continue;
    std::string Name =
        fmt::format("{}:{}", printable(pathIn(Places, Other.Where.File).Name),
                    Other.Where.Line);
    // A bracket would end the link.
    std::ranges::replace_if(
        Name, [](char C) { return C == '[' || C == ']' || C == '\\'; }, '_');
    Links += fmt::format("{}[{}]({})", Links.empty() ? "" : ", ", Name, Id);
  }
  return Links;
}

/// The place of the told finding; adds what leads to it.
Json Sarif::placeOf(const ReportedProblem &P, RelatedLocations &Related) {
  const Finding &F = *P.Told;
  const bool HasPlace = !F.Where.File.empty();
  Json Here = {
      {"physicalLocation",
       physical(P.Where.File, HasPlace ? regionOf(F) : regionOf(P.Where))}};
  const std::string Name = printable(kernelOf(F, Known.kernels()));
  if (!Name.empty())
    Here["logicalLocations"] =
        Json::array({{{"fullyQualifiedName", Name},
                      {"decoratedName", printable(F.Kernel)},
                      {"kind", "function"}}});
  const KernelRecord *Kernel = Known.kernels().of(F);
  if (Kernel && !Kernel->Where.File.empty() && !Related.isFull())
    Related.add(location(Kernel->Where, fmt::format("kernel '{}'", Name)));
  for (const MacroUse &Each : F.Macros)
    if (!Each.Where.File.empty() && !Related.isFull())
      Related.add(
          location(Each.Where, fmt::format("expanded from '{}'", Each.Name)));
  Json Relations = Json::array();
  for (const Location &Each : F.IncludedFrom) {
    if (Related.isFull())
      break;
    const std::size_t Id = Related.add(location(Each, "included from here"));
    Relations.push_back({{"target", Id}, {"kinds", {"isIncludedBy"}}});
  }
  if (!Relations.empty()) {
    Here["id"] = 0; // Only what has a number has relations.
    Here["relationships"] = std::move(Relations);
  }
  return Here;
}

Json Sarif::resultOf(const ReportedProblem &P) {
  RelatedLocations Related;
  const std::string Links = addOthers(P, Related);
  std::string Text = sarifSentence(P.Message);
  if (!P.Details.empty())
    Text += "\n" + sarifSentence(P.Details);
  if (!Links.empty())
    Text += fmt::format("\nOther places: {}.", Links);
  Json Out = resultOf(*P.Told, Text);
  Out["locations"] = Json::array({placeOf(P, Related)});
  if (Json Others = Related.take(); !Others.empty())
    Out["relatedLocations"] = std::move(Others);
  if (const double Share = P.Group->rank(); std::isfinite(Share) && Share > 0)
    Out["rank"] = 100 * std::min(1.0, Share);
  Out["properties"] = propertiesOf(P);
  return Out;
}

/// Each place once, whatever the kernels and targets are.
Json Sarif::silencedResults() {
  Json Results = Json::array();
  std::set<std::tuple<std::string, Location, std::string, Silencer>> Seen;
  for (const Document &Doc : Documents)
    for (const UnitRecord &Unit : Doc.Units)
      for (const SilencedFinding &Each : Unit.Silenced) {
        const Finding &F = Each.What;
        const std::string Text = messageOf(F);
        if (!Seen.emplace(F.Check, F.Where, Text, Each.By).second)
          continue;
        Json Result = resultOf(F, sarifSentence(Text));
        Result["locations"] = Json::array(
            {{{"physicalLocation",
               physical(F.Where.File.empty() ? Unit.File : F.Where.File,
                        regionOf(F))}}});
        Json By = {
            {"kind", Each.By == Silencer::Comment ? "inSource" : "external"},
            {"status", "accepted"}};
        if (Each.By == Silencer::Baseline)
          By["justification"] = "it is in the baseline";
        if (!Each.Where.File.empty())
          By["location"] = {{"physicalLocation",
                             physical(Each.Where.File, regionOf(Each.Where))}};
        Result["suppressions"] = Json::array({std::move(By)});
        Results.push_back(std::move(Result));
      }
  return Results;
}

//===----------------------------------------------------------------------===//
// The run
//===----------------------------------------------------------------------===//

Json Sarif::log() {
  Json Results = Json::array();
  for (const ReportedProblem &P : Known.problems())
    Results.push_back(resultOf(P));
  for (Json &Each : silencedResults())
    Results.push_back(std::move(Each));
  // A rule of which nothing is known is added by its results.
  Json Driver = {{"name", "cuda-lint"}};
  if (!Documents.empty() && !Documents.front().ToolVersion.empty())
    Driver["version"] = Documents.front().ToolVersion;
  Json Invocation = sarifInvocation(Documents, Known, Places, Rules);
  Driver["rules"] = Rules.take();
  Json Run = {{"tool", {{"driver", std::move(Driver)}}},
              {"invocations", Json::array({std::move(Invocation)})},
              {"columnKind", "utf16CodeUnits"},
              {"results", std::move(Results)}};
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", Json::array({std::move(Run)})}};
}

std::string toSarif(std::span<const Document> Documents,
                    const ReportPlaces &Places, const SourceText &Source) {
  return Sarif(Documents, Places, Source)
             .log()
             .dump(1, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

} // namespace cudalint
