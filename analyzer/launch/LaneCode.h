//===- analyzer/launch/LaneCode.h - Code of a lane for itself ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a kernel does for each of its threads alone, whichever they share a
/// warp with: that is as before when threads are put into other warps.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_LANECODE_H
#define CUDA_LINT_ANALYZER_LAUNCH_LANECODE_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace clang {
class DeclRefExpr;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace cudalint {

/// Calls \p Visit for all statements of \p Kernel and of the functions that it
/// calls, each function once, with the one that it is in.
///
/// False, and perhaps not all of them, unless all is known to be a lane's own.
/// What has no body is so where it is a function of libdevice (`__nv_sqrtf`),
/// or a builtin of the compiler that computes from its arguments alone, loads
/// for ever the same (`__ldg`), or waits for the whole block. So shuffles,
/// votes, matrices, cooperative groups, inline assembly, volatile memory,
/// atomics, lines that are printed, memory from the heap, functions of other
/// files or that are called by a pointer or virtually, launches, and code that
/// is called where no call is written (constructors, destructors, default
/// arguments) are none; nor is what asks for which architecture it is compiled,
/// as it is another function there.
///
/// Lanes that meet in memory without a barrier, as by a race that one warp
/// always won, are not looked for.
bool forEachLaneStatement(
    const clang::FunctionDecl &Kernel,
    llvm::function_ref<void(const clang::Stmt &, const clang::FunctionDecl &)>
        Visit);

/// Whether \p Function waits for the whole block.
bool isBlockBarrier(const clang::FunctionDecl &Function);

/// Whether \p Ref names threadIdx, blockIdx, blockDim or gridDim of CUDA; the
/// name, else empty.
llvm::StringRef threadBuiltin(const clang::DeclRefExpr &Ref);

/// `threadIdx.x`
struct BuiltinPart {
  llvm::StringRef Variable; ///< As of threadBuiltin().
  llvm::StringRef Part;     ///< x, y, z
  clang::SourceLocation Where, PartWhere;
};

/// What \p S reads; empty where it is no such part itself.
std::optional<BuiltinPart> builtinPart(const clang::Stmt &S);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_LANECODE_H
