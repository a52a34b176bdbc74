//===- analyzer/ir/PackedFunctions.h - Parts of a word ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the functions of libdevice and the PTX instructions give that treat a
/// word of 32 bits as two halves or four bytes, or two words as one; by the PTX
/// manual and the functions of the CUDA math API.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_PACKEDFUNCTIONS_H
#define CUDA_LINT_ANALYZER_IR_PACKEDFUNCTIONS_H

#include "analyzer/ir/BitFunctions.h"

namespace cudalint {

/// `__nv_vadd4` and its kin; null for what is not known.
const BitFunction *findPackedFunction(llvm::StringRef Name);

/// The one instruction of an inline template, `shf.l.wrap.b32 $0, $1, $2, $3;`,
/// or null: the operands are those of the call.
const BitFunction *findPtxFunction(llvm::StringRef Template);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_PACKEDFUNCTIONS_H
