//===- tests/probe/FakeSampling.h - PC sampling made up ---------*- C++ -*-===//
//
// Part of cuda-lint, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What FakeCupti tells the half of it that samples, and what it is asked.
///
//===----------------------------------------------------------------------===//

#ifndef CUDA_LINT_TESTS_PROBE_FAKESAMPLING_H
#define CUDA_LINT_TESTS_PROBE_FAKESAMPLING_H

#include "tests/probe/FakeDriver.h"

#include <cstdint>
#include <cupti.h>
#include <string>
#include <vector>

namespace fake {

/// What FAKE_CUPTI_FAIL says of \p Name on \p Device.
CUptiResult failureOf(const std::string &Name, unsigned Device);

/// What CUPTI's records call the modules with the kernel.
std::vector<std::uint64_t> moduleNumbers();

/// The modules of \p Context are loaded: it can be sampled from now on.
void contextIsReady(CUcontext Context);
/// A launch of `stride`.
void sampleLaunch(CUcontext Context);

} // namespace fake

#endif // CUDA_LINT_TESTS_PROBE_FAKESAMPLING_H
