//===- analyzer/frontend/CompileJob.h - What to compile, how ----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// One translation unit as a build knows it. Nothing of the process is part of
/// it, so jobs of several folders can be worked on at the same time.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_COMPILEJOB_H
#define CUDA_LINT_ANALYZER_FRONTEND_COMPILEJOB_H

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <map>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class CodeGenOptions;
} // namespace clang

namespace cudalint {

/// What a compiler has made of a job's file: for a device, and without errors.
/// It is read and left as it is, by one thread at a time.
struct SyntaxTree {
  clang::ASTContext &AST;
  const clang::CodeGenOptions &Options;
};

struct CompileJob {
  std::string File; ///< As the user names it, from Folder.
  /// In which the compiler runs; empty: in that of the process.
  std::string Folder;
  /// Of nvcc or Clang, without the name of the compiler and the file.
  std::vector<std::string> Arguments;
  /// All files that there are; null: those on disk. It is asked with absolute
  /// names, and its own working folder plays no part. May be shared.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files = nullptr;
  /// Read in place of the file, which is then not parsed: that of a compiler
  /// that runs us. All targets have its compute capability. May be null.
  const SyntaxTree *Tree = nullptr;

  /// Folder, or that of the process, absolute; empty where there is none.
  std::string absoluteFolder() const;
  /// \p Name, which is meant from Folder, for calls of this process.
  std::string fromProcess(const std::string &Name) const;
};

/// The files on disk, but for those in \p Texts, by name from \p Folder, which
/// hide them.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
overDisk(const std::map<std::string, std::string> &Texts,
         const std::string &Folder);

/// What \p Job reads: names are relative to its folder. Pipes and devices,
/// which would be waited for or read for ever, cannot be opened; what is read
/// is a copy, so that a file that changes meanwhile is an error and no crash.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> filesOf(const CompileJob &Job);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_COMPILEJOB_H
