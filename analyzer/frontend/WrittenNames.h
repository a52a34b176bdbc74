//===- analyzer/frontend/WrittenNames.h - Names in the text -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_WRITTENNAMES_H
#define CUDA_LINT_ANALYZER_FRONTEND_WRITTENNAMES_H

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include <set>

namespace clang {
class ASTContext;
class SourceManager;
} // namespace clang

namespace cudalint {

/// Calls \p Work with each identifier in \p Range of a file, and whether `[`
/// follows it: also what the preprocessor left out, and what a macro is defined
/// as, but no comments and strings. An invalid range has none.
void forEachName(
    const clang::ASTContext &Context, clang::SourceRange Range,
    llvm::function_ref<void(llvm::StringRef Name, clang::SourceLocation Where,
                            bool IsSubscripted)>
        Work);

/// Whether \p Range says \p Name at \p Places alone, all of them in files.
bool isNamedOnlyAt(const clang::ASTContext &Context, clang::SourceRange Range,
                   llvm::StringRef Name,
                   const std::set<clang::SourceLocation> &Places);

/// Whether the name at \p Where is that of a member: `threadIdx.x` names no
/// variable `x`.
bool isMember(const clang::SourceManager &Sources, clang::SourceLocation Where);

/// The whole of \p File.
clang::SourceRange rangeOf(const clang::ASTContext &Context,
                           clang::FileID File);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_WRITTENNAMES_H
