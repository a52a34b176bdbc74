//===- analyzer/tool/ProveCommand.h - The command prove ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_PROVECOMMAND_H
#define CUDA_LINT_ANALYZER_TOOL_PROVECOMMAND_H

#include "analyzer/fix/ProvedFixes.h"
#include "analyzer/tool/Options.h"

#include <chrono>
#include <span>

namespace cudalint {

/// Proves the fixes of \p Documents, the analysis of the files that began at \p
/// Start, and reports. Returns the exit code.
int proveAndReport(const Options &Run, std::span<const Document> Documents,
                   std::chrono::system_clock::time_point Start,
                   const Reanalysis &Again);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_PROVECOMMAND_H
