//===- analyzer/project/TrustedPrograms.h - What may be run -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Which of the programs that compile commands name may be run.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PROJECT_TRUSTEDPROGRAMS_H
#define CUDA_LINT_ANALYZER_PROJECT_TRUSTEDPROGRAMS_H

#include <string>
#include <vector>

namespace cudalint {

/// Whether \p Program, an absolute name, is one that is installed: below /usr
/// or /opt, on the PATH, or in CUDA_PATH or CUDA_HOME; and, by its name or
/// through links, below none of \p Own, absolute folders of what is linted.
bool isTrustedProgram(const std::string &Program,
                      const std::vector<std::string> &Own);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PROJECT_TRUSTEDPROGRAMS_H
