//===- analyzer/tool/LaunchedBuild.h - Beside a compiler --------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The part of `cuda-lint launcher` that reads source files: it is started
/// beside a compiler, parses what that compiles meanwhile, and takes the
/// figures from the object when that is there.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_LAUNCHEDBUILD_H
#define CUDA_LINT_ANALYZER_TOOL_LAUNCHEDBUILD_H

#include "analyzer/tool/Options.h"

#include <span>
#include <string>
#include <vector>

namespace cudalint {

/// Reads `PIPE [options] -- COMPILER ...`, where PIPE is the descriptor of
/// BuiltObjects. Without --fail-on, CUDA_LINT_FAIL_ON says what fails the
/// build, by default nothing; without --results, CUDA_LINT_RESULTS names the
/// folder that reports in JSON are collected in, by default none.
ParsedOptions parseLaunched(const std::vector<std::string> &Arguments);

/// Reads `[options] -- COMPILER ...`, the build that discardBuild() is about.
ParsedOptions parseDiscarded(const std::vector<std::string> &Arguments);

/// Takes away what the compiler of \p Run has made, of which nobody could say
/// what is in it. Returns the exit code.
int discardBuild(const Options &Run);

/// Once the files of \p Run are found: where its figures come from, and where
/// its report goes. Returns why that cannot be, in words for a user.
std::optional<std::string> attachToBuild(Options &Run);

/// What to say, in place of Clang's own words, of what it could not read and
/// the compiler of the build could; or an empty string.
std::string noteOnUnread(std::span<const Document> Documents);

/// Takes away what the compiler has made: findings fail the build, and the next
/// run of it must not take it for done.
void removeObjects(const Options &Run);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_LAUNCHEDBUILD_H
