//===- report/page/ProblemCards.h - Problems of the page --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_PAGE_PROBLEMCARDS_H
#define CUDA_LINT_REPORT_PAGE_PROBLEMCARDS_H

#include "report/Measurements.h"
#include "report/ReportedProblems.h"
#include "report/SourceRoot.h"
#include "report/SourceSnippet.h"
#include "report/page/KernelCards.h"
#include "report/page/Symbols.h"

#include <span>
#include <string>

namespace cudalint {

/// A problem as an element that opens: a line of what it is, where and how
/// much it costs; in it the source, the pictures, the remedy and what is
/// assumed.
class ProblemCards {
public:
  ProblemCards(const ReportedProblems &Known, const KernelCards &Kernels,
               const ReportPlaces &Places, const SourceText &Source,
               std::span<const Measurements> Measured, Symbols &Drawings,
               bool HasTargets)
      : Known(Known), Kernels(Kernels), Places(Places), Measured(Measured),
        Sources(Source), Drawings(Drawings), HasTargets(HasTargets) {}

  /// \p Rank counts from 1.
  std::string card(const ReportedProblem &P, std::size_t Rank);

private:
  std::string summary(const ReportedProblem &P, std::size_t Rank) const;
  std::string numbers(const ReportedProblem &P) const;
  std::string calls(const Finding &F) const;
  std::string otherPlaces(const ReportedProblem &P);
  std::string fixes(const Finding &F);
  const MeasuredLine *measured(const ReportedProblem &P) const;

  const ReportedProblems &Known;
  const KernelCards &Kernels;
  const ReportPlaces &Places;
  std::span<const Measurements> Measured;
  QuotedSources Sources;
  Symbols &Drawings;
  bool HasTargets; ///< There are several.
};

} // namespace cudalint

#endif // CUDA_LINT_REPORT_PAGE_PROBLEMCARDS_H
