//===- analyzer/project/ArgumentPaths.h - Names in arguments ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PROJECT_ARGUMENTPATHS_H
#define CUDA_LINT_ANALYZER_PROJECT_ARGUMENTPATHS_H

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

/// `--std` as `-std`, which tools take for the same.
std::string_view withOneDash(std::string_view Word);

/// Whether what follows the option is for the host's compiler: `-Xcompiler`.
bool handsOn(std::string_view Name);

/// \p Arguments of nvcc, Clang or gcc with the names of folders and files as
/// \p Rename has them: of -I, -isystem, -include and their like, in all
/// spellings, also those that -Xcompiler hands on. It is told whether a file is
/// also looked for along the folders of -I. Other arguments stay.
std::vector<std::string> renamePaths(
    std::span<const std::string> Arguments,
    const std::function<std::string(const std::string &, bool IsSearched)>
        &Rename);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PROJECT_ARGUMENTPATHS_H
