//===- occupancy/TextTable.h - Columns of text ------------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_OCCUPANCY_TEXTTABLE_H
#define CUDA_LINT_OCCUPANCY_TEXTTABLE_H

#include <string>
#include <vector>

namespace cudalint {

/// Lines of printable cells, the first of which names the columns.
using TableRows = std::vector<std::vector<std::string>>;

/// As text: all but the last column are padded.
std::string columns(const TableRows &Rows);

/// The same. Where the lines are wider than \p Width, which 0 does not bound,
/// figures that others tell are left out, and then the names of kernels and of
/// their places, the first two columns, are shortened: those of kernels in
/// their middle, so that what tells them apart stays.
std::string columnsWithin(TableRows Rows, unsigned Width);

} // namespace cudalint

#endif // CUDA_LINT_OCCUPANCY_TEXTTABLE_H
