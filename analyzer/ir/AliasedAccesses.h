//===- analyzer/ir/AliasedAccesses.h - What pointers may share --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A store through one pointer that a kernel is given may write what another
/// one leads to, as far as compilers know, unless one of them is
/// `__restrict__`. So they load again what they have, and store what the next
/// turn of a loop will write over. These are the accesses of which that is the
/// only reason: nothing else that may write or read the place comes in between.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_ALIASEDACCESSES_H
#define CUDA_LINT_ANALYZER_IR_ALIASEDACCESSES_H

#include "analyzer/ir/ValueReuse.h"

#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class LoopInfo;
} // namespace llvm

namespace cudalint {

/// Sets WrittenAccess::Aliased of all accesses of a kernel.
void findAliased(llvm::ArrayRef<PlacedAccess> All, const llvm::LoopInfo &Loops);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_ALIASEDACCESSES_H
