//===- analyzer/tool/MergeCommand.h - Joins reports -------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_MERGECOMMAND_H
#define CUDA_LINT_ANALYZER_TOOL_MERGECOMMAND_H

#include "report/Document.h"
#include "report/Measurements.h"

#include <string>
#include <vector>

namespace cudalint {

struct MergeRead {
  std::vector<Document> Documents;
  std::vector<Measurements> Measured; ///< In the order of the inputs.
  std::string Error; ///< Why they cannot be joined, in words for a user.
};

/// Reads \p Inputs, which are reports of --format=json or folders of such, and
/// joins them; reports of `confirm` are what was measured.
MergeRead readAndMerge(const std::vector<std::string> &Inputs);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_MERGECOMMAND_H
