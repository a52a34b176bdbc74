//===- analyzer/tool/ProgressLine.h - How far a run is ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_PROGRESSLINE_H
#define CUDA_LINT_ANALYZER_TOOL_PROGRESSLINE_H

#include <cstddef>
#include <functional>
#include <string>

namespace cudalint {

/// `[12/80] a.cu` on standard error, over and over in one line, where that is a
/// terminal and there are several files.
class ProgressLine {
public:
  ProgressLine(std::size_t Files, bool IsQuiet);

  /// As AnalysisRequest::OnProgress has it; empty where nothing is shown. It
  /// lives no longer than this.
  std::function<void(double, const std::string &)> asFunction() const;
  void clear() const;

private:
  std::size_t Files;
  bool IsShown;
  unsigned Width;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_PROGRESSLINE_H
