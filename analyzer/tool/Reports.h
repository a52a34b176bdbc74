//===- analyzer/tool/Reports.h - What a run writes --------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_REPORTS_H
#define CUDA_LINT_ANALYZER_TOOL_REPORTS_H

#include "analyzer/pipeline/Pipeline.h"
#include "analyzer/tool/Options.h"
#include "analyzer/tool/SourceTexts.h"
#include "report/Measurements.h"

#include <optional>
#include <span>
#include <string>

namespace cudalint {

/// Before any work is done: why a report or a baseline cannot be written;
/// nothing when all can.
std::optional<std::string> whyNoOutput(const Options &Run);

/// Writes all reports of \p Result, of which the page has what was \p Measured,
/// too. Returns why one cannot be written.
std::optional<std::string>
writeReports(const AnalysisResult &Result, const Options &Run,
             SourceTexts &Sources, std::span<const Measurements> Measured = {});

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_REPORTS_H
