//===- runtime/tool/HotspotCommand.h - Hot spots ----------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_TOOL_HOTSPOTCOMMAND_H
#define CUDA_LINT_RUNTIME_TOOL_HOTSPOTCOMMAND_H

#include "report/Document.h"
#include "runtime/tool/Options.h"

#include <vector>

namespace cudalint {

/// Runs the program once for its counts and once for its times, or reads what
/// was recorded, and reports where requests are wasted, and what \p Predictions
/// or the sources say of those lines. Returns the exit code.
int reportHotspots(const Options &Run, std::vector<Document> Predictions);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_TOOL_HOTSPOTCOMMAND_H
