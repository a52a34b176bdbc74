//===- report/MergedDocuments.h - Of several runs ---------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_MERGEDDOCUMENTS_H
#define CUDA_LINT_REPORT_MERGEDDOCUMENTS_H

#include "report/Document.h"

#include <vector>

namespace cudalint {

/// The documents of several runs, as of the shards of a job or the files of a
/// build, as those of one run: one for each target, in the order in which these
/// come first. A unit that several runs have, word for word, is there once;
/// those of one file that differ, as of two configurations, stay. Problems are
/// numbered anew, and shares of a program, which no run knew, are gone.
std::vector<Document> mergedDocuments(std::vector<Document> All);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_MERGEDDOCUMENTS_H
