//===- analyzer/frontend/ArgumentFiles.h - Arguments from files -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_ARGUMENTFILES_H
#define CUDA_LINT_ANALYZER_FRONTEND_ARGUMENTFILES_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace cudalint {

/// Puts what stands in files of arguments, `@FILE` or nvcc's `--options-file
/// FILE`, in their place: words as a shell parts them, which may name further
/// files. All are named from \p Folder; empty: that of the process. Returns why
/// one cannot be read, in words for a user; nothing when all could.
std::optional<std::string>
expandArgumentFiles(std::vector<std::string> &Arguments,
                    const std::string &Folder = {});

/// Splits at commas that no backslash and no quotes protect, and at spaces if
/// wanted.
llvm::SmallVector<std::string> splitList(llvm::StringRef List,
                                         bool AtSpaces = false);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_ARGUMENTFILES_H
