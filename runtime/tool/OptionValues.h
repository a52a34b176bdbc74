//===- runtime/tool/OptionValues.h - From words to values -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_TOOL_OPTIONVALUES_H
#define CUDA_LINT_RUNTIME_TOOL_OPTIONVALUES_H

#include "runtime/tool/Options.h"

#include <string>

namespace cudalint {

/// What the options hold before they are understood.
struct RawOptions {
  Options Run;
  std::string Launches;
  std::string Skip;
  std::string Overhead;
  std::string Timeout;
  std::string Tolerance;
  std::string Top;
  std::string FailOn = "never";
  std::string Threshold;
  std::string Runs;
  std::string MinCoverage;
  std::string Format = "text";
  std::string Colour = "auto";
};

/// Understands the words of \p Raw into \p Run, which holds the programs to run
/// already. Returns why they mean nothing, or not together; empty: they do.
std::string readValues(const RawOptions &Raw, Options &Run);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_TOOL_OPTIONVALUES_H
