//===- analyzer/frontend/Invocation.h - One parse, set up -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_INVOCATION_H
#define CUDA_LINT_ANALYZER_FRONTEND_INVOCATION_H

#include "analyzer/frontend/Frontend.h"

#include "llvm/ADT/IntrusiveRefCntPtr.h"

#include <memory>
#include <string>

namespace clang {
class CompilerInvocation;
class DiagnosticsEngine;
} // namespace clang
namespace llvm::vfs {
class FileSystem;
} // namespace llvm::vfs

namespace cudalint {

/// The version of a toolkit as cuda.h writes it, 13000 for 13.0; empty when
/// that cannot be read.
std::optional<unsigned> toolkitVersion(const std::string &Toolkit);

/// Clang's own headers, next to the library that is loaded; empty when they
/// are not installed.
std::string findResourceFolder();

/// The architecture that Clang parses for: the nearest to `CC` that Clang and
/// the toolkit know, "sm_90". Rounds down, or up to the oldest.
std::string nearestArchitecture(ComputeCapability CC,
                                std::optional<unsigned> ToolkitVersion);

/// The name under which the prelude lies in the file system of a parse.
extern const char PreludePath[];

/// Arguments of the one device-side compilation of \p Job; null, and errors in
/// `Diagnostics`, when they do not make one. An empty `Toolkit` means that
/// the prelude is all there is of CUDA's headers.
std::shared_ptr<clang::CompilerInvocation>
makeInvocation(const CompileJob &Job, const FrontendOptions &Options,
               const std::string &Toolkit, const std::string &ResourceFolder,
               llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files,
               clang::DiagnosticsEngine &Diagnostics);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_INVOCATION_H
