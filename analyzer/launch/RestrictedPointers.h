//===- analyzer/launch/RestrictedPointers.h - Apart -------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_RESTRICTEDPOINTERS_H
#define CUDA_LINT_ANALYZER_LAUNCH_RESTRICTEDPOINTERS_H

#include "report/Finding.h"

#include <vector>

namespace clang {
class FunctionDecl;
} // namespace clang

namespace cudalint {

/// The edits that write `__restrict__` before the names of all pointers that
/// \p Kernel is given, those aside that have it.
///
/// Launched with pointers into different allocations, it keeps that promise:
/// all that it accesses of each goes by that pointer. So there are none where
/// it may have another way to memory: a pointer that is loaded, from a struct,
/// an array or a variable of the program, or made of an integer; code that is
/// not seen; where a pointer that it is given becomes another one or is known
/// elsewhere by its address. And none where it waits for what others write, by
/// volatile memory, fences or atomics whose result it uses: what is only read
/// may be read before. Nor where an instantiation of a template, a macro, a
/// header or code that is left out by `#if` has a part in it.
///
/// `const` is left to the user, as it changes the type: nvcc sees itself what
/// is never written.
std::vector<Edit> restrictedPointers(const clang::FunctionDecl &Kernel);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_RESTRICTEDPOINTERS_H
