//===- analyzer/tool/Reports.cpp - What a run writes ----------------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/Reports.h"

#include "analyzer/tool/OutputPath.h"
#include "analyzer/tool/Silencing.h"
#include "report/CommandLine.h"
#include "report/GithubWriter.h"
#include "report/GitlabWriter.h"
#include "report/JsonWriter.h"
#include "report/JunitWriter.h"
#include "report/OutputFile.h"
#include "report/RdjsonWriter.h"
#include "report/SarifWriter.h"
#include "report/TerminalText.h"
#include "report/TextWriter.h"
#include "report/page/HtmlWriter.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <unistd.h>

namespace cudalint {

static std::string textReport(const AnalysisResult &Result, const Options &Run,
                              const std::string &Output, SourceTexts &Sources) {
  bool ToTerminal = Output == "-";
  TextOptions Text{
      .UseColour = ToTerminal ? useColour(Run.Colour, STDOUT_FILENO)
                              : Run.Colour == ColourMode::Always,
      .Width = ToTerminal ? widthOf(STDOUT_FILENO) : 0,
      .ShowErrors = false, // Clang's own words of them are on stderr.
      .ShowDetail = Run.Explain && !Run.ExplainAt,
      .ShowAll = Run.ExplainAll,
      .ShowSummary = !Run.Quiet,
      .Sort = Run.Sort,
      .MaxFindings = Run.MaxFindings};
  std::string Report = toText(Result.Documents, Text, Sources.asFunction());
  if (Run.Summary)
    Report += summaryText(Result.Documents, Run.Gpus, Text.Width);
  if (!Run.ExplainAt)
    return Report;
  if (!Result.Explanations.empty())
    return Report + Result.Explanations;
  return Report + fmt::format("{}:{}: no access was found on this line\n",
                              Run.ExplainAt->File, Run.ExplainAt->Line);
}

/// A report of \p Result for \p Output, `-` or a file.
static std::string reportOf(OutputFormat Format, const AnalysisResult &Result,
                            const Options &Run, const std::string &Output,
                            SourceTexts &Sources,
                            std::span<const Measurements> Measured) {
  const std::string Here = std::filesystem::current_path().string();
  const ReportPlaces Places = {.Root = repositoryAround(Here), .Current = Here};
  const std::vector<Document> &Documents = Result.Documents;
  switch (Format) {
  case OutputFormat::Text:
    return textReport(Result, Run, Output, Sources);
  case OutputFormat::Json:
    return toJson(Documents);
  case OutputFormat::Sarif:
    return toSarif(Documents, Places, Sources.asFunction());
  case OutputFormat::Github:
    return toGithub(Documents, Places, Sources.asFunction());
  case OutputFormat::Gitlab:
    return toGitlab(Documents, Places);
  case OutputFormat::Rdjson:
    return toRdjson(Documents, Places, Sources.asFunction());
  case OutputFormat::Junit:
    return toJunit(Documents, Places);
  case OutputFormat::Html:
    return toHtml(Documents, Places, Sources.asFunction(), Measured);
  }
  return {};
}

std::optional<std::string> whyNoOutput(const Options &Run) {
  std::vector<std::string> Inputs;
  for (const ProjectFile &Each : Run.Files)
    Inputs.push_back(Each.Name);
  if (Run.What == Command::Merge)
    Inputs = Run.Inputs;
  Inputs.insert(Inputs.end(), Run.Resources.PtxasLogs.begin(),
                Run.Resources.PtxasLogs.end());
  for (const std::string &Each :
       {Run.LaunchesFrom, Run.Baseline, Run.ConfigFile})
    if (!Each.empty())
      Inputs.push_back(Each);
  std::vector<std::string> Outputs = {Run.Output};
  for (const std::string &Each : {Run.WriteBaseline, Run.Fixes.Export})
    if (!Each.empty())
      Outputs.push_back(Each);
  for (const auto &[Format, File] : Run.Outputs)
    Outputs.push_back(File);
  for (const std::string &Each : Outputs) {
    if (Each == "-")
      continue;
    if (std::ranges::count_if(Outputs, [&](const std::string &Other) {
          return std::filesystem::path(Other).lexically_normal() ==
                 std::filesystem::path(Each).lexically_normal();
        }) > 1)
      return fmt::format("two reports cannot go to one file, '{}'",
                         printable(Each));
    if (std::optional<std::string> Why = whyOutputIsInput(Each, Inputs))
      return Why;
    if (std::optional<std::string> Why = whyNotWritable(Each))
      return Why;
  }
  return std::nullopt;
}

std::optional<std::string>
writeReports(const AnalysisResult &Result, const Options &Run,
             SourceTexts &Sources, std::span<const Measurements> Measured) {
  std::map<std::string, OutputFormat> Reports;
  // A patch takes the place of the findings.
  if (!Run.Fixes.Show || Run.Output != "-")
    Reports[Run.Output] = Run.Format;
  for (const auto &[Format, File] : Run.Outputs)
    Reports.try_emplace(File, Format);
  for (const auto &[File, Format] : Reports)
    if (std::optional<std::string> Error = writeOutputFile(
            File, reportOf(Format, Result, Run, File, Sources, Measured)))
      return Error;
  return std::nullopt;
}

} // namespace cudalint
