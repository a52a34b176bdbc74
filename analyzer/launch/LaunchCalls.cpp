//===- analyzer/launch/LaunchCalls.cpp - Calls of the runtime -------------===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "analyzer/launch/LaunchCalls.h"

#include "analyzer/frontend/UserFunctions.h"

#include "clang/AST/Expr.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace cudalint {

LaunchCall launchCallOf(const FunctionDecl *Callee) {
  if (!Callee || !Callee->getIdentifier())
    return LaunchCall::None;
  return llvm::StringSwitch<LaunchCall>(Callee->getName())
      .Case("cudaLaunchKernel", LaunchCall::Kernel)
      .Case("cudaLaunchKernel_ptsz", LaunchCall::Kernel)
      .Case("cudaLaunchCooperativeKernel", LaunchCall::Cooperative)
      .Case("cudaLaunchKernelEx", LaunchCall::Ex)
      .Case("cudaLaunchKernelExC", LaunchCall::Ex)
      .Default(LaunchCall::None);
}

bool setsSharedMemory(const CallExpr &Call) {
  const FunctionDecl *Callee = Call.getDirectCallee();
  if (!Callee || !Callee->getIdentifier() ||
      Callee->getName() != "cudaFuncSetAttribute" || Call.getNumArgs() < 2)
    return false;
  const ValueDecl *Which = namedObject(Call.getArg(1)->IgnoreParenImpCasts());
  return Which &&
         Which->getName() == "cudaFuncAttributeMaxDynamicSharedMemorySize";
}

} // namespace cudalint
