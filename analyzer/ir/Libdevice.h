//===- analyzer/ir/Libdevice.h - Functions of libdevice ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// libdevice is not linked: its functions are declarations, of which LLVM knows
/// nothing. What CUDA's manual says of them is said in LLVM's terms.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_LIBDEVICE_H
#define CUDA_LINT_ANALYZER_IR_LIBDEVICE_H

namespace llvm {
class Module;
} // namespace llvm

namespace cudalint {

/// Calls of libdevice in \p M become intrinsics of the same meaning where LLVM
/// has them (`__nv_min` is llvm.smin, `__nv_popc` llvm.ctpop), so that ranges
/// and bits are known through them; the others are functions of their operands.
void describeLibdevice(llvm::Module &M);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_LIBDEVICE_H
