//===- analyzer/ir/PlainPtx.h - What LLVM has for inline PTX ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// People write conversions of addresses, and copies that run on a condition,
/// as inline PTX of several instructions, which no pass knows. They become what
/// LLVM has for it.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_PLAINPTX_H
#define CUDA_LINT_ANALYZER_IR_PLAINPTX_H

namespace llvm {
class Module;
} // namespace llvm

namespace cudalint {

void makePtxPlain(llvm::Module &M);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_PLAINPTX_H
