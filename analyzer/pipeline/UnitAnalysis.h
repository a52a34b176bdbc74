//===- analyzer/pipeline/UnitAnalysis.h - From source to record -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The second step of the pipeline, when all files of the run have been parsed:
/// from a file and the indexes of all to its record.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_UNITANALYSIS_H
#define CUDA_LINT_ANALYZER_PIPELINE_UNITANALYSIS_H

#include "analyzer/pipeline/ParsedUnit.h"

#include <span>
#include <string>
#include <vector>

namespace cudalint {

struct UnitResult {
  UnitRecord Record;
  /// What is worth saying about the file but no finding, each with its place:
  /// `a.cu:4:8: kernel template 'k' is never instantiated`.
  std::vector<std::string> Notes;
  std::string Explanations; ///< Of the accesses that were asked about.
  std::size_t Kernels = 0;  ///< Defined in the file, evaluated or not.
};

/// Evaluates \p Parsed, whose index is `Units[Home]`, for
/// `Options.Gpus[Gpu]`. Launches come from the indexes of all files. A kernel
/// that crashes the evaluation costs that kernel only.
UnitResult evaluateUnit(const ParsedUnit &Parsed,
                        std::span<const UnitIndex> Units, std::size_t Home,
                        const UnitOptions &Options, std::size_t Gpu);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_UNITANALYSIS_H
