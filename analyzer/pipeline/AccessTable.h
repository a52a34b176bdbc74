//===- analyzer/pipeline/AccessTable.h - What each lane touches -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_ACCESSTABLE_H
#define CUDA_LINT_ANALYZER_PIPELINE_ACCESSTABLE_H

#include "analyzer/ir/Access.h"

#include <span>
#include <string>

namespace cudalint {

/// True when \p Asked (`--explain-access FILE:LINE`) is the line of \p A or of
/// a call that it was inlined through. FILE may leave out leading folders.
bool isAccessAt(const Access &A, const Location &Asked);

/// For a terminal: what \p A costs and why, and for its costliest request what
/// each active lane touches: bank, word and phase of shared memory, sectors of
/// global memory.
std::string accessTable(const Access &A, const Architecture &Arch);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_ACCESSTABLE_H
