//===- runtime/join/AccessMatch.h - Accesses and instructions ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A line may hold several accesses, and its code several instructions. Which
/// is which is told, as far as that is possible, by the calls that were inlined
/// and the width, or by the width alone. Not by the offset that a prediction
/// names: of a line's equal instructions, the analyzer does not know which is
/// which.
///
/// Where a group has as many instructions as accesses, an access goes with an
/// instruction that has its number. Those that are left over are judged by
/// themselves if it is one of them, or if they predict the same. In a loop that
/// was unrolled each instruction is some of its turns, so that they are judged
/// together; so are those of which there are more or fewer than accesses.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_ACCESSMATCH_H
#define CUDA_LINT_RUNTIME_JOIN_ACCESSMATCH_H

#include "runtime/join/LineCode.h"
#include "runtime/join/LineJudge.h"

namespace cudalint {

using Accesses = std::vector<const AccessRecord *>;

/// Judges \p Accesses, at least one, of one line, by \p Code: all instructions
/// of the line, of which what \p Out measured is the sum. Without any, as
/// judge() does.
void judgeByInstruction(std::span<const AccessRecord *const> Accesses,
                        const Instructions &Code, const LaunchPremise &Launches,
                        const Tolerance &Allowed, LineVerdict &Out);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_ACCESSMATCH_H
