//===- analyzer/pipeline/Pipeline.h - All files of a run --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The analysis as a function: jobs in, documents out. It prints nothing, asks
/// no terminal, and keeps nothing between two calls.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_PIPELINE_H
#define CUDA_LINT_ANALYZER_PIPELINE_PIPELINE_H

#include "analyzer/frontend/CompileJob.h"
#include "analyzer/pipeline/AnalysisSettings.h"
#include "analyzer/pipeline/LaunchList.h"
#include "report/Document.h"

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cudalint {

struct AnalysisRequest : AnalysisSettings {
  std::vector<CompileJob> Jobs;
  /// C++ files of the same program, which are not analysed: of those that call
  /// functions of the jobs' files in which launches are, what they pass counts.
  std::vector<CompileJob> HostJobs;
  /// Files of jobs that could not be read, and why. By name.
  std::map<std::string, std::string> Unreadable;
  std::string CudaPath;             ///< As in FrontendOptions.
  std::vector<std::string> Added;   ///< The same.
  std::vector<Target> Gpus;         ///< At least one, each once.
  std::optional<LaunchList> Listed; ///< Launches in place of the source's.
  /// Kernels for which the user gave registers, by whatever name.
  std::vector<std::string> KernelsWithRegisters;
  /// Changes the findings of all targets before problems are numbered, as by
  /// taking some out; each has its fingerprint. May be empty.
  std::function<void(std::span<Document>)> OnFindings;
  /// Told how much of the work is done, 0 .. 1, and of which file the last part
  /// was; by one thread at a time. May be empty.
  std::function<void(double Done, const std::string &File)> OnProgress;
  unsigned Threads = 0; ///< 0: as many as there are cores.
  /// Of Clang's messages: in colour, and so many columns wide; 0: unlimited.
  bool UseColour = false;
  unsigned Width = 0;
};

struct AnalysisResult {
  std::vector<Document> Documents; ///< One for each GPU; sorted.
  std::string Diagnostics;         ///< Clang's, as it prints them.
  std::vector<std::string> Notes;  ///< For the user, beside the findings.
  std::string Explanations;        ///< Of the accesses that were asked about.
  /// Why nothing was evaluated: wishes that the files do not bear out. Empty
  /// when something was.
  std::string Error;
};

/// Parses the files of the jobs once for each architecture, several at a time,
/// and evaluates them for each GPU. They are those of one program: launches of
/// any count for the kernels of all. A file that cannot be analysed is a unit
/// with errors.
AnalysisResult analyse(const AnalysisRequest &Request);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_PIPELINE_H
