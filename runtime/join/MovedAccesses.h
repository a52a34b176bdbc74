//===- runtime/join/MovedAccesses.h - Not where they stand ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The compiler may execute in one line what stands in another: it merges, and
/// it inlines. Of a line where nothing was executed, and one where more or
/// something else was, neither the prediction nor its absence is to blame.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_JOIN_MOVEDACCESSES_H
#define CUDA_LINT_RUNTIME_JOIN_MOVEDACCESSES_H

#include "runtime/join/LineJudge.h"

#include <optional>
#include <set>
#include <span>
#include <vector>

namespace cudalint {

/// What was predicted for one line, space and op, where nothing was executed.
using AbsentAccesses = std::vector<const AccessRecord *>;

/// The sum over those \p Lines in headers of the toolkit that nothing was
/// predicted for, which are not in \p Used. Nothing when there are none.
std::optional<CountedLine>
unusedOfToolkit(std::span<const CountedLine> Lines,
                const std::set<const CountedLine *> &Used, MemorySpace Space,
                AccessOp Op);

/// `__ldg` and its like are functions in such headers: for nvcc their
/// instruction stands there, for the analyzer where they are called. Compares
/// \p Of with \p Header if no other of \p Absent may be meant.
void judgeInToolkit(std::span<const AccessRecord *const> Of,
                    std::span<const AbsentAccesses> Absent,
                    const CountedLine &Header, const LaunchPremise &Launches,
                    const Tolerance &Allowed, LineVerdict &Out);

/// An `if` and an `else` that access the same array may become one instruction
/// with a selected address. It stands in one of their lines, and costs as much
/// as both at most: such a refutation is inconclusive. Of \p Gone the code has
/// no instruction, or none was executed if \p IsOfCode is false.
void forgiveMerged(std::span<const AbsentAccesses> Gone, bool IsOfCode,
                   const Tolerance &Allowed, std::vector<LineVerdict> &Lines);

/// Whether \p Found, where nothing was predicted, measured what was predicted
/// for one of \p Absent.
bool isMoved(std::span<const AbsentAccesses> Absent, const LineVerdict &Found,
             const Tolerance &Allowed);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_JOIN_MOVEDACCESSES_H
