//===- analyzer/plugin/TreeFindings.h - Within a compiler -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What plugins have in common: the analysis of a syntax tree that a compiler
/// has made, and places of its findings as that compiler has them.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PLUGIN_TREEFINDINGS_H
#define CUDA_LINT_ANALYZER_PLUGIN_TREEFINDINGS_H

#include "analyzer/plugin/OwnParse.h"
#include "report/Finding.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceLocation.h"

#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class CodeGenOptions;
} // namespace clang

namespace cudalint {

/// How the device side of a file is parsed: in Folder, with Arguments.
struct DeviceParse {
  std::string Folder;
  DeviceArguments Arguments;
};

struct TreeOptions {
  std::string Checks; ///< Globs, as --checks takes them; empty: the default.
  /// A product or architecture, as --gpu takes it; empty: the one that the tree
  /// is compiled for. Of another compute capability, it is an error.
  std::string Gpu;
  /// Tries what may be edited without asking: the edited text is parsed so.
  /// Empty: nothing is tried.
  std::optional<DeviceParse> Trial = {};
};

struct TreeFindings {
  /// Each remark once, in the order of the source, whatever instantiations and
  /// launches it is true of.
  std::vector<Finding> Findings;
  /// Of their fixes, those that are safe and hold, together.
  std::vector<Fix> Proved;
  std::string Error; ///< Why there are none, in words for a user; or empty.

  bool isProved(const Fix &What) const;
};

/// Whether \p AST, of a device side, is compiled for what \p Gpu has; of a name
/// that is empty or not known: yes.
bool isCompiledFor(const clang::ASTContext &AST, const std::string &Gpu);

/// Analyses the device side of the file of \p AST, a tree of its host's side or
/// of another GPU: it is parsed again, as \p Parse says. Otherwise as
/// analyseTree(); without a GPU, for sm_90.
TreeFindings analyseAgain(const clang::ASTContext &AST,
                          const DeviceParse &Parse, const TreeOptions &Options);

/// Analyses \p AST, which is left as it is. A tree of the host's side, or one
/// with errors, has no findings and no error: the compiler says what is to say.
/// Survives a crash of the analysis, which is an error then.
TreeFindings analyseTree(clang::ASTContext &AST,
                         const clang::CodeGenOptions &Code,
                         const TreeOptions &Options);

/// The place as \p Sources has it; invalid where it is in no file of theirs.
clang::SourceLocation locationOf(const Location &Where,
                                 const clang::SourceManager &Sources);

/// The edits of \p What for the compiler; empty where one of them is in no file
/// of its.
std::vector<clang::FixItHint> hintsOf(const Fix &What,
                                      const clang::SourceManager &Sources);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PLUGIN_TREEFINDINGS_H
