//===- analyzer/tool/OutputPath.h - A place for the report ------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_TOOL_OUTPUTPATH_H
#define CUDA_LINT_ANALYZER_TOOL_OUTPUTPATH_H

#include <optional>
#include <string>

namespace cudalint {

/// Says why a report could not be written to \p Path, as far as that can be
/// told before it is tried. Writes nothing: an analysis that takes minutes
/// should not end with this message.
std::optional<std::string> whyNotWritable(const std::string &Path);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_TOOL_OUTPUTPATH_H
