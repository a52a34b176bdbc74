//===- analyzer/pipeline/MissingHeaders.h - What is not there ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_MISSINGHEADERS_H
#define CUDA_LINT_ANALYZER_PIPELINE_MISSINGHEADERS_H

#include "analyzer/pipeline/UnitAnalysis.h"

#include <set>
#include <string>

namespace cudalint {

/// Files that miss the same headers are as one: the first says what to do.
class MissingHeaders {
public:
  /// False where all that \p Unit misses was said of another file.
  bool isNews(const ParsedUnit &Unit);

  /// `cuda-lint: note: 3 more files miss headers that are named above`; empty
  /// where none does.
  std::string note() const;

  /// Whether \p Note is nvcc's, which stops at the header that Clang has named.
  static bool areMeantBy(const std::string &Note, const UnitResult &From);

  /// Whether some file of \p Doc misses any.
  static bool areIn(const Document &Doc);

private:
  std::set<std::string> Said, Others;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_MISSINGHEADERS_H
