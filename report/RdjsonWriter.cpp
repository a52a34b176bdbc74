//===- report/RdjsonWriter.cpp - What reviewdog reads ---------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "report/RdjsonWriter.h"

#include "report/JsonRecords.h"
#include "report/ReportedProblems.h"
#include "report/SourceRegion.h"

namespace cudalint {

static std::string_view rdjsonSeverity(Severity Level) {
  switch (Level) {
  case Severity::Error:
    return "ERROR";
  case Severity::Warning:
    return "WARNING";
  case Severity::Note:
    return "INFO";
  }
  return "INFO";
}

static Json position(unsigned Line, unsigned Column) {
  Json Out = {{"line", Line}};
  if (Column)
    Out["column"] = Column;
  return Out;
}

static Json rdjsonRange(const SourceRegion &R) {
  Json Out = {{"start", position(R.Line, R.Column)}};
  if (R.EndLine)
    Out["end"] = position(R.EndLine, R.EndColumn);
  return Out;
}

static Json location(const ReportPlaces &Places, const std::string &File,
                     const SourceRegion &R) {
  Json Out = {{"path", pathIn(Places, File).Name}};
  if (R.Line)
    Out["range"] = rdjsonRange(R);
  return Out;
}

static Json suggestionsOf(const Finding &F, QuotedSources &Sources) {
  Json Out = Json::array();
  for (const Fix &Each : F.Fixes) {
    if (Each.Edits.size() != 1 || Each.Edits.front().File != F.Where.File)
      continue;
    const Edit &E = Each.Edits.front();
    if (const auto Region = regionOf(E, Sources))
      Out.push_back({{"range", rdjsonRange(*Region)}, {"text", E.Text}});
  }
  return Out;
}

std::string toRdjson(std::span<const Document> Documents,
                     const ReportPlaces &Places, const SourceText &Source) {
  const ReportedProblems Known(Documents);
  QuotedSources Sources(Source);
  Json Diagnostics = Json::array();
  for (const ReportedProblem &P : Known.problems()) {
    const Finding &F = *P.Told;
    const bool HasPlace = !F.Where.File.empty();
    Json Out = {
        {"message",
         P.Details.empty() ? P.Message : P.Message + "\n" + P.Details},
        {"location", location(Places, P.Where.File,
                              HasPlace ? regionOf(F) : regionOf(P.Where))},
        {"severity", rdjsonSeverity(F.Level)},
        {"code", {{"value", F.Check}}}};
    if (Json Suggestions = suggestionsOf(F, Sources); !Suggestions.empty())
      Out["suggestions"] = std::move(Suggestions);
    Diagnostics.push_back(std::move(Out));
  }
  for (const ReportedError &Each : Known.errors())
    Diagnostics.push_back(
        {{"message", Each.Message},
         {"location", location(Places, Each.Where.File, regionOf(Each.Where))},
         {"severity", "ERROR"},
         {"code", {{"value", "not-analysed"}}}});
  const Json Result = {{"source", {{"name", "cuda-lint"}}},
                       {"diagnostics", std::move(Diagnostics)}};
  return Result.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace cudalint
