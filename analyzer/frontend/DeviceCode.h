//===- analyzer/frontend/DeviceCode.h - Device IR despite errors *- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Clang's own code generator emits nothing once there was an error anywhere
/// in the translation unit. Here the errors stay with the functions that hold
/// them: those have no bodies, all others become IR.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_DEVICECODE_H
#define CUDA_LINT_ANALYZER_FRONTEND_DEVICECODE_H

#include "analyzer/frontend/Repairs.h"

#include <memory>
#include <vector>

namespace clang {
class ASTContext;
class CodeGenOptions;
class FunctionDecl;
} // namespace clang
namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace cudalint {

/// The device code of \p AST as it is evaluated: optimised nowhere, with lines,
/// columns and linkage names. \p AST comes from a device-side compilation of
/// anybody's, with the options \p Compilation, and is as before when this
/// returns. \p Errors are those that were met on the way to it. Null when Clang
/// cannot make code of it. \p ConstexprOfHost becomes the first `constexpr`
/// function without `__device__` that the code calls, if there is any.
std::unique_ptr<llvm::Module> generateDeviceCode(
    clang::ASTContext &AST, const clang::CodeGenOptions &Compilation,
    const std::vector<Problem> &Errors, llvm::LLVMContext &Context,
    const clang::FunctionDecl *&ConstexprOfHost);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_DEVICECODE_H
