//===- analyzer/project/CommandIndex.h - Commands by file -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which command of a database a file is compiled with.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PROJECT_COMMANDINDEX_H
#define CUDA_LINT_ANALYZER_PROJECT_COMMANDINDEX_H

#include "analyzer/project/CompileDatabase.h"

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace cudalint {

/// A database, with its entries by file.
class CommandIndex {
public:
  /// Reads the file \p Path; Error tells where it cannot be used.
  explicit CommandIndex(std::string Path);
  CommandIndex(const CommandIndex &) = delete;

  /// The first of a file, by its absolute name; null where there is none.
  const CompileCommand *of(const std::string &File) const;

  /// All of a file, in the order of the database.
  std::span<const CompileCommand *const> allOf(const std::string &File) const;

  /// Of the file that is most like \p File, which has no entry: by its folders,
  /// then by its name. Null where there is none at all.
  const CompileCommand *nearest(const std::string &File) const;

  std::string Path;
  std::string Error; ///< Why it cannot be used, in words for a user; or empty.
  std::vector<CompileCommand> Cuda;
  std::vector<CompileCommand> Host; ///< Those of C++.
  std::size_t Others = 0;           ///< Entries of other languages.

private:
  std::map<std::string, std::vector<const CompileCommand *>> ByFile;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PROJECT_COMMANDINDEX_H
