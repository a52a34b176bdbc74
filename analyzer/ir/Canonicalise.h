//===- analyzer/ir/Canonicalise.h - Device IR in one shape -*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Brings device IR into the form that the evaluator reads: everything inlined
/// into the kernels, locals in registers, address spaces inferred. The accesses
/// are the markers of AccessMarkers.h. Loops are not unrolled: an access in a
/// loop stays one access.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_CANONICALISE_H
#define CUDA_LINT_ANALYZER_IR_CANONICALISE_H

#include <cstddef>

namespace llvm {
class Module;
} // namespace llvm

namespace cudalint {

/// Accesses of one kernel that are evaluated within a minute and 1.5 GB.
inline constexpr std::size_t MostAccessesOfKernel = 100'000;

/// Rewrites `M` in place. Never fails: what a pass cannot simplify is left to
/// the evaluator, which then calls it unknown. A kernel of more than
/// `MostAccesses` is emptied: see accessesLeftOut().
void canonicalise(llvm::Module &M,
                  std::size_t MostAccesses = MostAccessesOfKernel);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_CANONICALISE_H
