//===- analyzer/frontend/SourcePlaces.h - Places in the source --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// From Clang's locations to places that a user finds, and how the text there
/// came to be: through which macros, and through which #include lines.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_SOURCEPLACES_H
#define CUDA_LINT_ANALYZER_FRONTEND_SOURCEPLACES_H

#include "report/Finding.h"
#include "report/SourceRecord.h"

#include "clang/Basic/SourceLocation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace clang {
class ASTContext;
class LangOptions;
class SourceManager;
} // namespace clang

namespace cudalint {

/// A place, and how its text came there.
struct SourcePlace {
  Location Where;
  TextOrigin Origin;
};

class SourcePlaces {
public:
  explicit SourcePlaces(const clang::ASTContext &Context);

  /// As debug information has it: a macro's expansion stands for what its
  /// definition wrote, an argument of a macro for itself; `#line` is obeyed.
  Location locate(clang::SourceLocation Where) const;

  /// What is written there; where a part of it is a macro's, the whole of its
  /// call.
  SourceExtent extentOf(clang::SourceRange Range) const;

  /// The macros whose definitions wrote one of \p Parts, each once: those of
  /// the first come first, innermost first.
  std::vector<MacroUse>
  macrosOf(llvm::ArrayRef<clang::SourceLocation> Parts) const;

  /// Innermost first; empty in the main file.
  const std::vector<Location> &includedFrom(clang::SourceLocation Where);

  /// All of it, of what stands at the begin of \p Range.
  SourcePlace placeOf(clang::SourceRange Range);

private:
  void addMacros(clang::SourceLocation Part,
                 std::vector<MacroUse> &Macros) const;
  Location definitionOf(clang::SourceLocation Spelled) const;

  const clang::SourceManager &Sources;
  const clang::LangOptions &Language;
  llvm::DenseMap<clang::FileID, std::vector<Location>> Stacks;
};

/// For a few places. Whoever has many keeps SourcePlaces.
Location locate(const clang::ASTContext &Context, clang::SourceLocation Where);
SourcePlace placeOf(const clang::ASTContext &Context, clang::SourceRange Range);

/// An edit that inserts \p Text at \p Where; none where that is not written in
/// a file of the user's, but by a macro, or in a system header.
std::optional<Edit> insertionAt(const clang::ASTContext &Context,
                                clang::SourceLocation Where, std::string Text);

/// What is written there, macros by their names; empty where it is not written
/// in one file, or begins or ends within a macro.
std::string writtenText(const clang::ASTContext &Context,
                        clang::SourceRange Range);

/// Calls \p Work with each file that is no system header, as often as it is
/// included.
void forEachUserFile(const clang::SourceManager &Sources,
                     llvm::function_ref<void(clang::FileID)> Work);

/// For places of which only the name of their file is known: the #include lines
/// that lead to each of the user's headers, innermost first. Without those that
/// are included twice.
using IncludeStacks = std::map<std::string, std::vector<Location>>;

IncludeStacks includeStacksOf(const clang::ASTContext &Context);

/// The texts of the user's files as they were read, each once; by name.
std::vector<SourceRecord> sourcesOf(const clang::ASTContext &Context);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_SOURCEPLACES_H
