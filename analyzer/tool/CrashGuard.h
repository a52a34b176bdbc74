//===- analyzer/tool/CrashGuard.h - Work that may crash ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The guard of a program that owns its process.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_CRASHGUARD_H
#define CUDA_LINT_ANALYZER_TOOL_CRASHGUARD_H

#include "analyzer/pipeline/WorkGuard.h"

namespace cudalint {

/// Changes the signal handlers of the process when it is first made: there is
/// one, in main.
class CrashGuard final : public WorkGuard {
public:
  CrashGuard();
  bool runFile(const Work &Do) const override;
  bool runPart(const Work &Do) const override;
  std::string excuse() const override;
};

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_CRASHGUARD_H
