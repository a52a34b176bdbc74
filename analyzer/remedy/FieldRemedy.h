//===- analyzer/remedy/FieldRemedy.h - Structs in global memory -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What helps accesses to the fields of structs: alignment, with which several
/// fields travel in one request, or arrays of their own for the fields.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_REMEDY_FIELDREMEDY_H
#define CUDA_LINT_ANALYZER_REMEDY_FIELDREMEDY_H

#include "analyzer/remedy/GroupRemedy.h"

#include <optional>

namespace cudalint {

/// What helps \p A, an access of \p G to a field of a larger struct. Empty
/// where the struct is not what wastes its sectors.
std::optional<GroupRemedy> fieldRemedy(const KernelModel &K, const Access &A,
                                       const AccessGroup &G);

/// The alignment of the struct of `A` that the remedy tells of; empty when it
/// tells of none, or the struct is not the user's.
std::optional<Fix> alignmentFix(const KernelModel &K, const Access &A,
                                const AccessGroup &G);

/// Arrays of their own for the fields of the struct of `A`, where \p R is that.
/// Empty where the kernels of the file do not need fewer sectors with it, each
/// of them, as far as they look at the struct, or where the source does not
/// allow for it.
std::optional<Fix> apartFix(const KernelModel &K, const Access &A,
                            const GroupRemedy &R);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_REMEDY_FIELDREMEDY_H
