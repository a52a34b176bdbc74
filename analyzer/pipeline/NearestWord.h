//===- analyzer/pipeline/NearestWord.h - Misspelt words ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_ANALYZER_PIPELINE_NEARESTWORD_H
#define CUDA_LINT_ANALYZER_PIPELINE_NEARESTWORD_H

#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

/// The word of \p Words that \p Word was most likely meant to be; empty when
/// none is near.
std::string nearestWord(std::string_view Word,
                        const std::vector<std::string> &Words);

} // namespace cudalint

#endif // CUDA_LINT_ANALYZER_PIPELINE_NEARESTWORD_H
