//===- analyzer/ir/AddressNotes.h - What else addresses tell ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the address of a request tells beside what the request costs: where in
/// the rows of its array the lanes are, and what other blocks take beside them.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_ADDRESSNOTES_H
#define CUDA_LINT_ANALYZER_IR_ADDRESSNOTES_H

#include "analyzer/ir/Access.h"
#include "analyzer/ir/WarpInterpreter.h"

namespace cudalint {

/// Adds to Access::LastInRow. \p A holds the symbols of the request's address.
void noteRows(Access &Of, const LaneArithmetic &A, const Request &R);

/// Adds to Access::BlockStep. Where requests differ in it, the least holds.
void noteBlocks(Access &Of, const LaneArithmetic &A, const Request &R);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_ADDRESSNOTES_H
