//===- analyzer/pipeline/AccessRecords.h - Records of accesses --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_ACCESSRECORDS_H
#define CUDA_LINT_ANALYZER_PIPELINE_ACCESSRECORDS_H

#include "analyzer/ir/Access.h"
#include "report/Document.h"

#include <cstdint>
#include <vector>

namespace cudalint {

/// What the JSON says of an access.
AccessRecord recordOf(const Access &A);

/// The same for each of the machine instructions that it is.
void addRecords(const Access &A, std::vector<AccessRecord> &Out);

/// What they say of the rows of shared arrays.
std::vector<RowUse> rowsOf(const std::vector<Access> &Accesses);

/// Adds to \p All what the evaluation of one more block shape gave. Accesses
/// that cost the same under an earlier shape are left out, but never a part of
/// a group: checks judge the accesses of a group together. \p NextGroup is a
/// key that no group has yet.
void addShape(std::vector<Access> &All, std::vector<Access> Fresh,
              std::uint64_t &NextGroup);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_ACCESSRECORDS_H
