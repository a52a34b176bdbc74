//===- runtime/hotspots/StallText.h - Stall reasons for people --*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_RUNTIME_HOTSPOTS_STALLTEXT_H
#define CUDA_LINT_RUNTIME_HOTSPOTS_STALLTEXT_H

#include "report/SourceSnippet.h"
#include "runtime/hotspots/HotspotWriters.h"
#include "runtime/hotspots/LintText.h"

#include <string>

namespace cudalint {

/// How many samples a GPU took, and how often.
std::string samplingText(const SamplingTotals &Totals, unsigned Width);

/// Why the warps of a kernel were held up. \p IsWhole: with all reasons.
std::string stallText(const SampleSums &Sums, bool IsWhole, unsigned Width);

/// Its lines by their samples, as many as \p Options say.
std::string stallLinesText(const HotKernel &Kernel,
                           const HotspotOptions &Options,
                           QuotedSources &Sources, LintTeller &Linter);

/// Line \p Number of \p File, where it is there and is to be shown.
std::string quoted(const std::string &File, unsigned Number,
                   const TextOptions &Options, QuotedSources &Sources);

} // namespace cudalint

#endif // CUDA_LINT_RUNTIME_HOTSPOTS_STALLTEXT_H
