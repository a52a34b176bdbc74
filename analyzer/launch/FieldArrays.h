//===- analyzer/launch/FieldArrays.h - Structs of arrays --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An array of structs is turned into arrays of their fields in the memory that
/// it has. Only who looks at a field is edited, and who passes the pointer on:
///
///     struct PArrays {
///       float *x, *y;
///       PArrays(P *memory, size_t count)
///           : x((float *)memory), y(x + count) {}
///     };
///     __global__ void k(PArrays p)    // was: P *p
///     p.x[i] = 0                      // was: p[i].x = 0
///     k<<<1, n>>>(PArrays(d, n))      // was: k<<<1, n>>>(d)
///     PArrays(h, n).x[i] = 0          // was: h[i].x = 0
///
/// What allocates, copies, clears and frees the memory stays as it is: the
/// fields are of one size, so that they take what the structs took, and what
/// handles all of it does not see how it is divided. That wants one number of
/// structs for all memory that meets.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_FIELDARRAYS_H
#define CUDA_LINT_ANALYZER_LAUNCH_FIELDARRAYS_H

#include "analyzer/frontend/SourceFacts.h"

namespace cudalint {

/// Fills FieldFact::Apart in \p Facts.
///
/// That is for the structs of the main file that are plain data, all of whose
/// fields have one size, and for which each pointer that a kernel gets is
/// followed to memory that a function of the file allocates; on the way, all
/// functions are the file's, and every use of the pointers is understood:
/// PointerUses, ElementCount. Nothing in files with errors, which may hide a
/// use.
void addFieldArrays(clang::ASTContext &Context, SourceFacts &Facts);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_FIELDARRAYS_H
