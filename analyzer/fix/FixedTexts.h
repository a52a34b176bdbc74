//===- analyzer/fix/FixedTexts.h - Files with their edits -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FIX_FIXEDTEXTS_H
#define CUDA_LINT_ANALYZER_FIX_FIXEDTEXTS_H

#include "report/Finding.h"
#include "report/TextWriter.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cudalint {

/// The texts of files in memory and the edits of fixes to them: each fix is
/// there with all of its edits or with none.
class FixedTexts {
public:
  /// \p Original gives the text that was analysed, of any name of a file.
  explicit FixedTexts(SourceText Original);
  ~FixedTexts();
  FixedTexts(const FixedTexts &);
  FixedTexts &operator=(const FixedTexts &);

  /// Adds all edits of \p What, and returns nothing; or none, and why not: a
  /// file cannot be read, is not to be edited, or an edit is out of its bounds
  /// or meets another fix's.
  std::optional<std::string> add(const Fix &What);

  /// Has \p File among texts(), also without an edit, where it can be read.
  void keep(const std::string &File);

  /// Of each file with edits, or that is kept, by the first of its names: what
  /// it becomes.
  std::map<std::string, std::string> texts() const;

  /// The edits that make it that, by offset.
  std::map<std::string, std::vector<Edit>> edits() const;

private:
  struct State;
  std::unique_ptr<State> S;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FIX_FIXEDTEXTS_H
