//===- analyzer/tool/RunAnalysis.h - The analysis of one run ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_RUNANALYSIS_H
#define CUDA_LINT_ANALYZER_TOOL_RUNANALYSIS_H

#include "analyzer/pipeline/Pipeline.h"
#include "analyzer/tool/Options.h"
#include "analyzer/tool/SourceTexts.h"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace cudalint {

/// Whether anything that is to be printed depends on registers, and the user
/// lets them be known.
bool needsResources(const Options &Run,
                    const std::vector<const Check *> &Checks);

/// What the options ask of the analysis. \p Resources may be null. All of them
/// outlive the request.
AnalysisRequest requestOf(const Options &Run,
                          const std::vector<const Check *> &Checks,
                          const ResourceFinder *Resources,
                          const WorkGuard &Guard);

/// All that a run finds, or what one found before where nothing has changed:
/// neither the files nor \p Settings, see KeptFindings.
AnalysisResult findOrAnalyse(const Options &Run, AnalysisRequest Request,
                             const std::string &Settings);

/// What changes the findings of a run before they are told.
using FindingFilter = std::function<void(std::span<Document>, SourceTexts &)>;

/// The analysis of \p First with texts in place of some files.
std::vector<Document>
analyseEdited(const Options &Run, const AnalysisRequest &First,
              const FindingFilter &Filter,
              const std::map<std::string, std::string> &Texts);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_RUNANALYSIS_H
