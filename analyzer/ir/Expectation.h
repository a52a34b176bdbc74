//===- analyzer/ir/Expectation.h - Costs of random requests --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a request costs whose addresses depend on data, if the data is random:
/// each number independent of the others, and equally likely to be any of those
/// that the code allows.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_EXPECTATION_H
#define CUDA_LINT_ANALYZER_IR_EXPECTATION_H

#include "analyzer/ir/Access.h"
#include "analyzer/ir/RandomAddress.h"
#include "analyzer/ir/RequestCost.h"

#include <optional>

namespace cudalint {

/// The mean over a fixed sequence of pseudo-random requests, the same in every
/// run: within about 1 % of the mean over all. Nothing where even the known
/// part of the address is not known well enough.
std::optional<Expectation> expectation(const Architecture &Arch,
                                       const Request &R,
                                       const RandomAddress &Address,
                                       unsigned Piece, const LaneArithmetic &A);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_EXPECTATION_H
