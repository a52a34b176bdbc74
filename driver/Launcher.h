//===- driver/Launcher.h - A compiler, and a look at its file ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `cuda-lint launcher [options] -- nvcc ...`: runs the compiler of a build as
/// if nothing stood before it, and lints what it compiles beside it.
///
/// A build must not depend on its linter: what goes wrong with that is a note,
/// and the exit code is the compiler's, unless the user asks findings to fail
/// the build.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_DRIVER_LAUNCHER_H
#define CUDA_LINT_DRIVER_LAUNCHER_H

#include <string>
#include <vector>

namespace cudalint {

/// Runs the command behind the `--` of \p Arguments, those behind `launcher`,
/// and \p Checker, the program that reads source files, with the rest. Returns
/// the exit code: that of the command, which is repeated as a signal where one
/// ended it; 1 where findings fail the build, of which the object is then gone,
/// so that the next run of the build does not take it for done; 2 for bad
/// usage, and where findings are to fail the build and cannot be looked for;
/// 127 where the command cannot be run, as shells have it.
int runLauncher(const std::vector<std::string> &Arguments,
                const std::string &Checker);

} // namespace cudalint

#endif // CUDA_LINT_DRIVER_LAUNCHER_H
