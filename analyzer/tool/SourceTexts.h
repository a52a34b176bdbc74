//===- analyzer/tool/SourceTexts.h - What files hold ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_SOURCETEXTS_H
#define CUDA_LINT_ANALYZER_TOOL_SOURCETEXTS_H

#include "report/TextWriter.h"

#include <map>
#include <memory>
#include <string>

namespace llvm {
class MemoryBuffer;
} // namespace llvm

namespace cudalint {

/// The texts of the files of a run, for whoever shows or reads lines of them.
class SourceTexts {
public:
  /// \p ReadOnce, which outlives this, holds those that cannot be read again.
  explicit SourceTexts(const std::map<std::string, std::string> &ReadOnce);
  ~SourceTexts();

  std::optional<std::string_view> of(const std::string &File);
  /// It lives no longer than this.
  SourceText asFunction();

private:
  const std::map<std::string, std::string> &ReadOnce;
  std::map<std::string, std::unique_ptr<llvm::MemoryBuffer>> Files;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_SOURCETEXTS_H
