//===- analyzer/tool/Silencing.h - What is not told -------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_SILENCING_H
#define CUDA_LINT_ANALYZER_TOOL_SILENCING_H

#include "analyzer/tool/Options.h"
#include "analyzer/tool/SourceTexts.h"
#include "report/Baseline.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace cudalint {

/// Comments and baselines, as the options of a run want them.
class Silencing {
public:
  /// \p Root is the folder that names in a baseline start from; \p Checks are
  /// the names of all that there are.
  Silencing(const Options &Run, std::string Root, std::string Here,
            std::vector<std::string> Checks);

  /// Reads the baseline. Returns what is wrong with it, a line for each fault.
  std::optional<std::string> read();

  /// Takes out what is silenced.
  void apply(std::span<Document> Documents, SourceTexts &Sources);

  /// Writes the baseline that is wished for. Returns why it cannot.
  std::optional<std::string> write(std::span<const Document> Documents) const;

  /// What is to be said of comments and of entries that are gone, each a line
  /// for standard error.
  const std::vector<std::string> &remarks() const { return Remarks; }

private:
  BaselineScope scope() const;

  const Options &Run;
  std::string Root, Here;
  std::vector<std::string> Checks;
  std::optional<Baseline> Known;
  std::vector<std::string> Remarks;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_SILENCING_H
