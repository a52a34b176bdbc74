//===- analyzer/frontend/CompilerArguments.h - nvcc's to Clang's *- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Build systems write command lines for nvcc. What Clang understands as well
/// passes, what has a counterpart is translated, and what steers only the
/// back ends or the linker is dropped: none of it is an error.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_FRONTEND_COMPILERARGUMENTS_H
#define CUDA_LINT_ANALYZER_FRONTEND_COMPILERARGUMENTS_H

#include <span>
#include <string>
#include <vector>

namespace cudalint {

struct ClangArguments {
  std::vector<std::string> Arguments;
  /// The command line names an architecture with its special features, such as
  /// `sm_90a`, which headers ask for by macros of their own.
  bool ArchitectureSpecific = false;
  /// For which GPUs it asks for code: `sm_80`, each once; those of PTX alone
  /// where it asks for nothing else.
  std::vector<std::string> Architectures;
};

/// Never fails: what neither compiler knows passes, so that Clang can say so.
/// Names of sources and of objects are dropped.
ClangArguments translateArguments(std::span<const std::string> Nvcc);

/// The first of \p Nvcc that asks a compiler for something else than to compile
/// the code of GPUs: `--help`, `--cuda-host-only`. Empty without one. What only
/// names a step or a product of a build, such as -E, -M, -S and -v, is dropped
/// by translateArguments() instead.
std::string askingForOther(std::span<const std::string> Nvcc);

/// What of \p Nvcc neither nvcc, as far as it is known here, nor Clang takes,
/// as it is written. A command line of somebody's build may hold it, for
/// another compiler or another version.
std::vector<std::string> unknownArguments(std::span<const std::string> Nvcc);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_FRONTEND_COMPILERARGUMENTS_H
