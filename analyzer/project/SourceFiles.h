//===- analyzer/project/SourceFiles.h - Folders and globs -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PROJECT_SOURCEFILES_H
#define CUDA_LINT_ANALYZER_PROJECT_SOURCEFILES_H

#include <string>
#include <vector>

namespace cudalint {

/// The files below \p Folder that end in `.cu`, named from where \p Folder is,
/// in natural order. Hidden folders and links to folders are left out, which a
/// glob that names them would reach all the same.
std::vector<std::string> sourcesBelow(const std::string &Folder);

/// Whether \p Input is a glob: it holds `*`, `?` or `[`, and no file is called
/// so.
bool isGlob(const std::string &Input);

/// The files that \p Glob matches, in natural order: `*` within a folder, `**`
/// through folders. On a fault of the glob none, and \p Error says it.
std::vector<std::string> filesMatching(const std::string &Glob,
                                       std::string &Error);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PROJECT_SOURCEFILES_H
