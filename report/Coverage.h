//===- report/Coverage.h - How much was looked at ---------------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_REPORT_COVERAGE_H
#define CUDA_LINT_REPORT_COVERAGE_H

#include "report/Document.h"
#include "report/FindingGroups.h"

#include <span>
#include <string>

namespace cudalint {

/// `16 kernels, 110 accesses predicted, 2 unknown`: the accesses are those of
/// the source, each place once.
std::string coverageOf(const Document &Doc);

/// `98 findings: 60 exact, 38 assumed`, each problem once; empty without any.
std::string trustOf(std::span<const FindingGroup> Groups);

} // namespace cudalint

#endif // CUDA_LINT_REPORT_COVERAGE_H
