//===- report/page/MeasuredText.h - What counters said ----------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_PAGE_MEASUREDTEXT_H
#define CUDA_LINT_REPORT_PAGE_MEASUREDTEXT_H

#include "report/Measurements.h"

#include <span>
#include <string>
#include <string_view>

namespace cudalint {

/// `32 wavefronts per request, ideal 1, of 1,024 requests`
std::string measuredInWords(const MeasuredLine &Line);

/// `not measured`; printable.
std::string verdictInWords(std::string_view Verdict);

/// The verdict as a badge.
std::string verdictBadge(std::string_view Verdict);

/// The table of what launches of \p Kernel were measured; empty without any.
std::string measuredLaunches(std::span<const Measurements> Measured,
                             const TargetRecord &Target,
                             const std::string &Kernel);

/// What counters said of \p F on a GPU as \p Target; null where nothing.
const MeasuredLine *measuredOf(std::span<const Measurements> Measured,
                               const TargetRecord &Target, const Finding &F,
                               const KernelRecord *Kernel);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_PAGE_MEASUREDTEXT_H
