//===- analyzer/ir/UnseenCode.h - What is not evaluated  --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The evaluator reads a kernel and what was inlined into it. Whatever touches
/// memory besides is found here, so that nobody takes silence for a verdict.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_IR_UNSEENCODE_H
#define CUDA_LINT_ANALYZER_IR_UNSEENCODE_H

#include "analyzer/frontend/SourceFacts.h"

#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class Function;
} // namespace llvm

namespace cudalint {

struct UnseenCode {
  enum class Kind : std::uint8_t {
    Recursion,   ///< A call of a function that calls itself.
    Computation, ///< The same, and all that it does is compute its result.
    NotInlined,  ///< Any other call of a function of this file.
    Elsewhere,   ///< A call of a function whose body another file has.
    Pointer,     ///< A call through a pointer.
    Virtual,     ///< A call of a virtual function.
    Instruction, ///< An intrinsic or inline PTX that reads or writes memory.
  };
  Kind What = Kind::Pointer;
  /// The function as the user knows it, or the instruction; may be empty.
  std::string Name;
  Location Where;     ///< In the user's code; the first of them.
  unsigned Alike = 0; ///< More places of that kind and name.
};

/// `Kernel` is a definition in a module that was canonicalised. Each kind and
/// name once, in source order.
std::vector<UnseenCode> unseenCodeOf(const llvm::Function &Kernel,
                                     const SourceFacts &Facts);

/// What to tell the user, without a place: `kernel 'k(int *)' calls 'f(int)',
/// which calls itself: ...`. With `MoreKernels`, which do the
/// same: `kernel 'k(int *)' and 2 more call ...`.
std::string describe(const UnseenCode &Code, const std::string &Kernel,
                     unsigned MoreKernels = 0);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_IR_UNSEENCODE_H
