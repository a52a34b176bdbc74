//===- analyzer/launch/PointerStores.h - Moved when stored ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// An allocation begins at a multiple of 256 bytes, and `in.data = in.raw + 1`
/// does not. Where a member or a variable holds such a pointer, a launch in
/// another function passes it on, and its own function shows nothing of it.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_LAUNCH_POINTERSTORES_H
#define CUDA_LINT_ANALYZER_LAUNCH_POINTERSTORES_H

#include "analyzer/launch/ProgramPlaces.h"
#include "analyzer/launch/ProgramValues.h"

namespace clang {
class ASTContext;
class ValueDecl;
} // namespace clang

namespace cudalint {

struct UserFunctions;

/// What host code stores into members and global variables that are pointers,
/// as ProgramFacts::Pointers. Null pointers are left out, and so is what the
/// library fills in, which is not moved.
decltype(ProgramFacts::Pointers) pointerStores(const clang::ASTContext &Context,
                                               const UserFunctions &Functions);

/// The name of \p Declaration there; empty for what is none of them.
std::string pointerPlace(const clang::ValueDecl &Declaration);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_LAUNCH_POINTERSTORES_H
