//===- analyzer/remedy/ColumnRemedy.h - Lanes a row apart -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What helps where neighbouring lanes are a row, or more than an element,
/// apart: who takes what lies between decides.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_REMEDY_COLUMNREMEDY_H
#define CUDA_LINT_ANALYZER_REMEDY_COLUMNREMEDY_H

#include "analyzer/model/KernelModel.h"
#include "analyzer/model/LanePattern.h"
#include "analyzer/remedy/AccessGroups.h"
#include "report/Phrase.h"

namespace cudalint {

/// Where blocks that follow each other have neighbouring columns, of which the
/// lanes add up one each; else empty.
Phrase columnsOfBlocks(const KernelModel &K, const Access &A);

/// Of lanes that walk down a column, where that is none of those.
Phrase columnRemedy(const KernelModel &K, const Access &A);

/// Whether no lane of a block, in any turn, takes what lies between what
/// neighbouring lanes take.
bool leavesWhatLiesBetween(const KernelModel &K, const Access &A,
                           const AccessGroup &G, const LanePattern &P);

/// For those: only another layout helps, or that a block takes what others do.
Phrase layOutByLanes(const Access &A);

/// Where that may be so.
Phrase layOutOrTile();

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_REMEDY_COLUMNREMEDY_H
