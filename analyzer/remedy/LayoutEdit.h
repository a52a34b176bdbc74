//===- analyzer/remedy/LayoutEdit.h - A layout in the source ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_REMEDY_LAYOUTEDIT_H
#define CUDA_LINT_ANALYZER_REMEDY_LAYOUTEDIT_H

#include "analyzer/remedy/LayoutSearch.h"
#include "report/Finding.h"

#include <optional>

namespace cudalint {

/// \p R as an edit of the declaration of \p Array and of all its subscripts,
/// of where pointers into it begin, and of the bytes that launches give where
/// its memory is theirs. The elements are renumbered one to one, whatever the
/// indices come to, so that results stay. Empty where the source does more with
/// the array than to subscript it, or where no plain text of the user's says
/// what is to be changed.
std::optional<Fix> editOf(const SharedArray &Array, const LayoutRemedy &R);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_REMEDY_LAYOUTEDIT_H
