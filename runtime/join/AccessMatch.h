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
/// is which is told, as far as that is possible,
///   - by the offset, where the prediction names the machine instruction of
///   each
///     access, and the code has it there;
///   - by the calls that were inlined, and the width;
///   - by the width alone.
/// Where a group has as many instructions as accesses, each is judged by
/// itself: an access goes with an instruction that has its number, and those
/// that are left over are told apart no further unless only one is. Where it
/// has not, a loop was unrolled or an access was removed, and the sums are
/// judged.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_ACCESSMATCH_H
#define CUDA_LINT_RUNTIME_JOIN_ACCESSMATCH_H

#include "runtime/join/LineCode.h"
#include "runtime/join/LineJudge.h"

namespace cudalint {

/// Judges \p Accesses, at least one, of one line, by \p Code: all instructions
/// of the line, of which what \p Out measured is the sum. Without any, as
/// judge() does.
void judgeByInstruction(std::span<const AccessRecord *const> Accesses,
                        const Instructions &Code, const LaunchPremise &Launches,
                        const Tolerance &Allowed, LineVerdict &Out);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_ACCESSMATCH_H
