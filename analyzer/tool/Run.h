//===- analyzer/tool/Run.h - A run over several files -----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_RUN_H
#define CUDA_LINT_ANALYZER_TOOL_RUN_H

#include "analyzer/pipeline/WorkGuard.h"
#include "analyzer/tool/Options.h"

namespace cudalint {

/// The whole program behind the reading of its options: analyses, prints and
/// returns the exit code.
int run(const Options &Options, const WorkGuard &Guard);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_RUN_H
