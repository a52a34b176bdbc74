//===- analyzer/tool/ConfigurationFaults.h - What is wrong ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_CONFIGURATIONFAULTS_H
#define CUDA_LINT_ANALYZER_TOOL_CONFIGURATIONFAULTS_H

#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class SMDiagnostic;
} // namespace llvm

namespace cudalint {

/// `; did you mean 'Gpus'?`, or nothing where none of \p Words is like it.
std::string nearestHint(std::string_view Word,
                        const std::vector<std::string> &Words);

/// Why LLVM's reader must not be given that text, as `1:1: error: ...`; empty
/// where it may.
std::string whyUnreadable(std::string_view Text);

/// What LLVM's reader says first: the rest follows from it.
struct FirstFault {
  std::string Name; ///< Of the file.
  const std::vector<std::string> &Keys;
  /// `FILE:LINE:COLUMN: error: ...`, in words for a user, printable; or empty.
  std::string Said;

  /// A handler of diagnostics of which \p Fault is the context.
  static void keep(const llvm::SMDiagnostic &Diagnostic, void *Fault);
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_CONFIGURATIONFAULTS_H
