//===- tests/differential/Case.h - A kernel and a launch in a file --------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A mismatch as it is printed and kept: LLVM IR with the launch in a comment,
/// each word with three numbers or one for each argument:
///
///   ; launch block=64,1,1 grid=1,9,1 index=0,4,0 warp=1 arguments=0,0,3,17
///   ; told grid=1,0,1 arguments=1,1,0,0
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_DIFFERENTIAL_CASE_H
#define CUDA_LINT_TESTS_DIFFERENTIAL_CASE_H

#include "RandomKernel.h"

#include "llvm/Support/Error.h"

#include <string>
#include <utility>

namespace cudalint::differential {

std::string writeCase(const RandomKernel &Kernel, const RandomLaunch &Launch);

/// The error says what is wrong with the file.
llvm::Expected<std::pair<RandomKernel, RandomLaunch>>
readCase(llvm::StringRef Path, llvm::LLVMContext &Context);

} // namespace cudalint::differential

#endif // CUDA_LINT_TESTS_DIFFERENTIAL_CASE_H
