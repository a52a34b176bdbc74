//===- analyzer/ir/GridParts.h - Blocks that do the same --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Cuts a grid into boxes of blocks in which conditions on blockIdx are
/// decided: `if (blockIdx.y * 32 + threadIdx.y < 1) return;` is one thing in
/// the first row of blocks and another in all others. Plain numbers: no LLVM.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_GRIDPARTS_H
#define CUDA_LINT_ANALYZER_IR_GRIDPARTS_H

#include "report/Document.h"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace cudalint {

/// First and last block along each dimension; empty where nothing is known.
using BlockRanges =
    std::array<std::optional<std::pair<std::int64_t, std::int64_t>>, 3>;

struct GridPart {
  BlockRanges Blocks;
  double Share = 1; ///< Of the blocks of the grid.
};

/// At most \p Most parts, which are the grid together. \p OpenIn says by which
/// dimensions (bits 1, 2 and 4) something is not decided that blocks of a part
/// may differ in; it is asked less than twice as often. A part that is one
/// block along these dimensions stays, and when there are too many, all do.
std::vector<GridPart>
partsOf(const Extent &Grid, std::size_t Most,
        const std::function<unsigned(const BlockRanges &)> &OpenIn);

/// Each block on its own.
std::vector<GridPart> blocksOf(const Extent &Grid);

/// The first block along x, the last, and those between, if there are any.
/// EXPECTS: the grid has more than one along x.
std::vector<GridPart> endsAndMiddle(const Extent &Grid);

/// \p Count blocks from all over a grid, which stand for all: along each
/// dimension, one of each of as many equal parts, in another order.
std::vector<GridPart> spreadOver(const Extent &Grid, std::int64_t Count);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_GRIDPARTS_H
