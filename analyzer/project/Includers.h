//===- analyzer/project/Includers.h - Who includes what ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PROJECT_INCLUDERS_H
#define CUDA_LINT_ANALYZER_PROJECT_INCLUDERS_H

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace cudalint {

/// Which files include certain headers, by the text of their `#include` lines:
/// without a preprocessor, whatever conditions are around, and so in a moment.
/// What a macro names is not seen.
class Includers {
public:
  /// \p IsWanted is asked with absolute names.
  explicit Includers(std::function<bool(const std::string &)> IsWanted)
      : IsWanted(std::move(IsWanted)) {}

  /// Whether \p File, an absolute name, or a file that it includes from its own
  /// folder or from one of \p Folders, includes one that is wanted.
  bool includesWanted(const std::string &File,
                      const std::vector<std::string> &Folders);

private:
  std::function<bool(const std::string &)> IsWanted;
  /// Those that were read. A file that leads to itself does not include.
  std::map<std::string, bool> Known;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PROJECT_INCLUDERS_H
