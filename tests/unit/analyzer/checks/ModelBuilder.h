//===- tests/unit/analyzer/checks/ModelBuilder.h - Models -------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Kernel models written by hand: a test says where the lanes go, and the
/// hardware model, which has tests of its own, counts.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_UNIT_ANALYZER_CHECKS_MODELBUILDER_H
#define CUDA_LINT_TESTS_UNIT_ANALYZER_CHECKS_MODELBUILDER_H

#include "analyzer/checks/Check.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace cudalint {

/// A kernel `k` for that target, with nothing in it.
KernelModel makeKernel(std::string_view Gpu = "h200");

/// One request sample of weight 1.
RequestSample
makeSample(const std::function<std::int64_t(std::int64_t)> &OffsetOfLane,
           std::uint32_t Mask = 0xffffffff);

/// An exact access at that line of `a.cu` in blocks of 256, whose requests are
/// these samples. All shared ones are to one variable, `array`.
Access makeAccess(const KernelModel &K, MemorySpace Space, unsigned Line,
                  unsigned Bytes, std::vector<RequestSample> Samples);

/// The same for one kind of request.
Access makeAccess(const KernelModel &K, MemorySpace Space, unsigned Line,
                  unsigned Bytes,
                  const std::function<std::int64_t(std::int64_t)> &OffsetOfLane,
                  std::uint32_t Mask = 0xffffffff);

/// A launch at line 90 of `a.cu`.
Launch makeLaunch(Extent Grid, Extent Block);

/// What one check says of a kernel.
std::vector<Finding> runCheck(std::string_view Name, const KernelModel &K);

} // namespace cudalint

#endif // CUDA_LINT_TESTS_UNIT_ANALYZER_CHECKS_MODELBUILDER_H
