//===- analyzer/ir/StrideTally.h - What strides cost ------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Adds up what the requests of an access cost by the value of a stride that
/// only the run knows. In global memory the request with most lanes counts; in
/// shared memory all of them do, of all warps: it has conflicts where any has.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_STRIDETALLY_H
#define CUDA_LINT_ANALYZER_IR_STRIDETALLY_H

#include "analyzer/ir/AccessTally.h"
#include "analyzer/ir/KernelStructure.h"
#include "analyzer/ir/StrideSymbol.h"
#include "analyzer/ir/WarpInterpreter.h"

namespace cudalint {

/// Adds \p R, whose lanes are apart by \p S.
void addStride(AccessTally &T, const Architecture &Arch,
               const LaneArithmetic &A, const Request &R,
               const KernelStructure &Kernel, const StrideSymbol &S);

/// Adds \p R, of shared memory, to what has such a stride; itself it may have
/// none, or another.
void addBesideStride(AccessTally &T, const Architecture &Arch,
                     const LaneArithmetic &A, const Request &R,
                     const KernelStructure &Kernel);

/// From which value on a stride of global memory has the cost of large ones is
/// told in the place of that it is large; after all requests.
void tellLeastStride(AccessTally &T);

/// Where all rows are longer than the symbol, they are what is told of; after
/// all requests.
void nameRows(AccessTally &T);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_STRIDETALLY_H
