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
/// them: those lose their bodies, all others become IR.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_DEVICECODE_H
#define CUDA_LINT_ANALYZER_FRONTEND_DEVICECODE_H

#include <functional>
#include <memory>

namespace clang {
class ASTConsumer;
class ASTContext;
class CompilerInstance;
} // namespace clang
namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace cudalint {

class ErrorCollector;

/// Makes the consumer of one parse by `Compiler`. At the end of the translation
/// unit it calls `OnAST` and, unless that returns false, leaves the device code
/// in `Module`, which lives in `Context`. `Errors` is the client that
/// `Compiler` reports to.
std::unique_ptr<clang::ASTConsumer>
makeDeviceCodeConsumer(clang::CompilerInstance &Compiler,
                       const ErrorCollector &Errors, llvm::LLVMContext &Context,
                       std::function<bool(clang::ASTContext &)> OnAST,
                       std::unique_ptr<llvm::Module> &Module);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_DEVICECODE_H
