//===- analyzer/launch/QuietCode.h - Host code without a look ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Host code that launches kernels and looks at nothing that they may have
/// written: memory that the GPU writes may be managed or mapped, so that the
/// host reads it through a pointer, without any call.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_QUIETCODE_H
#define CUDA_LINT_ANALYZER_LAUNCH_QUIETCODE_H

namespace clang {
class ASTContext;
class Stmt;
} // namespace clang

namespace cudalint {

/// True when \p Code, a loop, launches into one stream at most, and all that it
/// does besides is seen: it computes with variables of its function, waits, and
/// looks for errors; where it \p MayCopy, it copies by calls that wait, too. It
/// follows no pointer, prints nothing, and is left only at its end or by
/// `break`. What it does when a call fails is not counted. Errs towards false.
bool isQuiet(const clang::ASTContext &Context, const clang::Stmt &Code,
             bool MayCopy);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_QUIETCODE_H
