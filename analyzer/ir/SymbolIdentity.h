//===- analyzer/ir/SymbolIdentity.h - Symbols of several runs ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each run of a warp has symbols of its own. Some stand for what is the same
/// in all of them: an argument, an index of the block, a product of such.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_SYMBOLIDENTITY_H
#define CUDA_LINT_ANALYZER_IR_SYMBOLIDENTITY_H

#include "analyzer/ir/LaneValue.h"

namespace cudalint {

/// Adds to \p Out what is equal for symbols that have the same value in all
/// warps of a block, and for no others. False: it is not known to be such.
bool addIdentity(const LaneArithmetic &A, Symbol S,
                 std::vector<std::int64_t> &Out);

/// A phrase, of an address with such a symbol in it.
std::string whyNotTold(const LaneArithmetic &A, Symbol S);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_SYMBOLIDENTITY_H
