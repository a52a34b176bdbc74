//===- analyzer/tool/ProveOptions.h - What is proved, and how ---*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_PROVEOPTIONS_H
#define CUDA_LINT_ANALYZER_TOOL_PROVEOPTIONS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cudalint {

struct ProveOptions {
  /// What the user calls the fixes: a check, FILE:LINE, or the beginning of a
  /// fingerprint; empty: all.
  std::vector<std::string> Fixes;
  /// The command that builds the program; empty: nvcc with the flags of the
  /// files.
  std::vector<std::string> Build;
  std::vector<std::string> Program; ///< And its arguments; empty: none is run.
  std::string CompareWith;          ///< A program; empty: none.
  std::string Project;              ///< A folder; empty: the repository.
  unsigned Runs = 7;
  std::optional<double> Timeout, BuildTimeout; ///< Seconds.
  std::optional<bool> Measures;                ///< Empty: if there is a GPU.
  std::string Probe, Cupti;                    ///< As in ProveRequest.
  bool AsJson = false;
};

/// Reads the arguments of the command prove and leaves in \p Arguments those
/// of a run over the files. Returns a message when they mean nothing; \p Help
/// is what is to be printed in place of a run, or empty.
std::string takeProveOptions(std::vector<std::string> &Arguments,
                             ProveOptions &Prove, std::string &Help);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_PROVEOPTIONS_H
