//===- report/ReportedProblems.h - What reports for CI tell -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the formats of continuous integration have in common: which problems
/// they tell, in which order and in which words.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_REPORTEDPROBLEMS_H
#define CUDA_LINT_REPORT_REPORTEDPROBLEMS_H

#include "report/FindingGroups.h"

#include <span>
#include <string>
#include <vector>

namespace cudalint {

/// The texts are printable, without line breaks: see TerminalText.h.
struct ReportedProblem {
  const FindingGroup *Group = nullptr;
  const Finding *Told = nullptr;
  /// That of the told finding; of one without a file, of its kernel or the file
  /// that it was found in.
  Location Where;
  std::string Message; ///< messageOf()
  /// Shares, other places, kernels and targets, and what is assumed: as the
  /// text says it behind the caret. May be empty.
  std::string Details;
};

/// An error that the compiler, or the analysis, stopped at.
struct ReportedError {
  Location Where;      ///< Of one without a file, the file that was analysed.
  std::string Message; ///< Printable.
  ErrorKind Kind = ErrorKind::Source;
  /// The analysed files that it comes with, each once: more than one where it
  /// is in a header.
  std::vector<std::string> Units = {};
};

/// All problems of a run, for all its targets; refers to the documents.
class ReportedProblems {
public:
  explicit ReportedProblems(std::span<const Document> Documents);

  /// Each once, the dearest first, as groupFindings() has them.
  std::span<const ReportedProblem> problems() const { return Problems; }
  /// Each place and message once, in the order of the documents.
  std::span<const ReportedError> errors() const { return Errors; }
  const KernelIndex &kernels() const { return Kernels; }

private:
  KernelIndex Kernels;
  std::vector<FindingGroup> Groups;
  std::vector<ReportedProblem> Problems;
  std::vector<ReportedError> Errors;
};

/// The kernel of a finding as the user writes it; its linkage name where that
/// is not known; empty where none is meant. Not made printable.
std::string kernelOf(const Finding &F, const KernelIndex &Kernels);

/// The checks that could find nothing, or not all, by name, each once: in part
/// unless it could find nothing for any target.
std::vector<SkippedCheck> skippedChecks(std::span<const Document> Documents);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_REPORTEDPROBLEMS_H
