//===- analyzer/launch/ProgramScan.h - Stores of a file ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Reads off an AST what a file adds to ProgramValues.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_PROGRAMSCAN_H
#define CUDA_LINT_ANALYZER_LAUNCH_PROGRAMSCAN_H

#include "analyzer/launch/ProgramValues.h"
#include "analyzer/launch/UserFunctions.h"

#include <string>

namespace clang {
class FunctionDecl;
class ValueDecl;
} // namespace clang

namespace cudalint {

/// The name of an integer member, a global variable of the host or a parameter
/// of a function that only its callers can set; empty for what is not followed:
/// unions, bit-fields, volatile objects, parameters of methods and lambdas
/// (which library code may call), everything of a system header.
std::string programPlace(const clang::ValueDecl &Declaration);

/// The name of a plain function that files share, which is the same in all of
/// them; empty for what library code may call with values of its own.
std::string sharedName(const clang::FunctionDecl &Function);

/// The place of what a parameter of `programPlace` \p Place holds when its
/// function begins: that which callers store, and not the function itself.
inline std::string placeAtEntry(const std::string &Place) {
  return Place + "@entry";
}

/// Every way in which code of the user's may change a place counts as a store
/// into it. Where that cannot be told (its address is taken, bytes are copied
/// over it, a reference is bound), the store is one of an unknown value.
ProgramFacts scanProgram(const clang::ASTContext &Context,
                         const UserFunctions &Functions);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_PROGRAMSCAN_H
