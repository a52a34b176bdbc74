//===- analyzer/tool/RunAnalysis.cpp - The analysis of one run ------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/tool/RunAnalysis.h"

#include "analyzer/tool/KeptFindings.h"
#include "analyzer/tool/OptionWords.h"
#include "analyzer/tool/RunInputs.h"
#include "report/MergedDocuments.h"
#include "report/TerminalText.h"

#include <algorithm>
#include <iterator>
#include <unistd.h>

namespace cudalint {

bool needsResources(const Options &Run,
                    const std::vector<const Check *> &Checks) {
  const ResourceOptions &Given = Run.Resources;
  if (Given.Mode == PtxasMode::Off && Given.Registers.empty() &&
      Given.PtxasLogs.empty())
    return false;
  return Run.What == Command::Occupancy || Run.Format != OutputFormat::Text ||
         !Run.Outputs.empty() || Run.Summary || Run.MinOccupancy ||
         std::ranges::any_of(Checks, [](const Check *Each) {
           return Each->info().NeedsResources;
         });
}

AnalysisRequest requestOf(const Options &Run,
                          const std::vector<const Check *> &Checks,
                          const ResourceFinder *Resources,
                          const WorkGuard &Guard) {
  AnalysisRequest Request;
  Request.Checks = Checks;
  Request.Shapes = Run.Shapes;
  Request.Resources = Resources;
  Request.MinOccupancy = Run.MinOccupancy;
  Request.AsWritten = Run.AsWritten;
  Request.ExplainAt = Run.ExplainAt;
  Request.Guard = &Guard;
  Request.Unreadable = Run.Unreadable;
  Request.CudaPath = Run.CudaPath;
  Request.Gpus = Run.Gpus;
  Request.Listed = Run.Listed;
  Request.Threads = Run.Jobs;
  Request.UseColour = useColour(Run.Colour, STDERR_FILENO);
  Request.Width = widthOf(STDERR_FILENO);
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files;
  if (!Run.Texts.empty())
    Files = overDisk(Run.Texts, /*Folder=*/"");
  for (const ProjectFile &Each : Run.Files)
    Request.Jobs.push_back({.File = Each.Name,
                            .Folder = {},
                            .Arguments = Each.Arguments,
                            .Files = Files});
  for (const ProjectFile &Each : Run.HostFiles)
    Request.HostJobs.push_back({.File = Each.Name,
                                .Folder = {},
                                .Arguments = Each.Arguments,
                                .Files = Files});
  for (const RegisterOption &Option : Run.Resources.Registers)
    if (!Option.Kernel.empty())
      Request.KernelsWithRegisters.push_back(Option.Kernel);
  return Request;
}

/// Joins what the files of another build gave to \p To.
static void addResult(AnalysisResult &To, AnalysisResult More) {
  std::ranges::move(More.Documents, std::back_inserter(To.Documents));
  To.Diagnostics += More.Diagnostics;
  for (std::string &Note : More.Notes)
    if (std::ranges::find(To.Notes, Note) == To.Notes.end())
      To.Notes.push_back(std::move(Note));
  To.Explanations += More.Explanations;
  if (To.Error.empty())
    To.Error = std::move(More.Error);
}

/// Each file for the targets that it is built for, where a build says so: code
/// for one GPU need not compile for another.
static AnalysisResult analyseAsBuilt(const Options &Run,
                                     AnalysisRequest Request) {
  std::map<std::vector<std::string>, std::vector<std::size_t>> Builds;
  for (std::size_t I = 0; I != Run.Files.size(); ++I)
    Builds[Run.Files[I].Architectures].push_back(I);
  if (Run.HasGpus || Builds.size() < 2)
    return analyse(Request);
  AnalysisResult All;
  const std::vector<CompileJob> Jobs = std::move(Request.Jobs);
  for (const auto &[Architectures, Files] : Builds) {
    Options Its;
    chooseGpus(Architectures, Its);
    Request.Gpus = Its.Gpus;
    Request.Jobs.clear();
    for (const std::size_t I : Files)
      Request.Jobs.push_back(Jobs[I]);
    addResult(All, analyse(Request));
  }
  All.Documents = mergedDocuments(std::move(All.Documents));
  return All;
}

AnalysisResult findOrAnalyse(const Options &Run, AnalysisRequest Request,
                             const std::string &Settings) {
  KeptFindings Kept(Run, Settings);
  if (std::optional<AnalysisResult> Before = Kept.find())
    return std::move(*Before);
  if (const auto Files = Kept.files())
    for (CompileJob &Job : Request.Jobs)
      if (!Job.Files)
        Job.Files = Files;
  AnalysisResult Result = analyseAsBuilt(Run, std::move(Request));
  Kept.keep(Result);
  return Result;
}

std::vector<Document>
analyseEdited(const Options &Run, const AnalysisRequest &First,
              const FindingFilter &Filter,
              const std::map<std::string, std::string> &Texts) {
  AnalysisRequest Request = First;
  std::map<std::string, std::string> All = Run.Texts;
  for (const auto &[File, Text] : Texts)
    All[File] = Text;
  const auto Files = overDisk(All, /*Folder=*/"");
  for (std::vector<CompileJob> *Jobs : {&Request.Jobs, &Request.HostJobs})
    for (CompileJob &Job : *Jobs)
      Job.Files = Files;
  // nvcc would read headers as they are on disk.
  if (std::ranges::any_of(Texts, [&](const auto &Each) {
        return std::ranges::find(Run.Files, Each.first, &ProjectFile::Name) ==
               Run.Files.end();
      }))
    Request.Resources = nullptr;
  SourceTexts Sources(All);
  Request.OnFindings = [&](std::span<Document> Documents) {
    Filter(Documents, Sources);
  };
  Request.OnProgress = {};
  return analyseAsBuilt(Run, std::move(Request)).Documents;
}

} // namespace cudalint
