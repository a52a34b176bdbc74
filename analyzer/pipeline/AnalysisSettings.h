//===- analyzer/pipeline/AnalysisSettings.h - For all files -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_ANALYSISSETTINGS_H
#define CUDA_LINT_ANALYZER_PIPELINE_ANALYSISSETTINGS_H

#include "analyzer/checks/Check.h"
#include "analyzer/pipeline/ShapeOptions.h"
#include "analyzer/pipeline/WorkGuard.h"
#include "analyzer/resources/Resources.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace cudalint {

/// What holds for all files and targets of a request.
struct AnalysisSettings {
  std::vector<const Check *> Checks;
  /// What is set of their options, by the names of the jobs' files; of those
  /// that are not named, nothing is.
  std::map<std::string, OptionValues> Values;
  ShapeOptions Shapes;
  /// Answers for registers and their like; null when nobody needs them.
  const ResourceFinder *Resources = nullptr;
  std::optional<double> MinOccupancy; ///< As in KernelModel.
  /// Accesses are evaluated as they are written, also where the machine code is
  /// known.
  bool AsWritten = false;
  /// Accesses at this line are explained.
  std::optional<Location> ExplainAt;
  const WorkGuard *Guard = &noGuard(); ///< Never null.

  /// Of \p File; null: nothing is set.
  const OptionValues *valuesOf(const std::string &File) const {
    const auto Its = Values.find(File);
    return Its == Values.end() ? nullptr : &Its->second;
  }
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_ANALYSISSETTINGS_H
