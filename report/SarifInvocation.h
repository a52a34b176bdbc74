//===- report/SarifInvocation.h - How the run of SARIF went -----*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Only for the .cpp files of writers: it includes a large header.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_SARIFINVOCATION_H
#define CUDA_LINT_REPORT_SARIFINVOCATION_H

#include "report/ReportedProblems.h"
#include "report/SarifRules.h"
#include "report/SourceRoot.h"

namespace cudalint {

/// The errors, what was not looked at, and the checks that could not look: as
/// notifications. It was successful if all files were analysed.
Json sarifInvocation(std::span<const Document> Documents,
                     const ReportedProblems &Known, const ReportPlaces &Places,
                     const SarifRules &Rules);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_SARIFINVOCATION_H
