//===- analyzer/resources/NvccArguments.h - For a run of nvcc ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The user's compiler arguments, which are nvcc's or Clang's, as arguments for
/// a run of nvcc that compiles device code only.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_RESOURCES_NVCCARGUMENTS_H
#define CUDA_LINT_ANALYZER_RESOURCES_NVCCARGUMENTS_H

#include "hardware/Architecture.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

/// What changes the code of kernels stays, in the same order: definitions,
/// include paths, the language, optimisation, register limits. What names
/// files, targets and steps of a build goes, and so does what Clang alone
/// knows; where it has a counterpart (-ffast-math, -fgpu-rdc) that is put in
/// its place. What neither knows stays: a later nvcc may know it.
std::vector<std::string> nvccArguments(std::span<const std::string> User);

/// An option of nvcc, by its short name, and its value where it has one.
/// Arguments that are not known to take a value stand alone.
struct NvccOption {
  std::string Name;
  std::optional<std::string> Value;
  std::span<const std::string> Words; ///< The arguments that it was.
};

/// The options of \p Arguments, a result of nvccArguments(), which they refer
/// to.
std::vector<NvccOption> nvccOptions(std::span<const std::string> Arguments);

/// Splits as nvcc does the lists of -D and -I: at commas that stand in no
/// double quotes and behind no backslash, which goes.
std::vector<std::string> nvccList(std::string_view List);

/// The name of \p CC for -arch: `sm_90`, or `sm_90a` when the user's arguments
/// ask for the special features of that architecture.
std::string nvccArchitecture(ComputeCapability CC,
                             std::span<const std::string> User);

/// Whether device code is compiled for a linker (-rdc=true, -dc): what comes
/// out is not yet what runs.
bool isSeparatelyCompiled(std::span<const std::string> User);

/// The value of the last -maxrregcount that is a number, of nvcc or handed to
/// ptxas (-Xptxas); empty without one.
std::string registerLimit(std::span<const std::string> User);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_RESOURCES_NVCCARGUMENTS_H
