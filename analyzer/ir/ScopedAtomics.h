//===- analyzer/ir/ScopedAtomics.h - Atomics of a block  --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// atomicAdd_block(), atomicMax_system() and their like are intrinsics of
/// NVPTX, which no pass knows. They become the instructions that the atomics
/// without a scope are: what lanes touch is the same.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_SCOPEDATOMICS_H
#define CUDA_LINT_ANALYZER_IR_SCOPEDATOMICS_H

namespace llvm {
class Module;
} // namespace llvm

namespace cudalint {

void makeScopedAtomicsPlain(llvm::Module &M);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_SCOPEDATOMICS_H
