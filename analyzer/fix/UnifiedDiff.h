//===- analyzer/fix/UnifiedDiff.h - A patch ---------------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FIX_UNIFIEDDIFF_H
#define CUDA_LINT_ANALYZER_FIX_UNIFIEDDIFF_H

#include "report/Finding.h"

#include <span>
#include <string>
#include <string_view>

namespace cudalint {

/// What `git apply` and `patch -p1` take to make \p Edits in \p Before, the
/// text of \p File; empty without any. They are sorted by offset, do not
/// overlap and are within its bounds; whose file they name is not asked. Line
/// ends are kept as they are. A name that git would quote is quoted as git
/// does.
std::string unifiedDiff(const std::string &File, std::string_view Before,
                        std::span<const Edit> Edits);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FIX_UNIFIEDDIFF_H
