//===- analyzer/ir/Inlining.h - What becomes part of kernels ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_INLINING_H
#define CUDA_LINT_ANALYZER_IR_INLINING_H

namespace llvm {
class Module;
} // namespace llvm

namespace cudalint {

/// Asks for everything that is not recursive to be inlined into the kernels,
/// whatever the user asked: the evaluator reads kernels only. Ten functions of
/// which each calls the next one eight times would be a billion copies, so what
/// would make a function longer by more than 250,000 instructions is left as
/// calls, the largest first.
void requestInlining(llvm::Module &M);

/// Copies what is passed by value where the call is: what LLVM copies when it
/// inlines a function has the line of the function's first instruction, and of
/// nvcc's code that of the call. After requestInlining().
void copyAtCalls(llvm::Module &M);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_INLINING_H
